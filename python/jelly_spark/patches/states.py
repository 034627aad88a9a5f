"""The states that patches lead to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, cast, overload

from jelly_spark.core.rows import PatchRow
from jelly_spark.patches.log_rows import OnOpen, read_patches
from jelly_spark.patches.rules import ADD_WITHOUT_EFFECT, DELETE_WITHOUT_EFFECT, Finding
from jelly_spark.patches.statements import (
    Prefixes,
    PrefixKey,
    Statement,
    Statements,
    prefix_of,
    read_prefixes,
    read_statements,
    statement_of,
)

_State = tuple[set[Statement], dict[PrefixKey, str]]
_StateAndFindings = tuple[set[Statement], dict[PrefixKey, str], list[Finding]]


@overload
def apply(
    state: Statements,
    patches: Iterable[PatchRow],
    *,
    prefixes: Prefixes | None = None,
    strict: Literal[False] = False,
    on_open: OnOpen = "error",
) -> _State: ...


@overload
def apply(
    state: Statements,
    patches: Iterable[PatchRow],
    *,
    prefixes: Prefixes | None = None,
    strict: Literal[True],
    on_open: OnOpen = "error",
) -> _StateAndFindings: ...


def apply(
    state: Statements,
    patches: Iterable[PatchRow],
    *,
    prefixes: Prefixes | None = None,
    strict: bool = False,
    on_open: OnOpen = "error",
) -> _State | _StateAndFindings:
    """Apply patches to a state.

    Of each statement, the last committed change decides. Aborted transactions have no effect.
    Changes outside any transaction count at once.

        rows = [PatchRow("A", "<urn:x:cup>", "<urn:x:price>", '"9.20"')]
        statements, prefixes = patches.apply([], rows)
        len(statements)  # 1

    Args:
        state: the statements before, which stay as they are: `Statement`s, tuples of three or four
            terms, or `RdfRow`s.
        patches: the rows of the patches, in order.
        prefixes: the IRIs of the prefixes before, by `(graph, name)`.
        strict: whether to return findings, too: a row for each committed `A` of a statement that is
            there, and each `D` of one that is not.
        on_open: `error`, or `ignore` to leave out transactions with neither `TC` nor `TA`.

    Returns:
        The statements and the prefixes after the patches; with `strict`, the findings as well, in
        the order of the rows.

    Raises:
        PatchError: a transaction is open.
        OptionError: `on_open` is not one of its values, the state has something that is not a
            statement, or a key of the prefixes is no pair.
    """
    statements = read_statements(state)
    names = read_prefixes(prefixes)
    findings: list[Finding] = []
    for patch in read_patches(patches, on_open):
        for row in patch.changes():
            op = row.op
            if op in ("A", "D"):
                if strict and (finding := without_effect(patch.place, row, statements)):
                    findings.append(finding)
                change_statement(statements, row)
            elif op == "PA":
                # Only a PD may have none.
                names[prefix_of(row)] = cast(str, row.value)
            else:
                names.pop(prefix_of(row), None)
    return (statements, names, findings) if strict else (statements, names)


def state(patches: Iterable[PatchRow], *, on_open: OnOpen = "error") -> _State:
    """Return the state that patches lead to from nothing, as `apply` does.

        statements, prefixes = patches.state(codec.read("changes.jellyp"))

    Args:
        patches: the rows of the patches, in order.
        on_open: `error`, or `ignore` to leave out transactions with neither `TC` nor `TA`.

    Returns:
        The statements and the prefixes after the patches.

    Raises:
        PatchError: a transaction is open.
        OptionError: `on_open` is not one of its values.
    """
    return apply((), patches, on_open=on_open)


def change_statement(statements: set[Statement], row: PatchRow) -> None:
    """Add the statement of an `A` row to a set, or take that of a `D` row out."""
    if row.op == "A":
        statements.add(statement_of(row))
    else:
        statements.discard(statement_of(row))


def without_effect(place: int, row: PatchRow, statements: set[Statement]) -> Finding | None:
    """Return the finding for an `A` or `D` row that changes nothing; None if it does.

    Args:
        place: the place of the patch in the log.
        row: the row.
        statements: those that are there before the row.
    """
    there = row[1:5] in statements
    if there == (row.op == "D"):
        return None
    rule = ADD_WITHOUT_EFFECT if there else DELETE_WITHOUT_EFFECT
    return rule.finding(place, row, rule.text(" ".join(filter(None, row[1:5]))))
