"""What an error says of itself: the place of a fault, and the names that are near."""

from __future__ import annotations

import inspect
from pathlib import Path

from tucker import errors
from tucker.errors import FileError, TrainingStopped, TuckerError, UnknownNameError, WriteError


def test_every_error_can_be_caught_as_one():
    classes = [one for _, one in inspect.getmembers(errors, inspect.isclass)]
    own = [one for one in classes if one.__module__ == errors.__name__]
    others = [one for one in own if not issubclass(one, TuckerError)]
    assert len(own) > 10
    assert others == [TrainingStopped]
    assert issubclass(TrainingStopped, KeyboardInterrupt)  # nobody takes it for a fault


def test_a_fault_in_a_file_has_its_place():
    error = FileError("facts.tsv", "two columns, not three", line=7)
    assert str(error) == "facts.tsv:7: two columns, not three"
    assert (error.path, error.line) == (Path("facts.tsv"), 7)
    assert str(FileError("facts.tsv", "is empty")) == "facts.tsv: is empty"


def test_an_unknown_name_tells_the_near_ones():
    error = UnknownNameError("entity", "Norwey", ["Norway", "Norwich"])
    assert str(error) == ("the graph has no entity 'Norwey'; did you mean 'Norway' or 'Norwich'?")
    assert (error.kind, error.name, error.nearest) == ("entity", "Norwey", ["Norway", "Norwich"])
    assert str(UnknownNameError("relation", "x", [])) == "the graph has no relation 'x'"


def test_what_cannot_be_written_and_what_was_stopped_name_their_place():
    error = WriteError(Path("out.tsv"), "No space left on device")
    assert str(error) == "out.tsv cannot be written: No space left on device"
    stopped = TrainingStopped(Path("runs/x"))
    assert stopped.path == Path("runs/x")
    assert "tucker.resume('runs/x')" in str(stopped)
