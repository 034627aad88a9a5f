"""Regular expressions for RDF Patch's tokens, which are those of Turtle as Apache Jena reads them.

The last ones are for how its files begin. Constants whose names end in `_CHAR` are strings for use
in other patterns, and so are those that say so.
"""

from __future__ import annotations

import re

from jelly_spark.core.files.hints import BLANKS
from jelly_spark.core.terms.patterns import NAME_CHARACTERS, NAME_FIRST

LOCAL_NAME_CHAR = f"[:.{NAME_CHARACTERS}]"
_LOCAL_NAME_START = f"[:{NAME_FIRST}_0-9]"

# Names and labels with dots at their ends; the scanner removes these dots, which are not part of
# them.
NAME = re.compile(f"(?:[{NAME_FIRST}][.{NAME_CHARACTERS}]*)?")
LABEL = re.compile(f"(?:{_LOCAL_NAME_START}{LOCAL_NAME_CHAR}*)?")

LOCAL_NAME_START = re.compile(rf"{_LOCAL_NAME_START}|[%\\]")
LOCAL_NAME_ESCAPE = r"""%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"""
"""An escape in a local name (Turtle, PLX), for use in other patterns."""

UNESCAPED_LOCAL_NAME = re.compile(
    f"(?:{_LOCAL_NAME_START}(?:{LOCAL_NAME_CHAR}*[:{NAME_CHARACTERS}])?)?"
)
"""A whole local name without escapes."""

_ROW = rb"(?:H|TX|TB|TC|TA|PA|PD|A|D|Z)[ \t\r\n\f.<#\"]"
# Each text has only one way to match, so that time is linear.
_PREFIX = rb"@prefix\s+(?:[^\s<]+\s*)?<[^<>\s]*>\s*\."

START = BLANKS + rb"(?:%b|@prefix\s|\Z)" % _ROW
"""A row's code or a prefix at the start of a file; or nothing but white space and comments."""

ROW_START = BLANKS + rb"(?:\Z|(?:%b%b)*%b)" % (_PREFIX, BLANKS, _ROW)
"""The same with a row after prefixes, with which Turtle can begin, too."""
