"""States: statements as a set, and prefixes by graph and name."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import OptionError


class Statement(NamedTuple):
    """A statement of a state. It equals the tuple of its four terms.

    Attributes:
        subject: a term, as a string in N-Triples syntax.
        predicate: likewise.
        object: likewise.
        graph: likewise; None is the default graph.
    """

    subject: str
    predicate: str
    object: str
    graph: str | None = None


Statements: TypeAlias = Iterable[Any]
"""A state as an argument: `Statement`s, tuples of three or four terms, or `RdfRow`s and other rows
that have the attributes of a statement. Rows whose subject is None are ignored: the namespaces of
Jelly-RDF."""

PrefixKey: TypeAlias = tuple[str | None, str]
"""The graph and the name of a prefix."""

Prefixes: TypeAlias = Mapping[PrefixKey, str]
"""The prefixes of a state: their IRIs, as terms `<...>`, by graph and name."""

Sortable: TypeAlias = tuple[str, ...]
"""What sorts by code point, without a None."""


def read_statements(state: Statements) -> set[Statement]:
    """Return the statements of a state.

    Raises:
        OptionError: one of them is not a statement.
    """
    # What `apply` returns: copying it takes a fraction of the time.
    if isinstance(state, (set, frozenset)) and {*map(type, state)} <= {Statement}:
        return set(state)
    return set(_each_statement(state))


def _each_statement(state: Statements) -> Iterator[Statement]:
    for item in state:
        if type(item) is Statement:
            yield item
        elif type(item) is tuple and len(item) in (3, 4):
            yield Statement(*item)
        elif isinstance(item, PatchRow) or not hasattr(item, "subject"):
            raise OptionError(
                "a state must have statements, as `Statement`s, tuples of three or four terms or "
                f"`RdfRow`s, not {type(item).__name__}: `state` returns the state that patches give"
            )
        elif item.subject is not None:
            graph = getattr(item, "graph", None)
            yield Statement(item.subject, item.predicate, item.object, graph)


def read_prefixes(prefixes: Prefixes | None) -> dict[PrefixKey, str]:
    """Return a copy of the prefixes of a state; None are none.

    Raises:
        OptionError: a key is no pair.
    """
    found = dict(prefixes or {})
    for key in found:
        if not isinstance(key, tuple) or len(key) != 2:
            raise OptionError(
                f"prefixes must have keys of graph and name, such as (None, 'ex'), not {key!r}"
            )
    return found


def statement_of(row: PatchRow) -> Statement:
    """Return the statement of an `A` or `D` row."""
    # There are four columns, which `_make` would check.
    return tuple.__new__(Statement, row[1:5])


def prefix_of(row: PatchRow) -> PrefixKey:
    """Return the graph and the name of a `PA` or `PD` row."""
    return row.graph, row.name or ""


def by_terms(statement: tuple[str, str, str, str | None]) -> Sortable:
    """Return the key by which statements are sorted: the default graph is first."""
    subject, predicate, obj, graph = statement
    return subject, predicate, obj, graph or ""


def by_graph_and_name(key: PrefixKey) -> Sortable:
    """Return the key by which prefixes are sorted: those of the default graph are first."""
    graph, name = key
    return graph or "", name
