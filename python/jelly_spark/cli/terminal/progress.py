"""Progress bars and spinners on standard error, if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Collection, Generator, Iterable, Iterator
from typing import Any

from rich.console import Console
from rich.filesize import decimal
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text

from jelly_spark.cli.arguments.files import Source
from jelly_spark.codec import RowReader
from jelly_spark.core.columns import count_of
from jelly_spark.patches.statements import Statement, items_of

# The number of rows between two updates, less than a tenth of a second.
_STEP = 2000


class _BytesColumn(DownloadColumn):
    """The bytes that were read, of how many; only the former, or nothing, if that is not known."""

    def render(self, task: Task) -> Text:
        """Return what is shown for a file."""
        if task.total is not None:
            return super().render(task)
        return Text(decimal(int(task.completed)) if task.completed else "", "progress.download")


def shows_progress() -> bool:
    """Return whether standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


class ProgressBar:
    """Shows the bytes and rows that were read, and the time that is left; a context manager."""

    def __init__(self) -> None:
        self._progress: Progress | None = None
        if shows_progress():
            self._progress = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                _BytesColumn(),
                TextColumn("{task.fields[rows]:,} rows"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )

    def __enter__(self) -> ProgressBar:
        if self._progress is not None:
            self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._progress is not None:
            self._progress.stop()

    def read(self, source: Source, **options: bool) -> Generator[Any, None, None]:
        """Yield the rows of a file, which is opened when the first one is requested.

        The options are those of `Source.arguments`.
        """
        with source.open(None, **options) as reader:
            yield from self.rows(source, reader)

    def items(
        self, source: Source, known: Collection[Statement], **options: bool
    ) -> Generator[Any, None, None]:
        """Yield the rows of a file like `read`, but as `items_of` does."""
        with source.open(None, **options) as reader:
            yield from self.rows(source, reader, items_of(reader, known))

    def rows(
        self, source: Source, reader: RowReader[Any], items: Iterable[Any] | None = None
    ) -> Iterable[Any]:
        """Return the rows of a file, or the items of its reader, and show how far it is read."""
        found = reader if items is None else items
        if self._progress is None:
            return found
        return self._shown(self._progress, source, found, reader)

    def _shown(
        self, progress: Progress, source: Source, items: Iterable[Any], reader: RowReader[Any]
    ) -> Iterator[Any]:
        task = progress.add_task(source.title, total=source.size(), rows=0)
        count = shown = 0
        for item in items:
            yield item
            if type(item) is tuple:
                count += count_of(item)
            else:
                count += len(item) if type(item) is list else 1
            if count >= shown + _STEP:
                progress.update(task, completed=reader.position or 0, rows=count)
                shown = count
        # Only the files that are being read have a line: there may be more than a terminal has.
        progress.remove_task(task)


class Spinner:
    """Shows a line about work of unknown length, such as requests; a context manager.

    Args:
        text: what is done first.
    """

    def __init__(self, text: str) -> None:
        self._progress = Progress(
            SpinnerColumn(),
            TextColumn("{task.description}", markup=False),
            TimeElapsedColumn(),
            console=Console(stderr=True),
            transient=True,
            disable=not shows_progress(),
        )
        self._task = self._progress.add_task(text)

    def __enter__(self) -> Spinner:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def show(self, text: str) -> None:
        """Replace the text."""
        self._progress.update(self._task, description=text)
