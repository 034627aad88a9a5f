"""Descriptions of formats: names, rows, options, readers and writers."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from inspect import signature
from typing import Any, Concatenate, Generic, ParamSpec, TypeAlias, TypeVar, cast

from jelly_spark.core.files.input_file import Readable
from jelly_spark.core.files.output_file import Writable
from jelly_spark.core.options import WriteOptions, unknown_option
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import NAMESPACE_COLUMNS, AnyRow, RdfRow
from jelly_spark.core.writer import RowWriter

R = TypeVar("R", bound=AnyRow)
Options = TypeVar("Options", bound=WriteOptions)
P = ParamSpec("P")


@dataclass(frozen=True)
class WrittenFormatOf(Generic[R, Options]):
    """A format that can be written, and possibly not be read.

    The package of each format has a constant `FORMAT`, which is a `WrittenFormatOf` or, if it can
    be read, too, a `FormatOf`.

    Attributes:
        extension: the extension of its files, with the dot.
        options: the class of its write options.
        writer: its writer: `writer(file, options, append=False)`.
        other_extensions: more extensions of its files, such as those of other syntaxes.
        read_extensions: extensions of files that can be read, and not be written.
        by_jena: whether Spark reads it with Jena, and so cannot write it.
    """

    extension: str
    options: type[Options]
    writer: Callable[..., RowWriter[R]]
    other_extensions: tuple[str, ...] = field(default=(), kw_only=True)
    read_extensions: tuple[str, ...] = field(default=(), kw_only=True)
    by_jena: bool = field(default=False, kw_only=True)

    @property
    def extensions(self) -> tuple[str, ...]:
        """All extensions of files that can be written."""
        return (self.extension, *self.other_extensions)

    @property
    def name(self) -> str:
        """The short name, as in Spark."""
        return self.options.format

    @property
    def row(self) -> type[R]:
        """The class of its rows."""
        return cast(type[R], cast(type[RowWriter[R]], self.writer).row)

    def write(
        self,
        file: Writable,
        rows: Iterable[R],
        options: Options | None = None,
        *,
        append: bool = False,
    ) -> int:
        """Write rows to a file of this format, and return the number of rows written.

            write_jelly_patch("changes.jellyp", [PatchRow("H", name="id", value="<urn:uuid:1>")])

        Args:
            file: path, URL, or buffered stream of bytes.
            rows: the rows, in order.
            options: how to write; by default, the format's default options.
            append: whether to append to the file instead of replacing it. Of the formats, those of
                Jelly and Thrift read the file first, to check that the rows can follow it.

        Raises:
            MalformedInputError: `append` is true, and the file is malformed.
            OptionError: an argument has a wrong type, or the options do not fit the file.
            OSError: the file cannot be written.
            UnwritableRowError: a row is not valid, or the format cannot represent it with these
                options.
        """
        with self.writer(file, self.options() if options is None else options, append=append) as to:
            return to.write_all(rows)


@dataclass(frozen=True)
class FormatOf(WrittenFormatOf[R, Options], Generic[R, Options, P]):
    """A format that can be read and written.

    Attributes:
        reader: its reader: `reader(file, **options)`.
    """

    reader: Callable[Concatenate[Readable, P], RowReader[R]]

    @property
    def reader_class(self) -> type[RowReader[R]]:
        """The reader as a class, whose attributes describe the format."""
        return cast(type[RowReader[R]], self.reader)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that Spark reads."""
        return self.reader_class.columns

    @cached_property
    def arguments(self) -> tuple[str, ...]:
        """The arguments of its reader besides the file, such as `part` if it can read parts."""
        return tuple(name for name in signature(self.reader).parameters if name != "file")

    def columns_with(self, *, namespaces: bool) -> tuple[str, ...]:
        """Return the columns that Spark reads, with or without those of namespaces in RDF data."""
        if namespaces or self.row is not RdfRow:
            return self.columns
        return tuple(name for name in self.columns if name not in NAMESPACE_COLUMNS)

    def read(self, file: Readable, *args: P.args, **options: P.kwargs) -> Iterator[R]:
        """Return an iterator over the rows of a file of this format.

            added = [row for row in read_jelly_patch("changes.jellyp") if row.op == "A"]

        The file is opened when the first row is requested, and closed after the last one. The
        arguments and errors are those of the format's reader.
        """
        # A generator would find an argument that the reader lacks only at the first row.
        signature(self.reader).bind(file, *args, **options)
        return self._rows(file, *args, **options)

    def _rows(self, file: Readable, *args: P.args, **options: P.kwargs) -> Iterator[R]:
        with self.reader(file, *args, **options) as rows:
            yield from rows

    def check_read_options(self, options: Iterable[str]) -> None:
        """Check that the format's reader has options with these names.

        Raises:
            OptionError: the reader lacks one of them; the message lists its options.
        """
        for name in options:
            if name not in self.arguments:
                raise unknown_option(name, self.arguments)


WrittenFormat: TypeAlias = WrittenFormatOf[Any, Any]
"""A format that can be written, whatever its rows."""

Format: TypeAlias = FormatOf[Any, Any, ...]
"""A format that can be read and written, whatever its rows."""
