"""Comparing what several codecs read from the same files, row by row.

`jelly_spark.parity` compares the codecs of a session, the command `jelly-spark verify` those and
other libraries.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from jelly_spark import _bridge, codec
from jelly_spark._schema import schema
from jelly_spark.core.format import Format
from jelly_spark.errors import (
    JellySparkError,
    MalformedInputError,
    MissingPackageError,
    OptionError,
)
from jelly_spark.formats import find_format

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

__all__ = ["parity"]

PYTHON = "python"
JVM = ("native", "jelly-jvm")
LIBRARIES = ("pyjelly", "rdflib")
CODECS = (PYTHON, *JVM, *LIBRARIES)
"""The names of all codecs, in the order in which they are compared."""

_END = "(no more rows)"
_STATEMENT = ("subject", "predicate", "object", "graph")

Values = tuple[Any, ...]
"""The values of a row in the columns of a codec."""


def parity(spark: SparkSession, path: str, format: str = "jelly_rdf") -> DataFrame:
    """Read the same files with every codec of a session, and return the differences.

        jelly_spark.parity(spark, "data.jelly").show(truncate=False)

    The codecs are the engines of the JVM (`native`, and `jelly-jvm` if the session has
    jelly-spark-jena.jar) and `python`. They read the files one after the other on the driver, which
    copies each to its disk.

    Args:
        spark: a session with the jar; not a session of Spark Connect.
        path: a file, a folder or a glob, as for `spark.read.load`.
        format: the short name of the files' format.

    Returns:
        A DataFrame, which is empty if the codecs agree. Each of its rows is either a row that some
        codecs read and others do not, with its `file`, the columns of the format and the `engines`
        that read it; or a `file` that some codecs reject and others do not, with the `engines` that
        reject it and the `error` of each. If any codec rejects a file, its rows are not compared.

    Raises:
        OptionError: the format is not known.
        SessionError: the session has no jar, or is a session of Spark Connect.
    """
    from pyspark.sql.types import ArrayType, StringType, StructField, StructType

    found = find_format(format)
    options = {"namespaces": True} if "namespaces" in found.arguments else {}
    names = [PYTHON, *_bridge.engines(format, spark=spark)]
    codecs = [own_codec(found, name, options, spark) for name in names]
    rows = schema(format, namespaces=True)
    listed = spark.read.format("binaryFile").load(path).select("_metadata.file_path", "path")
    differences: list[Values] = []
    for name, file in sorted(listed.collect()):
        with _on_disk(spark, file) as copy:
            differences += _differences(name, rows.names, compare(copy, codecs))
    return spark.createDataFrame(
        differences,
        StructType(
            [
                StructField("file", StringType()),
                *rows,
                StructField("engines", ArrayType(StringType())),
                StructField("error", StringType()),
            ]
        ),
    )


@contextmanager
def _on_disk(spark: SparkSession, file: str) -> Iterator[str]:
    """Return the path of a copy of a file, in any file system of Spark, on the driver's disk."""
    hadoop = spark._jvm.org.apache.hadoop.fs  # type: ignore[union-attr]
    source = hadoop.Path(file)
    with tempfile.TemporaryDirectory() as folder:
        # Keep the extension, which says how the file is compressed.
        copy = os.path.join(folder, "file" + os.path.splitext(file)[1])
        files = source.getFileSystem(spark._jsc.hadoopConfiguration())
        files.copyToLocalFile(False, source, hadoop.Path(copy), True)
        yield copy


def _differences(file: str, columns: Sequence[str], found: Comparison) -> Iterator[Values]:
    """Yield a file's rows of the result of `parity`."""
    if found.rejected:
        if len(found.rejected) < len(found.codecs):
            errors = (f"{name}: {error}" for name, error in sorted(found.rejected.items()))
            yield file, *(None for _ in columns), sorted(found.rejected), "\n".join(errors)
        return
    for difference in found.differences:
        engines: dict[Values, list[str]] = {}
        for name, row in difference.rows.items():
            if row is not None:
                engines.setdefault(row, []).append(name)
        for names, row in sorted((sorted(names), row) for row, names in engines.items()):
            yield file, *(getattr(row, column) for column in columns), names, None


@dataclass(frozen=True)
class Codec:
    """A codec that can read a format.

    Attributes:
        name: its name.
        columns: the columns that its rows have.
        rows: a function that yields the rows of the file at a path, each a tuple of these columns.
    """

    name: str
    columns: tuple[str, ...]
    rows: Callable[[str], Iterator[Values]]


def own_codec(
    format: Format, name: str, options: Mapping[str, Any], spark: SparkSession | None = None
) -> Codec:
    """Return one of the codecs of this project.

    Args:
        format: the format.
        name: the name of the codec: `python`, or an engine of the JVM.
        options: arguments of the format's reader in Python. If an engine lacks one of them, reading
            raises an `OptionError`.
        spark: the session of the JVM.
    """

    def rows(path: str) -> Iterator[Values]:
        if name == PYTHON:
            return codec.read(path, format=format.name, **options)
        return _bridge.decode(path, format=format.name, engine=name, spark=spark, **options)

    return Codec(name, format.row._fields, rows)


def library_codec(format: Format, name: str) -> Codec | str:
    """Return the codec of another library, or the reason why it cannot be used."""
    try:
        if name == "pyjelly":
            return _pyjelly(format)
        return _rdflib(format)
    except MissingPackageError as error:
        return str(error)


