from __future__ import annotations

import signal

import pytest

from tests.cli.running import refused, tucker
from tests.cli.shapes import check
from tests.pipeline.conftest import ship_tiny_recipes
from tests.reproduction.test_peers import TEST, write_peers
from tucker.progress import ProgressBar
from tucker.reproduction.results import load_results

PUBLISHED = {"model": str, "linear": bool}
MEASURED = {
    "model": str,
    "recipe": str,
    "seeds": list,
    "mrr": float,
    "hits_at_1": float,
    "hits_at_3": float,
    "hits_at_10": float,
    "spread": dict,
    "minutes": float,
    "parameters": int,
}


@pytest.fixture
def _tiny(tmp_path, monkeypatch):
    ship_tiny_recipes(tmp_path / "recipes", monkeypatch)


def rows(text):
    """Return the cells of every row that was printed."""
    lines = [line for line in text.splitlines() if line.startswith("│")]
    return [[cell.strip() for cell in line.strip("│").split("│")] for line in lines]


@pytest.mark.parametrize(
    ("table", "datasets", "mrr"),
    [("table3", ("WN18RR", "FB15k-237"), "0.470"), ("table4", ("WN18", "FB15k"), "0.795")],
)
def test_without_a_result_the_published_figures_are_shown(table, datasets, mrr, tmp_path):
    result = tucker("reproduce", table)
    assert result.code == 0
    for dataset in datasets:
        assert f"on {dataset}: filtered ranking of the test split" in result.out
    assert ["TuckER", "(published)", mrr] in [row[:3] for row in rows(result.out)]
    ours = [row for row in rows(result.out) if row[1].startswith("paper/")]
    assert len(ours) == 2
    assert all(set(row[2:]) == {"–"} for row in ours)
    hint = f"measure with: tucker reproduce {table} --train"
    assert result.err.endswith(f"nothing is measured in results/{table}; {hint}\n")
    assert list(tmp_path.iterdir()) == []


def test_the_form_for_programs():
    result = tucker("reproduce", "table4", "--json")
    found = result.json()
    check(found, {"table": str, "source": str, "datasets": list})
    assert [part["dataset"] for part in found["datasets"]] == ["WN18", "FB15k"]
    for part in found["datasets"]:
        assert part["published"][-1]["model"] == "TuckER"
        for row in part["published"]:
            assert {key: type(row[key]) for key in PUBLISHED} == PUBLISHED
        for row in part["measured"]:
            ruled = {"rules"} if row["recipe"] == "best/wn18" else set()
            assert row.keys() == MEASURED.keys() | ruled
            assert row["mrr"] is None


@pytest.mark.usefixtures("_tiny")
def test_recipes_are_trained_and_stand_beside_the_published(tmp_path):
    words = ["reproduce", "table3", "--train", "--seeds", "0,1"]
    result = tucker(*words)
    assert result.code == 0, result.err
    names = [f"fast-{name}-seed{seed}" for name in ("fb15k-237", "wn18rr") for seed in (0, 1)]
    files = sorted((tmp_path / "results" / "table3").iterdir())
    assert [file.name for file in files] == [f"{name}.json" for name in names]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == names
    printed = rows(result.out)
    place = printed.index(next(row for row in printed if row[1] == "fast/wn18rr"))
    assert printed[place - 1][:3] == ["TuckER", "(published)", "0.470"]
    results = [one for one in load_results(files[0].parent) if one.recipe == "fast/wn18rr"]
    mean = sum(one.test.mrr for one in results) / 2
    assert printed[place][2].startswith(f"{mean:.3f} ± 0.")
    minutes = sum(one.seconds for one in results) / 2 / 60
    assert printed[place][6:] == ["2", f"{minutes:.1f}", f"{results[0].parameters:,}", "ours"]
    assert printed[place + 1][1] == "paper/wn18rr"
    assert printed[place + 1][2] == "–"
    assert "wrote results/table3/fast-wn18rr-seed1.json" in result.err

    before = [file.read_bytes() for file in files]
    again = tucker(*words, "--json")
    assert again.err == ""
    assert [file.read_bytes() for file in files] == before
    (row,) = again.json()["datasets"][1]["measured"]
    check(row, MEASURED)
    assert row["seeds"] == [0, 1]
    check(row["spread"], dict.fromkeys(("mrr", "hits_at_1", "hits_at_3", "hits_at_10"), float))


@pytest.mark.usefixtures("_tiny")
def test_the_family_stands_beside_its_peers(tmp_path):
    path = tmp_path / "results" / "benchmarks" / "family-peers.json"
    write_peers(path, umls={"tucker": {"test": TEST}, "cp": {"test": TEST}})
    result = tucker("reproduce", "family", "--train")
    assert result.code == 0, result.err
    (one,) = [r for r in load_results(tmp_path / "results" / "family") if r.dataset == "umls"]
    of_umls, of_kinship = rows(result.out)
    assert of_umls[:3] == ["TuckER", "family/umls/tucker", f"{one.test.mrr:.3f}"]
    assert of_umls[6:] == [
        "1",
        f"{one.seconds:.1f}",
        f"{one.parameters:,}",
        "0.900",
        f"{one.test.mrr - 0.9:+.3f}",
    ]
    assert of_kinship[-2:] == ["–", "–"]
    assert "The family on kinship: filtered ranking of the test split" in result.out
    assert "PyKEEN 9.9" in result.err
    first, second = tucker("reproduce", "family", "--json").json()["datasets"]
    assert [row["model"] for row in first["published"]] == ["TuckER", "CP"]
    check(first["measured"][0], MEASURED)
    assert second["published"] == []


