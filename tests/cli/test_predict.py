from __future__ import annotations

import pytest

from tests.cli.conftest import ODD_NAMES
from tests.cli.running import process, refused, tucker
from tests.cli.shapes import check_prediction


def known(facts):
    return {tuple(line.split("\t")) for line in facts.read_text(encoding="utf-8").splitlines()}


def facts_of(answers):
    return [(answer["subject"], answer["relation"], answer["object"]) for answer in answers]


def test_the_installed_script_prints_nothing_but_json(run):
    words = ["predict", run, "--subject", "p5", "--relation", "likes", "-k", "4", "--json"]
    result = process(*words)
    answers = result.json()
    assert len(result.err.splitlines()) == 1  # a note on probabilities
    assert len(answers) == 4
    for answer in answers:
        check_prediction(answer, labelled={"object"} if answer["object"] in ("p0", "p1") else set())
    assert answers == tucker(*words).json()


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ({"subject": "p5", "relation": "likes"}, "object"),
        ({"relation": "likes", "object": "p5"}, "subject"),
        ({"subject": "p5", "object": "p9"}, "relation"),
    ],
)
def test_every_new_answer_and_no_known_one(run, facts, question, asked):
    words = [word for part, name in question.items() for word in (f"--{part}", name)]
    answers = tucker("predict", run, *words, "-k", "1000", "--json").json()
    every = {
        "subject": {fact[0] for fact in known(facts)},
        "object": {fact[2] for fact in known(facts)},
        "relation": {fact[1] for fact in known(facts)},
    }[asked]
    wanted = {
        tuple((question | {asked: name})[part] for part in ("subject", "relation", "object"))
        for name in every
        if asked == "relation" or name != "p5"  # no relation here holds of one and itself
    }
    assert sorted(facts_of(answers)) == sorted(wanted - known(facts))
    assert [answer["rank"] for answer in answers] == list(range(1, len(answers) + 1))
    key = "probability" if asked == "relation" else "score"  # of one question, scores compare
    best_first = [answer[key] for answer in answers]
    assert best_first == sorted(best_first, reverse=True)


def test_ten_answers_unless_told_otherwise(run):
    assert (
        len(tucker("predict", run, "--subject", "p5", "--relation", "likes", "--json").json()) == 10
    )


def test_labels_are_names_too_and_stand_beside_them(run):
    words = ["-k", "3", "--json"]
    by_label = tucker(
        "predict", run, "--subject", "Person zero", "--relation", "is acquainted with", *words
    ).json()
    assert (
        by_label == tucker("predict", run, "--subject", "p0", "--relation", "knows", *words).json()
    )
    for answer in by_label:
        assert answer["labels"] == {
            "subject": "Person zero",
            "relation": "is acquainted with",
            **({"object": "Person one"} if answer["object"] == "p1" else {}),
        }
        assert (answer["subject"], answer["relation"]) == ("p0", "knows")


def test_tables_show_labels_where_there_are_any(run):
    result = tucker("predict", run, "--subject", "p0", "--relation", "knows", "-k", "99")
    assert result.code == 0
    assert "│ Person zero │ is acquainted with │ p7 " in result.out
    assert "│ p0 " not in result.out


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_name_is_printed_as_it_is(run, name):
    words = ["predict", run, "--subject", "p5", "--relation", "follows [x]", "-k", "99"]
    assert f"│ p5      │ follows [x] │ {name} " in tucker(*words).out
    assert name in [answer["object"] for answer in tucker(*words, "--json").json()]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_a_name_can_be_asked_about(run, name):
    answers = tucker("predict", run, "--subject", name, "--relation", "likes", "--json").json()
    assert {answer["subject"] for answer in answers} == {name}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--subject", "p55", "--relation", "likes"], "no entity 'p55'; did you mean 'p5'"),
        (["--subject", "p5", "--relation", "like"], "no relation 'like'; did you mean 'likes'"),
        (["--relation", "likes", "--object", "Person zer"], "did you mean 'Person zero'"),
        (["--subject", "p5", "--object", "zzz"], "the graph has no entity 'zzz'"),
        (["--subject", "[bold]", "--relation", "likes"], "'[bold]'; did you mean '[bold]x[/bold]'"),
        (["--subject", "", "--relation", "likes"], "no entity ''"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(run, words, message):
    assert message in refused(tucker("predict", run, *words))


def test_a_label_that_two_have_is_refused(tmp_path):
    (tmp_path / "facts.tsv").write_text("".join(f"a{i}\tr\ta{i + 1}\n" for i in range(9)))
    (tmp_path / "labels.tsv").write_text("a1\tAnna\na2\tAnna\n")
    words = ["--set=training.epochs=1", "--set=model.d_e=4", "--set=model.d_r=2"]
    assert tucker("train", "--graph", "facts.tsv", "--out", "run", *words).code == 0
    message = refused(tucker("predict", "run", "--subject", "Anna", "--relation", "r"))
    assert message == "several of the graph have the label 'Anna': 'a1', 'a2'; give a name"


def test_predictions_with_reasons(run):
    words = ["predict", run, "--subject", "p5", "--relation", "knows", "-k", "2"]
    answers = tucker(*words, "--explain", "--json").json()
    for answer in answers:
        fact = [f"--{part}={answer[part]}" for part in ("subject", "relation", "object")]
        reasons = tucker("explain", run, *fact, "--json").json()
        assert answer.pop("reasons") == {
            part: reasons[part] for part in ("facts", "paths", "notes", "labels")
        }
    assert answers == tucker(*words, "--json").json()
    assert tucker(*words, "--explain").out.count("known facts most like it") == 2
