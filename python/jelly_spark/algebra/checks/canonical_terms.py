"""A check that the terms of a patch are canonical, because they are compared as strings."""

from __future__ import annotations

from functools import reduce
from operator import and_

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import STATEMENT
from jelly_spark.functions import try_canonical_term

_RULE = "the terms of a state must be canonical, as canonical_term returns them; in row "

_MOST_SHOWN = 1000
"""How many characters of a row an error shows."""


def with_canonical_terms(patch: DataFrame) -> DataFrame:
    """Return a patch whose query fails if a statement that it adds has another form of a term.

    Args:
        patch: the rows of a patch, with `op` and the columns of a statement.
    """
    are_canonical = reduce(
        and_, (try_canonical_term(name).eqNullSafe(F.col(name)) for name in STATEMENT)
    )
    error = F.raise_error(
        F.concat(F.lit(_RULE), F.substring(F.to_json(F.struct(*STATEMENT)), 1, _MOST_SHOWN))
    )
    op = F.when((F.col("op") != "A") | are_canonical, F.col("op")).otherwise(error)
    return patch.withColumn("op", op)
