"""The statements that can be read at once: a line each, nothing in them to be unescaped."""

from __future__ import annotations

import re

from jelly_spark.core.terms import XSD_STRING
from jelly_spark.formats.rdf_patch.names import (
    NO_UTF_8,
    PLAIN_LABEL,
    PLAIN_TAG,
)

# An IRI in its canonical form, and so on.
_IRI_CHAR = rf"""[^\x00-\x20<>"{{}}|^`\\{NO_UTF_8}]"""
_IRI = f"<(?!_:){_IRI_CHAR}*>"
_LEX_CHAR = rf'[^"\\\r\n{NO_UTF_8}]'
_LITERAL = (
    rf'"{_LEX_CHAR}*(?:\\["\\nr]{_LEX_CHAR}*){{0,100}}"'
    rf"(?:@{PLAIN_TAG}|\^\^(?!<{re.escape(XSD_STRING)}>){_IRI})?"
)
_SHORT = rf"""[A-Za-z0-9:+.-][^\x00-\x20<>"'{NO_UTF_8}]*"""
_TERM = rf"({_IRI}|{_LITERAL}|<_:{PLAIN_LABEL}>|_:{PLAIN_LABEL}|{_SHORT})"

STATEMENT = re.compile(rf"[ \t\r\n\f]*([AD]) {_TERM} {_TERM} {_TERM}(?: {_TERM})? \.\r?\n")
"""A whole line: the code, the three terms, and the graph if there is one."""
