"""Conditions on the columns of rows: the argument `where` of readers."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from copy import copy
from typing import Any, TypeAlias

from jelly_spark.core.rows import ORDINALS, TERMS
from jelly_spark.core.show import show
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.errors import InvalidTermError, OptionError

Allowed: TypeAlias = "frozenset[str | int | None] | range"
"""The values that a condition allows a column to have."""


class Where:
    """A condition on rows: each of some columns must have one of some values.

    Args:
        where: for each of these columns, the value or the values: canonical terms and other
            strings, or ints for the columns that hold ordinals; None for null.
        columns: the names of all columns of the rows.
        fields: the names of the columns by their positions in the rows.

    Attributes:
        allowed: the allowed values, by column.
        tests: the same values, with the positions of the columns in the rows.

    Raises:
        OptionError: `where` is not such a mapping.
    """

    def __init__(
        self, where: Mapping[str, object], columns: Collection[str], fields: tuple[str, ...]
    ) -> None:
        if not isinstance(where, Mapping):
            raise OptionError(f"where must be a mapping of columns to values, not {show(where)}")
        for name in where:
            if name not in columns:
                raise OptionError(
                    f"where must have columns that are one of: {', '.join(columns)}; "
                    f"not {show(name)}"
                )
        self.allowed = {name: _allowed(name, value) for name, value in where.items()}
        self._fields = fields
        self.tests = [(fields.index(name), values) for name, values in self.allowed.items()]

    def without_ordinals(self) -> Where:
        """Return the condition on the columns that do not hold ordinals."""
        found = copy(self)
        found.allowed = {name: one for name, one in self.allowed.items() if name not in ORDINALS}
        found.tests = [(at, one) for at, one in self.tests if self._fields[at] not in ORDINALS]
        return found

    def matches(self, row: Any) -> bool:
        """Return whether a row satisfies the condition."""
        return all(is_allowed(row[at], values) for at, values in self.tests)


def is_allowed(value: str | int | None, allowed: Allowed) -> bool:
    """Return whether a condition allows a column to have a value."""
    # A range would compare each of its numbers with None.
    return (value is not None or not isinstance(allowed, range)) and value in allowed


def _allowed(column: str, given: object) -> Allowed:
    kind = int if column in ORDINALS else str
    if isinstance(given, range) and kind is int:
        return given
    is_single = given is None or isinstance(given, (str, int))
    values = (given,) if is_single or not isinstance(given, Collection) else given
    for value in values:
        if value is not None and type(value) is not kind:
            raise OptionError(
                f"where: {column} must be {kind.__name__}, None or a collection of them, "
                f"not {show(value)}"
            )
        if column in TERMS and isinstance(value, str):
            _check_term(column, value)
    return frozenset(values)


def _check_term(column: str, value: str) -> None:
    """Check that a value is a canonical term: readers return no other ones."""
    try:
        canonical = format_term(parse_term(value))
    except InvalidTermError as error:
        raise OptionError(
            f"where: {column} must be a term in N-Triples syntax, such as <http://example.org/a>, "
            f'_:b or "text"@en, not {show(value)}: {error}'
        ) from None
    if canonical != value:
        raise OptionError(
            f"where: {column} must be a term in canonical form: {canonical}, not {show(value)}"
        )
