"""States: a set of statements, and the prefixes by graph and name."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import repeat
from typing import Any, NamedTuple, TypeAlias

from jelly_spark.core.columns import count_of, values_of
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import PatchRow, RdfRow, are_terms, not_terms
from jelly_spark.errors import OptionError


class Statement(NamedTuple):
    """A statement of a state. It equals the tuple of its four terms.

    Attributes:
        subject: the subject, a term in N-Triples syntax.
        predicate: the predicate, likewise.
        object: the object, likewise.
        graph: the graph, likewise; None for the default graph.
    """

    subject: str
    predicate: str
    object: str
    graph: str | None = None


Statements: TypeAlias = Iterable[Any]
"""A state as an argument: an iterable of `Statement`s, tuples of three or four terms, `RdfRow`s, or
other objects with the attributes of a statement. Rows whose subject is None, such as the namespace
rows of Jelly-RDF, are ignored."""

PrefixKey: TypeAlias = tuple[str | None, str]
"""The graph and the name of a prefix."""

Prefixes: TypeAlias = Mapping[PrefixKey, str]
"""The prefixes of a state: the IRI of each, as a term `<...>`, by graph and name."""

Sortable: TypeAlias = tuple[str, ...]
"""A sort key that compares by code point; it holds no None."""


def read_statements(state: Statements, known: Collection[Statement] = ()) -> set[Statement]:
    """Return the statements of a state, as a new set.

    Args:
        state: the state.
        known: statements of which it may have many.

    Raises:
        OptionError: an item is not a statement, or a term is not of type str.
    """
    # Fast path for a state that `apply` returned: copying a set needs no loop in Python.
    if isinstance(state, (set, frozenset)) and {*map(type, state)} <= {Statement}:
        return set(state)
    if isinstance(state, (str, bytes)) or not isinstance(state, Iterable):
        raise OptionError(
            "a state must be an iterable of statements, as codec.read and `state` return them, not "
            f"of type {type(state).__name__}: jelly_spark.algebra takes DataFrames"
        )
    if isinstance(state, RowReader) and state.row is RdfRow:
        return set(statements_of(items_of(state, known)))
    return set(statements_of(_each_statement(state)))


def items_of(reader: RowReader[RdfRow], known: Collection[Statement] = ()) -> Iterator[Any]:
    """Return what `statements_of` takes.

    Args:
        reader: a reader of statements.
        known: statements of which the file may have many. They are not made again.
    """
    if known:
        reader.look_up(known)
    return reader.items()


def statements_of(items: Iterable[Any]) -> Iterator[Statement]:
    """Yield the statements of a file. A dump repeats most terms: each is in memory once.

    Args:
        items: `RdfRow`s or `Statement`s, `Columns` of several rows, and lists of `Statement`s.
    """
    share = dict[str | None, str | None]().setdefault
    new = tuple.__new__
    for item in items:
        if type(item) is tuple:
            count = count_of(item)
            columns = ([*values_of(column, count)] for column in item[:4])
            shared = (map(share, column, column) for column in columns)
            yield from map(new, repeat(Statement), zip(*shared, strict=True))
        elif type(item) is list:
            yield from item
        elif item.subject is not None:
            subject, predicate, obj, graph = item[:4]
            terms = share(subject, subject), share(predicate, predicate), share(obj, obj)
            yield new(Statement, (*terms, share(graph, graph)))


def _each_statement(state: Statements) -> Iterator[Statement]:
    for item in state:
        kind = type(item)
        if kind is RdfRow:
            if item.subject is None:
                continue
            statement = tuple.__new__(Statement, item[:4])
        elif kind is Statement:
            statement = item
        elif kind is tuple and len(item) in (3, 4):
            statement = Statement(*item)
        elif any(not hasattr(item, name) for name in Statement._fields[:3]) or hasattr(item, "op"):
            raise OptionError(
                "a state must have statements, as `Statement`s, tuples of three or four terms or "
                f"`RdfRow`s, not {kind.__name__}: `state` returns the state that patches give"
            )
        elif item.subject is None:
            continue
        else:
            graph = getattr(item, "graph", None)
            statement = Statement(item.subject, item.predicate, item.object, graph)
        if not are_terms(*statement):
            raise OptionError(not_terms(statement))
        yield statement


def read_prefixes(prefixes: Prefixes | None) -> dict[PrefixKey, str]:
    """Return a copy of the prefixes of a state; an empty dict for None.

    Raises:
        OptionError: a key is not a pair.
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
    # Faster than `_make`, which would check that there are four columns.
    return tuple.__new__(Statement, row[1:5])


def prefix_of(row: PatchRow) -> PrefixKey:
    """Return the graph and the name of a `PA` or `PD` row."""
    return row.graph, row.name or ""


def by_terms(statement: tuple[str, str, str, str | None]) -> Sortable:
    """Return the sort key of a statement; the default graph comes first."""
    subject, predicate, obj, graph = statement
    return subject, predicate, obj, graph or ""


def by_graph_and_name(key: PrefixKey) -> Sortable:
    """Return the sort key of a prefix; the default graph comes first."""
    graph, name = key
    return graph or "", name
