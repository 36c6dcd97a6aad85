"""make tables: the tables of the manual that come from the models and from the files in results/.

A page says where each belongs: between `<!-- table: NAME -->` and `<!-- end -->`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import mean

from benchmarks.measuring import Figures
from benchmarks.page import number, origin
from tucker.files import write_text
from tucker.models import MODELS
from tucker.reproduction.family import family, family_table, graph_size
from tucker.reproduction.results import Result, load_results

ROOT = Path(__file__).parents[1]
DOCS, RESULTS = ROOT / "docs", ROOT / "results"
COUNTED = ("world", "WN18RR")
DATASETS = ("fb15k-237", "wn18rr")
SHARES = {"¼": 0.25, "½": 0.5, "¾": 0.75, "all": 1.0}  # of the epochs of a training
_REGION = re.compile(r"<!-- table: ([a-z-]+) -->\n.*?<!-- end -->", re.DOTALL)


def main() -> None:
    """Fill the tables of all pages."""
    for path in sorted(DOCS.rglob("*.md")):
        text = path.read_text(encoding="utf-8")
        if (filled := fill(text)) != text:
            write_text(path, filled)


def fill(text: str) -> str:
    """Return a page with its tables as they are today."""
    return _REGION.sub(_filled, text)


def _filled(found: re.Match[str]) -> str:
    return f"<!-- table: {found[1]} -->\n\n{TABLES[found[1]]()}\n<!-- end -->"


def models() -> str:
    """The paper's Table 1, in the words of the models' docstrings."""
    head = ["model", "φ(s, r, o)", "relation parameters", "fully expressive"]
    rows = [
        [
            f"`{one.name}`",
            one.score.partition(" = ")[2],
            re.sub(r"\^(?:\{([^}]+)\}|(\w))", r"<sup>\1\2</sup>", one.relation),
            "yes" if one.fully_expressive else "no",
        ]
        for one in family()
    ]
    return table(head, rows)


def sizes() -> str:
    """How many parameters each model has."""
    members = family({name: graph_size(name) for name in COUNTED})
    head = ["model", "space", *COUNTED]
    rows = [
        [f"`{one.name}`", one.space, *(f"{one.parameters[name]:,}" for name in COUNTED)]
        for one in members
    ]
    return table(head, rows)


def table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Lay out a table: numbers to the right, all else to the left."""
    sides = [
        "---:" if any(map(_is_number, column)) else "---" for column in zip(*rows, strict=True)
    ]
    cells = [head, sides, *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "".join("| " + " | ".join(line) + " |\n" for line in cells)


def _is_number(cell: str) -> bool:
    return cell.replace(",", "").replace(".", "").isdecimal()


def rules() -> str:
    """What rules add on WN18RR."""
    return _beside_each_other(
        {"fast/wn18rr": "TuckER", "best/wn18rr": "TuckER with rules"}, "WN18RR", "table3"
    )


def beside() -> str:
    """What a second model adds on FB15k-237."""
    names = {"fast/fb15k-237": "TuckER", "best/fb15k-237": "a narrower TuckER and ComplEx"}
    return _beside_each_other(names, "FB15k-237", "table3")


def _beside_each_other(recipes: dict[str, str], dataset: str, folder: str) -> str:
    head = [dataset, "recipe", "MRR", "Hits@1", "Hits@10", "parameters", "seeds"]
    rows = []
    for recipe, name in recipes.items():
        runs = results(folder, recipe)
        figures = (mean(getattr(one.test, key) for one in runs) for key in TESTED)
        shown = (f"{figure:.3f}" for figure in figures)
        rows.append([name, recipe, *shown, f"{runs[0].parameters:,}", str(len(runs))])
    return table(head, rows)


TESTED = ("mrr", "hits_at_1", "hits_at_10")


def results(folder: str, recipe: str) -> list[Result]:
    """Return the results of a recipe, a seed each."""
    return [one for one in load_results(RESULTS / folder) if one.recipe == recipe]


def measured(name: str) -> Figures:
    """Return what a benchmark left."""
    found: Figures = json.loads((RESULTS / "benchmarks" / f"{name}.json").read_bytes())
    return found


def speed() -> str:
    """How long a step and a question take beside the plain form and PyKEEN."""
    head = ["the paper's settings, batches of 128", "ms a step", "queries ranked a second", "MB"]
    rows = []
    for one in (measured(f"peers-{name}") for name in DATASETS):
        sides = {"ours": "Tucker", "plain": "plain form", "pykeen": "PyKEEN"}
        ours = one["ours"]
        rows.append(
            [f"{one['graph']}: Tucker, bfloat16", number(ours["bfloat16_step_128_ms"]), "", ""]
        )
        for side, name in sides.items():
            keys = ("step_128_ms", "queries_per_second", "peak_memory_mb")
            rows.append([f"{one['graph']}: {name}", *(number(one[side][key]) for key in keys)])
    return f"{table(head, rows)}\n{origin(measured('peers-wn18rr'))}"


def calibration() -> str:
    """What probabilities are worth on FB15k-237."""
    one = measured("calibration-fb15k-237")
    names = {
        "uncalibrated": "answers, the model's own",
        "test": f"answers, calibrated ({one['method']}, {one['curves']} curves)",
        "facts": "facts by themselves, calibrated",
    }
    head = [f"FB15k-237, {one['run']}", "ECE", "ECE of the first", "Brier score"]
    keys = ("ece", "ece_of_first", "brier")
    rows = [[name, *(f"{one[kind][key]:.3f}" for key in keys)] for kind, name in names.items()]
    return f"{table(head, rows)}\n{origin(one)}"


def family_of(graph: str) -> Callable[[], str]:
    """Return the table of every model on a small graph, beside PyKEEN's."""

    def made() -> str:
        reported = family_table(RESULTS / "benchmarks" / "family-peers.json")
        peers = {peer.model: peer.mrr for peer in reported.rows[graph]}
        head = [graph, "MRR", "Hits@1", "Hits@10", "parameters", "PyKEEN's MRR"]
        rows = []
        for name, model in MODELS.items():
            runs = results("family", f"family/{graph}/{name}")
            figures = [f"{mean(getattr(one.test, key) for one in runs):.3f}" for key in TESTED]
            theirs = peers.get(model.__name__)
            peer = "–" if theirs is None else f"{theirs:.3f}"
            rows.append([model.__name__, *figures, f"{runs[0].parameters:,}", peer])
        return table(head, rows)

    return made


def conversion() -> str:
    """How far a model and its TuckER differ."""
    one = measured("convert")
    head = [f"on {one['graph']}", "largest difference of scores", "ranks compared", "that differ"]
    rows = [
        [model.__name__, *(f"{one[name][key]:,g}" for key in CONVERTED)]
        for name, model in MODELS.items()
        if name in one
    ]
    return table(head, rows)


CONVERTED = ("largest_difference", "ranks", "differing_ranks")


def curves() -> str:
    """How validation MRR rises with the recipes of our own."""
    head = ["recipe", "epochs", *SHARES, "test", "minutes"]
    rows = []
    for folder in ("table3", "table4"):
        for one in load_results(RESULTS / folder):
            if one.seed == 0 and one.recipe.startswith(("fast/", "best/")):
                own = [line for line in one.journal if "beside" not in line]
                points = [_mrr_near(own, share) for share in SHARES.values()]
                after = [f"{point:.3f}" for point in points]
                end = [f"{one.test.mrr:.3f}", f"{one.seconds / 60:.0f}"]
                rows.append([one.recipe, str(len(own)), *after, *end])
    return table(head, rows)


def _mrr_near(journal: list[Figures], share: float) -> float:
    """Return the validation MRR that was taken nearest to a share of the epochs."""
    wanted = journal[0]["epoch"] - 1 + share * len(journal)
    validated = [line for line in journal if "valid_mrr" in line]
    return float(min(validated, key=lambda line: abs(line["epoch"] - wanted))["valid_mrr"])


def engine() -> str:
    """What the engine reaches beside what is wanted of it."""
    head = ["", *(measured(f"engine-{name}")["graph"] for name in DATASETS), "wanted"]
    rows = []
    for says, where, key, wanted, percent in ENGINE:
        figures = [measured(where + name) for name in DATASETS]
        rows.append([says, *(_reached(one, key, percent=percent) for one in figures), wanted])
    return f"{table(head, rows)}\n{origin(measured('engine-wn18rr'))}"


def folded() -> str:
    """What folding in is worth: MRR of facts of entities that training did not see."""
    head = ["graph", "new entities", "facts given", "facts asked", "random", "folded in", "trained"]
    one = measured("fold-in")
    rows = [
        [
            row["graph"],
            *(f"{row[key]:,}" for key in ("entities", "given", "asked")),
            *(f"{row[key]:.3f}" for key in ("random", "folded_in", "trained")),
        ]
        for row in one["graphs"]
    ]
    return f"{table(head, rows)}\n{origin(one)}"


LIMIT, PLAIN, PYKEEN = "share_of_limit", "ratios", "ratios.pykeen"
ENGINE = (
    ("steps of 512 pairs, % of the limit", "engine-", f"{LIMIT} step_512", "60 and 70", True),
    ("the same with bfloat16", "engine-", f"{LIMIT} bfloat16_step_512", "", True),
    ("steps of 128 pairs, times the plain form", "engine-", f"{PLAIN} step_128", "5", False),
    ("the same with bfloat16", "engine-", f"{PLAIN} bfloat16_step_128", "5", False),
    ("steps of 128 pairs, times PyKEEN", "peers-", f"{PYKEEN} step_128", "30", False),
    ("ranking, times the plain form", "engine-", f"{PLAIN} ranking", "12", False),
    ("ranking, % of the limit", "engine-", f"{LIMIT} ranking", "40", True),
)


def _reached(one: Figures, key: str, *, percent: bool) -> str:
    where, name = key.split(" ")
    for part in where.split("."):
        one = one[part]
    return f"{100 * one[name]:.0f}" if percent else number(one[name])


TABLES: dict[str, Callable[[], str]] = {
    "models": models,
    "sizes": sizes,
    "rules": rules,
    "beside": beside,
    "speed": speed,
    "calibration": calibration,
    "family-umls": family_of("umls"),
    "family-kinship": family_of("kinship"),
    "conversion": conversion,
    "curves": curves,
    "engine": engine,
    "fold-in": folded,
}
"""Every table by the name that a page calls it."""


if __name__ == "__main__":
    main()
