"""Rows as JSON operations: `["A", s, p, o, graph]` and so on, one on a line.

    ["H", key, term]  ["TX"]  ["TC"]  ["TA"]  ["END"]
    ["PA", prefix, iri, graph?]  ["PD", prefix, graph?]
    ["A", s, p, o, graph?]  ["D", s, p, o, graph?]

A graph left out is the default graph. The IRI that a `PD` may have has no place in its operation.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from jelly_spark.core.rows import TERMS, PatchRow
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.errors import UnwritableRowError
from tests.numbering import numbered

# Per code: the columns that its operation holds, in order, and how many of them must be there.
_COLUMNS: dict[str, tuple[tuple[str, ...], int]] = {
    "H": (("name", "value"), 2),
    "TX": ((), 0),
    "TC": ((), 0),
    "TA": ((), 0),
    "PA": (("name", "value", "graph"), 2),
    "PD": (("name", "graph"), 1),
    "A": (("subject", "predicate", "object", "graph"), 3),
    "D": (("subject", "predicate", "object", "graph"), 3),
    "END": ((), 0),
}


def read_json_lines(path: Path) -> list[Any]:
    """Return what the lines of a file hold; empty ones are left out."""
    # Not `splitlines`: the lines hold whatever else ends a line.
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def op_from_row(row: PatchRow) -> list[str]:
    """Return the row as an operation."""
    columns, _ = _COLUMNS[row.op]
    values = (getattr(row, column) for column in columns)
    return [row.op, *(value for value in values if value is not None)]


def canonical_op(op: Sequence[str]) -> list[str]:
    """Return the operation with its terms in canonical form.

    The shared cases have triple terms as RDF-star writes them.

    Raises:
        UnwritableRowError: it is no operation.
    """
    row = row_from_op(op)
    terms: dict[str, Any] = {
        name: format_term(parse_term(term))
        for name in TERMS
        if (term := getattr(row, name)) is not None
    }
    return op_from_row(row._replace(**terms))


def format_op_line(row: PatchRow) -> str:
    """Return the row as a line of JSON, without a line feed."""
    return json.dumps(op_from_row(row), ensure_ascii=False, separators=(",", ":"))


def row_from_op(op: Sequence[str]) -> PatchRow:
    """Return the operation as a row without ordinals.

    Raises:
        UnwritableRowError: it is no operation.
    """
    # No operation has as many values as no code asks for.
    columns, required = _COLUMNS.get(op[0], ((), 1)) if op else ((), 1)
    if not required <= len(op) - 1 <= len(columns):
        raise UnwritableRowError("not an operation", json.dumps(op, ensure_ascii=False))
    values: dict[str, Any] = dict(zip(columns, op[1:], strict=False))
    return PatchRow(op[0], **values)  # type: ignore[arg-type]


def rows_from_ops(ops: Iterable[Sequence[str]]) -> Iterator[PatchRow]:
    """Yield the operations as rows, with the ordinals that a reader gives them.

    Raises:
        UnwritableRowError: one of them is no operation.
    """
    yield from numbered(map(row_from_op, ops))
