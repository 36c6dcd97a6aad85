"""Everything of the paper that is reproduced here, as one self-contained HTML page."""

from __future__ import annotations

import html
import os
import tempfile
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import cast

from tucker.errors import ExtraError, ResultError
from tucker.files import write_text
from tucker.reproduction import figure4
from tucker.reproduction.compare import Comparison, Measured, compare
from tucker.reproduction.published import FIGURES, TABLES, Published
from tucker.reproduction.reproduce import chosen_results, table_recipes
from tucker.reproduction.studies import StudyName, study
from tucker.reproduction.study import Sheet, Study
from tucker.reproduction.today import OURS, PROTOCOLS, TODAY, Today, compares, protocol

_ORDER = ("table1", "table2", "table3", "table4", "figure2", "figure3", "figure4", "theorem1")


_NO_RECIPE = (
    "figure4: the settings of the paper's Table 6 at sizes 20 and 200 have no recipe here; those "
    "measured have settings of our own",
)


def write_page(path: Path, *, results: Path) -> list[str]:
    """Write the page of what stands in `results`, and return what is not reproduced."""
    missing = list(_NO_RECIPE)
    parts = [_part(name, path, results, missing) for name in _ORDER]
    lacks = "".join(f"<li>{html.escape(one)}</li>" for one in missing)
    write_text(path, _HEAD + "".join(parts) + f"<h2>Not reproduced</h2><ul>{lacks}</ul>\n" + _END)
    return missing


def _part(name: str, page: Path, results: Path, missing: list[str]) -> str:
    try:
        if name in TABLES:
            found = _comparison(name, results)
            missing += [f"{name}: {one}" for one in _unmeasured(found)]
            return _compared(found, page, results)
        if name == "figure4":
            return _figure4(_comparison(name, results), page, results, missing)
        return _studied(study(cast(StudyName, name), results=results), page, results)
    except ResultError as error:
        missing.append(str(error))
        return f"<h2>{_title(name)}</h2><p>{html.escape(str(error))}</p>\n"


def _comparison(name: str, results: Path) -> Comparison:
    table = figure4.TABLE if name == "figure4" else TABLES[name]
    return compare(table, chosen_results(results / name), table_recipes(table))


def _unmeasured(comparison: Comparison) -> list[str]:
    """Name what has no result: recipes that were not trained, and models without a recipe."""
    recipes = [f"{one.recipe} is not trained" for one in comparison.measured if not one.results]
    models = [
        f"{row.model} on {dataset} is published and has no recipe here"
        for dataset, rows in comparison.table.rows.items()
        for row in rows
        if _has_figures(row) and not _of(comparison.on(dataset), row)
    ]
    return recipes + models


def _has_figures(row: Published) -> bool:
    return any(getattr(row, figure) is not None for figure in FIGURES)


def _of(measured: Iterable[Measured], row: Published) -> list[Measured]:
    name = row.model.replace("-", "").casefold()
    return [one for one in measured if one.model == name]


def beaten(comparison: Comparison) -> tuple[int, int]:
    """Count the published rows that a measured one is at or above, by MRR or else by Hits@10.

    The second number is that of the published rows with a measured one.
    """
    above = both = 0
    for dataset, rows in comparison.table.rows.items():
        for row in rows:
            figure = "mrr" if row.mrr is not None else "hits_at_10"
            theirs = getattr(row, figure)
            ours = [one.mean(figure) for one in _of(comparison.on(dataset), row) if one.results]
            reached = [mrr for mrr in ours if mrr is not None]
            if theirs is not None and reached:
                both += 1
                above += max(reached) >= theirs - 5e-4  # as it is printed
    return above, both


_COLUMNS = ["model", "", "MRR", "Hits@1", "Hits@3", "Hits@10", "minutes", "parameters", "protocol"]


def sheets_of(comparison: Comparison) -> list[Sheet]:
    """Return a sheet a dataset: published rows, what is measured of each, and later methods."""
    sheets = []
    for dataset, rows in comparison.table.rows.items():
        rest = [one for one in comparison.on(dataset) if one.results]
        lines = []
        for row in filter(_has_figures, rows):
            own = _of(rest, row)
            rest = [one for one in rest if one not in own]
            lines += [_published(row), *map(_measured, own)]
        lines += [*map(_measured, rest), *map(_later, TODAY.get(dataset, ()))]
        sheets.append(Sheet(f"{comparison.table.title}, {dataset}", _COLUMNS, lines))
    return sheets


def _published(row: Published) -> list[str]:
    figures = (_shown(getattr(row, figure)) for figure in FIGURES)
    return [row.model, "published", *figures, "", "", compares(row.model)]


def _measured(one: Measured) -> list[str]:
    figures = (_shown(one.mean(figure)) for figure in FIGURES)
    return [one.title, one.recipe, *figures, f"{one.minutes:.0f}", f"{one.parameters:,}", "ours"]


def _later(row: Today) -> list[str]:
    figures = [row.mrr, row.hits_at_1, None, row.hits_at_10]
    checked = f"read at {row.checked}" if row.checked else "from memory, not checked"
    about = f"today: {row.source}; {checked}"
    return [row.method, about, *map(_shown, figures), "", row.size or "", compares(row.method)]


