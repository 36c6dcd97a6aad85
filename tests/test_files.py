from __future__ import annotations

from pathlib import Path

import pytest

from tucker.files import sha256, whole_file, whole_folder, write_text


def test_a_file_appears_whole(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.txt"
    write_text(path, "äbc\n")
    assert path.read_bytes() == b"\xc3\xa4bc\n"
    assert [file.name for file in path.parent.iterdir()] == ["file.txt"]


def test_a_failure_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    write_text(path, "old")

    def half_write() -> None:
        with whole_file(path) as temporary:
            temporary.write_text("half")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half_write()
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_appears_whole_or_not_at_all(tmp_path: Path) -> None:
    def fill(name: str, *, fail: bool) -> None:
        with whole_folder(tmp_path / name) as temporary:
            (temporary / "file").write_text("content")
            assert not (tmp_path / name).exists()
            if fail:
                raise KeyboardInterrupt

    fill("whole", fail=False)
    with pytest.raises(KeyboardInterrupt):
        fill("half", fail=True)
    assert [path.name for path in tmp_path.iterdir()] == ["whole"]
    assert (tmp_path / "whole" / "file").read_text() == "content"


def test_others_may_read_what_the_umask_lets_them(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    write_text(tmp_path / "whole", "")
    assert (tmp_path / "whole").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_sha256_is_the_known_one(tmp_path: Path) -> None:
    path = tmp_path / "abc"
    path.write_bytes(b"abc")
    known = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    assert sha256(path) == known
