"""What the documents say is run: commands, options, settings, paths."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from statistics import mean

import pytest
import typer
import yaml

from tests.cli.running import process, tucker
from tucker.cli.main import app
from tucker.graph import load_graph, write_triples
from tucker.models import MODELS
from tucker.pipeline.recipe import fields_of_model, make_recipe
from tucker.pipeline.shipped import recipe_names
from tucker.reproduction.compare import Measured
from tucker.reproduction.published import FIGURES, TABLES
from tucker.reproduction.results import load_results
from tucker.reproduction.today import TODAY

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
FOR_USERS = [path for path in DOCUMENTS if path.parent.name in (ROOT.name, "learn", "do")]
SMALL = ["--set=training.epochs=1", "--set=model.d_e=10", "--set=model.d_r=5"]
ROOTS = (ROOT, ROOT / "src" / "tucker")  # paths are told from either
ELSEWHERE = ("runs/", "RUN/", "checkpoints/", "site/")  # what is made, and does not stand here


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


def commands():
    """Return the commands of the README's consoles, without their comments."""
    lines = [line for block in blocks("console") for line in block.splitlines()]
    return [shlex.split(line[2:], comments=True) for line in lines if line.startswith("$ ")]


def spans(text):
    """Return what stands between single backticks, outside of blocks."""
    return re.findall(r"`([^`\n]+)`", re.sub(r"```.*?```", "", text, flags=re.DOTALL))


TUCKER = [words[1:] for words in commands() if words[0] == "tucker"]
INLINE = [
    shlex.split(span)[1:]
    for path in DOCUMENTS
    for span in spans(path.read_text(encoding="utf-8"))
    if span.startswith("tucker ") and "…" not in span
]


@pytest.fixture
def _desk(tmp_path, monkeypatch):
    """A folder with the file of facts that the README speaks of."""
    monkeypatch.chdir(tmp_path)
    graph = load_graph("world")
    write_triples("facts.tsv", graph, graph.known)


def test_there_is_something_to_run():
    assert {words[0] for words in TUCKER} >= {"graph", "train", "evaluate", "predict"}
    assert len(blocks("python")) == 1


@pytest.mark.usefixtures("_desk")
def test_the_commands_work_in_the_order_in_which_they_stand():
    for words in TUCKER:
        result = tucker(*words, *(SMALL if words[0] == "train" else []))
        assert result.code == 0, (words, result.err)
        assert result.out
        if "--json" in words:
            assert json.loads(result.out)


@pytest.mark.usefixtures("_desk")
def test_the_commands_leave_what_they_say():
    for words in TUCKER:
        if "--out" in words:
            tucker(*words, *SMALL)
            out = Path(words[words.index("--out") + 1])
            assert (out / "manifest.json").is_file()
            config = yaml.safe_load((out / "config.yaml").read_text(encoding="utf-8"))
            for change in [words[i + 1] for i, word in enumerate(words) if word == "--set"]:
                key, _, value = change.partition("=")
                section, _, name = key.rpartition(".")
                assert config[section][name] == yaml.safe_load(value)


@pytest.mark.usefixtures("_desk")
def test_the_python_example_works(capsys):
    (code,) = blocks("python")
    quick = re.sub(r"epochs=\d+", "epochs=1", code)
    assert quick != code
    names = {}
    exec(compile(quick, "README.md", "exec"), names)
    lines = capsys.readouterr().out.splitlines()
    assert 0 < float(lines[0]) < 1
    assert len(lines) == 6
    assert names["run"].path == Path("runs/world")


def test_the_last_command_is_the_script_as_installed(tmp_path):
    """The same words work outside of this process."""
    result = process("graph", "stats", "world", cwd=tmp_path)
    assert result.code == 0
    assert "borders" in result.out


def find(words):
    """Return the command that some words begin with."""
    command = typer.main.get_command(app)
    for word in words:
        if not hasattr(command, "commands"):
            break
        assert word in command.commands, f"there is no command {' '.join(words)}"
        command = command.commands[word]
    return command


def options(command):
    params = command.params
    names = {name for one in params for name in (*one.opts, *one.secondary_opts)}
    return {name for name in names if name.startswith("-")} | {"-h", "--help"}


@pytest.mark.parametrize("words", TUCKER + INLINE, ids=" ".join)
def test_every_command_and_option_exists(words):
    if words[0].startswith("-"):
        assert words[0] in options(typer.main.get_command(app))
        return
    given = {word.partition("=")[0] for word in words if word.startswith("-")}
    assert given <= options(find(words))


