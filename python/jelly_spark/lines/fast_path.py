"""The reader's fast path: regular expressions that match whole lines.

Invariant: for each line that a pattern matches, the parser would return the same terms. The parser
handles all other lines, such as those with comments or quoted triples.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from jelly_spark.core.term_patterns import COMMON_TAG, SCHEME, literal_pattern
from jelly_spark.core.terms import (
    CANONICAL_LABEL,
    ESCAPED_IN_IRI,
    STRING_ESCAPE,
    UCHAR,
    XSD_STRING,
    format_term,
    parse_term,
)

# The patterns need not exclude surrogates, because they are only used for text that was valid
# UTF-8. They match at most 100 escapes, because the regex engine uses memory for each of them.
_IRI_CHAR = f"[^{ESCAPED_IN_IRI}]"
_LEXICAL_CHAR = r'[^"\\\n\r]'
_IRI = f"<{SCHEME.pattern}{_IRI_CHAR}*>"
_LITERAL = literal_pattern(_IRI, _LEXICAL_CHAR, (XSD_STRING,))
_ANY_IRI = f"<{SCHEME.pattern}{_IRI_CHAR}*(?:(?:{UCHAR}){_IRI_CHAR}*){{0,100}}>"
_ANY_LITERAL = (
    rf'"{_LEXICAL_CHAR}*(?:(?:{STRING_ESCAPE}){_LEXICAL_CHAR}*){{0,100}}"'
    rf"(?:@{COMMON_TAG}|\^\^{_ANY_IRI})?"
)


class LinePatterns(NamedTuple):
    """Patterns that match a line, including its line feed.

    Attributes:
        canonical: matches any line. The groups are the three terms and the graph if the terms are
            in canonical form; otherwise, all groups are None.
        common: matches a line with any terms except quoted triples; the groups are the same.
    """

    canonical: re.Pattern[str]
    common: re.Pattern[str]


@cache
def line_patterns(*, has_graphs: bool) -> LinePatterns:
    """Return the patterns for the lines of a format.

    They are compiled at the first call: compiling takes longer than most imports.

    Args:
        has_graphs: whether statements may have graphs, as in N-Quads.
    """
    return LinePatterns(
        re.compile(rf"{_statement(_IRI, _LITERAL, has_graphs)}|[^\n]*\n"),
        re.compile(_statement(_ANY_IRI, _ANY_LITERAL, has_graphs)),
    )


def _statement(iri: str, literal: str, has_graphs: bool) -> str:
    resource = f"{iri}|_:{CANONICAL_LABEL}"
    # Without graphs, the last group never matches: there are four groups in any case.
    graph = rf"(?:[ \t]+({resource}))?" if has_graphs else "((?!))?"
    return rf"({resource})[ \t]+({iri})[ \t]+({resource}|{literal}){graph}[ \t]*\.[ \t]*\r?\n"


def to_canonical(term: str | None) -> str | None:
    """Return the canonical string of a term matched by a pattern; None for None."""
    return term and format_term(parse_term(term))
