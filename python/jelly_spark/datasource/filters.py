"""Conditions of a query that a read evaluates itself (Spark 4.1 and later).

Spark does not evaluate these conditions again, so each must have exactly SQL's meaning: a
comparison with null is not true.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from pyspark.sql.types import StringType, StructType

_DECIDED = frozenset(("op", "subject", "predicate", "object", "graph"))
_COMPARISONS: dict[str, Callable[[Any, Any], bool]] = {
    "GreaterThan": operator.gt,
    "GreaterThanOrEqual": operator.ge,
    "LessThan": operator.lt,
    "LessThanOrEqual": operator.le,
}


@dataclass(frozen=True)
class _Others(Container[object]):
    """All values but null."""

    def __contains__(self, value: object) -> bool:
        return value is not None


@dataclass(frozen=True)
class _Compared(Container[object]):
    """The values for which a comparison is true."""

    name: str
    bound: Any

    def __contains__(self, value: object) -> bool:
        return value is not None and _COMPARISONS[self.name](value, self.bound)


@dataclass
class Conditions:
    """The conditions that a read evaluates, as sets of values by column; all must hold.

    Attributes:
        rows: those of a format's columns.
        partitions: those of the columns of partitions.
    """

    rows: list[tuple[str, Container[object]]] = field(default_factory=list)
    partitions: list[tuple[str, Container[object]]] = field(default_factory=list)

    def take(
        self, filters: Iterable[Any], schema: StructType, partitions: Iterable[str]
    ) -> list[Any]:
        """Add the conditions that a read can evaluate, and return the others.

        Args:
            filters: instances of `pyspark.sql.datasource.Filter`.
            schema: the schema of the read.
            partitions: the names of the columns of partitions, in lower case.
        """
        names = {*partitions}
        types = {column.name.lower(): column.dataType for column in schema}
        left = []
        for one in filters:
            column = ".".join(one.attribute).lower() if hasattr(one, "attribute") else ""
            allowed = _allowed(one)
            if allowed is None:
                left.append(one)
            elif column in names:
                self.partitions.append((column, allowed))
            elif (
                column in _DECIDED
                and not isinstance(allowed, _Compared)
                and (types.get(column) == StringType() or isinstance(allowed, _Others))
            ):
                self.rows.append((column, allowed))
            else:
                left.append(one)
        return left

    def allow_partition(self, values: Mapping[str, Any]) -> bool:
        """Return whether rows with these values of the columns of partitions can pass."""
        return all(values[name] in allowed for name, allowed in self.partitions)

    def row_filter(self, columns: tuple[str, ...]) -> Callable[[Any], bool] | None:
        """Return a function that says whether a row passes; None if all rows do."""
        tests = self.row_tests(columns)
        if not tests:
            return None
        if len(tests) == 1:
            ((place, allowed),) = tests
            return lambda row: row[place] in allowed
        return lambda row: all(row[place] in allowed for place, allowed in tests)

    def row_tests(self, columns: tuple[str, ...]) -> list[tuple[int, Container[object]]]:
        """Return the conditions of rows: positions of columns, and the values they may have."""
        return [(columns.index(name), allowed) for name, allowed in self.rows if name in columns]


def _allowed(one: Any) -> Container[object] | None:
    """Return the values that a condition allows; None if it is one of another kind."""
    kind = type(one).__name__
    if kind == "IsNull":
        return frozenset((None,))
    if kind == "IsNotNull":
        return _Others()
    if kind == "EqualNullSafe":
        return frozenset((one.value,))
    if kind == "EqualTo":
        return frozenset((one.value,)) - {None}
    if kind == "In":
        return frozenset(one.value) - {None}
    if kind in _COMPARISONS and one.value is not None:
        return _Compared(kind, one.value)
    return None
