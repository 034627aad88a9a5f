"""The fast path of the reader: a regular expression that matches the line of a statement.

It matches lines of the common shape: one space between terms, and each term in canonical form or in
a short form (`R`, a prefixed name, a number or a boolean), which `RowParser.expand` expands.
Invariant: for each line that matches, the parser would return the same row. All other lines go to
the parser.
"""

from __future__ import annotations

import re
from functools import cache

from jelly_spark.core.term_patterns import literal_pattern
from jelly_spark.core.terms import CANONICAL_LABEL, IRI_CHAR, LEXICAL_CHAR, SURROGATES, XSD_STRING

_IRI = f"<(?!_:){IRI_CHAR}*>"
_LITERAL = literal_pattern(_IRI, LEXICAL_CHAR, (XSD_STRING,))
_SHORT_FORM = rf"""[A-Za-z0-9:+.-][^\x00-\x20<>"'{SURROGATES}]*"""
_TERM = rf"({_IRI}|{_LITERAL}|<_:{CANONICAL_LABEL}>|_:{CANONICAL_LABEL}|{_SHORT_FORM})"


@cache
def statement_line() -> re.Pattern[str]:
    """Return the pattern of a whole line.

    Its groups are the row code, the three terms, and the graph, if there is one. It is compiled at
    the first call: compiling takes longer than most imports.
    """
    return re.compile(rf"[ \t\r\n\f]*([AD]) {_TERM} {_TERM} {_TERM}(?: {_TERM})? \.\r?\n")
