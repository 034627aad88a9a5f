"""Patch algebra on Spark: compute with patches and states as DataFrames.

    from jelly_spark import algebra

    patch = algebra.diff(monday, tuesday)
    statements, prefixes = algebra.apply(monday, patch)

`jelly_spark.patches` has the same functions for rows in memory, without Spark, and `diff_frames`.

Patches are DataFrames with the columns of the patch formats, read from files or from any other
source. Their rows are ordered by `log_seq`, the position of a patch in its log, and then by `seq`.
The rows of a single file need no `log_seq`. Each graph is a set of statements: the last committed
change of a statement decides whether the graph contains it. Changes of an aborted transaction have
no effect. Changes outside any transaction take effect immediately.

The functions build queries without running them. They use Spark's built-in functions (and
`jelly_spark.functions.struct_to_term`, if terms are structs), so they also work over Spark Connect
and in sessions without the jar. There, `struct_to_term` is a Python UDF.

Raises:
    MissingPackageError: PySpark is not installed; raised on import.
"""

from jelly_spark.core.packages import needs_extra

with needs_extra("spark", "jelly_spark.algebra needs PySpark"):
    from jelly_spark.algebra.change_rows import changes, history
    from jelly_spark.algebra.checks.canonical import check_canonical
    from jelly_spark.algebra.checks.validation import validate
    from jelly_spark.algebra.differences import diff
    from jelly_spark.algebra.inversion import invert
    from jelly_spark.algebra.sequences import concat, split
    from jelly_spark.algebra.squashing import squash
    from jelly_spark.algebra.states import apply, state

__all__ = [
    "apply",
    "changes",
    "check_canonical",
    "concat",
    "diff",
    "history",
    "invert",
    "split",
    "squash",
    "state",
    "validate",
]
