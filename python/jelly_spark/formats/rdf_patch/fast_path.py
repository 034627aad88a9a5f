"""The fast path of the reader: one regular expression for a line with a statement.

It matches lines of the common shape: one space between terms, and all terms in their canonical
form, or as short forms (`R`, prefixed names, numbers), which the parser expands. Invariant: the
parser reads each line that matches to the same row. All other lines go to the parser.
"""

from __future__ import annotations

import re

from jelly_spark.core.term_patterns import literal_pattern
from jelly_spark.core.terms import CANONICAL_LABEL, IRI_CHAR, LEXICAL_CHAR, SURROGATES, XSD_STRING

_IRI = f"<(?!_:){IRI_CHAR}*>"
_LITERAL = literal_pattern(_IRI, LEXICAL_CHAR, (XSD_STRING,))
_SHORT_FORM = rf"""[A-Za-z0-9:+.-][^\x00-\x20<>"'{SURROGATES}]*"""
_TERM = rf"({_IRI}|{_LITERAL}|<_:{CANONICAL_LABEL}>|_:{CANONICAL_LABEL}|{_SHORT_FORM})"

STATEMENT_LINE = re.compile(rf"[ \t\r\n\f]*([AD]) {_TERM} {_TERM} {_TERM}(?: {_TERM})? \.\r?\n")
"""A whole line; its groups are the code, the three terms, and the graph if there is one."""
