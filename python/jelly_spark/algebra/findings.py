"""Findings of `validate` as columns."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from jelly_spark.patches.rules import Finding, Rule

FINDING = Finding._fields
"""The columns of a finding."""


def finding(rule: Rule, value: Column | None = None, *, column: str = "") -> Column:
    """Return the finding for a row that breaks a rule, as a struct.

    The arguments `value` and `column` are those of `Rule.text`.
    """
    message = F.lit(rule.text(column=column))
    if value is not None:
        message = F.concat(message, F.lit(": "), value)
    known = {"rule": F.lit(rule.name), "severity": F.lit(rule.severity), "message": message}
    return F.struct(*(known.get(name, F.col(name)).alias(name) for name in FINDING))
