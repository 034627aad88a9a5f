"""How files of RDF Patch text begin."""

from __future__ import annotations

from jelly_spark.core.files.hints import BLANKS

_ROW = rb"(?:H|TX|TB|TC|TA|PA|PD|A|D|Z)[ \t\r\n\f.<#\"]"
# Each text has only one way to match, so that time is linear.
_PREFIX = rb"@prefix\s+(?:[^\s<]+\s*)?<[^<>\s]*>\s*\."

START = BLANKS + rb"(?:%b|@prefix\s|\Z)" % _ROW
"""A pattern for a row's code or a prefix; or for nothing but white space and comments."""

ROW_START = BLANKS + rb"(?:\Z|(?:%b%b)*%b)" % (_PREFIX, BLANKS, _ROW)
"""The same with a row after prefixes, with which Turtle can begin, too."""
