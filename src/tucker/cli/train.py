"""tucker train"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from tucker.cli.options import Json
from tucker.cli.output import note, print_json, print_table, stoppable
from tucker.errors import SettingsError


def train(
    recipe: Annotated[
        str | None,
        typer.Argument(
            metavar="[RECIPE]", help="A recipe: a YAML file, or a name such as fast/wn18rr."
        ),
    ] = None,
    graph: Annotated[
        str | None,
        typer.Option(
            help="A file, a folder with train, valid and test, `world`, or a dataset's name."
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="RUN", help="The new folder for the run.")
    ] = None,
    model: Annotated[
        str | None, typer.Option(help="The model, tucker by default; `tucker models` lists all.")
    ] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option(
            "--set", metavar="KEY=VALUE", help="Change a setting, such as training.epochs=50."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The same as --set seed=N.")] = None,
    from_: Annotated[
        Path | None,
        typer.Option(
            "--from", metavar="RUN", help="Warm start: begin with the weights of a finished run."
        ),
    ] = None,
    add: Annotated[
        Path | None,
        typer.Option(metavar="FACTS", help="With --from: a file of facts to add to the graph."),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the unfinished run in --out.")
    ] = False,
    evaluate: Annotated[
        Literal["valid", "test"], typer.Option(help="The split to report metrics on at the end.")
    ] = "valid",
    json: Json = False,
) -> None:
    """Train a model on a graph, with a progress bar and checkpoints."""
    import tucker

    if add and not from_:
        raise SettingsError("--add extends the graph of a run: give the run with --from")
    others = recipe or graph or model or set_ or from_ or seed is not None
    if resume and others:
        raise SettingsError("--resume takes its settings from the run in --out, and no others")
    if resume and out is None:
        raise SettingsError("--resume needs --out RUN, the folder of the run to go on with")
    if from_ and (recipe or graph or model):
        raise SettingsError("--from takes graph and model from the run; change others with --set")
    with stoppable():
        if resume and out:
            run = tucker.resume(out, evaluate=evaluate)
        elif from_:
            run = tucker.load(from_).continue_with(
                add, set=set_ or (), seed=seed, out=out or True, evaluate=evaluate
            )
        else:
            run = tucker.train(
                graph,
                model,
                recipe=recipe,
                set=set_ or (),
                seed=seed,
                out=out or True,
                evaluate=evaluate,
            )
    report = run.report or {}
    if json:
        print_json(report)
        return
    if "valid" in report or "test" in report:
        _print(report)
    else:
        note(
            "too few facts to hold any out for validation: trained on all of them, without metrics"
        )
    note(f"the run is in {report['run']}; ask it with: tucker predict {report['run']} --help")


def _epochs(count: int) -> str:
    return "1 epoch" if count == 1 else f"{count} epochs"


def _print(report: dict[str, Any]) -> None:
    splits = [split for split in ("valid", "test") if split in report]
    print_table(
        f"{_epochs(report['epochs'])} in {report['seconds']:.1f} s, "
        f"{report['pairs_per_second']:,.0f} pairs/s, {report['peak_memory_mb']:,.0f} MB",
        ["split", "MRR", "Hits@1", "Hits@3", "Hits@10", "triples"],
        [
            [split]
            + [report[split][key] for key in ("mrr", "hits_at_1", "hits_at_3", "hits_at_10")]
            + [report[split]["triples"]]
            for split in splits
        ],
    )
