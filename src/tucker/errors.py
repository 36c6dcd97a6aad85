"""Every error that Tucker raises on purpose: one clear sentence each, meant for the user."""

from __future__ import annotations

from pathlib import Path


class TuckerError(Exception):
    """A request that cannot be met; its message says what was found, where, and what to do.

    >>> try:
    ...     tucker.load("nowhere")
    ... except tucker.TuckerError as error:
    ...     print(error)
    """


class GraphError(TuckerError):
    """A graph that cannot be read or used as it stands."""


class FileError(GraphError):
    """A fault at one place of one file."""

    def __init__(self, path: Path | str, message: str, line: int | None = None) -> None:
        place = f"{path}:{line}" if line is not None else f"{path}"
        super().__init__(f"{place}: {message}")
        self.path = Path(path)
        self.line = line


class UnknownNameError(TuckerError):
    """A name that the graph does not have, with the nearest names that it has."""

    def __init__(self, kind: str, name: str, nearest: list[str]) -> None:
        hint = f"; did you mean {' or '.join(map(repr, nearest))}?" if nearest else ""
        super().__init__(f"the graph has no {kind} {name!r}{hint}")
        self.kind = kind
        self.name = name
        self.nearest = nearest


class WriteError(TuckerError):
    """A place where nothing can be written."""

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(f"{path} cannot be written: {reason}")
        self.strerror = reason


class ExtraError(TuckerError):
    """A package that is missing, and the extra that brings it."""


class DatasetError(TuckerError):
    """A named dataset that cannot be found, fetched or trusted."""


class SettingsError(TuckerError):
    """A recipe or setting that does not say what it should."""


class RunError(TuckerError):
    """A run folder that cannot be written, read or trusted."""


class ResultError(TuckerError):
    """A reported result that cannot be read, or does not belong with the others."""


class TrainingError(TuckerError):
    """Training that cannot go on."""


class TrainingStopped(KeyboardInterrupt):
    """A training that somebody stopped: its state is kept, and `tucker.resume` goes on with it."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"the training was stopped; go on with tucker.resume({str(path)!r})")
        self.path = path


class ServingError(TuckerError):
    """A server that cannot be started as asked, or its store of decisions."""


class BusyError(TuckerError):
    """A server that cannot answer in time; the same request may work later."""
