from __future__ import annotations

import pytest

from tests.cli.running import QUICK, process, refused, tucker

TRAIN = "a\tlikes\tb\nb\tlikes\tc\nc\tknows\ta\n"
VALID = "a\tlikes\tc\n"
TEST = "b\tknows\ta\n"


def check(tmp_path, source, message):
    """Neither a look at a bad graph nor training on it gets anywhere, or leaves anything."""
    before = sorted(tmp_path.rglob("*"))
    assert refused(tucker("train", "--graph", source, "--out", "out", *QUICK)) == message
    assert refused(tucker("graph", "stats", source, "--json")) == message
    assert refused(tucker("graph", "convert", source, "--out", "out.csv")) == message
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        (
            "few.tsv",
            b"a\tr\tb\nb\tr\n",
            "few.tsv:2: found 2 columns where 3 are needed, subject, relation and object, "
            "separated by tabs",
        ),
        (
            "many.tsv",
            b"a\tr\tb\n\nb\tr\tc\td\n",
            "many.tsv:3: found 4 columns where 3 are needed, subject, relation and object, "
            "separated by tabs",
        ),
        (
            "many.csv",
            b'a,r,"b\nb"\nb,r,c,d\n',
            "many.csv:3: found 4 columns where 3 are needed, subject, relation and object, "
            "separated by commas",
        ),
        (
            "gap.tsv",
            b"a\tr\tb\na\tr\tc\n\tr\tb\n",
            "gap.tsv:3: the subject is empty; give it a name",
        ),
        ("gap.csv", b"s,p,o\na,r,b\na,,b\n", "gap.csv:3: the relation is empty; give it a name"),
        (
            "latin.tsv",
            b"a\tr\tb\n\xc5se\tr\tb\n",
            "latin.tsv:2: the byte 0xc5 at column 1 is not UTF-8; save the file as UTF-8",
        ),
        ("empty.tsv", b"", "empty.tsv: is empty: it holds no facts"),
        ("blank.tsv", b"\n  \n", "blank.tsv: is empty: it holds no facts"),
        ("header.tsv", b"subject\trelation\tobject\n", None),
        ("facts.xlsx", b"a\tr\tb\n", None),
        ("facts", b"a\tr\tb\n", None),
        ("torn.parquet", b"PAR1 and no more", None),
        ("torn.tsv.gz", b"\x1f\x8b and no more", None),
        ("open.nt", b"<x:a> <x:r> <x:b> .\n<x:a> <x:r>\n", None),
    ],
)
def test_a_bad_file_is_refused_and_nothing_is_written(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    if message is None:
        message = refused(tucker("graph", "stats", name))
        assert message.startswith(f"{name}:")
        assert len(message) > len(name) + 20
    check(tmp_path, name, message)


def test_a_line_of_rdf_is_named(tmp_path):
    (tmp_path / "gap.nt").write_text("<x:a> <x:r> <x:b> .\n<x:a> <x:r> .\n<x:b> <x:r> <x:a> .\n")
    assert refused(tucker("graph", "stats", "gap.nt")).startswith("gap.nt:2: ")


def test_an_unknown_extension_names_the_known_ones(tmp_path):
    (tmp_path / "facts.xlsx").write_text("a\tr\tb\n")
    message = refused(tucker("graph", "stats", "facts.xlsx"))
    assert message.startswith("facts.xlsx: the extension '.xlsx' is unknown; name it by its format")
    assert ".tsv" in message
    assert ".parquet" in message


def write(tmp_path, **splits):
    folder = tmp_path / "graph"
    folder.mkdir()
    for split, text in splits.items():
        (folder / f"{split}.tsv").write_text(text)
    return folder


def test_a_missing_split_is_refused(tmp_path):
    folder = write(tmp_path, train=TRAIN, valid=VALID)
    message = (
        f"{folder}: found train.tsv and valid.tsv but no test split; add it, or give one file "
        "to have it split"
    )
    check(tmp_path, folder, message)


def test_a_relation_that_train_lacks_is_refused_with_its_line(tmp_path):
    folder = write(tmp_path, train=TRAIN, valid=VALID + "b\thates\tc\n", test=TEST)
    message = (
        f"{folder}/valid.tsv:2: the relation 'hates' does not occur in train; add facts of it there"
    )
    check(tmp_path, folder, message)


def test_no_graph_at_all_is_refused(tmp_path):
    (tmp_path / "facts.tsv").write_text(TRAIN)
    message = "there is no file, folder or named dataset 'fcts.tsv'; did you mean 'facts.tsv'?"
    check(tmp_path, "fcts.tsv", message)


def test_a_leak_is_counted_on_stderr_and_no_hindrance(tmp_path):
    folder = write(tmp_path, train=TRAIN, valid=VALID, test=TEST + "a\tlikes\tb\nc\tknows\ta\n")
    warning = "Warning: 2 triples of test are also in train and kept in both."
    result = tucker("train", "--graph", folder, "--out", "out", "--json", *QUICK)
    assert result.json()["epochs"] == 3
    assert result.err == f"note: {warning}\n"
    stats = tucker("graph", "stats", folder, "--json")
    assert stats.json()["notes"] == [warning]
    assert stats.json()["triples"] == {"train": 3, "valid": 1, "test": 3}
    assert tucker("graph", "stats", folder).err == f"note: {warning}\n"


def test_a_name_with_markup_in_an_error_is_printed_as_it_is(tmp_path):
    folder = write(tmp_path, train=TRAIN, valid="a\t[bold]x[/bold]\tb\n", test=TEST)
    assert "'[bold]x[/bold]' does not occur" in refused(tucker("graph", "stats", folder))


def test_the_installed_script_shows_no_traceback(tmp_path):
    (tmp_path / "few.tsv").write_text("a\tr\n")
    message = refused(process("graph", "stats", "few.tsv", cwd=tmp_path))
    assert message.startswith("few.tsv:1: found 2 columns")