@pytest.mark.usefixtures("_tiny")
def test_one_recipe_in_places_of_one_s_own(tmp_path):
    places = ["--results", "mine/results", "--runs", "mine/runs"]
    words = ["reproduce", "table3", "--recipe", "paper/wn18rr", *places]
    result = tucker(*words, "--train", "--json")
    first, second = result.json()["datasets"]
    assert [row["recipe"] for row in first["measured"]] == ["paper/wn18rr"]
    assert first["measured"][0]["seeds"] == [0]
    assert second["measured"] == []
    assert (tmp_path / "mine/results/table3/paper-wn18rr-seed0.json").is_file()
    assert (tmp_path / "mine/runs/paper-wn18rr-seed0/manifest.json").is_file()
    other = tucker(*words, "--seeds", "5", "--json")
    assert other.json()["datasets"][0]["measured"][0]["seeds"] == []
    assert "nothing is measured" in other.err


@pytest.mark.usefixtures("_tiny")
def test_a_stopped_reproduction_goes_on_with_the_same_command(tmp_path, monkeypatch):
    words = ["reproduce", "table3", "--recipe", "fast/wn18rr", "--train", "--json"]

    def stop(bar, progress):
        signal.raise_signal(signal.SIGINT)

    with monkeypatch.context() as patch:
        patch.setattr(ProgressBar, "__call__", stop)
        stopped = tucker(*words)
    assert (stopped.code, stopped.out) == (130, "")
    assert stopped.err.endswith("stopped; go on with: the same command\n")
    assert not (tmp_path / "results").exists()
    assert tucker(*words).json()["datasets"][0]["measured"][0]["seeds"] == [0]


@pytest.mark.usefixtures("_tiny")
def test_the_plot(tmp_path):
    pytest.importorskip("matplotlib")
    words = ["reproduce", "table3", "--recipe", "fast/wn18rr", "--plot", "curves.svg"]
    assert "nothing measured to draw" in refused(tucker(*words))
    assert tucker(*words, "--train").code == 0
    assert "fast/wn18rr, seed 0" in (tmp_path / "curves.svg").read_text()


@pytest.mark.usefixtures("_tiny")
def test_a_plot_that_cannot_be_drawn_is_refused_before_the_training(tmp_path):
    words = ["reproduce", "table3", "--train", "--plot", "curves.gif"]
    assert refused(tucker(*words)).startswith("curves.gif: the extension of a plot must be one of")
    assert not (tmp_path / "runs").exists()


@pytest.mark.usefixtures("_tiny")
@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--recipe", "fast/wn18r"], "there is no recipe 'fast/wn18r'; did you mean fast/wn18rr"),
        (["--recipe", "fast/wn18"], "fast/wn18 is a recipe for WN18, but Table 3 is of"),
    ],
)
def test_a_recipe_that_is_not_for_the_table_is_refused(words, message):
    assert message in refused(tucker("reproduce", "table3", *words))


def test_a_broken_result_is_refused(tmp_path):
    (tmp_path / "results" / "table3").mkdir(parents=True)
    (tmp_path / "results" / "table3" / "x.json").write_text("{}")
    message = refused(tucker("reproduce", "table3"))
    assert message.startswith("results/table3/x.json: is not a result (dataset: Field required)")


@pytest.mark.parametrize("words", [[], ["table9"], ["table3", "--seeds", "0;1"]], ids=" ".join)
def test_wrong_usage_exits_2(words):
    result = tucker("reproduce", *words)
    assert (result.code, result.out) == (2, "")
    assert "Usage: " in result.err


def test_a_recipe_is_trained_by_its_name(tmp_path):
    words = ["--set=training.epochs=1", "--set=model.d_e=8", "--set=model.d_r=4"]
    assert tucker("train", "demo", "--out", "mine", "--json", *words).json()["epochs"] == 1
    message = refused(tucker("train", "demos", "--out", "other"))
    assert message == "there is no recipe 'demos'; did you mean demo?"
    assert not (tmp_path / "other").exists()


def test_studies_and_the_page(tmp_path):
    first = tucker("reproduce", "table1", "--json").json()
    assert first["models"][0]["model"] == "tucker"
    printed = tucker("reproduce", "table1")
    assert ["TuckER, d_e = 200, d_r = 30", "WN18RR", "9.4", "9.39"] in rows(printed.out)
    assert "not there: make it with" in refused(tucker("reproduce", "theorem1"))
    page = tucker("reproduce", "all", "--out", "page.html", "--json").json()
    assert (tmp_path / page["page"]).is_file()
    assert any("theorem1" in one for one in page["not_reproduced"])


def test_later_methods_and_protocols_stand_beside():
    printed = rows(tucker("reproduce", "table3").out)
    assert ["SAFRAN", "(today)", "0.502", "0.459", "–", "0.578"] in [row[:6] for row in printed]
    assert ["AdaProp", "(today, ?)", "0.562"] in [row[:3] for row in printed]
    (walker,) = (row for row in printed if row[0] == "M-Walk" and row[2] != "–")
    assert walker[-1] == "does not compare"
