"""make bench-page: docs/notebook/benchmarks.md and its plots, from the files in results/benchmarks.

The words are in page.md beside this file; what was not measured says which command does it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from benchmarks import plots
from benchmarks.measuring import CURVES, RESULTS, Figures
from benchmarks.plots import FACTORS, SIDES
from tucker.files import write_text

PAGE = Path("docs/notebook/benchmarks.md")
FIGURES = Path("docs/figures")
WORDS = Path(__file__).with_name("page.md")
STEPS = {
    "step_128": "step of 128, Bernoulli",
    "step_512": "step of 512, Bernoulli",
    "groups_of_16_step_512": "step of 512, Bernoulli, groups of 16",
    "softmax_step_512": "step of 512, softmax",
    "bfloat16_step_128": "step of 128, Bernoulli, products of bfloat16",
    "bfloat16_step_512": "step of 512, Bernoulli, products of bfloat16",
    "bfloat16_softmax_step_512": "step of 512, softmax, products of bfloat16",
}


SHOWN_EPOCHS = (1, 2, 5, 10, 15, 20, 30, 40, 50)
CURVE_NAMES = [f"curve-{data}-{side}" for data in ("fb15k-237", "wn18rr") for side in CURVES]


def main() -> None:
    results = load(RESULTS)
    draw(FIGURES, results)
    write_text(PAGE, page(results))


def load(folder: Path) -> dict[str, Figures]:
    """Return the results of a folder by the names of their files."""
    return {path.stem: json.loads(path.read_bytes()) for path in sorted(folder.glob("*.json"))}


def page(results: dict[str, Figures]) -> str:
    """Fill the figures into the words."""

    def part(command: str, write: Callable[[list[Figures]], str], *names: str) -> str:
        found = [results[name] for name in names if name in results]
        missing = ", ".join(name for name in names if name not in results)
        sentence = f"Not measured here yet: {missing}. `make {command}` does it.\n"
        return "\n".join([*([write(found)] if found else []), *([sentence] if missing else [])])

    text = WORDS.read_text(encoding="utf-8").format(
        peers=part("bench-peers", peers, "peers-fb15k-237", "peers-wn18rr"),
        limit=part("bench", limits, "engine-fb15k-237", "engine-wn18rr"),
        growth=part("bench-growth", growth, "growth"),
        curve=part("bench-curve", curves, *CURVE_NAMES),
        serve=part("bench-serve", serving, "serve"),
        kill=part("bench-kill", kills, "kill"),
    )
    return text.rstrip("\n") + "\n"


def draw(folder: Path, results: dict[str, Figures]) -> None:
    """Draw the plots of what was measured."""
    if compared := [results[name] for name in results if name.startswith("peers-")]:
        plots.draw_sides(folder / "benchmarks-peers.svg", compared)
    if engines := [results[name] for name in results if name.startswith("engine-")]:
        plots.draw_limits(folder / "benchmarks-limit.svg", engines)
    if "growth" in results:
        plots.draw_growth(folder / "benchmarks-growth.svg", results["growth"])
    if found := [results[name] for name in CURVE_NAMES if name in results]:
        plots.draw_curves(folder / "benchmarks-curve.svg", found)


def peers(results: list[Figures]) -> str:
    parts = ["![Three sides compared](../figures/benchmarks-peers.svg)\n"]
    keys = ("step_128_ms", "step_128_epoch_seconds", "queries_per_second", "peak_memory_mb")
    for result in results:
        names = SIDES | {"pykeen": f"PyKEEN {result['pykeen']['version']}"}
        head = [dimensions(result), "ms a step", "s an epoch", "queries/s", "peak memory, MB"]
        rows = [[names[side], *(number(result[side][key]) for key in keys)] for side in SIDES]
        sentences = [
            f"Tucker's step is {number(ratios['step_128'])} times as fast as that of {names[side]}"
            f"{coarse(ratios)}, its ranking {number(ratios['ranking'])} times."
            for side, ratios in result["ratios"].items()
        ]
        parts += [table(head, rows), "\n".join(sentences) + "\n", origin(result)]
    return "\n".join(parts)


def coarse(ratios: Figures) -> str:
    """Say how much faster a step is with products of bfloat16, where the machine has them."""
    faster = ratios.get("bfloat16_step_128")
    return f" ({number(faster)} times with products of bfloat16)" if faster else ""


def limits(results: list[Figures]) -> str:
    parts = ["![Share of the limit](../figures/benchmarks-limit.svg)\n"]
    for result in results:
        ours, ratios = result["ours"], result["ratios"]
        shares, best = result["share_of_limit"], result["best_share_of_limit"]
        head = [
            dimensions(result),
            "ms",
            "s an epoch",
            "queries/s",
            "% of limit",
            "at best",
            "times plain",
        ]
        rows = [
            [
                name,
                number(ours[f"{key}_ms"]),
                number(ours[f"{key}_epoch_seconds"]),
                "",
                f"{100 * shares[key]:.0f}",
                f"{100 * best[key]:.0f}",
                number(ratios[key]) if key in ratios else "",
            ]
            for key, name in STEPS.items()
            if key in shares
        ]
        speed = number(ours["queries_per_second"])
        of_limit = (f"{100 * share['ranking']:.0f}" for share in (shares, best))
        rows.append(["ranking", "", "", speed, *of_limit, number(ratios["ranking"])])
        product = f"Matrix product beside steps of 512: {number(ours['step_512_gflops'])} GFLOP/s."
        parts += [table(head, rows), f"{product} {origin(result)}"]
    return "\n".join(parts)


def growth(results: list[Figures]) -> str:
    (result,) = results
    base = result["base"]
    about = (
        f"The base: {base['n_e']:,} entities, {base['n_r']:,} relations, {base['triples']:,} "
        f"training triples,\nd_e = {base['d_e']}, d_r = {result['d_r']}, batches of "
        f"{result['batch_size']}.\n"
    )
    keys = ("step_ms", "epoch_seconds", "queries_per_second", "peak_memory_mb")
    head = ["factor", "", "ms a step", "s an epoch", "queries/s", "peak memory, MB"]
    rows = [
        [FACTORS[factor], f"{point[factor]:,}", *(number(point[key]) for key in keys)]
        for factor, points in result["points"].items()
        for point in points
    ]
    return "\n".join(
        [about, "![Growth](../figures/benchmarks-growth.svg)\n", table(head, rows), origin(result)]
    )


def curves(results: list[Figures]) -> str:
    epochs = {line["epoch"] for result in results for line in result["journal"]}
    shown = sorted(epochs & set(SHOWN_EPOCHS))
    head = ["dataset", "", "epochs", "minutes", *(f"MRR after {n}" for n in shown), "at the end"]
    rows = []
    for result in results:
        mrr = {line["epoch"]: f"{line['valid_mrr']:.3f}" for line in result["journal"]}
        last = result["journal"][-1]
        minutes = number(last["training_seconds"] / 60)
        about = [result["dataset"], CURVES[result["side"]], str(last["epoch"]), minutes]
        rows.append([*about, *(mrr.get(n, "–") for n in shown), mrr[last["epoch"]]])
    parts = ["![Validation MRR over epochs](../figures/benchmarks-curve.svg)\n", table(head, rows)]
    origins = zip(rows, results, strict=True)
    return "\n".join([*parts, *(f"{row[0]}, {row[1]}. {origin(one)}" for row, one in origins)])


def serving(results: list[Figures]) -> str:
    (result,) = results
    about = (
        f"{result['graph']}: {result['n_e']:,} entities, {result['n_r']:,} relations; "
        f"{result['connections']} connections, {result['seconds']} s each.\n"
    )
    keys = ("requests_per_second", "p50_ms", "p90_ms", "p99_ms", "refused", "errors")
    head = ["predict", "requests/s", "p50, ms", "p90, ms", "p99, ms", "refused", "errors"]
    sides = {"alone": "predict", "beside discoveries": "predict_beside_discover"}
    rows = [[name, *(written(result[side][key]) for key in keys)] for name, side in sides.items()]
    done = result["predict_beside_discover"]["discoveries"]
    more = f"{done:,} discoveries were answered meanwhile."
    if "peak_memory_mb" in result:
        more += f" The server took {number(result['peak_memory_mb'])} MB at most."
    return "\n".join([about, table(head, rows), f"{more} {origin(result)}"])


def kills(results: list[Figures]) -> str:
    (result,) = results
    return (
        f"The server was killed {result['kills']:,} times while decisions were written; of "
        f"{result['acknowledged']:,} that it had\nacknowledged, {result['lost']:,} were lost. "
        f"{origin(result)}"
    )


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def number(value: float) -> str:
    """Write a figure with about three digits."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def written(value: float) -> str:
    """Write a count as it is, and anything else with about three digits."""
    return f"{value:,}" if isinstance(value, int) else number(value)


def dimensions(result: Figures) -> str:
    return f"{result['graph']}, d_e = {result['d_e']}, d_r = {result['d_r']}"


def origin(result: Figures) -> str:
    """Say which commit was measured on which machine."""
    machine = result["machine"]
    threads = "1 thread" if machine["threads"] == 1 else f"{machine['threads']} threads"
    return (
        f"Commit {result['commit']}; {machine['cpu']}, {machine['cores']} cores, "
        f"{threads};\nPython {machine['python']}, torch {machine['torch']}.\n"
    )


if __name__ == "__main__":
    main()
