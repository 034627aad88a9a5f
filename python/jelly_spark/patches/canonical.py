"""Canonical patches: the same set of changes always gives the same rows.

A canonical patch has the headers `id` and `prev`, if they are given, and one transaction, if there
are changes: `TX`, deleted prefixes, added prefixes, deleted statements, added statements, `TC`.
Statements are sorted by subject, predicate, object and graph, prefixes by graph and name, all by
code point.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from jelly_spark.core.rows import PatchRow, RowNumbering, RowOp
from jelly_spark.core.terms import parse_term
from jelly_spark.errors import InvalidTermError
from jelly_spark.patches.statements import PrefixKey, Statement, by_graph_and_name, by_terms

Columns: TypeAlias = tuple[
    RowOp, str | None, str | None, str | None, str | None, str | None, str | None
]
"""The columns of a `PatchRow`, without the ordinals `patch`, `tx` and `seq`."""

_BEGIN: Columns = ("TX", None, None, None, None, None, None)
_COMMIT: Columns = ("TC", None, None, None, None, None, None)


class PrefixChanges(NamedTuple):
    """The prefixes that a patch deletes and adds.

    Attributes:
        deleted: the IRIs of the deleted prefixes, by graph and name; None if an IRI is not known.
        added: the IRIs of the added prefixes, by graph and name.
    """

    deleted: dict[PrefixKey, str | None]
    added: dict[PrefixKey, str | None]


def canonical_rows(
    id: str | None,
    prev: str | None,
    prefixes: PrefixChanges,
    deleted: Collection[Statement],
    added: Collection[Statement],
    headers: Mapping[str, str] | None = None,
) -> Iterator[Columns]:
    """Yield the rows of the canonical patch of these changes; see `number_rows`.

    No statement may be both deleted and added.

    Args:
        id: the header `id`; None for no such header.
        prev: the header `prev`, likewise.
        prefixes: the changes of prefixes.
        deleted: the statements that are deleted.
        added: the statements that are added.
        headers: the values of other headers, terms, by their keys.
    """
    yield from header_rows(id, prev)
    yield from _other_headers(headers or {})
    if deleted or added or any(prefixes):
        yield _BEGIN
        yield from _prefix_rows("PD", prefixes.deleted)
        yield from _prefix_rows("PA", prefixes.added)
        yield from _statement_rows("D", deleted)
        yield from _statement_rows("A", added)
        yield _COMMIT


def check_headers(**values: str | None) -> None:
    """Check that the values of headers, given by their keys, are terms or None.

    Raises:
        InvalidTermError: a value is neither.
    """
    for key, value in values.items():
        if value is not None:
            try:
                parse_term(value)
            except InvalidTermError as error:
                raise InvalidTermError(
                    f"{key} must be a term, such as <urn:uuid:1>: {error}"
                ) from None


def header_rows(id: str | None, prev: str | None) -> Iterator[Columns]:
    """Yield the headers `id` and `prev`, unless they are None."""
    if id is not None:
        yield "H", None, None, None, None, "id", id
    if prev is not None:
        yield "H", None, None, None, None, "prev", prev


def number_rows(rows: Iterable[Columns]) -> list[PatchRow]:
    """Return the rows of a patch, numbered as in a file that has only this patch."""
    number = RowNumbering().number
    return [PatchRow(*row, *number(row[0])) for row in rows]


def _other_headers(headers: Mapping[str, str]) -> Iterator[Columns]:
    for name, value in headers.items():
        yield "H", None, None, None, None, name, value


def _prefix_rows(op: RowOp, prefixes: dict[PrefixKey, str | None]) -> Iterator[Columns]:
    for key in sorted(prefixes, key=by_graph_and_name):
        graph, name = key
        yield op, None, None, None, graph, name, prefixes[key]


def _statement_rows(op: RowOp, statements: Iterable[Statement]) -> Iterator[Columns]:
    for statement in sorted(statements, key=by_terms):
        yield op, *statement, None, None
