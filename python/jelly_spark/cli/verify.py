"""`jelly-spark verify`: whether all codecs read the same rows from a file."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import click

from jelly_spark import bridge
from jelly_spark.cli.codecs import (
    CODECS,
    JVM,
    PYTHON,
    Codec,
    jvm_codec,
    lacks,
    library_codec,
    python_codec,
)
from jelly_spark.cli.commands import Command
from jelly_spark.cli.exits import Status
from jelly_spark.cli.files import STANDARD, Source, find_sources, from_option, stdin
from jelly_spark.cli.output import console, print_json, table
from jelly_spark.cli.reading import Reading, read_options
from jelly_spark.cli.spark import conf_option, session
from jelly_spark.errors import (
    JellySparkError,
    MalformedInputError,
    MissingPackageError,
    OptionError,
    SessionError,
)

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_END = "(no more rows)"


@dataclass
class _Report:
    """What the codecs read from a file; the attributes are those of the JSON.

    Attributes:
        file: the name of the file.
        format: its format.
        rows: the number of rows that the codecs read alike.
        codecs: the codecs that read the file.
        not_used: the other codecs, each with the reason.
        difference: the first row that differs, and each column in which it does, with the values
            by codec; None if there is none.
        rejected: the error of each codec that rejects the file.
    """

    file: str
    format: str
    rows: int = 0
    codecs: list[str] = field(default_factory=list)
    not_used: dict[str, str] = field(default_factory=dict)
    difference: dict[str, Any] | None = None
    rejected: dict[str, str] = field(default_factory=dict)

    @property
    def is_good(self) -> bool:
        """Whether all codecs read the same rows."""
        return self.difference is None and not self.rejected


@click.command(
    cls=Command,
    epilog="""\b
Examples:
  jelly-spark verify data.jelly
  jelly-spark verify data.jelly --codec python --codec pyjelly
  jelly-spark verify data.jelly --conf spark.jars=jelly-spark-jena.jar
