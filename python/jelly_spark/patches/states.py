"""The states after patches."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, cast, overload

from jelly_spark.core.rows import PatchRow
from jelly_spark.patches.checks.rules import ADD_WITHOUT_EFFECT, DELETE_WITHOUT_EFFECT, Finding
from jelly_spark.patches.language_tags import LanguageTags, aligner
from jelly_spark.patches.log_rows import OnOpen, read_patches
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
    language_tags: LanguageTags = "exact",
) -> _State: ...


@overload
def apply(
    state: Statements,
    patches: Iterable[PatchRow],
    *,
    prefixes: Prefixes | None = None,
    strict: Literal[True],
    on_open: OnOpen = "error",
    language_tags: LanguageTags = "exact",
) -> _StateAndFindings: ...


def apply(
    state: Statements,
    patches: Iterable[PatchRow],
    *,
    prefixes: Prefixes | None = None,
    strict: bool = False,
    on_open: OnOpen = "error",
    language_tags: LanguageTags = "exact",
) -> _State | _StateAndFindings:
    """Apply patches to a state, and return the statements and prefixes after them.

    The last committed change of a statement decides whether the resulting state contains it.
    Aborted transactions have no effect. Changes outside any transaction take effect immediately.

        rows = [PatchRow("A", "<urn:x:cup>", "<urn:x:price>", '"9.20"')]
        statements, prefixes = patches.apply([], rows)
        len(statements)  # 1

    Args:
        state: the statements before: `Statement`s, tuples of three or four terms, or `RdfRow`s.
            This object is not modified.
        patches: the rows of the patches, in order.
        prefixes: the prefixes before, a mapping from `(graph, name)` to the IRI; not modified.
        strict: whether to also return findings about changes without effect: each `A` of a
            statement that is already present, and each `D` of one that is absent.
        on_open: how to treat a transaction with neither `TC` nor `TA`: `error` raises an error,
            `ignore` leaves the transaction out.
        language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as in
            RDF 1.2. Then a row changes the statement that the state has with other tags.

    Returns:
        A tuple: the statements, a set; the prefixes, a dict; and, if `strict` is true, the
        findings, a list in the order of the rows.

    Raises:
        PatchError: a transaction is open, and `on_open` is `error`.
        OptionError: `on_open` or `language_tags` is not one of its values, the state has something
            that is not a statement, or a key of the prefixes is not a pair.
    """
    statements = read_statements(state)
    names = read_prefixes(prefixes)
    align = aligner(language_tags, statements)
    findings: list[Finding] = []
    for patch in read_patches(patches, on_open):
        for row in align(patch.changes()):
            op = row.op
            if op in ("A", "D"):
                if strict and (finding := without_effect(patch.place, row, statements)):
                    findings.append(finding)
                change_statement(statements, row)
            elif op == "PA":
                # Only a PD may lack the IRI.
                names[prefix_of(row)] = cast(str, row.value)
            else:
                names.pop(prefix_of(row), None)
    return (statements, names, findings) if strict else (statements, names)


def state(
    patches: Iterable[PatchRow],
    *,
    on_open: OnOpen = "error",
    language_tags: LanguageTags = "exact",
) -> _State:
    """Apply patches to the empty state, and return the statements and prefixes after them.

        statements, prefixes = patches.state(codec.read("changes.jellyp"))

    Args:
        patches: the rows of the patches, in order.
        on_open: how to treat a transaction with neither `TC` nor `TA`: `error` raises an error,
            `ignore` leaves the transaction out.
        language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as in
            RDF 1.2. Then a row changes the statement that the state has with other tags.

    Returns:
        A tuple: the statements, a set; and the prefixes, a dict.

    Raises:
        PatchError: a transaction is open, and `on_open` is `error`.
        OptionError: `on_open` or `language_tags` is not one of its values.
    """
    return apply((), patches, on_open=on_open, language_tags=language_tags)


def change_statement(statements: set[Statement], row: PatchRow) -> None:
    """Add the statement of an `A` row to the set, or remove the statement of a `D` row."""
    if row.op == "A":
        statements.add(statement_of(row))
    else:
        statements.discard(statement_of(row))


def without_effect(place: int, row: PatchRow, statements: set[Statement]) -> Finding | None:
    """Return the finding for an `A` or `D` row without effect; None if the row has an effect."""
    there = row[1:5] in statements
    if there == (row.op == "D"):
        return None
    rule = ADD_WITHOUT_EFFECT if there else DELETE_WITHOUT_EFFECT
    return rule.finding(place, row, rule.text(" ".join(filter(None, row[1:5]))))
