"""N-Triples and N-Quads as rdflib's parsers read them, row by row."""

from __future__ import annotations

import codecs
from collections.abc import Iterator
from itertools import islice
from typing import Any

import rdflib
from rdflib.plugins.parsers.nquads import NQuadsParser
from rdflib.plugins.parsers.ntriples import W3CNTriplesParser

from jelly_spark.core.files.input_file import InputFile, Readable
from jelly_spark.core.rows import RdfRow
from jelly_spark.integrations.rdflib.terms import from_rdflib


def read(file: Readable, *, has_graphs: bool) -> Iterator[RdfRow]:
    """Yield the statements of a file in their order, with the blank node labels of the file.

    While rows are read, `rdflib.NORMALIZE_LITERALS` is False: lexical forms stay as they are.

    Args:
        file: path, URL, bytes, or stream of bytes.
        has_graphs: whether the file is in N-Quads; if not, it is in N-Triples.

    Raises:
        OSError: the file cannot be read.
        rdflib.exceptions.ParserError: rdflib rejects the file.
    """
    sink = _Sink()
    parser: Any = (NQuadsParser if has_graphs else W3CNTriplesParser)(sink)  # type: ignore[arg-type]
    labels: dict[str, Any] = {}
    # The label in the file of each blank node, which rdflib names anew.
    names: dict[Any, str] = {}

    def term(node: Any) -> str:
        return names.get(node) or from_rdflib(node)

    normalizes, rdflib.NORMALIZE_LITERALS = rdflib.NORMALIZE_LITERALS, False
    source = InputFile(file)
    try:
        parser.file = codecs.getreader("utf-8")(source.stream)
        parser.buffer = ""
        while (line := parser.readline()) is not None:
            parser.line = line
            parser.parseline(labels)
            for label in islice(labels, len(names), None):
                names[labels[label]] = f"_:{label}"
            for subject, predicate, obj, graph in sink.take():
                name = None if graph is None else term(graph)
                yield RdfRow(term(subject), term(predicate), term(obj), name)
    finally:
        rdflib.NORMALIZE_LITERALS = normalizes
        source.close()


class _Sink:
    """Takes the statements that the parsers find, instead of a store.

    Args:
        graph: the graph of the triples that are added; None for the default graph.
        found: the list to add to; by default, a new one.
    """

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
