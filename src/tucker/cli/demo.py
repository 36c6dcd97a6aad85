"""tucker demo"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tucker.cli.options import Json
from tucker.cli.output import note, print_json, print_table


def demo(
    out: Annotated[
        Path | None, typer.Option(metavar="RUN", help="The new folder; runs/demo by default.")
    ] = None,
    json: Json = False,
) -> None:
    """Train on the bundled geography, evaluate, and show facts that it was never told."""
    from tucker.cli.training import free_folder
    from tucker.experiments.demo import run_demo
    from tucker.experiments.progress import ProgressBar
    from tucker.runs import RunFolder

    folder = RunFolder(out or free_folder("demo"))
    with ProgressBar() as bar:
        result = run_demo(folder, report=bar)
    if json:
        print_json(result.as_dict())
        return
    test, training = result.test.metrics, result.trained.training
    print_table(
        "Facts of the world that training was not told, the most probable of each relation",
        ["subject", "relation", "object", "probability", "the atlas says"],
        [
            [
                finding.fact.subject,
                finding.fact.relation,
                finding.fact.object,
                finding.fact.probability,
                "yes (held out)" if finding.held_out else "nothing",
            ]
            for finding in result.findings
        ],
    )
    print_table(
        f"Filtered ranking of {result.test.triples} held-out facts, trained for "
        f"{training.seconds:.0f} s",
        ["", "MRR", "Hits@1", "Hits@3", "Hits@10"],
        [["test", test.mrr, test.hits_at_1, test.hits_at_3, test.hits_at_10]],
    )
    note(f"run and report: {folder.path}/report.md")
    note(f"ask more: tucker predict {folder.path} --subject Norway --relation borders")