""",
)
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--codec",
    "chosen",
    type=click.Choice(CODECS, case_sensitive=False),
    multiple=True,
    help="Use only this codec and others that are named; by default, all that can be used.",
)
@from_option
@read_options
@conf_option
@click.pass_context
def verify(
    context: click.Context,
    files: tuple[str, ...],
    chosen: tuple[str, ...],
    source_format: str | None,
    reading: Reading,
    conf: tuple[str, ...],
    as_json: bool,
) -> None:
    """Read files with every codec, and print the first difference.

    The codecs are this package's own in plain Python and on the JVM (native, which needs Spark);
    jelly-jvm for Jelly-RDF, if its jar is in spark.jars; pyjelly for Jelly-RDF; and rdflib for
    N-Triples and N-Quads. All columns are compared, but those of libraries only have terms. The
    exit status is 1 if a codec reads other rows or rejects the file.
    """
    if chosen and len({*chosen}) < 2:
        raise click.UsageError("--codec must name at least two codecs")
    sources = find_sources(files, source_format, reading)
    with ExitStack() as stack:
        spark: SparkSession | str = "it was not asked for"
        if not chosen or {*chosen} & {*JVM}:
            try:
                spark = stack.enter_context(session(conf))
            except (MissingPackageError, SessionError) as error:
                spark = str(error)
        reports = []
        for source in sources:
            report = _Report(source.title, source.format.name)
            codecs = _find_codecs(source, spark, chosen, report)
            with _on_disk(source) as path:
                _compare(path, codecs, report)
            if len(report.codecs) < 2:
                missing = "; ".join(f"{name}: {why}" for name, why in report.not_used.items())
                raise click.UsageError(
                    f"{report.file} can be read by fewer than two codecs ({missing})"
                )
            reports.append(report)
            if not as_json:
                _print(report)
    if as_json:
        print_json([vars(report) for report in reports])
    good = all(report.is_good for report in reports)
    context.exit(Status.DONE if good else Status.FINDINGS)


def _find_codecs(
    source: Source, spark: SparkSession | str, chosen: Sequence[str], report: _Report
) -> list[Codec]:
    """Return the codecs that can read a file, and report why the others cannot.

    Raises:
        OptionError: one that is named cannot.
    """
    engines = [] if isinstance(spark, str) else bridge.engines(source.format.name, spark=spark)
    found = []
    for name in (name for name in CODECS if not chosen or name in chosen):
        codec: Codec | str
        if name == PYTHON:
            codec = python_codec(source)
        elif name not in JVM:
            codec = library_codec(source, name)
        elif isinstance(spark, str):
            codec = spark
        elif name in engines:
            codec = jvm_codec(source, name, spark)
        else:
            codec = f"Spark has no such engine for {source.format.name}"
        if isinstance(codec, Codec):
            found.append(codec)
        elif name in chosen:
            raise OptionError(f"the codec {name} cannot read {source.title}: {codec}")
        else:
            report.not_used[name] = codec
    return found


@contextmanager
def _on_disk(source: Source) -> Iterator[str]:
    """Return the path of a file; standard input, which can be read only once, is copied."""
    if source.name != STANDARD:
        yield source.name
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "stdin")
        with open(path, "wb") as copy:
            shutil.copyfileobj(stdin(), copy)
        yield path


class _Run:
    """A codec that reads the file.

    Attributes:
        codec: the codec.
        row: the row that was read last; None after the end.
        error: why it rejects the file; None if it does not.
    """

    def __init__(self, codec: Codec, path: str) -> None:
        self.codec = codec
        self.row: tuple[Any, ...] | None = None
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


def _compare(path: str, codecs: Sequence[Codec], report: _Report) -> None:
    """Read a file with all codecs, row by row, up to the first difference."""
    runs = [_Run(codec, path) for codec in codecs]
    try:
        while True:
            for run in runs[:]:
                try:
                    run.next()
                except OptionError as error:
                    report.not_used[run.codec.name] = str(error)
                    runs.remove(run)
            if not runs:
                return
            first = runs[0]
            for run in [run for run in runs if run.error is not None]:
                why = None if first.row is None else lacks(run.codec.name, first.row)
                if first.error is None and why is not None:
                    report.not_used[run.codec.name] = f"{why} (row {report.rows})"
                    runs.remove(run)
            report.codecs = [run.codec.name for run in runs]
            if any(run.error is not None for run in runs):
                for run in runs:
                    run.read_rest()
                report.rejected = {run.codec.name: run.error for run in runs if run.error}
                return
            report.difference = _difference(runs, report.rows)
            if report.difference is not None or first.row is None:
                return
            report.rows += 1
    finally:
        for run in runs:
            run.close()


def _difference(runs: Sequence[_Run], place: int) -> dict[str, Any] | None:
    """Return how the rows of the codecs differ; None if they do not."""
    first = runs[0]
    # Fast path: the same columns with the same values.
    if all(run.row == first.row and run.codec.columns == first.codec.columns for run in runs):
        return None
    ended = [run.codec.name for run in runs if run.row is None]
    if ended and len(ended) < len(runs):
        values = {run.codec.name: _END if run.row is None else _as_text(run) for run in runs}
        return {"row": place, "columns": {"row": values}}
    columns = {}
    for column in first.codec.columns:
        values = {
            run.codec.name: run.row[run.codec.columns.index(column)]
            for run in runs
            if run.row is not None and column in run.codec.columns
        }
        if len({*values.values()}) > 1:
            columns[column] = values
    return {"row": place, "columns": columns} if columns else None


def _as_text(run: _Run) -> str:
    return " ".join(str(value) for value in run.row or () if value is not None)


def _print(report: _Report) -> None:
    out = console()
    names = ", ".join(report.codecs)
    if report.rejected:
        accepting = [name for name in report.codecs if name not in report.rejected]
        out.print(f"{report.file}: read by {', '.join(accepting) or 'no codec'}, rejected by:")
        for name, error in report.rejected.items():
            out.print(f"  {name}: {error}")
    elif report.difference is not None:
        title = f"{report.file}: row {report.difference['row']:,} differs"
        rows = [
            (column, name, value)
            for column, values in report.difference["columns"].items()
            for name, value in values.items()
        ]
        out.print(table(title, ["column", "codec", "value"], rows))
    else:
        out.print(f"{report.file}: the same {report.rows:,} rows in {names}")
    for name, why in report.not_used.items():
        out.print(f"  not compared: {name}, because {why}")
