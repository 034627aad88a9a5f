"""`jelly-spark verify`: whether all codecs read the same rows from a file."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any

import click
from click.exceptions import Exit

from jelly_spark import _bridge
from jelly_spark._parity import (
    CODECS,
    JVM,
    PYTHON,
    Codec,
    Comparison,
    compare,
    library_codec,
    own_codec,
)
from jelly_spark.cli.arguments.files import STANDARD, Source, find_files, stdin
from jelly_spark.cli.arguments.reading import Reading, read_options
from jelly_spark.cli.command import Command, Status, is_given
from jelly_spark.cli.spark.session import conf_option, session
from jelly_spark.cli.terminal.output import console, print_json, print_table
from jelly_spark.errors import MissingPackageError, OptionError, SessionError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


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
@read_options
@conf_option
def verify(
    files: tuple[str, ...],
    chosen: tuple[str, ...],
    reading: Reading,
    conf: tuple[str, ...],
) -> None:
    """Read files with every codec, and print the first difference.

    The codecs are this package's own in plain Python and on the JVM (native, which needs Spark);
    jelly-jvm for Jelly-RDF, if its jar is in spark.jars; pyjelly for Jelly-RDF; and rdflib for
    N-Triples and N-Quads. All columns are compared, but those of libraries only have terms. The
    exit status is 1 if a codec reads other rows or rejects the file.
    """
    if chosen and len({*chosen}) < 2:
        raise click.UsageError("--codec must name at least two codecs")
    sources = find_files(files, reading)
    with ExitStack() as stack:
        spark: SparkSession | str = "it was not asked for"
        if not chosen or {*chosen} & {*JVM}:
            try:
                spark = stack.enter_context(session(conf))
            except (MissingPackageError, SessionError) as error:
                spark = str(error)
        good = True
        for source in sources:
            codecs, not_used = _find_codecs(source, spark, chosen)
            with _on_disk(source) as path:
                found = compare(path, codecs, only_first=True)
            found.not_used = not_used | found.not_used
            if len(found.codecs) < 2:
                missing = "; ".join(f"{name}: {why}" for name, why in found.not_used.items())
                raise click.UsageError(
                    f"{source.title} can be read by fewer than two codecs ({missing})"
                )
            good = good and not found.differences and not found.rejected
            if is_given("--json"):
                print_json(_as_json(source, found))
            else:
                _print(source, found)
    if not good:
        raise Exit(Status.FINDINGS)


def _find_codecs(
    source: Source, spark: SparkSession | str, chosen: Sequence[str]
) -> tuple[list[Codec], dict[str, str]]:
    """Return the codecs that can read a file, and why the others cannot.

    Raises:
        OptionError: one that is named cannot.
        UsageError: the format has one codec only.
    """
    format = source.format
    if format.by_jena:
        raise click.UsageError(f"{source.title}: {format.name} is read by one codec only")
    options = source.arguments(namespaces=True)
    engines = [] if isinstance(spark, str) else _bridge.engines(format.name, spark=spark)
    found = []
    not_used = {}
    for name in (name for name in CODECS if not chosen or name in chosen):
        codec: Codec | str
        if name == PYTHON:
            codec = own_codec(format, name, options)
        elif name not in JVM:
            codec = library_codec(format, name)
        elif isinstance(spark, str):
            codec = spark
        elif name in engines:
            codec = own_codec(format, name, options, spark)
        else:
            codec = f"Spark has no such engine for {format.name}"
        if isinstance(codec, Codec):
            found.append(codec)
        elif name in chosen:
            raise OptionError(f"the codec {name} cannot read {source.title}: {codec}")
        else:
            not_used[name] = codec
    return found, not_used


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


def _as_json(source: Source, found: Comparison) -> dict[str, Any]:
    difference = None
    for first in found.differences:
        difference = {"row": first.place, "columns": first.columns}
    return {
        "file": source.title,
        "format": source.format.name,
        "rows": found.rows,
        "codecs": found.codecs,
        "not_used": found.not_used,
        "difference": difference,
        "rejected": found.rejected,
    }


def _print(source: Source, found: Comparison) -> None:
    out = console()
    if found.rejected:
        accepting = [name for name in found.codecs if name not in found.rejected]
        out.print(f"{source.title}: read by {', '.join(accepting) or 'no codec'}, rejected by:")
        for name, error in found.rejected.items():
            out.print(f"  {name}: {error}")
    elif found.differences:
        (first,) = found.differences
        title = f"{source.title}: row {first.place:,} differs"
        rows = [
            (column, name, value)
            for column, values in first.columns.items()
            for name, value in values.items()
        ]
        print_table(title, ["column", "codec", "value"], rows)
    else:
        out.print(f"{source.title}: the same {found.rows:,} rows in {', '.join(found.codecs)}")
    for name, why in found.not_used.items():
        out.print(f"  not compared: {name}, because {why}")
