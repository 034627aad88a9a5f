"""Regular expressions for RDF Patch's tokens, which are those of Turtle as Apache Jena reads them.

Constants whose names end in `_CHAR` are strings for use in other patterns, and so are those that
say so.
"""

from __future__ import annotations

import re

from jelly_spark.core.term_patterns import NAME_CHARACTERS, NAME_FIRST
from jelly_spark.core.term_text import XSD, format_datatype

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

# The short forms of literals: `7`, `1.5`, `2e3`, `true`.
_FORMS = {
    f"{XSD}integer": re.compile(r"[+-]?[0-9]+"),
    f"{XSD}decimal": re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    f"{XSD}double": re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+"),
    f"{XSD}boolean": re.compile("true|false"),
}

SHORT_DATATYPES = tuple(_FORMS)
"""The datatypes whose literals have short forms."""


def has_short_form(lexical: str, datatype: str) -> bool:
    """Return whether a literal can be written as its bare lexical form."""
    form = _FORMS.get(datatype)
    return form is not None and form.fullmatch(lexical) is not None


def expand_short_form(text: str) -> str | None:
    """Return the canonical string of a literal in its short form; None if it is not a literal."""
    for datatype, form in _FORMS.items():
        if form.fullmatch(text):
            return f'"{text}"{format_datatype(datatype)}'
    return None
