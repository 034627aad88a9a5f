"""Logs and states, written as text."""

from jelly_spark.codec import PatchRow, read_rdf_patch
from tests.algebra.engines import StatementTuple
from tests.numbering import numbered


def log(text: str) -> list[PatchRow]:
    """The rows of a log in RDF Patch, with `Z` between its patches."""
    return [*read_rdf_patch(text.encode())]


def body(rows: list[PatchRow]) -> list[tuple[str | None, ...]]:
    """The rows without their ordinals, after a check that these are those of one file."""
    assert rows == numbered(rows)
    return [row[:7] for row in rows]


def state(text: str) -> set[StatementTuple]:
    """The statements of a state, a line each."""
    rows = log("".join(f"A {line.strip()} .\n" for line in text.strip().splitlines() if line))
    return {row[1:5] for row in rows}  # type: ignore[misc]


def prefix(op: str, name: str, value: str | None = None, graph: str | None = None) -> PatchRow:
    """A row that changes a prefix."""
    return PatchRow(op, graph=graph, name=name, value=value)  # type: ignore[arg-type]
