"""What other libraries take of rows: the net changes of patches, and objects for statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from jelly_spark.core.rows import (
    OP_RULE,
    OPS,
    PatchRow,
    RdfRow,
    RowOp,
    StatementTuple,
    added_prefix,
    as_row,
    describe_row,
    prefix_columns,
    statement_columns,
    unwritable,
)
from jelly_spark.errors import InvalidTermError, UnwritableRowError
from jelly_spark.patches.log_rows import read_patches
from jelly_spark.patches.statements import Statement

T = TypeVar("T")

_OPS = frozenset(OPS)


class NetChanges(NamedTuple):
    """What patches change, whatever the state before them.

    Attributes:
        statements: `A` or `D` for each statement: its last committed change.
        prefixes: the IRIs of the prefixes that are bound at the end, without brackets, by name.
    """

    statements: dict[Statement, RowOp]
    prefixes: dict[str, str]


def net_changes(rows: Iterable[PatchRow]) -> NetChanges:
    """Return the net changes of patches.

    Prefixes are taken together, whatever their graphs, because stores have one set of prefixes.

    Raises:
        OptionError: an item of `rows` is not a `PatchRow`.
        PatchError: a transaction is neither committed nor aborted in its patch.
        UnwritableRowError: a row is not valid.
    """
    statements: dict[Statement, RowOp] = {}
    prefixes: dict[str, str] = {}
    for patch in read_patches(_checked(rows)):
        for row in patch.changes():
            try:
                if row.op in ("A", "D"):
                    statements[Statement(*statement_columns(row))] = row.op
                elif row.op == "PA":
                    name, iri, _ = added_prefix(row)
                    prefixes[name] = iri
                else:
                    prefixes.pop(prefix_columns(row)[0], None)
            except (InvalidTermError, UnwritableRowError) as error:
                raise unwritable(error, row) from None
    return NetChanges(statements, prefixes)


def _checked(rows: Iterable[PatchRow]) -> Iterator[PatchRow]:
    for row in rows:
        if isinstance(row, PatchRow) and row.op not in _OPS:
            raise UnwritableRowError(OP_RULE, describe_row(row))
        yield row


def converted(
    rows: Iterable[RdfRow | StatementTuple], convert: Callable[[RdfRow], T]
) -> Iterator[T]:
    """Yield what a function returns for each row; a statement can also be a tuple of its terms.

    Raises:
        UnwritableRowError: a row is something else, or the function rejects it, with this error or
            an `InvalidTermError`.
    """
    for row in rows:
        try:
            yield convert(row if isinstance(row, RdfRow) else as_row(row, RdfRow))
        except (InvalidTermError, UnwritableRowError) as error:
            raise unwritable(error, row) from None
