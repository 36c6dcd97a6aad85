"""tucker train"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from tucker.cli.options import Json
from tucker.cli.output import note, print_json, print_table
from tucker.errors import SettingsError


def train(
    recipe: Annotated[
        str | None,
        typer.Argument(metavar="[RECIPE]", help="A recipe file, or a name such as paper/wn18rr."),
    ] = None,
    graph: Annotated[
        str | None,
        typer.Option(help="A file, a folder of splits, `world` or the name of a dataset."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(metavar="RUN", help="The new folder for the run.")
    ] = None,
    model: Annotated[str | None, typer.Option(help="Which model; the default is tucker.")] = None,
    set_: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="KEY=VALUE", help="Change a setting of the recipe."),
    ] = None,
    seed: Annotated[int | None, typer.Option(min=0, help="The same as --set seed=N.")] = None,
    from_: Annotated[
        Path | None,
        typer.Option("--from", metavar="RUN", help="Begin with the weights of a finished run."),
    ] = None,
    add: Annotated[
        Path | None,
        typer.Option(metavar="FACTS", help="With --from: a file of facts that the graph gains."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with the run in --out.")] = False,
    evaluate: Annotated[
        Literal["valid", "test"], typer.Option(help="The split to report on at the end.")
    ] = "valid",
    json: Json = False,
) -> None:
    """Train a model on a graph, with a progress bar and checkpoints."""
    from tucker.cli import training  # torch is slow to import: only when it is needed

    if add and not from_:
        raise SettingsError("--add extends the graph of a run: give the run with --from")
    if resume:
        if recipe or graph or model or set_ or from_ or seed is not None:
            raise SettingsError("--resume takes its settings from the run in --out, and no others")
        if out is None:
            raise SettingsError("--resume needs --out RUN, the folder of the run to go on with")
        trained = training.resume(out, evaluate)
    elif from_:
        if recipe or graph or model:
            raise SettingsError(
                "--from takes graph and model from the run; change others with --set"
            )
        trained = training.go_on_from(from_, add, _changes(set_, seed), out, evaluate)
    else:
        trained = training.start(recipe, graph, model, _changes(set_, seed), out, evaluate)
    report = trained.as_dict()
    if evaluate == "test":
        report["test"] = training.test(trained)
    if json:
        print_json(report)
        return
    if "valid" in report or "test" in report:
        _print(report)
    else:
        note("too few facts to hold any out: trained on all of them, nothing to report")
    note(f"the run is in {report['run']}; ask it with: tucker predict {report['run']} --help")


def _changes(changes: list[str] | None, seed: int | None) -> list[str]:
    return (changes or []) + ([f"seed={seed}"] if seed is not None else [])


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
