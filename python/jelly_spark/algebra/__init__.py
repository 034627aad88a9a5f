"""Patch algebra on Spark: functions on patches and states, which are DataFrames.

    from jelly_spark import algebra

    patch = algebra.diff(monday, tuesday)
    statements, prefixes = algebra.apply(monday, patch)

`jelly_spark.patches` has the same functions for rows in memory, without Spark.

Patches are rows with the columns of the patch formats, from files or from any other source. Their
order is that of `log_seq`, the place of a patch in its log, and then of `seq`. The rows of one file
need no `log_seq`. Statements are a set for each graph: the last committed change of one decides
whether it is there. Changes of an aborted transaction have no effect, and changes outside any
transaction count at once.

The functions make queries, and run none. They use Spark's own functions only, so they work over
Spark Connect too.

Raises:
    MissingPackageError: on import, if PySpark is not installed.
"""

from jelly_spark.errors import MissingPackageError

try:
    import pyspark  # noqa: F401
except ImportError as error:
    raise MissingPackageError(
        f"jelly_spark.algebra needs PySpark: pip install 'jelly-spark[spark]' ({error})"
    ) from error

from jelly_spark.algebra.change_rows import changes, history
from jelly_spark.algebra.differences import diff
from jelly_spark.algebra.inversion import invert
from jelly_spark.algebra.sequences import concat, split
from jelly_spark.algebra.squashing import squash
from jelly_spark.algebra.states import apply, state
from jelly_spark.algebra.validation import validate

__all__ = [
    "apply",
    "changes",
    "concat",
    "diff",
    "history",
    "invert",
    "split",
    "squash",
    "state",
    "validate",
]
