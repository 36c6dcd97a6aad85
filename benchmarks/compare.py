"""make bench-peers: ours, the plain form and PyKEEN, by turns on one machine.

Writes results/benchmarks/peers-NAME.json of each dataset. PyKEEN runs in a virtual environment of
its own, on the files of the same dataset.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from benchmarks.engine import DATASETS, ratios
from benchmarks.measuring import (
    Figures,
    in_own_process,
    measured_on,
    median_of,
    paper_recipe,
    write_result,
)
from benchmarks.sides import measured
from tucker.graph import find_dataset
from tucker.pipeline.recipe import Recipe

SCRIPT = Path(__file__).with_name("peers.py")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("datasets", nargs="*", default=DATASETS)
    parser.add_argument("--python", default=".venv-peers/bin/python", help="that knows PyKEEN")
    parser.add_argument("--steps", type=int, default=40, help="timed steps of ours; plain: a third")
    parser.add_argument("--peer-steps", type=int, default=5, help="timed steps of PyKEEN")
    parser.add_argument("--peer-triples", type=int, default=500, help="that PyKEEN ranks")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each; their median counts")
    options = parser.parse_args()
    for dataset in options.datasets:
        result = compare(dataset, options)
        write_result(f"peers-{dataset.lower()}", result)
        shown = {key: result[key] for key in ("graph", "ours", "plain", "pykeen", "ratios")}
        sys.stdout.write(json.dumps(shown) + "\n")


def compare(dataset: str, options: argparse.Namespace) -> Figures:
    recipe = paper_recipe(dataset)
    about = {
        "graph": dataset,
        "d_e": recipe.model["d_e"],
        "d_r": recipe.model["d_r"],
        "timed": {key: getattr(options, key) for key in ("steps", "peer_steps", "peer_triples")},
        **measured_on(),
    }
    turns = [one_turn(dataset, options, recipe) for _ in range(options.rounds)]
    usual = {side: median_of([turn[side] for turn in turns]) for side in turns[0]}
    compared = {side: ratios(usual["ours"], usual[side]) for side in ("plain", "pykeen")}
    return about | usual | {"ratios": compared, "rounds": turns}


def one_turn(dataset: str, options: argparse.Namespace, recipe: Recipe) -> dict[str, Figures]:
    settings, training = recipe.model, recipe.training
    places = ("subject", "relation", "query")
    dropouts = [str(settings[f"dropout_{place}"]) for place in places]
    command = [options.python, "-P", "-W", "ignore", str(SCRIPT)]
    command += [str(find_dataset(dataset)), "--dropouts", *dropouts]
    command += ["--d-e", str(settings["d_e"]), "--d-r", str(settings["d_r"])]
    command += ["--smoothing", str(training.label_smoothing), "--rate", str(training.learning_rate)]
    command += ["--steps", str(options.peer_steps), "--triples", str(options.peer_triples)]
    return {
        "pykeen": in_own_process(*command),
        "plain": measured("plain", dataset, options.steps),
        "ours": measured("ours", dataset, options.steps),
    }


if __name__ == "__main__":
    main()
