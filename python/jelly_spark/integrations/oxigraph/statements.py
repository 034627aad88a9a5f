"""The statements of stores as rows and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import pyoxigraph as ox

from jelly_spark.core.rows import RdfRow, StatementTuple, triple_columns
from jelly_spark.errors import InvalidTermError, OptionError
from jelly_spark.integrations.net_changes import converted
from jelly_spark.integrations.oxigraph.terms import from_oxigraph, to_oxigraph

_DEFAULT_GRAPH = ox.DefaultGraph()
# How many terms are kept, in case they come again.
_CACHED_TERMS = 1 << 16


def check_store(store: object) -> None:
    """Check that an object is a `Store`.

    Raises:
        OptionError: it is not.
    """
    if not isinstance(store, ox.Store):
        raise OptionError(f"expected a Store of pyoxigraph, not {type(store).__name__}")


def rows(source: Iterable[ox.Quad | ox.Triple]) -> Iterator[RdfRow]:
    """Yield the statements of a store, a dataset, a parser or a CONSTRUCT query, in their order.

        codec.write("state.jelly", rows(store))
        codec.write("data.jelly", rows(pyoxigraph.parse(path="data.nt")))

    Raises:
        OptionError: `source` is something else.
        OSError, SyntaxError: the source cannot be read.
    """
    if not isinstance(source, Iterable):
        raise OptionError(f"expected statements of pyoxigraph, not {type(source).__name__}")
    for item in source:
        if not isinstance(item, (ox.Quad, ox.Triple)):
            raise OptionError(f"expected statements of pyoxigraph, not {type(item).__name__}")
        subject, predicate, obj = map(from_oxigraph, (item.subject, item.predicate, item.object))
        name = item.graph_name if isinstance(item, ox.Quad) else _DEFAULT_GRAPH
        graph = None if isinstance(name, ox.DefaultGraph) else from_oxigraph(name)
        yield RdfRow(subject, predicate, obj, graph)


def load(store: ox.Store, rows: Iterable[RdfRow | StatementTuple]) -> None:
    """Add the statements of rows to a store, with its bulk loader; rows of namespaces are ignored.

        load(store, codec.read("data.jelly"))
        load(store, Log("log").state_at())

    The rows are not held in memory. After an error, the store may have some of the statements.

    Args:
        store: the store to change.
        rows: the statements, as rows, or as tuples of three or four terms.

    Raises:
        MalformedInputError: the rows are read from a file that breaks its format.
        OptionError: `store` is not a `Store`.
        OSError: the store cannot be changed.
        UnwritableRowError: a row is not valid, or has what pyoxigraph cannot hold; see
            `to_oxigraph`.
    """
    check_store(store)
    quads = Quads()

    def quad(row: RdfRow) -> ox.Quad | None:
        return quads.quad(*triple_columns(row), row.graph) if row.name is None else None

    store.bulk_extend(made for made in converted(rows, quad) if made is not None)


class Quads:
    """Makes quads of pyoxigraph; terms that come again are converted once."""

    def __init__(self) -> None:
        # The annotation is that of the constructor of a quad, which checks the kinds of the terms.
        self._term: Callable[[str], Any] = lru_cache(_CACHED_TERMS)(to_oxigraph)

    def quad(self, subject: str, predicate: str, obj: str, graph: str | None) -> ox.Quad:
        """Return the quad of a statement.

        Raises:
            InvalidTermError: pyoxigraph cannot hold the statement.
        """
        term = self._term
        name = _DEFAULT_GRAPH if graph is None else term(graph)
        try:
            return ox.Quad(term(subject), term(predicate), term(obj), name)
        except TypeError as error:
            raise InvalidTermError(f"pyoxigraph has no such statement: {error}") from None
