"""The net effect of several patches, as one patch."""

from __future__ import annotations

from collections.abc import Iterable

from jelly_spark.core.rows import PatchRow, RowOp
from jelly_spark.patches.canonical import PrefixChanges, canonical_rows, check_headers, number_rows
from jelly_spark.patches.language_tags import LanguageTags, aligner
from jelly_spark.patches.log_rows import OnOpen, Patch, read_patches
from jelly_spark.patches.statements import (
    PrefixKey,
    Statement,
    Statements,
    prefix_of,
    read_statements,
    statement_of,
)


def squash(
    patches: Iterable[PatchRow],
    state: Statements | None = None,
    *,
    on_open: OnOpen = "error",
    language_tags: LanguageTags = "exact",
    id: str | None = None,
) -> list[PatchRow]:
    """Return one canonical patch with the net effect of several patches.

    It has the last committed change of each statement and prefix, the header `id` of the last patch
    and the header `prev` of the first, so it can take their place in the chain.

        rows = [PatchRow("D", "<urn:x:cup>", "<urn:x:price>", '"8.50"')] * 2
        [row.op for row in patches.squash(rows)]  # ['TX', 'D', 'TC']

    Args:
        patches: the rows of the patches, in order.
        state: the statements that the patch will be applied to; changes without effect on them are
            left out. By default, the last change of each statement is kept.
        on_open: how to treat a transaction with neither `TC` nor `TA`: `error` raises an error,
            `ignore` leaves the transaction out.
        language_tags: how language tags are compared: `exact`, as written; or `ignore-case`, as in
            RDF 1.2. Then a row changes the statement that the state has with other tags.
        id: the header `id` of the result, a term; by default, that of the last patch, if it has
            one.

    Returns:
        The rows of the patch. It has no transaction if nothing changes.

    Raises:
        InvalidTermError: `id` is not a term.
        PatchError: a transaction is open, and `on_open` is `error`.
        OptionError: `on_open` or `language_tags` is not one of its values, or the state has
            something that is not a statement.
    """
    check_headers(id=id)
    before = None if state is None else read_statements(state)
    align = aligner(language_tags, before or ())
    last: dict[Statement, RowOp] = {}
    # The first and the last row that change a prefix.
    prefixes: dict[PrefixKey, tuple[PatchRow, PatchRow]] = {}
    first_patch: Patch | None = None
    last_patch: Patch | None = None
    for patch in read_patches(patches, on_open):
        first_patch = first_patch or patch
        last_patch = patch
        for row in align(patch.changes()):
            if row.op in ("A", "D"):
                last[statement_of(row)] = row.op
            else:
                key = prefix_of(row)
                first, _ = prefixes.get(key, (row, row))
                prefixes[key] = first, row
    deleted = {statement for statement, op in last.items() if op == "D"}
    added = last.keys() - deleted
    if before is not None:
        deleted &= before
        added -= before
    return number_rows(
        canonical_rows(
            last_patch.headers.id if id is None and last_patch else id,
            first_patch.headers.prev if first_patch else None,
            _prefix_changes(prefixes),
            deleted,
            added,
        )
    )


def _prefix_changes(prefixes: dict[PrefixKey, tuple[PatchRow, PatchRow]]) -> PrefixChanges:
    """Return the net changes of prefixes.

    The IRI of a prefix before the patches is known only if its first change deletes it.
    """
    found = PrefixChanges({}, {})
    for key, (first, last) in prefixes.items():
        before = first.value if first.op == "PD" else None
        if last.op == "PD":
            found.deleted[key] = last.value if before is None else before
        else:
            found.added[key] = last.value
            if before is not None and before != last.value:
                found.deleted[key] = before
    return found
