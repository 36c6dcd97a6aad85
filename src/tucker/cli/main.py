"""The `tucker` command."""

from __future__ import annotations

import sys

import typer

from tucker import __version__
from tucker.cli import (
    calibrate,
    classify,
    convert,
    datasets,
    demo,
    discover,
    evaluate,
    explain,
    export,
    fold_in,
    graph,
    inspect,
    models,
    neighbours,
    predict,
    reproduce,
    rules,
    score,
    serve,
    train,
)
from tucker.cli.output import fail
from tucker.errors import TuckerError

app = typer.Typer(
    name="tucker",
    help="Find the missing facts of a knowledge graph.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.command("train")(train.train)
app.command("evaluate")(evaluate.evaluate)
app.command("predict")(predict.predict)
app.command("discover")(discover.discover)
app.command("score")(score.score)
app.command("calibrate")(calibrate.calibrate)
app.command("classify")(classify.classify)
app.command("explain")(explain.explain)
app.command("neighbours")(neighbours.neighbours)
app.command("rules")(rules.rules)
app.command("export")(export.export)
app.command("fold-in")(fold_in.fold_in)
app.command("serve")(serve.serve)
app.command("reproduce")(reproduce.reproduce)
app.command("models")(models.models)
app.command("inspect")(inspect.inspect)
app.command("convert")(convert.convert)
app.add_typer(graph.app, name="graph")
app.add_typer(datasets.app, name="datasets")


def _show_version(wanted: bool) -> None:
    if wanted:
        sys.stdout.write(f"tucker {__version__}\n")
        raise typer.Exit


@app.callback()
def _options(
    version: bool = typer.Option(
        False, "--version", callback=_show_version, is_eager=True, help="Show the version."
    ),
) -> None:
    pass


def run() -> None:
    """Run the command line: exit 0 when done, 1 when it cannot be done, 2 on wrong usage."""
    try:
        app()
    except TuckerError as error:
        fail(str(error))
    except OSError as error:  # a full disk, a folder that may not be entered
        fail(f"{error.filename or 'the system'}: {error.strerror}")
    sys.exit(1)