def _shown(figure: float | None) -> str:
    return "–" if figure is None else f"{figure:.3f}"


def _compared(comparison: Comparison, page: Path, results: Path) -> str:
    above, both = beaten(comparison)
    words = f"{above} of {both} published rows that are measured here are reached or exceeded."
    notes = [
        words,
        f"Protocol of ours: {OURS}. Choices on the validation split; test is looked at once.",
        "Recipes called rows/ were trained once, with one core beside other work: their minutes "
        "are more than a quiet core needs.",
        f"Protocols of others, from memory: {_protocols(comparison)}.",
    ]
    files = _files(results / comparison.table.name, page)
    return _section(comparison.table.title, sheets_of(comparison), notes, files)


def _protocols(comparison: Comparison) -> str:
    """Say of each method once whether and why its evaluation compares."""
    names = [
        *(
            row.model
            for rows in comparison.table.rows.values()
            for row in filter(_has_figures, rows)
        ),
        *(row.method for dataset in comparison.table.rows for row in TODAY.get(dataset, ())),
    ]
    said = {name: protocol(name) for name in dict.fromkeys(names)}
    return "; ".join(f"{name}: {words}" for name, words in said.items() if name in PROTOCOLS)


def _figure4(comparison: Comparison, page: Path, results: Path, missing: list[str]) -> str:
    missing += [f"figure4: {one}" for one in _unmeasured(comparison)]
    found = figure4.points(comparison)
    rows = [[one.model, str(one.size), _shown(one.mrr), f"{one.parameters:,}"] for one in found]
    sheet = Sheet("Figure 4: test MRR on FB15k-237", ["model", "size", "MRR", "parameters"], rows)
    notes = [
        f"TuckER of size 20 is {gap:.3f} behind {name} of size 200."
        for name, gap in figure4.shortfalls(comparison).items()
    ]
    drawing = _picture(lambda file: figure4.draw(file, comparison)) if rows else ""
    return _section("Figure 4", [sheet], notes, _files(results / "figure4", page), drawing)


def _studied(found: Study, page: Path, results: Path) -> str:
    kept = results / f"{found.name}.json"
    files = _links([kept], page) if kept.exists() else ""
    drawing = _picture(found.draw) if found.draw else ""
    return _section(_title(found.name), found.sheets, found.notes, files, drawing)


def _title(name: str) -> str:
    return f"{name[:-1].capitalize()} {name[-1]}"


def _section(
    title: str, sheets: Iterable[Sheet], notes: Iterable[str], files: str, drawing: str = ""
) -> str:
    tables = "".join(map(_table, sheets))
    words = "".join(f"<p>{html.escape(note)}</p>" for note in notes)
    return f"<h2>{html.escape(title)}</h2>\n{drawing}{tables}{words}{files}\n"


def _table(sheet: Sheet) -> str:
    head = "".join(f"<th>{html.escape(cell)}</th>" for cell in sheet.head)
    rows = "".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>\n"
        for row in sheet.rows
    )
    caption = html.escape(sheet.title)
    table = f"<table><caption>{caption}</caption><tr>{head}</tr>\n{rows}</table>"
    return f'<div class="wide">{table}</div>\n'


def _files(folder: Path, page: Path) -> str:
    return _links(sorted(folder.glob("*.json")), page)


def _links(files: Iterable[Path], page: Path) -> str:
    links = ", ".join(
        f'<a href="{html.escape(os.path.relpath(file, page.parent))}">{file.stem}</a>'
        for file in files
    )
    return f"<details><summary>Results</summary><p>{links}</p></details>"


def _picture(draw: Callable[[Path], None]) -> str:
    """Return a drawing as SVG to stand in the page; nothing where plots are not installed."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "drawing.svg"
        try:
            draw(file)
        except ExtraError:
            return ""
        text = file.read_text(encoding="utf-8")
    return f'<div class="wide drawing">{text[text.index("<svg") :]}</div>\n'


_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>TuckER, reproduced</title>
<style>
:root { color-scheme: light dark; --line: #bbb; --odd: #f3f4f6; --link: #0b57d0; }
@media (prefers-color-scheme: dark) { :root { --line: #555; --odd: #22262b; --link: #8ab4f8; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; font-size: .85rem; margin: 1rem 0; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { border-bottom: 1px solid var(--line); padding: .2rem .6rem; text-align: left; }
tr:nth-child(odd) { background: var(--odd); }
td { font-variant-numeric: tabular-nums; vertical-align: top; }
a { color: var(--link); }
.wide { overflow-x: auto; }
.drawing { background: #fff; }
.drawing svg { max-width: 100%; height: auto; }
</style></head><body>
<h1>TuckER, reproduced</h1>
<p>Balažević, Allen and Hospedales, “TuckER: Tensor Factorization for Knowledge Graph Completion”,
EMNLP 2019: its tables and figures as they come out here. Every figure of ours stands in a file of
results with its recipe, seed, commit and machine.</p>
"""
_END = "</body></html>\n"
