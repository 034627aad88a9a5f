"""The net changes of patches, checked as a whole before a store is changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from jelly_spark.core.rows import (
    OP_RULE,
    OPS,
    PatchRow,
    RowOp,
    added_prefix,
    describe_row,
    prefix_columns,
    statement_columns,
)
from jelly_spark.errors import InvalidTermError, UnwritableRowError
from jelly_spark.patches.log_rows import read_patches
from jelly_spark.patches.statements import Statement

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


def unwritable(error: InvalidTermError | UnwritableRowError, row: PatchRow) -> UnwritableRowError:
    """Return the error for a row that a store cannot take."""
    return UnwritableRowError(str(error), describe_row(row))
