"""Changes with the language tags of the statements that they change."""

from __future__ import annotations

from pyspark.sql import DataFrame

from jelly_spark.algebra.columns import PLACE, STATEMENT
from jelly_spark.algebra.language_tags import FORM, KEY
from jelly_spark.algebra.touched import touched
from jelly_spark.patches.language_tags import LanguageTags

_ORDER = f"{', '.join(PLACE)}, _form"
# The number of deletes before a row: the first row after a delete says which tags the state has.
_DELETES = (
    "coalesce(sum(IF(op = 'D', 1, 0)) OVER (PARTITION BY _key "
    f"ORDER BY {_ORDER} ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS _deletes"
)
_FIRST = f"first(_form) OVER (PARTITION BY _key, _deletes ORDER BY {_ORDER}) AS _first"
_BEFORE = (
    "collect_set(IF(log_seq IS NULL, _form, NULL)) OVER (PARTITION BY _key, _deletes) AS _before"
)
_FORMS = "inline(IF(op = 'D' AND size(_before) > 0, _before, array(_first)))"


def aligned(
    state: DataFrame | None, log: DataFrame, rows: DataFrame, language_tags: LanguageTags
) -> DataFrame:
    """Return the `A` and `D` rows with the tags that the state has at each of them.

    A delete becomes several rows if the state before has the statement in several forms. If tags
    are compared exactly, all rows are returned as they are.

    Args:
        state: the state before the patches, as a user gives it; None for the empty state.
        log: the rows of the patches, from `patch_rows_of`.
        rows: their effective changes, as `committed` returns them.
        language_tags: how language tags are compared.
    """
    if language_tags == "exact":
        return rows
    before = touched(state, log, language_tags)
    changes = rows.where("op IN ('A', 'D')")
    if before is not None:
        there = before.selectExpr("*", "'A' AS op")
        changes = changes.unionByName(there, allowMissingColumns=True)
    keyed = changes.selectExpr("*", FORM, KEY).repartition("_key")
    found = keyed.selectExpr("*", _DELETES).selectExpr("*", _FIRST, _BEFORE)
    others = (name for name in rows.columns if name not in STATEMENT)
    return found.where("log_seq IS NOT NULL").selectExpr(*others, _FORMS)
