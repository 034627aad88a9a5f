"""Where a store stands in a log, and how that is stated in the store itself.

The position is in a graph of its own, as the id of the last patch that the store has:

    GRAPH <urn:x-jelly-spark:position> { <urn:x-jelly-spark:log> <urn:x-jelly-spark:version> "…" }

During the first load, the predicate is `<urn:x-jelly-spark:loading>`, and
`<urn:x-jelly-spark:loaded>` says how many statements are there. If blank nodes are replaced with
IRIs, `<urn:x-jelly-spark:skolemBase>` says how these begin.

Each request that changes the data adds the position after it. So if a store carries out a request
late, after it was sent again and others followed, there are two positions, and the next push sends
everything after the older one again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.core.show import quoted
from jelly_spark.core.terms import Literal, format_term
from jelly_spark.errors import StoreError
from jelly_spark.patches import Statement

GRAPH = "<urn:x-jelly-spark:position>"
"""The graph with the position."""

LOG = "<urn:x-jelly-spark:log>"
"""The subject of the statements about the position."""

_VERSION = "<urn:x-jelly-spark:version>"
_LOADING = "<urn:x-jelly-spark:loading>"
_LOADED = "<urn:x-jelly-spark:loaded>"
_SKOLEM_BASE = "<urn:x-jelly-spark:skolemBase>"

_MOST_DIGITS = 18

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
    """Return the positions in a store: one, none, or several.

    There are several if the store carried out a request late, of this push or of another one. All
    statements about the position are in one of these positions, so that `move` removes them.

    Args:
        values: the predicates and objects that `QUERY` finds, as IRIs and strings.

    Raises:
        StoreError: there is a number of statements that is not a number.
        ValueError: an object is not a string.
    """
    found: dict[str, list[str]] = {}
    for predicate, value in values:
        found.setdefault(f"<{predicate}>", []).append(check_string(value))
    base = min(found.get(_SKOLEM_BASE, [""]))
    counts = sorted(map(_count, found.get(_LOADED, [])))
    versions = sorted(found.get(_VERSION, []))
    loading = sorted(found.get(_LOADING, versions if counts else []))
    return [
        *(Position(version, count, base) for version in loading for count in counts or [0]),
        *(Position(version, None, base) for version in versions),
    ]


def check_string(value: Any) -> str:
    """Return a value that is a string.

    Raises:
        ValueError: it is not.
    """
    if not isinstance(value, str):
        raise ValueError("expected a string")
    return value


def move(before: Iterable[Position], after: Position) -> Iterator[PatchRow]:
    """Yield the rows that replace the positions in a store.

    What should be there already is added, too: if the store carries out these rows late, when it is
    at another position, the next push finds both.
    """
    old = {statement for position in before for statement in position.statements()}
    new = after.statements()
    yield from (PatchRow("D", *statement) for statement in sorted(old - new))
    yield from (PatchRow("A", *statement) for statement in sorted(new))


def _count(text: str) -> int:
    if not text.isascii() or not text.isdecimal() or len(text) > _MOST_DIGITS:
        raise StoreError(f"{GRAPH} in the store has {quoted(text)} as the number of statements")
    return int(text)


def _statement(predicate: str, value: str) -> Statement:
    return Statement(LOG, predicate, format_term(Literal(value)), GRAPH)
