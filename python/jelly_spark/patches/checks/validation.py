"""Validation of patches: every broken rule becomes a finding."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

from jelly_spark.core.rows import PatchRow
from jelly_spark.core.transactions import TRANSACTION_OPS, TransactionRule, TransactionState
from jelly_spark.patches.checks.rules import (
    DUPLICATE_ID,
    END_WITHOUT_BEGIN,
    FORK,
    GRAPH_IN_TRIPLES,
    HEADER_ORDER,
    MISSING_ID,
    MISSING_PREV,
    NESTED_TRANSACTION,
    OPEN_TRANSACTION,
    PREV_ORDER,
    REPEATED_HEADER,
    RULES,
    UNKNOWN_PREV,
    Finding,
    Rule,
)
from jelly_spark.patches.checks.term_rules import BROKEN_RULES, TERM_COLUMNS
from jelly_spark.patches.links import Links
from jelly_spark.patches.log_rows import Headers, group_patches
from jelly_spark.patches.statements import Statement, Statements, read_statements, statement_of
from jelly_spark.patches.states import change_statement, without_effect


def validate(patches: Iterable[PatchRow], state: Statements | None = None) -> list[Finding]:
    """Check patches against all rules, and return the findings.

        rows = [PatchRow("A", '"cup"', "<urn:x:price>", '"9.20"')]
        [finding.rule for finding in patches.validate(rows)]  # ['invalid-subject']

    The rules are `jelly_spark.patches.RULES`. Changes in aborted and open transactions have no
    effect, but their rows are checked, too.

    Args:
        patches: the rows of the patches, in order.
        state: the statements before the patches, to find changes without effect; by default, the
            empty state.

    Returns:
        The findings, in the order of their rows, and at one row in the order of the rules.

    Raises:
        OptionError: the state has something that is not a statement, or an item of `patches` is not
            a `PatchRow`.
    """
    groups = (group for _, group in group_patches(patches))
    return validate_groups(groups, () if state is None else state)


def validate_groups(
    patches: Iterable[Iterable[PatchRow]], state: Statements | None
) -> list[Finding]:
    """Return the findings of `validate`, where the state before the patches may not be known.

    It is known to be empty if the first patch has an `id`, no `prev`, and no delete of a statement
    that it has not added. Otherwise, a delete is only a finding if the statement was deleted before
    and not added again.

    Args:
        patches: the rows of each patch.
        state: the statements before the patches; None if they are not known.
    """
    is_known = state is not None
    validation = _Validation(read_statements(state or ()), is_known=is_known)
    for place, group in enumerate(patches):
        validation.check_patch(place, group)
    validation.check_chain()
    return validation.findings()


class _Row(NamedTuple):
    """A row with its position.

    Attributes:
        position: the 0-based position of the row among all rows.
        place: the 0-based position of its patch in the log.
        row: the row.
    """

    position: int
    place: int
    row: PatchRow


class _Patch(NamedTuple):
    """A patch in the chain: its first row, and those of its headers `id` and `prev`."""

    first: _Row
    id: _Row | None
    prev: _Row | None


_BROKEN = {
    TransactionRule.NESTED: NESTED_TRANSACTION,
    TransactionRule.NOT_BEGUN: END_WITHOUT_BEGIN,
}
_ORDER = {rule.name: order for order, rule in enumerate(RULES)}


class _Validation:
    """Checks patches one after the other, and collects the findings.

    Args:
        statements: the statements before the patches; updated in place.
        is_known: whether these are all statements before the patches.
    """

    def __init__(self, statements: set[Statement], *, is_known: bool = True) -> None:
        self._statements = statements
        # The statements that are known to be absent; None if all others than `statements` are.
        self._absent: set[Statement] | None = None if is_known else set()
        # Whether a delete showed that there are statements before the patches.
        self._has_unknown = False
        self._rows = 0
        self._patches: list[_Patch] = []
        # "triples" until a statement has a graph, then "quads"; None before the first statement.
        self._began: Literal["triples", "quads"] | None = None
        # Each finding with the position of its row and the order of its rule, to sort by.
        self._found: list[tuple[int, int, Finding]] = []

    def findings(self) -> list[Finding]:
        """Return the findings so far, sorted by row and rule."""
        return [found[2] for found in sorted(self._found, key=lambda found: found[:2])]

    def check_patch(self, place: int, rows: Iterable[PatchRow]) -> None:
        """Check the rows of the next patch, and record its headers for `check_chain`."""
        transaction = TransactionState[_Row]()
        uncommitted: list[_Row] = []
        headers: dict[str, _Row] = {}
        only_headers = True
        first: _Row | None = None
        for position, row in enumerate(rows, self._rows):
            self._rows = position + 1
            at = _Row(position, place, row)
            first = first or at
            op = row.op
            self._check_terms(at)
            if op == "A" or op == "D":
                if transaction.begin is None:
                    self._check_effect(at)
                else:
                    uncommitted.append(at)
                if row.graph is None:
                    self._began = self._began or "triples"
                elif self._began != "quads":
                    if self._began:
                        self._report(GRAPH_IN_TRIPLES, at)
                    self._began = "quads"
            elif op == "H":
                if not only_headers:
                    self._report(HEADER_ORDER, at, row.name)
                if row.name in Headers._fields:
                    if row.name in headers:
                        self._report(REPEATED_HEADER, at, row.name)
                    headers[row.name] = at
                continue
            elif op in TRANSACTION_OPS:
                broken = transaction.move(op, at)
                if broken is not None:
                    self._report(_BROKEN[broken], at)
                elif op == "TC":
                    for change in uncommitted:
                        self._check_effect(change)
                uncommitted = []
            only_headers = False
        if transaction.begin is not None:
            self._report(OPEN_TRANSACTION, transaction.begin)
        if not place and "id" in headers and "prev" not in headers and not self._has_unknown:
            # The patch begins a log.
            self._absent = None
        if first is not None:
            self._patches.append(_Patch(first, headers.get("id"), headers.get("prev")))

    def check_chain(self) -> None:
        """Check the chain of all patches, if any of them has an `id` or a `prev`."""
        if not any(patch.id or patch.prev for patch in self._patches):
            return
        links = Links()
        found = [
            links.add(place, _value(patch.id), _value(patch.prev))
            for place, patch in enumerate(self._patches)
        ]
        for place, (patch, link) in enumerate(zip(self._patches, found, strict=True)):
            if patch.id is None:
                self._report(MISSING_ID, patch.first)
            elif link.twin is not None:
                self._report(DUPLICATE_ID, patch.id, patch.id.row.value)
            if patch.prev is None:
                if place:
                    self._report(MISSING_PREV, patch.first)
                continue
            prev = patch.prev.row.value
            if link.parent is None and _value(patch.prev) in links.places:
                self._report(PREV_ORDER, patch.prev, prev)
            elif link.parent is None and place:
                self._report(UNKNOWN_PREV, patch.prev, prev)
            if link.sibling is not None:
                self._report(FORK, patch.prev, prev)

    def _check_terms(self, at: _Row) -> None:
        row = at.row
        for column in TERM_COLUMNS.get(row.op, ()):
            term = getattr(row, column)
            if term is not None:
                for rule, message in BROKEN_RULES[column][term]:
                    self._add(at, rule.finding(at.place, row, message))

    def _check_effect(self, at: _Row) -> None:
        found = without_effect(at.place, at.row, self._statements)
        if self._absent is not None:
            statement = statement_of(at.row)
            if at.row.op == "A":
                self._absent.discard(statement)
            else:
                if found is not None and statement not in self._absent:
                    self._has_unknown, found = True, None
                self._absent.add(statement)
        if found is None:
            change_statement(self._statements, at.row)
        else:
            self._add(at, found)

    def _report(self, rule: Rule, at: _Row, value: str | None = None) -> None:
        self._add(at, rule.finding(at.place, at.row, rule.text(value)))

    def _add(self, at: _Row, finding: Finding) -> None:
        self._found.append((at.position, _ORDER[finding.rule], finding))


def _value(header: _Row | None) -> str | None:
    """Return the value of a header, which may lack one; None if there is no header."""
    return None if header is None else header.row.value or ""
