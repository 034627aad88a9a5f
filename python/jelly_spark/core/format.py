"""What there is of a format."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from jelly_spark.core.options import WriteOptions
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import AnyRow
from jelly_spark.core.writer import RowWriter


class Format(NamedTuple):
    """What there is of a format; each format's package has one, by the name `FORMAT`.

    Attributes:
        name: the short name that Spark knows it by.
        extension: of its files, with the dot.
        row: the class of its rows.
        options: how its files are written.
        reader: reads a file: `reader(file, **options)`.
        writer: writes a file: `writer(file, options)`.
    """

    name: str
    extension: str
    row: type[AnyRow]
    options: type[WriteOptions]
    reader: Callable[..., RowReader[Any]]
    writer: Callable[..., RowWriter[Any]]
