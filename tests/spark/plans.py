"""How Spark runs a query: its plan and its tasks."""

from pyspark.sql import DataFrame
from pyspark.sql import functions as F


def plan_of(frame: DataFrame) -> str:
    """Return the physical plan of a query, as text."""
    return str(frame._jdf.queryExecution().executedPlan().toString())


def tasks_with_rows(frame: DataFrame) -> int:
    """Return the number of tasks that read rows."""
    return frame.select(F.spark_partition_id()).distinct().count()
