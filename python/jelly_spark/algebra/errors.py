"""Errors that a query raises for a row, with the message of `PatchError` in plain Python."""

from __future__ import annotations

from pyspark.sql import Column
from pyspark.sql import functions as F

from jelly_spark.core.rows import PatchRow


def refusal(rule: str) -> Column:
    """Return the error message, as a column: the rule that the row breaks, and the row as JSON."""
    return F.concat(F.lit(f"{rule}; in row "), F.to_json(F.struct(*PatchRow._fields)))


def refuse(rule: str) -> Column:
    """Return a string column that makes the query fail when it is evaluated."""
    return F.raise_error(refusal(rule)).cast("string")
