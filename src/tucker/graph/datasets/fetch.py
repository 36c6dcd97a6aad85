"""The files of a named dataset, fetched from their public home and checked before they are kept."""

from __future__ import annotations

import hashlib
import http.client
import os
import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import IO, cast
from urllib.parse import urlsplit

from tucker.errors import DatasetError, WriteError
from tucker.files import sha256, whole_file
from tucker.graph.datasets.catalogue import DataFile, Dataset

MIRROR = "TUCKER_MIRROR"  # where to fetch NAME/train.txt and so on instead of the public homes

Progress = Callable[[str, int, int], None]
"""Called with a file, the bytes of it that are here, and the bytes that it will have."""

_TIMEOUT = 30.0  # seconds without an answer
_CHUNK = 1 << 18
_LOOPBACK = ("127.0.0.1", "::1", "localhost")


def fetch_files(dataset: Dataset, folder: Path, progress: Progress | None = None) -> None:
    """Fetch the files that the folder does not have yet; each is kept only if its bytes are right.

    The environment variable TUCKER_MIRROR names another address to fetch from.
    """
    mirror = os.environ.get(MIRROR)
    address = f"{mirror.rstrip('/')}/{dataset.name}" if mirror else dataset.address
    for file in dataset.files:
        path = folder / file.name
        if not fault(path, file):
            continue
        try:
            with whole_file(path) as temporary:
                _download(f"{address}/{file.name}", temporary, file, progress)
                if problem := fault(temporary, file):
                    raise DatasetError(f"{address}/{file.name} {problem}; {_advice(dataset)}")
        except (OSError, WriteError, http.client.HTTPException) as error:
            reason = _reason(error)
            message = f"{address}/{file.name} cannot be fetched ({reason}); {_advice(dataset)}"
            raise DatasetError(message) from error


def fault(path: Path, file: DataFile) -> str | None:
    """Say what is wrong with a copy of a file, or return None if it is as recorded."""
    if not path.is_file():
        return "is missing"
    size = path.stat().st_size
    if size != file.size:
        return f"has {size:,} bytes where {file.size:,} are recorded"
    if sha256(path) != file.sha256 and (file.git_blob is None or _git_blob(path) != file.git_blob):
        return "has another checksum than the one recorded"
    return None


def _advice(dataset: Dataset) -> str:
    names = ", ".join(file.name for file in dataset.files)
    return f"put {names} into $TUCKER_DATA/{dataset.name} by hand (see {dataset.home})"


def _reason(error: Exception) -> str:
    if isinstance(error, urllib.error.HTTPError):
        return f"HTTP status {error.code}"
    cause = error.reason if isinstance(error, urllib.error.URLError) else error
    if isinstance(cause, TimeoutError):
        return "no answer in time"
    return getattr(cause, "strerror", None) or str(cause)


def _download(address: str, target: Path, file: DataFile, progress: Progress | None = None) -> None:
    with _open(address) as response, target.open("wb") as output:
        done = 0
        while chunk := response.read(_CHUNK):
            done += len(chunk)
            output.write(chunk)
            if progress is not None:
                progress(file.name, done, file.size)
            if done > file.size:  # not the file that is wanted: stop before it fills the disk
                return


def _open(address: str) -> IO[bytes]:
    _check_address(address)
    local = urlsplit(address).hostname in _LOOPBACK
    proxies = [urllib.request.ProxyHandler({})] if local else []
    response = urllib.request.build_opener(*proxies).open(address, timeout=_TIMEOUT)
    _check_address(response.geturl())  # it may have been sent on to another place
    return cast(IO[bytes], response)


def _check_address(address: str) -> None:
    parts = urlsplit(address)
    if parts.scheme != "https" and not (parts.scheme == "http" and parts.hostname in _LOOPBACK):
        raise DatasetError(f"{address} is not https; give an https address in ${MIRROR}")


def _git_blob(path: Path) -> str:
    digest = hashlib.sha1(b"blob %d\0" % path.stat().st_size, usedforsecurity=False)
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            digest.update(chunk)
    return digest.hexdigest()
