"""Descriptions of formats: names, rows, options, readers and writers."""

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
    """A format that can be written, and possibly not be read.

    The package of each format has a constant `FORMAT`, which is a `WrittenFormat` or a `Format`.

    Attributes:
        name: the short name, as in Spark.
        extension: the extension of its files, with the dot.
        row: the class of its rows.
        options: the class of its write options.
        writer: its writer: `writer(file, options, append=False)`.
        write: a function that writes rows to a file and returns their number: `write(file, rows,
            options, append=False)`.
    """

    name: str
    extension: str
    row: type[AnyRow]
    options: type[WriteOptions]
    writer: Callable[..., RowWriter[Any]]
    write: Callable[..., int]


@dataclass(frozen=True)
class Format(WrittenFormat):
    """A format that can be read and written.

    Attributes:
        reader: its reader: `reader(file, **options)`.
        read: a function that yields the rows of a file: `read(file, **options)`.
        columns: the columns that Spark reads; None for all columns of a row.
    """

    reader: Callable[..., RowReader[Any]]
    read: Callable[..., Iterator[Any]]
    columns: tuple[str, ...] | None = None

    def check_read_options(self, options: Iterable[str]) -> None:
        """Check that the format's reader has options with these names.

        Raises:
            OptionError: the reader lacks one of them; the message lists its options.
        """
        known = [name for name in signature(self.reader).parameters if name != "file"]
        for name in options:
            if name not in known:
                raise unknown_option(name, known)
