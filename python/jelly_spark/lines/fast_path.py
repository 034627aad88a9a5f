"""The fast path of the reader: regular expressions for whole lines.

Invariant: the parser reads each line that one of them matches to the same terms, in canonical form.
It reads all other lines, such as those with comments or quoted triples.
"""

from __future__ import annotations

import re
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

# The text holds no surrogates: these patterns are for text that was UTF-8. They take at most 100
# escapes, because the pattern engine needs memory for each of them.
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
    """Patterns of a line, with the end of the line.

    Attributes:
        canonical: a line whose terms are in canonical form, and any other line as a whole. The
            groups are the three terms and the graph; all are None where it is another line.
        common: a line of any terms but quoted triples. The groups are the same.
    """

    canonical: re.Pattern[str]
    common: re.Pattern[str]


def line_patterns(*, has_graphs: bool) -> LinePatterns:
    """Return the patterns of the lines of a format."""
    return LinePatterns(
        re.compile(rf"{_statement(_IRI, _LITERAL, has_graphs)}|[^\n]*\n"),
        re.compile(_statement(_ANY_IRI, _ANY_LITERAL, has_graphs)),
    )


def _statement(iri: str, literal: str, has_graphs: bool) -> str:
    resource = f"{iri}|_:{CANONICAL_LABEL}"
    # Without graphs the last group never matches.
    graph = rf"(?:[ \t]+({resource}))?" if has_graphs else "((?!))?"
    return rf"({resource})[ \t]+({iri})[ \t]+({resource}|{literal}){graph}[ \t]*\.[ \t]*\r?\n"


def to_canonical(term: str | None) -> str | None:
    """Return the canonical string of a term that a pattern matched; None for None."""
    return term and format_term(parse_term(term))
