"""tucker reproduce"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from tucker.cli.options import Json
from tucker.cli.output import note, print_json, print_table, stoppable

if TYPE_CHECKING:
    from tucker.reproduction.compare import Comparison, Measured
    from tucker.reproduction.published import Published
    from tucker.reproduction.studies import StudyName
    from tucker.reproduction.today import Today


def reproduce(
    table: Annotated[
        Literal[
            "table1",
            "table2",
            "table3",
            "table4",
            "figure2",
            "figure3",
            "figure4",
            "theorem1",
            "family",
            "all",
        ],
        typer.Argument(
            help="A table or a figure of the paper, all models on two small graphs (family), or "
            "one HTML page of everything (all)."
        ),
    ],
    train: Annotated[
        bool, typer.Option("--train", help="Train and test what is not measured yet.")
    ] = False,
    recipe: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="Only this recipe, such as paper/wn18rr; repeatable."),
    ] = None,
    seeds: Annotated[
        str | None,
        typer.Option(metavar="N,N", help="Only these seeds; without it, seed 0 is trained."),
    ] = None,
    results: Annotated[Path, typer.Option(help="The folder of the results.")] = Path("results"),
    runs: Annotated[Path, typer.Option(help="The folder for the runs.")] = Path("runs"),
    plot: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Draw the learning curves: .svg, .png or .pdf."),
    ] = None,
    out: Annotated[
        Path, typer.Option(metavar="FILE", help="With all: where the page goes.")
    ] = Path("reproduction.html"),
    json: Json = False,
) -> None:
    """Show a table or a figure of the paper, or of a peer, beside what was reached here."""
    if table == "all":
        _write_page(out, results, json=json)
        return
    if table in ("table1", "table2", "figure2", "figure3", "theorem1"):
        _study(table, train=train, results=results, runs=runs, plot=plot, json=json)
        return
    assert table in ("table3", "table4", "figure4", "family")
    import tucker

    with stoppable(go_on="the same command"):
        comparison = tucker.reproduce(
            table,
            train=train,
            recipes=recipe or [],
            seeds=_seeds(seeds),
            results=results,
            runs=runs,
            plot=plot,
        )
    if plot:
        note(f"drew {plot}")
    if json:
        print_json(comparison.as_dict())
    elif table == "figure4":
        _print_figure4(comparison)
    elif table == "family":
        _print_family(comparison)
    else:
        _print(comparison)
    if not comparison.results:
        how = f"tucker reproduce {table} --train"
        note(f"nothing is measured in {results / table}; measure with: {how}")


def _write_page(out: Path, results: Path, *, json: bool) -> None:
    from tucker.reproduction.page import write_page

    missing = write_page(out, results=results)
    if json:
        print_json({"page": str(out), "not_reproduced": missing})
    else:
        note(f"wrote {out}; not reproduced: {len(missing)}, named at its end")


def _study(
    name: StudyName, *, train: bool, results: Path, runs: Path, plot: Path | None, json: bool
) -> None:
    from tucker.reproduction.studies import study

    with stoppable(go_on="the same command"):
        found = study(name, train=train, results=results, runs=runs, plot=plot)
    if plot:
        note(f"drew {plot}")
    if json:
        print_json(found.record)
        return
    for sheet in found.sheets:
        print_table(sheet.title, sheet.head, sheet.rows)
    for words in found.notes:
        note(words)


def _seeds(text: str | None) -> list[int]:
    words = text.split(",") if text else []
    if not all(word.strip().isdecimal() for word in words):
        raise typer.BadParameter(f"--seeds takes numbers such as 0,1,2; found {text!r}")
    return sorted({int(word) for word in words})


_COLUMNS = ["model", "recipe", "MRR", "Hits@1", "Hits@3", "Hits@10", "seeds", "minutes"]


def _print(comparison: Comparison) -> None:
    from tucker.reproduction.page import beaten
    from tucker.reproduction.today import TODAY

    for dataset, published in comparison.table.rows.items():
        rest = comparison.on(dataset)
        rows = []
        for row in published:  # what was measured of a model comes right after it
            same = [one for one in rest if one.model == row.model.replace("-", "").casefold()]
            rest = [one for one in rest if one not in same]
            rows += [_published(row), *map(_measured, same)]
        rows += [*map(_measured, rest), *map(_later, TODAY.get(dataset, ()))]
        title = f"{comparison.table.title} on {dataset}: filtered ranking of the test split"
        print_table(title, [*_COLUMNS, "parameters", "protocol"], rows)
    above, both = beaten(comparison)
    if both:
        note(f"{above} of {both} published rows that are measured here are reached or exceeded")
    if TODAY.keys() & comparison.table.rows.keys():
        note("(today, ?) is from memory and not checked; sources stand in --json")


def _print_figure4(comparison: Comparison) -> None:
    from tucker.reproduction.figure4 import points, shortfalls

    rows = [
        [one.model, str(one.size), _figure(one.mrr), f"{one.parameters:,}"]
        for one in points(comparison)
    ]
    print_table("Figure 4: MRR on FB15k-237", ["model", "size", "MRR", "parameters"], rows)
    for name, gap in shortfalls(comparison).items():
        note(f"TuckER of size 20 beside {name} of size 200: {-gap:+.3f}")


_FAMILY = [*_COLUMNS[:-1], "seconds", "parameters", "PyKEEN", "difference"]


def _print_family(comparison: Comparison) -> None:
    import tucker

    order = [model.name for model in tucker.list_models()]
    for dataset, peers in comparison.table.rows.items():
        theirs = {peer.model.casefold(): peer.mrr for peer in peers}
        measured = sorted(
            comparison.on(dataset), key=lambda one: [*order, one.model].index(one.model)
        )
        rows = [_beside(one, theirs.get(one.model)) for one in measured]
        title = f"{comparison.table.title} on {dataset}: filtered ranking of the test split"
        print_table(title, _FAMILY, rows)
    note(f"the column PyKEEN is its test MRR: {comparison.table.source}")


def _beside(one: Measured, peer: float | None) -> list[str]:
    *figures, _, parameters, _ = _measured(one)
    seconds = "–" if one.minutes is None else f"{60 * one.minutes:.1f}"
    mrr = one.mean("mrr")
    difference = "–" if mrr is None or peer is None else f"{mrr - peer:+.3f}"
    return [*figures, seconds, parameters, _figure(peer), difference]


def _published(row: Published) -> list[str]:
    figures = (row.mrr, row.hits_at_1, row.hits_at_3, row.hits_at_10)
    from tucker.reproduction.today import compares

    return [row.model, "(published)", *map(_figure, figures), "–", "–", "–", compares(row.model)]


def _later(row: Today) -> list[str]:
    from tucker.reproduction.today import compares

    figures = (row.mrr, row.hits_at_1, None, row.hits_at_10)
    source = "(today)" if row.checked else "(today, ?)"
    return [row.method, source, *map(_figure, figures), "–", "–", "–", compares(row.method)]


def _measured(one: Measured) -> list[str]:
    from tucker.reproduction.published import FIGURES

    return [
        one.title,
        one.recipe,
        *(_figure(one.mean(figure), one.spread(figure)) for figure in FIGURES),
        str(len(one.seeds) or "–"),
        "–" if one.minutes is None else f"{one.minutes:.1f}",
        "–" if one.parameters is None else f"{one.parameters:,}",
        "ours" if one.results else "–",
    ]


def _figure(mean: float | None, spread: float | None = None) -> str:
    if mean is None:
        return "–"
    return f"{mean:.3f}" + ("" if spread is None else f" ± {spread:.3f}")