def every_option(command):
    below = [every_option(other) for other in getattr(command, "commands", {}).values()]
    return options(command).union(*below)


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_option_named_by_itself_exists(path):
    known = every_option(typer.main.get_command(app))
    text = path.read_text(encoding="utf-8")
    named = {span.split()[0].partition("=")[0] for span in spans(text) if span.startswith("-")}
    assert named <= known


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_path_named_exists(path):
    text = path.read_text(encoding="utf-8")
    named = [span for span in spans(text) if re.fullmatch(r"[\w.-]+(/[\w.-]+)*/?", span)]
    paths = {span for span in named if "/" in span or re.fullmatch(r"[A-Z_]+\.md", span)}
    paths = {span for span in paths if not span.startswith(ELSEWHERE) and "NAME" not in span}
    paths -= set(recipe_names())
    missing = {span for span in paths if not any((root / span).exists() for root in ROOTS)}
    assert missing == set()
    modules = {span for span in named if re.fullmatch(r"\w+\.py", span)}
    known = {module.name for module in (ROOT / "src").rglob("*.py")}
    assert modules <= known


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_every_link_leads_somewhere(path):
    text = path.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    here = [link.partition("#")[0] for link in links if not re.match(r"\w+:|#", link)]
    assert [link for link in here if not (path.parent / link).exists()] == []


def test_every_make_target_exists():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    named = {words[1] for words in commands() if words[0] == "make"}
    for path in DOCUMENTS:
        text = path.read_text(encoding="utf-8")
        named |= {span.split()[1] for span in spans(text) if re.match(r"make [a-z]", span)}
    assert {"demo", "test"} <= named <= targets


def settings():
    """Return the keys of a recipe that can be set."""
    made = make_recipe({"graph": "world", "model": {}, "rules": {}}).model_dump(mode="json")
    return {f"{section}.{key}" for section in ("training", "rules") for key in made[section]} | {
        f"model.{key}" for model in MODELS for key in fields_of_model(model)
    }


@pytest.mark.parametrize("path", FOR_USERS, ids=lambda path: path.name)
def test_every_setting_named_exists(path):
    named = {span.partition("=")[0] for span in spans(path.read_text(encoding="utf-8"))}
    keys = {key for key in named if re.fullmatch(r"(model|training|rules)\.(?!py$)[a-z]\w*", key)}
    assert keys <= settings()


@pytest.mark.parametrize("name", ["table3", "table4"])
def test_figures_beside_the_paper_are_those_of_the_results(name):
    for dataset, published in TABLES[name].rows.items():
        (paper,) = (row.mrr for row in published if row.model == "TuckER")
        results = load_results(ROOT / "results" / name)
        recipes = {one.recipe for one in results if one.dataset == dataset and of_tucker(one)}
        for recipe in recipes:
            runs = [one for one in results if one.recipe == recipe]
            mrr = [short(figure) for figure in (paper, mean(one.test.mrr for one in runs))]
            minutes = f"{mean(one.seconds for one in runs) / 60:.0f}"
            row = [dataset, recipe, *mrr, str(len(runs)), minutes]
            assert f"| {' | '.join(row)} |" in README


@pytest.mark.parametrize("method", ["NBFNet", "AdaProp", "SAFRAN"])
def test_todays_best_are_named_with_their_figures(method):
    rows = [one for name in ("FB15k-237", "WN18RR") for one in TODAY[name] if one.method == method]
    first, second = (short(one.mrr) for one in rows)
    assert re.search(rf"\[{method}\]\(https://\S+\) \{first} and \{second}[,.]", README)


def test_the_readme_fits_two_screens():
    assert len(README.splitlines()) <= 90


@pytest.mark.parametrize("name", ["table3", "table4"])
def test_the_table_of_the_reproduction_is_that_of_the_results(name):
    page = (ROOT / "docs" / "do" / "reproduce.md").read_text(encoding="utf-8")
    for dataset, published in TABLES[name].rows.items():
        (paper,) = (row for row in published if row.model == "TuckER")
        row = [dataset, "the paper's", *(short(getattr(paper, figure)) for figure in FIGURES)]
        assert f"| {' | '.join([*row, '', ''])} |\n" in page
        results = [one for one in load_results(ROOT / "results" / name) if one.dataset == dataset]
        recipes = {one.recipe for one in results if of_tucker(one)}
        assert f"fast/{dataset.lower()}" in recipes
        for recipe in recipes:
            found = tuple(one for one in results if one.recipe == recipe)
            measured = Measured(recipe, "tucker", dataset, found)
            row = ["", recipe, *(with_spread(measured, figure) for figure in FIGURES)]
            assert f"| {' | '.join([*row, str(len(found)), f'{measured.minutes:.1f}'])} |\n" in page


def of_tucker(result):
    """Leave out the rest of the family, which `tucker reproduce` prints."""
    return not result.recipe.startswith("rows/")


def with_spread(measured, figure):
    spread = measured.spread(figure)
    return short(measured.mean(figure)) + (f" ± {short(spread)}" if spread is not None else "")


def short(figure):
    return f"{figure:.3f}"[1:]
