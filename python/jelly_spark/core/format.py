"""What a format consists of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from inspect import signature
from typing import Any

from jelly_spark.core.options import WriteOptions, unknown_option
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import AnyRow
from jelly_spark.core.writer import RowWriter


@dataclass(frozen=True)
class WrittenFormat:
    """What a format consists of that is written, and may not be read.

    Each format's package has one, or a `Format`, by the name `FORMAT`.

    Attributes:
        name: the short name that Spark knows it by.
        extension: of its files, with the dot.
        row: the class of its rows.
        options: how its files are written.
        writer: writes a file: `writer(file, options, append=False)`.
        write: writes rows to a file and returns their number: `write(file, rows, options,
            append=False)`.
    """

    name: str
    extension: str
    row: type[AnyRow]
    options: type[WriteOptions]
    writer: Callable[..., RowWriter[Any]]
    write: Callable[..., int]


@dataclass(frozen=True)
class Format(WrittenFormat):
    """What a format consists of that is read and written.

    Attributes:
        reader: reads a file: `reader(file, **options)`.
        read: yields the rows of a file: `read(file, **options)`.
        columns: the columns that Spark reads, where they are not all of the row's.
    """

    reader: Callable[..., RowReader[Any]]
    read: Callable[..., Iterator[Any]]
    columns: tuple[str, ...] | None = None

    def check_read_options(self, options: Iterable[str]) -> None:
        """Check that the format's reader has options of these names.

        Raises:
            OptionError: it does not; the message lists those that it has.
        """
        known = [name for name in signature(self.reader).parameters if name != "file"]
        for name in options:
            if name not in known:
                raise unknown_option(name, known)
