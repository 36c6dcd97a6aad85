"""make bench: the engine against its plain PyTorch form and the machine's limit, in one run.

Uses FB15k-237 and WN18RR where they can be found (TUCKER_DATA, or the cache of `tucker datasets
fetch`), else random graphs of the same counts. Prints a table of each, and writes
results/benchmarks/engine-NAME.json.
"""

from __future__ import annotations

import argparse
import sys

from benchmarks.graphs import find_graph
from benchmarks.limit import shares_of_limit
from benchmarks.measuring import Figures, measured_on, median_of, paper_recipe, write_result
from benchmarks.sides import measured

DATASETS = ("FB15k-237", "WN18RR")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("datasets", nargs="*", default=DATASETS)
    parser.add_argument("--steps", type=int, default=40, help="timed steps of ours; plain: a third")
    parser.add_argument("--rounds", type=int, default=3, help="turns of each; their median counts")
    options = parser.parse_args()
    about = measured_on()
    for dataset in options.datasets:
        result = compare(dataset, options.steps, options.rounds) | about
        if result["graph"] != "random":
            write_result(f"engine-{dataset.lower()}", result)
        show(result)


def compare(dataset: str, steps: int, rounds: int) -> Figures:
    graph, recipe = find_graph(dataset), paper_recipe(dataset)
    d_e, d_r = recipe.model["d_e"], recipe.model["d_r"]
    turns = [
        {side: measured(side, dataset, steps) for side in ("plain", "ours")} for _ in range(rounds)
    ]
    plain, ours = (median_of([turn[side] for turn in turns]) for side in ("plain", "ours"))
    return {
        "graph": graph.name,
        "n_e": graph.n_e,
        "n_r": graph.n_r,
        "d_e": d_e,
        "d_r": d_r,
        "plain": plain,
        "ours": ours,
        "ratios": ratios(ours, plain),
        "share_of_limit": median_of([shares_of_limit(t["ours"], graph.n_e, d_e) for t in turns]),
        "best_share_of_limit": median_of(
            [shares_of_limit(t["ours"], graph.n_e, d_e, "best_") for t in turns]
        ),
        "rounds": turns,
    }


def ratios(ours: Figures, other: Figures) -> Figures:
    """Return how many times as fast ours is, and how many times as much memory the other takes."""
    of_128 = [key for key in ("step_128", "bfloat16_step_128") if f"{key}_ms" in ours]
    return {
        **{key: other["step_128_ms"] / ours[f"{key}_ms"] for key in of_128},
        "ranking": ours["queries_per_second"] / other["queries_per_second"],
        "memory": other["peak_memory_mb"] / ours["peak_memory_mb"],
    }


def show(result: Figures) -> None:
    plain, ours = result["plain"], result["ours"]
    sys.stdout.write(f"{result['graph']}: d_e {result['d_e']}, d_r {result['d_r']}\n")
    for key in sorted(ours):
        theirs = f"{plain[key]:12.2f}" if key in plain else " " * 12
        sys.stdout.write(f"{key:32} plain {theirs}   ours {ours[key]:12.2f}\n")
    for key, ratio in result["ratios"].items():
        sys.stdout.write(f"{key:32} {ratio:.1f} times better than the plain form\n")
    for key, share in result["share_of_limit"].items():
        best = result["best_share_of_limit"][key]
        sys.stdout.write(
            f"{key:32} {share:.1%} of the limit set by its products, {best:.1%} at best\n"
        )


if __name__ == "__main__":
    main()
