"""tucker demo"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from tucker.cli.options import Json
from tucker.cli.output import make_table, note, print_json, stdout, stoppable

if TYPE_CHECKING:
    from tucker.api import Demo


def demo(
    out: Annotated[
        Path | None, typer.Option(metavar="RUN", help="The new folder; runs/demo by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Train on the bundled graph of the world, evaluate, and show facts that it was never told."""
    import tucker

    with stoppable():
        result = tucker.demo(out or True)
    if json:
        print_json(result.as_dict())
        return
    for table in demo_tables(result):
        stdout().print(table)
    path = result.trained.run.path
    note(f"run and report: {path}/report.md")
    note(f"ask more: tucker predict {path} --subject Norway --relation borders")


def demo_tables(result: Demo) -> list[Table]:
    """Lay out what the demo found, and how good it is."""
    test, training = result.test.metrics, result.trained.training
    probability = "probability" if result.calibrated else "probability (not calibrated)"
    return [
        make_table(
            "Facts of the world that training was not told: the most probable of some relations",
            ["subject", "relation", "object", probability, "the graph"],
            [
                [
                    finding.fact.subject,
                    finding.fact.relation,
                    finding.fact.object,
                    finding.fact.probability,
                    "has it, held out" if finding.held_out else "does not have it",
                ]
                for finding in result.findings
            ],
        ),
        make_table(
            f"Filtered ranking of {result.test.triples} test facts; "
            f"{training.epochs} epochs in {training.seconds:.0f} s",
            ["", "MRR", "Hits@1", "Hits@3", "Hits@10"],
            [["test", test.mrr, test.hits_at_1, test.hits_at_3, test.hits_at_10]],
        ),
    ]
