from __future__ import annotations

import gzip

import pytest

from tucker.errors import FileError
from tucker.graph.formats.content import check_file, is_gzipped, open_content, read_content

CONTENT = b"a\tlikes\tb\nb\tlikes\tc\n"


def test_a_file_is_read_as_it_is_and_unpacked_where_its_name_says_so(tmp_path):
    (tmp_path / "facts.tsv").write_bytes(CONTENT)
    (tmp_path / "facts.tsv.GZ").write_bytes(gzip.compress(CONTENT))
    assert read_content(tmp_path / "facts.tsv") == CONTENT
    assert read_content(tmp_path / "facts.tsv.GZ") == CONTENT
    assert not is_gzipped(tmp_path / "facts.tsv")
    (tmp_path / "packed.tsv").write_bytes(gzip.compress(CONTENT))  # its name says nothing
    assert read_content(tmp_path / "packed.tsv") == gzip.compress(CONTENT)


@pytest.mark.parametrize("cut", [5, -4])
def test_broken_gzip_is_refused(tmp_path, cut):
    path = tmp_path / "facts.tsv.gz"
    path.write_bytes(gzip.compress(CONTENT)[:cut])
    with pytest.raises(FileError, match="is not whole gzip"):
        read_content(path)


def test_broken_gzip_is_refused_wherever_reading_comes_to_it(tmp_path):
    path = tmp_path / "facts.nt.gz"
    path.write_bytes(gzip.compress(CONTENT)[:-4])
    with pytest.raises(FileError, match="is not whole gzip"), open_content(path) as content:
        for _ in content:
            pass


def test_what_is_not_gzip_is_refused(tmp_path):
    path = tmp_path / "facts.tsv.gz"
    path.write_bytes(CONTENT)
    with pytest.raises(FileError, match=r"is not whole gzip \(Not a gzipped file"):
        read_content(path)


@pytest.mark.parametrize("look", [check_file, read_content])
def test_a_missing_file_and_a_folder_are_refused(tmp_path, look):
    with pytest.raises(FileError, match="there is no such file; check the path"):
        look(tmp_path / "nothing.tsv")
    with pytest.raises(FileError, match="is a folder, but a file is expected"):
        look(tmp_path)
