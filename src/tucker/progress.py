"""How far a training is, and a bar that shows it: live in a terminal, else a line now and then."""

from __future__ import annotations

import time
import unicodedata
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, TaskID, TextColumn
from rich.progress import Progress as Bar
from rich.text import Text

_LINE_SECONDS = 15.0  # between two lines where nobody watches a bar


@dataclass(frozen=True)
class Progress:
    """What a progress bar shows."""

    epoch: int
    epochs: int
    done: float  # batches done of all that there may be, from 0 to 1
    loss: float  # mean of this epoch so far
    best_mrr: float | None
    pairs_per_second: float
    seconds_left: float  # if it does not stop early
    stage: str = ""  # which training this is, where there are several


class ProgressBar:
    """Shows epoch, loss, validation MRR, pairs a second and the time left, on stderr."""

    def __init__(self, console: Console | None = None) -> None:
        self._console = console or Console(stderr=True)
        self._live = self._console.is_terminal
        self._bar = Bar(
            TextColumn("training"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[text]}", markup=False),
            console=self._console,
            transient=True,
            disable=not self._live,
        )
        self._task: TaskID | None = None
        self._shown = time.monotonic()

    def __enter__(self) -> ProgressBar:
        self._bar.start()
        self._task = self._bar.add_task("training", total=1.0, text="")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()

    def __call__(self, progress: Progress) -> None:
        """Show where training stands."""
        if self._live and self._task is not None:
            self._bar.update(self._task, completed=progress.done, text=describe(progress))
        elif time.monotonic() - self._shown >= _LINE_SECONDS:
            self._shown = time.monotonic()
            self._console.print(describe(progress), markup=False, highlight=False, soft_wrap=True)

    def note(self, text: str) -> None:
        """Say something above the bar."""
        self._console.print(plain(text), style="dim", soft_wrap=True)


def shown(wanted: bool) -> AbstractContextManager[ProgressBar | None]:
    """Return a progress bar, or nothing where none is wanted."""
    return ProgressBar() if wanted else nullcontext()


def plain(text: str) -> Text:
    """Keep markup and control characters of a name from doing anything in a terminal."""
    return Text("".join("\N{REPLACEMENT CHARACTER}" if _is_control(c) else c for c in text))


def _is_control(character: str) -> bool:
    return unicodedata.category(character) == "Cc"


def describe(progress: Progress) -> str:
    """Say in one line where training stands."""
    best = "" if progress.best_mrr is None else f"  valid MRR {progress.best_mrr:.3f}"
    stage = f"{progress.stage}  " if progress.stage else ""
    return (
        f"{stage}epoch {progress.epoch}/{progress.epochs}  loss {progress.loss:.4g}{best}"
        f"  {progress.pairs_per_second:,.0f} pairs/s  {_duration(progress.seconds_left)} left"
    )


def _duration(seconds: float) -> str:
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"