def _pyjelly(format: Format) -> Codec | str:
    if not issubclass(format.reader_class, codec.JellyRdfReader):
        return "it reads only jelly_rdf"
    from jelly_spark.integrations.pyjelly import read

    def rows(path: str) -> Iterator[Values]:
        return ((*row[:4], row.name, row.value) for row in read(path))

    return Codec("pyjelly", (*_STATEMENT, "name", "value"), rows)


def _rdflib(format: Format) -> Codec | str:
    reader = format.reader_class
    if not issubclass(reader, codec.LineReader):
        return "it reads only ntriples and nquads row by row"
    from jelly_spark.integrations.rdflib.line_files import read

    # It also logs what it then rejects.
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)

    def rows(path: str) -> Iterator[Values]:
        return (row[:4] for row in read(path, has_graphs=reader.has_graphs))

    return Codec("rdflib", _STATEMENT, rows)


def _lacks(name: str, row: Values) -> str | None:
    """Return what a library lacks to read a row; None if it should be able to."""
    if name == "rdflib" and any(term is not None and term.startswith("<<") for term in row[:3]):
        return "it has no triple terms"
    if name == "pyjelly" and getattr(row, "name", None) is not None:
        return "its API for rows cannot read namespaces"
    return None


@dataclass
class Difference:
    """A position at which the codecs read different rows.

    Attributes:
        place: the position, counted from 0.
        columns: each column that differs, with the values by codec. If some codecs have no more
            rows, `row` with the rows as text.
        rows: the row by codec; None where there are no more rows.
    """

    place: int
    columns: dict[str, dict[str, Any]]
    rows: dict[str, Values | None]


@dataclass
class Comparison:
    """What the codecs read from a file.

    Attributes:
        rows: the number of rows that the codecs read alike.
        codecs: the codecs that read the file.
        not_used: the other codecs, each with the reason.
        differences: where the codecs read different rows.
        rejected: the error of each codec that rejects the file.
    """

    rows: int = 0
    codecs: list[str] = field(default_factory=list)
    not_used: dict[str, str] = field(default_factory=dict)
    differences: list[Difference] = field(default_factory=list)
    rejected: dict[str, str] = field(default_factory=dict)


def compare(path: str, codecs: Sequence[Codec], *, only_first: bool = False) -> Comparison:
    """Read a file with all codecs, row by row.

    Args:
        path: the path of the file.
        codecs: the codecs.
        only_first: whether to stop at the first difference.

    Raises:
        OSError: the file cannot be read.
    """
    found = Comparison()
    runs = [_Run(codec, path) for codec in codecs]
    with ExitStack() as stack:
        for run in runs:
            stack.callback(run.close)
        while True:
            for run in runs[:]:
                try:
                    run.next()
                except OptionError as error:
                    found.not_used[run.codec.name] = str(error)
                    runs.remove(run)
            if not runs:
                return found
            first = runs[0]
            for run in [run for run in runs if run.error is not None]:
                why = None if first.row is None else _lacks(run.codec.name, first.row)
                if first.error is None and why is not None:
                    found.not_used[run.codec.name] = f"{why} (row {found.rows})"
                    runs.remove(run)
            found.codecs = [run.codec.name for run in runs]
            if any(run.error is not None for run in runs):
                for run in runs:
                    run.read_rest()
                found.rejected = {run.codec.name: run.error for run in runs if run.error}
                return found
            if all(run.row is None for run in runs):
                return found
            difference = _difference(runs, found.rows + len(found.differences))
            if difference is None:
                found.rows += 1
                continue
            found.differences.append(difference)
            if only_first:
                return found


class _Run:
    """A codec that reads the file.

    Attributes:
        codec: the codec.
        row: the row that was read last; None after the end.
        error: why it rejects the file; None if it does not.
    """

    def __init__(self, codec: Codec, path: str) -> None:
        self.codec = codec
        self.row: Values | None = None
        self.error: str | None = None
        self._rows = codec.rows(path)

    def next(self) -> None:
        """Read the next row.

        Raises:
            OptionError: the codec lacks an option that is given.
            OSError: the file cannot be read.
        """
        try:
            self.row = next(self._rows, None)
        except (OptionError, OSError):
            raise
        except MalformedInputError as error:
            self.error = f"{error.place}: expected {error.expected}, found {error.found}"
        except JellySparkError as error:
            self.error = str(error)
        except Exception as error:
            # Libraries have errors of many kinds.
            self.error = f"{type(error).__name__}: {' '.join(str(error).split())}"

    def read_rest(self) -> None:
        """Read up to the end or to an error."""
        while self.error is None and self.row is not None:
            self.next()

    def close(self) -> None:
        """Close the file."""
        close = getattr(self._rows, "close", None)
        if close is not None:
            close()


def _difference(runs: Sequence[_Run], place: int) -> Difference | None:
    """Return how the rows of the codecs differ; None if they do not."""
    first = runs[0]
    # Fast path: the same columns with the same values.
    if all(run.row == first.row and run.codec.columns == first.codec.columns for run in runs):
        return None
    rows = {run.codec.name: run.row for run in runs}
    ended = [run.codec.name for run in runs if run.row is None]
    if ended and len(ended) < len(runs):
        values = {run.codec.name: _END if run.row is None else _as_text(run) for run in runs}
        return Difference(place, {"row": values}, rows)
    columns = {}
    for column in first.codec.columns:
        values = {
            run.codec.name: run.row[run.codec.columns.index(column)]
            for run in runs
            if run.row is not None and column in run.codec.columns
        }
        if len({*values.values()}) > 1:
            columns[column] = values
    return Difference(place, columns, rows) if columns else None


def _as_text(run: _Run) -> str:
    return " ".join(str(value) for value in run.row or () if value is not None)
