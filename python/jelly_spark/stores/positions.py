"""Where a store stands in a log, and how that is stated in the store itself.

The position is in a graph of its own, as the id of the last patch that the store has:

    GRAPH <urn:x-jelly-spark:position> { <urn:x-jelly-spark:log> <urn:x-jelly-spark:version> "…" }

During the first load, the predicate is `<urn:x-jelly-spark:loading>`, and
`<urn:x-jelly-spark:loaded>` says how many statements are there. If blank nodes are replaced with
IRIs, `<urn:x-jelly-spark:skolemBase>` says how these begin.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.core.terms import Literal, format_term
from jelly_spark.patches import Statement

GRAPH = "<urn:x-jelly-spark:position>"
"""The graph with the position."""

LOG = "<urn:x-jelly-spark:log>"
"""The subject of the statements about the position."""

_VERSION = "<urn:x-jelly-spark:version>"
_LOADING = "<urn:x-jelly-spark:loading>"
_LOADED = "<urn:x-jelly-spark:loaded>"
_SKOLEM_BASE = "<urn:x-jelly-spark:skolemBase>"

QUERY = f"SELECT ?predicate ?object WHERE {{ GRAPH {GRAPH} {{ {LOG} ?predicate ?object }} }}"
"""The query for the statements about the position."""


class Position(NamedTuple):
    """Where a store stands.

    Attributes:
        version: the id of the last patch that the store has.
        loaded: during the first load, how many statements of the version the store has; None after
            it.
        skolem_base: the beginning of the IRIs that replace blank nodes; empty if none are replaced.
    """

    version: str
    loaded: int | None = None
    skolem_base: str = ""

    def statements(self) -> set[Statement]:
        """Return the statements about the position in the store."""
        found = {_statement(_VERSION if self.loaded is None else _LOADING, self.version)}
        if self.loaded is not None:
            found.add(_statement(_LOADED, str(self.loaded)))
        if self.skolem_base:
            found.add(_statement(_SKOLEM_BASE, self.skolem_base))
        return found


def positions_of(values: Iterable[tuple[str, str]]) -> list[Position]:
    """Return the positions in a store: one; or none; or more if two pushes ran at a time.

    Args:
        values: the predicates and objects that `QUERY` finds, as IRIs and strings.
    """
    pairs = sorted((f"<{predicate}>", value) for predicate, value in values)
    base = next((value for predicate, value in pairs if predicate == _SKOLEM_BASE), "")
    # Of two pushes, the one that is less far counts.
    loaded = min((int(value) for predicate, value in pairs if predicate == _LOADED), default=0)
    return [
        Position(value, loaded if predicate == _LOADING else None, base)
        for predicate, value in pairs
        if predicate in (_LOADING, _VERSION)
    ]


def move(before: Iterable[Position], after: Position) -> Iterator[PatchRow]:
    """Yield the rows that replace the positions in a store."""
    old = {statement for position in before for statement in position.statements()}
    new = after.statements()
    yield from (PatchRow("D", *statement) for statement in sorted(old - new))
    yield from (PatchRow("A", *statement) for statement in sorted(new - old))


def _statement(predicate: str, value: str) -> Statement:
    return Statement(LOG, predicate, format_term(Literal(value)), GRAPH)
