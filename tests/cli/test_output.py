from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from tucker.cli.output import fail, make_table, note, print_json, print_table


def test_numbers_stand_to_the_right_and_floats_have_three_decimals(capsys):
    print_table("title", ["name", "count", "share"], [["a", 1234567, 0.12345], ["b", 1, 2.0]])
    out, err = capsys.readouterr()
    assert err == ""
    assert "│ a    │ 1,234,567 │ 0.123 │" in out
    assert "│ b    │         1 │ 2.000 │" in out


@pytest.mark.parametrize("text", ["[bold]x[/bold]", "[/]", "[red]", ":smile:", "<b>", "a\\[b"])
def test_titles_columns_cells_and_notes_are_plain_text(capsys, text):
    print_table(text, [f"{text} column"], [[f"a long enough cell with {text}"]])
    out, _ = capsys.readouterr()
    assert out.startswith(text)
    assert f"┃ {text} column" in out
    assert f"│ a long enough cell with {text} │" in out
    note(text)
    fail(text)
    assert capsys.readouterr() == ("", f"{text}\nerror: {text}\n")


def test_a_long_name_is_not_cut():
    screen = io.StringIO()
    Console(file=screen, width=40).print(make_table("", ["name"], [["x" * 100]]))
    assert screen.getvalue().count("x") == 100


@pytest.mark.parametrize("text", ["a\x1b[31mb", "a\x1b]0;title\x07b", "a\x9b31mb", "a\rb"])
def test_a_name_cannot_steer_the_terminal(capsys, text):
    print_table("title", ["name"], [[text]])
    note(text)
    fail(text)
    out, err = capsys.readouterr()
    for character in "\x1b\x9b\x07\r":
        assert character not in out + err


def test_json_keeps_names_and_refuses_what_is_no_json(capsys):
    print_json({"name": 'Åse "x"\n'})
    out, _ = capsys.readouterr()
    assert "Åse" in out
    assert json.loads(out) == {"name": 'Åse "x"\n'}
    with pytest.raises(ValueError, match="not JSON compliant"):
        print_json({"mrr": float("nan")})
    assert capsys.readouterr().out == ""
