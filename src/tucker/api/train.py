"""From a graph or a recipe to a run."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from tucker.api.run import Run
from tucker.errors import SettingsError
from tucker.pipeline.demo import Demo, run_demo
from tucker.pipeline.job import Given, Place, new_job, place, resumed_job, watched
from tucker.pipeline.recipe import Changes, Recipe


def train(
    graph: Given | None = None,
    model: str | None = None,
    *,
    recipe: Recipe | Path | str | None = None,
    set: Changes = (),
    seed: int | None = None,
    beside: dict[str, Any] | None = None,
    rules: dict[str, Any] | None = None,
    out: Place = None,
    resume: bool = False,
    evaluate: Literal["valid", "test"] = "valid",
    progress: bool = True,
    **settings: Any,
) -> Run:
    """Train on a graph, or as a recipe says, and return the run.

    The first argument is a graph (from `load_graph`, or a file, a folder or the name of a dataset)
    or a recipe (from `load_recipe`, or a YAML file, or the name of one that comes with the package,
    such as "fast/wn18rr"). Give both to train a recipe on another graph.

    >>> run = tucker.train("facts.tsv", epochs=30, d_e=100, out="runs/facts")
    >>> run = tucker.train("fast/wn18rr", out="runs/wn18rr")
    >>> run = tucker.train("facts.tsv", recipe="fast/wn18rr", set={"training.epochs": 5})

    Settings of the model and of its training are keywords. `set` changes any key of a recipe, as
    `--set` does on the command line. Without a recipe, what is not set is chosen for the graph.
    `beside` is another model whose score is added, {"model": {"name": "complex"}, "training":
    {"loss": "softmax"}, "weight": 1.0}; `rules` are rules whose score is added, {"weight": 1.0}.

    With `out`, the run is written into that folder while it is trained, checkpoints included;
    `out=True` takes a new folder under `runs/`. A training that was stopped goes on with
    `tucker.resume`; `resume=True` does the same for the run in `out`, if all settings are the same.
    `evaluate="test"` puts the figures of the test split into `run.report`. `progress` shows a bar
    on stderr.
    """
    if graph is None and recipe is None and resume:
        if out is None or out is True:
            raise SettingsError("say which run to resume: give its folder as out")
        job = resumed_job(out)
        return Run.of(job.done(evaluated=evaluate, progress=progress))
    sections = {"seed": seed, "beside": beside, "rules": rules}
    job = new_job(
        graph,
        recipe,
        model=model,
        settings=settings,
        sections={key: value for key, value in sections.items() if value is not None},
        changes=set,
        out=out,
        resume=resume,
    )
    return Run.of(job.done(evaluated=evaluate, progress=progress))


def resume(
    path: Path | str, *, evaluate: Literal["valid", "test"] = "valid", progress: bool = True
) -> Run:
    """Go on with a run whose training was stopped, as if it had not been.

    All settings are those in its folder, and the weights at the end are the same to the last bit.

    >>> run = tucker.resume("runs/facts")
    """
    return Run.of(resumed_job(path).done(evaluated=evaluate, progress=progress))


def demo(out: Place = True, *, progress: bool = True) -> Demo:
    """Train on the bundled geography, evaluate, calibrate and find facts that it was never told.

    The run and its report go into `out`, or into a new folder under `runs/`.

    >>> demo = tucker.demo()
    >>> [finding.fact.object for finding in demo.findings]
    """
    folder = place(out or True, "demo")
    assert folder
    with watched(folder, progress) as bar:
        return run_demo(folder, report=bar)
