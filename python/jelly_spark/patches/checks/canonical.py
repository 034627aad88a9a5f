"""Whether patches are canonical for a state: whether each row that changes a statement counts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from jelly_spark.core.rows import PatchRow, describe_row
from jelly_spark.core.transactions import TransactionState
from jelly_spark.errors import PatchError
from jelly_spark.patches.log_rows import OPEN_RULE, Headers, group_patches
from jelly_spark.patches.statements import Statement, Statements, read_statements, statement_of
from jelly_spark.patches.states import change_statement

HEADER_TWICE_RULE = "a canonical patch has each of the headers id and prev once"
STATEMENT_TWICE_RULE = "a canonical patch changes a statement once"
ADD_RULE = "a canonical patch adds only statements that are absent"
DELETE_RULE = "a canonical patch deletes only statements that are present"
ABORTED_RULE = "a canonical patch has no aborted transaction"


def check_canonical(patches: Iterable[PatchRow], state: Statements | None = None) -> list[PatchRow]:
    """Return the rows of patches, after a check that each `A` and `D` is a change.

    Then `changes` of the patches with `assume_canonical` are their changes. Patches that `diff`
    made from the state before them pass, and so do those that `squash` made for it.

        rows = [PatchRow("A", "<urn:x:cup>", "<urn:x:price>", '"9.20"')]
        rows == patches.check_canonical(rows)  # True

    The order of the rows and changes of prefixes are not checked.

    Args:
        patches: the rows of the patches, in order.
        state: the statements before the patches; by default, the empty state.

    Raises:
        PatchError: a patch adds a statement that is already present, deletes one that is absent,
            changes one twice, aborts a transaction or leaves one open, or repeats the header `id`
            or `prev`. The message has the first such row.
        OptionError: the state has something that is not a statement, or an item of `patches` is not
            a `PatchRow`.
    """
    rows = list(patches)
    for rule, row in _violations(rows, read_statements(() if state is None else state)):
        raise PatchError(rule, describe_row(row))
    return rows


def _violations(rows: list[PatchRow], statements: set[Statement]) -> Iterator[tuple[str, PatchRow]]:
    """Yield the rows that are not canonical, each with the rule that it breaks.

    Args:
        rows: the rows of the patches.
        statements: the state before, which is updated in place.
    """
    for _, patch in group_patches(rows):
        changed: set[Statement] = set()
        headers: set[str | None] = set()
        transaction = TransactionState[PatchRow]()
        for row in patch:
            op = row.op
            if op in ("A", "D"):
                statement = statement_of(row)
                if statement in changed:
                    yield STATEMENT_TWICE_RULE, row
                elif (statement in statements) == (op == "A"):
                    yield ADD_RULE if op == "A" else DELETE_RULE, row
                changed.add(statement)
                change_statement(statements, row)
            elif op == "H" and row.name in Headers._fields:
                if row.name in headers:
                    yield HEADER_TWICE_RULE, row
                headers.add(row.name)
            elif op == "TA":
                yield ABORTED_RULE, row
            elif op in ("TX", "TC"):
                if op == "TX" and transaction.begin is not None:
                    yield OPEN_RULE, transaction.begin
                transaction.move(op, row)
        if transaction.begin is not None:
            yield OPEN_RULE, transaction.begin
