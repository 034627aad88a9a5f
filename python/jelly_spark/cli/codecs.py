"""The codecs that `jelly-spark verify` compares, and what each of them reads."""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from jelly_spark import bridge, codec
from jelly_spark.cli.files import Source
from jelly_spark.core.files import InputFile
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
    return None


def _arguments(source: Source) -> dict[str, Any]:
    arguments = source.reading.arguments(source.format)
    return {**arguments, "namespaces": True} if source.has_namespaces else arguments


def _pyjelly(source: Source) -> Codec | str:
    if source.format.name != "jelly_rdf":
        return "it reads only jelly_rdf"
    from jelly_spark.integrations import pyjelly as terms

    def rows(path: str) -> Iterator[tuple[Any, ...]]:
        from pyjelly.integrations.generic.parse import (  # type: ignore[import-untyped]
            parse_jelly_flat,
        )

        file = InputFile(path)
        try:
            for row in terms.rows(parse_jelly_flat(_Stream(file))):
                yield *row[:4], row.name, row.value
        finally:
            file.close()

    return Codec("pyjelly", (*_STATEMENT, "name", "value"), rows)


class _Stream:
    """A stream that pyjelly can wrap in a buffer."""

    readable = staticmethod(lambda: True)
    seekable = writable = staticmethod(lambda: False)
    closed = False

    def __init__(self, file: InputFile) -> None:
        self._read = file.stream.read

    def readinto(self, buffer: memoryview) -> int:
        """Fill a buffer, and return the number of bytes; 0 at the end."""
        data = self._read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def _rdflib(source: Source) -> Codec | str:
    if source.format.name not in ("ntriples", "nquads"):
        return "it reads only ntriples and nquads row by row"
    from jelly_spark.integrations.rdflib import from_rdflib

    def rows(path: str) -> Iterator[tuple[Any, ...]]:
        import rdflib
        from rdflib.plugins.parsers.nquads import NQuadsParser
        from rdflib.plugins.parsers.ntriples import W3CNTriplesParser

        has_graphs = source.format.name == "nquads"
        sink = _Sink()
        parser: Any = (NQuadsParser if has_graphs else W3CNTriplesParser)(sink)  # type: ignore[arg-type]
        labels: dict[str, Any] = {}
        # The label in the file of each blank node, which rdflib names anew.
        names: dict[Any, str] = {}
        normalizes, rdflib.NORMALIZE_LITERALS = rdflib.NORMALIZE_LITERALS, False
        file = InputFile(path)
        try:
            parser.file = codecs.getreader("utf-8")(file.stream)
            parser.buffer = ""
            while (line := parser.readline()) is not None:
                parser.line = line
                parser.parseline(labels)
                for statement in sink.take():
                    for label in islice(labels, len(names), None):
                        names[labels[label]] = f"_:{label}"
                    yield tuple(
                        None if term is None else names.get(term) or from_rdflib(term)
                        for term in statement
                    )
        finally:
            rdflib.NORMALIZE_LITERALS = normalizes
            file.close()

    return Codec("rdflib", _STATEMENT, rows)


class _Sink:
    """Takes the statements that rdflib's parsers of lines find, instead of a store."""

    def __init__(self, graph: Any = None, found: list[tuple[Any, ...]] | None = None) -> None:
        self._graph = graph
        self._found: list[tuple[Any, ...]] = [] if found is None else found

    @property
    def default_context(self) -> _Sink:
        """The sink of the default graph."""
        return self

    def get_context(self, graph: Any) -> _Sink:
        """Return the sink of a graph."""
        return _Sink(graph, self._found)

    def triple(self, subject: Any, predicate: Any, obj: Any) -> None:
        """Add a triple, as the parser of N-Triples does."""
        self.add((subject, predicate, obj))

    def add(self, triple: tuple[Any, Any, Any]) -> None:
        """Add a triple to the graph, as the parser of N-Quads does."""
        self._found.append((*triple, self._graph))

    def take(self) -> list[tuple[Any, ...]]:
        """Return the statements since the last call."""
        found = self._found[:]
        self._found.clear()
        return found
