"""The codecs that `jelly-spark verify` compares, and what each of them reads."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from jelly_spark import bridge, codec
from jelly_spark.cli.files import Source
from jelly_spark.errors import MissingPackageError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PYTHON = "python"
JVM = ("native", "jelly-jvm")
LIBRARIES = ("pyjelly", "rdflib")
CODECS = (PYTHON, *JVM, *LIBRARIES)
"""The names of all codecs, in the order in which they are compared."""

_STATEMENT = ("subject", "predicate", "object", "graph")


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
    rows: Callable[[str], Iterator[tuple[Any, ...]]]


def python_codec(source: Source) -> Codec:
    """Return the codec in plain Python."""

    def rows(path: str) -> Iterator[tuple[Any, ...]]:
        return codec.read(path, format=source.format.name, **_arguments(source))

    return Codec(PYTHON, source.format.row._fields, rows)


def jvm_codec(source: Source, engine: str, spark: SparkSession) -> Codec:
    """Return an engine of the JVM.

    Raises:
        OptionError: when rows are read: the engine lacks an option that is given.
    """

    def rows(path: str) -> Iterator[tuple[Any, ...]]:
        format = source.format.name
        return bridge.decode(path, format=format, engine=engine, spark=spark, **_arguments(source))

    return Codec(engine, source.format.row._fields, rows)


def library_codec(source: Source, name: str) -> Codec | str:
    """Return the codec of another library, or the reason why it cannot be used."""
    try:
        if name == "pyjelly":
            return _pyjelly(source)
        return _rdflib(source)
    except MissingPackageError as error:
        return str(error)


def lacks(name: str, row: tuple[Any, ...]) -> str | None:
    """Return what a library lacks to read a row; None if it should be able to."""
    if name == "rdflib" and any(term is not None and term.startswith("<<") for term in row[:3]):
        return "it has no quoted triples"
    if name == "pyjelly" and getattr(row, "name", None) is not None:
        return "its API for rows cannot read namespaces"
    return None


def _arguments(source: Source) -> dict[str, Any]:
    arguments = source.reading.arguments(source.format)
    return {**arguments, "namespaces": True} if source.has_namespaces else arguments


def _pyjelly(source: Source) -> Codec | str:
    if source.format.name != "jelly_rdf":
        return "it reads only jelly_rdf"
    from jelly_spark.integrations.pyjelly import read

    def rows(path: str) -> Iterator[tuple[Any, ...]]:
        return ((*row[:4], row.name, row.value) for row in read(path))

    return Codec("pyjelly", (*_STATEMENT, "name", "value"), rows)


def _rdflib(source: Source) -> Codec | str:
    if source.format.name not in ("ntriples", "nquads"):
        return "it reads only ntriples and nquads row by row"
    from jelly_spark.integrations.rdflib.line_files import read

    # It also logs what it then rejects.
    logging.getLogger("rdflib").setLevel(logging.CRITICAL)

    def rows(path: str) -> Iterator[tuple[Any, ...]]:
        return (row[:4] for row in read(path, has_graphs=source.format.name == "nquads"))

    return Codec("rdflib", _STATEMENT, rows)
