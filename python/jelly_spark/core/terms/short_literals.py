"""The short forms of literals in Turtle, which RDF Patch has, too: `7`, `1.5`, `2e3`, `true`."""

from __future__ import annotations

import re

from jelly_spark.core.terms.text import XSD, format_datatype

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
