"""The bytes of a file, unpacked where it is gzipped."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, cast

from tucker.errors import FileError


def is_gzipped(path: Path) -> bool:
    """Say whether the name of a file promises gzip."""
    return path.suffix.lower() == ".gz"


def check_file(path: Path) -> None:
    """Refuse a path that is not a file."""
    if path.is_dir():
        raise FileError(path, "is a folder, but a file is expected; give a file in it")
    if not path.exists():
        raise FileError(path, "there is no such file; check the path")


@contextmanager
def open_content(path: Path) -> Iterator[IO[bytes]]:
    """Open a file for reading, unpacked on the way where it is gzipped."""
    check_file(path)
    try:
        with path.open("rb") as file:
            if not is_gzipped(path):
                yield file
                return
            with gzip.open(file) as unpacked:
                yield cast(IO[bytes], unpacked)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        reason = str(error).rstrip(".")
        message = f"is not whole gzip ({reason}); get or pack the file again"
        raise FileError(path, message) from error
    except OSError as error:
        raise FileError(path, f"cannot be read: {error.strerror or error}") from error


def read_content(path: Path) -> bytes:
    """Return the bytes of a file, those within it where it is gzipped."""
    with open_content(path) as content:
        return content.read()
