"""Findings of `validate` as columns."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F

from jelly_spark.patches.checks.rules import Finding, Rule

FINDING = Finding._fields
"""The columns of a finding."""

_OF_RULE = ("rule", "severity", "message")
_OF_ROW = tuple(name for name in FINDING if name not in _OF_RULE)


def finding(rule: Rule, value: str | None = None, *, column: str = "") -> Column:
    """Return what a finding says of a row that breaks a rule, as a struct.

    Args:
        rule: the rule.
        value: what breaks it, in SQL.
        column: the name of the column, for a rule about terms.
    """
    message = f"'{rule.text(column=column)}'"
    if value is not None:
        message = f"concat({message}, ': ', {value})"
    # In SQL, which is one call of the JVM instead of one for each part.
    values = (f"'{rule.name}'", f"'{rule.severity}'", message)
    named = (f"{text} AS {name}" for text, name in zip(values, _OF_RULE, strict=True))
    return F.expr(f"struct({', '.join(named)})")


def findings_of(rows: DataFrame, *findings: Column) -> DataFrame:
    """Return those findings about rows that are not null, a row for each."""
    found = F.explode(F.array_compact(F.array(*findings))).alias("_found")
    names = (f"_found.{name}" if name in _OF_RULE else name for name in FINDING)
    return rows.select(found, *_OF_ROW).select(*names)
