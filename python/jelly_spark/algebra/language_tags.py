"""Language tags in comparisons: as written, or without regard to case, as RDF 1.2 compares them.

Only comparing ignores case; see `jelly_spark.patches.language_tags`.
"""

from __future__ import annotations

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jelly_spark.algebra.columns import STATEMENT

# Parts of a triple term that yield the whole term again when they are concatenated: literals with
# their tags, and what is between them. Possessive quantifiers do not recurse, so a long literal
# does not overflow the stack.
_PART = r"""(?s)"(?:[^"\\]|\\.)*+"(?:@[A-Za-z0-9-]++)?|[^"]++"""


def _lower_tag(literal: str) -> str:
    """Return the expression of a literal with its tag, if it has one, in lower case."""
    end = f"""substring_index({literal}, '"', -1)"""
    lower = f"concat(left({literal}, length({literal}) - length({end})), lower({end}))"
    return f"IF(startswith({end}, '@'), {lower}, {literal})"


def _folded(term: str) -> str:
    part = f"""IF(startswith(part, '"'), {_lower_tag("part")}, part)"""
    parts = f"regexp_extract_all({term}, r'{_PART}', 0)"
    return (
        f"""CASE WHEN startswith({term}, '"') THEN {_lower_tag(term)} """
        f"""WHEN startswith({term}, '<<') AND contains({term}, '"@') """
        f"THEN array_join(transform({parts}, part -> {part}), '') ELSE {term} END"
    )


FOLDED_TERMS = tuple(map(_folded, STATEMENT))
"""The terms of a statement with their language tags in lower case, also those in triple terms."""

FOLDED = tuple(f"{term} AS {name}" for term, name in zip(FOLDED_TERMS, STATEMENT, strict=True))
"""The same as columns of a statement."""

FORM = f"struct({', '.join(STATEMENT)}) AS _form"
"""A statement as it is written."""

KEY = f"struct({', '.join(FOLDED)}) AS _key"
"""A statement with its language tags in lower case."""


def with_tags_of(before: DataFrame, after: DataFrame) -> DataFrame:
    """Return a state with the tags of the state before, in statements that this one has.

    Of new statements that differ only in the case of tags, the first by code point is kept.
    """
    sides = before.selectExpr(*STATEMENT, "true AS _is_before").unionByName(
        after.selectExpr(*STATEMENT, "false AS _is_before")
    )
    keyed = sides.selectExpr("_is_before", FORM, KEY)
    forms = keyed.groupBy("_key").agg(
        *(
            F.expr(f"{function}(IF({condition}, _form, NULL)) AS {name}")
            for function, condition, name in (
                ("collect_set", "_is_before", "_old"),
                ("min", "NOT _is_before", "_new"),
            )
        )
    )
    return forms.where("_new IS NOT NULL").selectExpr(
        "inline(IF(size(_old) > 0, _old, array(_new)))"
    )
