"""The inverse of a patch."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jelly_spark.core.rows import PatchRow, RowOp, describe_row
from jelly_spark.core.transactions import TransactionRule, TransactionState
from jelly_spark.errors import PatchError
from jelly_spark.patches.canonical import header_rows, number_rows
from jelly_spark.patches.log_rows import OPEN_RULE, Headers, group_patches

INVERSE: dict[RowOp, RowOp] = {
    **{"A": "D", "D": "A", "PA": "PD", "PD": "PA"},
    # The rows of an inverse are in reverse order, so a TC comes first.
    **{"TX": "TC", "TC": "TX"},
}
"""The code of each row of an inverse, by the code of the row that it undoes."""

MANY_PATCHES_RULE = "only one patch at a time can be inverted: squash them first"
STATEMENT_TWICE_RULE = "a statement that changes twice cannot be inverted: squash the patch first"
PREFIX_TWICE_RULE = "a prefix that changes twice cannot be inverted: squash the patch first"
UNKNOWN_IRI_RULE = "a PD without its IRI cannot be inverted"
ABORTED_RULE = "an aborted transaction cannot be inverted: squash the patch first"
NOT_BEGUN_RULE = "a TC without a TX cannot be inverted"


def invert(patch: Iterable[PatchRow], *, assume_canonical: bool = False) -> list[PatchRow]:
    """Return the inverse of a patch: the patch that undoes it.

    Adds become deletes, deletes become adds, and the order is reversed. The headers `id` and `prev`
    are swapped, so the inverse leads from the state after the patch to the state before it. Other
    headers are kept.

        rows = [PatchRow("A", "<urn:x:cup>", "<urn:x:price>", '"9.20"')]
        [row.op for row in patches.invert(rows)]  # ['D']

    The inverse is exact if every change of the patch has an effect, as in patches made by `diff`.
    If the patch adds a statement that was already present, the inverse deletes it.

    Args:
        patch: the rows of one patch.
        assume_canonical: whether to skip the checks, for a patch made by `diff` or `squash`.

    Raises:
        PatchError: the patch cannot be inverted, because it changes a statement or prefix twice,
            aborts a transaction or leaves one open, or deletes a prefix without giving its IRI; or
            there is more than one patch. The message has the first such row.
    """
    rows = list(patch)
    if not assume_canonical:
        for rule, row in _violations(rows):
            raise PatchError(rule, describe_row(row))
    headers = [row for row in rows if row.op == "H"]
    ends = Headers.of(headers)
    return number_rows(
        [
            *header_rows(ends.prev, ends.id),
            *(row[:7] for row in headers if row.name not in Headers._fields),
            *((INVERSE[row.op], *row[1:7]) for row in reversed(rows) if row.op in INVERSE),
        ]
    )


def _violations(rows: list[PatchRow]) -> Iterator[tuple[str, PatchRow]]:
    """Yield the rows that cannot be inverted, each with the rule that it breaks, in order."""
    statements: set[tuple[str | None, ...]] = set()
    # The last change of each prefix, by graph and name.
    prefixes: dict[tuple[str | None, str | None], RowOp] = {}
    transaction = TransactionState[PatchRow]()
    for place, group in group_patches(rows):
        for row in group:
            if place:
                yield MANY_PATCHES_RULE, row
            op = row.op
            if op in ("A", "D"):
                if row[1:5] in statements:
                    yield STATEMENT_TWICE_RULE, row
                statements.add(row[1:5])
            elif op in ("PA", "PD"):
                key = row.graph, row.name
                if op == "PD" and row.value is None:
                    yield UNKNOWN_IRI_RULE, row
                # Changing an IRI takes two rows: a PD of the old one, then a PA of the new one.
                if key in prefixes and (prefixes[key], op) != ("PD", "PA"):
                    yield PREFIX_TWICE_RULE, row
                prefixes[key] = op
            elif op == "TA":
                yield ABORTED_RULE, row
            elif op == "TX" or op == "TC":
                begin = transaction.begin
                if transaction.move(op, row) is TransactionRule.NOT_BEGUN:
                    yield NOT_BEGUN_RULE, row
                elif op == "TX" and begin is not None:
                    yield OPEN_RULE, begin
    if transaction.begin is not None:
        yield OPEN_RULE, transaction.begin
