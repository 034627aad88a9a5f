"""Two states that are compared, as one DataFrame."""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

BEFORE, AFTER = 1, 2
"""One bit for each state; a statement has the bits of the states that contain it."""


def sides_of(before: DataFrame, after: DataFrame) -> DataFrame:
    """Return the rows of both, with a column `side`."""
    return _on_side(before, BEFORE).unionByName(_on_side(after, AFTER))


def _on_side(rows: DataFrame, side: int) -> DataFrame:
    return rows.withColumn("side", F.lit(side).cast("tinyint"))
