"""The bundled graph: what is in its files, and what its split promises."""

from collections import Counter
from pathlib import Path

import pytest

import tucker.graph

WORLD = Path(tucker.graph.__file__).parent / "world"
PARTS = ("train", "valid", "test")


def read(part: str) -> list[tuple[str, ...]]:
    text = (WORLD / f"{part}.tsv").read_bytes().decode()
    assert text.endswith("\n")
    assert "\r" not in text
    return [tuple(line.split("\t")) for line in text.removesuffix("\n").split("\n")]


@pytest.fixture(scope="module")
def parts():
    return {part: read(part) for part in PARTS}


@pytest.fixture(scope="module")
def facts(parts):
    return {fact for rows in parts.values() for fact in rows}


def objects(facts, relation):
    return {o for _, r, o in facts if r == relation}


def subjects(facts, relation):
    return {s for s, r, _ in facts if r == relation}


def test_it_is_large_enough_to_learn_from(facts):
    assert len(facts) >= 2000
    assert len({r for _, r, _ in facts}) >= 8


def test_every_line_has_three_trimmed_fields(parts):
    for fact in (fact for rows in parts.values() for fact in rows):
        assert len(fact) == 3, fact
        assert all(field and field == field.strip() for field in fact), fact


def test_no_fact_is_told_twice(parts, facts):
    assert sum(len(rows) for rows in parts.values()) == len(facts)


def test_files_are_sorted_so_that_changes_can_be_read(parts):
    for rows in parts.values():
        assert rows == sorted(rows)


def test_the_split_is_about_85_to_7_5_to_7_5(parts, facts):
    assert len(parts["valid"]) / len(facts) == pytest.approx(0.075, abs=0.005)
    assert len(parts["test"]) / len(facts) == pytest.approx(0.075, abs=0.005)


@pytest.mark.parametrize("part", ["valid", "test"])
def test_what_is_held_out_is_known_from_train(parts, part):
    seen = Counter(name for s, _, o in parts["train"] for name in (s, o))
    relations = {r for _, r, _ in parts["train"]}
    for s, r, o in parts[part]:
        assert seen[s] >= 2, s
        assert seen[o] >= 2, o
        assert r in relations


def test_facts_between_two_things_stay_together(parts):
    home = {}
    for part, rows in parts.items():
        for s, _, o in rows:
            assert home.setdefault(frozenset((s, o)), part) == part, (s, o)


def test_borders_go_both_ways_and_join_two_countries(facts):
    borders = {(s, o) for s, r, o in facts if r == "borders"}
    assert borders == {(o, s) for s, o in borders}
    assert all(s != o for s, o in borders)


def test_capitals_are_one_to_one_and_only_in_train(parts, facts):
    capitals = [(s, o) for s, r, o in parts["train"] if r == "capital"]
    assert len(capitals) == sum(r == "capital" for _, r, _ in facts)
    assert len({s for s, _ in capitals}) == len({o for _, o in capitals}) == len(capitals)


def test_no_name_means_two_things(facts):
    countries = subjects(facts, "drives on")
    kinds = {
        "country": countries,
        "city": objects(facts, "capital"),
        "language": objects(facts, "language spoken"),
        "script": objects(facts, "written in") | objects(facts, "writing system"),
        "currency": objects(facts, "currency"),
        "region": objects(facts, "in continent") | objects(facts, "in subregion"),
        "language group": objects(facts, "language family") | objects(facts, "language branch"),
        "organisation": objects(facts, "member of"),
        "time zone": objects(facts, "time zone"),
        "day": objects(facts, "week starts on"),
        "side": objects(facts, "drives on"),
    }
    uses = Counter(name for names in kinds.values() for name in names)
    assert [name for name, count in uses.items() if count > 1] == []
    assert {name for s, _, o in facts for name in (s, o)} == set(uses)


@pytest.mark.parametrize(
    "fact",
    [
        "Norway | borders | Sweden",
        "Botswana | borders | Zambia",
        "Brazil | borders | French Guiana",
        "Vatican City | borders | Italy",
        "Norway | capital | Oslo",
        "Luxembourg | capital | Luxembourg (city)",
        "Norway | official language | Norwegian Bokmål",
        "South Africa | official language | Zulu",
        "Brazil | language spoken | Portuguese",
        "Spain | regional language | Catalan",
        "Croatia | currency | Euro",
        "Norway | in subregion | Northern Europe",
        "Northern Europe | in continent | Europe",
        "Chile | in continent | South America",
        "Welsh | language branch | Celtic languages",
        "Hungarian | language family | Uralic languages",
        "Hindi | written in | Devanagari script",
        "Georgia | writing system | Georgian script",
        "Japan | drives on | Left",
        "Greenland | territory of | Denmark",
        "Finland | member of | NATO",
        "Israel | week starts on | Sunday",
        "Poland | time zone | Central European Time",
    ],
)
def test_known_facts_are_there(facts, fact):
    assert tuple(fact.split(" | ")) in facts


@pytest.mark.parametrize(
    "fact",
    [
        "France | borders | Brazil",
        "United Kingdom | borders | France",
        "Croatia | currency | Croatian Kuna",
        "Germany | currency | German Mark",
        "Algeria | official language | French",
        "Ukraine | official language | Russian",
        "Ukraine | time zone | Moscow Time",
        "United Kingdom | member of | European Union",
        "Switzerland | member of | European Union",
        "Singapore | capital | Singapore",
        "Germany | drives on | Left",
    ],
)
def test_known_errors_are_not(facts, fact):
    assert tuple(fact.split(" | ")) not in facts


def test_obsolete_and_uninhabited_places_are_not_there(facts):
    names = {name for s, _, o in facts for name in (s, o)}
    assert not names & {"Soviet Union", "Yugoslavia", "Antarctica", "Bouvet Island", "world"}


def test_the_sources_give_the_counts_of_the_files(parts):
    text = (WORLD / "SOURCES.md").read_text(encoding="utf-8")
    counts = {part: Counter(r for _, r, _ in rows) for part, rows in parts.items()}
    for relation in set().union(*counts.values()):
        cells = " | ".join(str(counts[part][relation]) for part in PARTS)
        assert f"| {relation} | {cells} |" in text


def test_each_licence_that_the_sources_name_is_included():
    text = (WORLD / "SOURCES.md").read_text(encoding="utf-8")
    files = sorted(path.name for path in (WORLD / "LICENSES").iterdir())
    assert files == ["ISC-world-atlas.txt", "MIT-countries-list.txt", "Unicode-3.0.txt"]
    assert all(f"(LICENSES/{name})" in text for name in files)
