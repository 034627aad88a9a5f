"""The short forms of literals that RDF Patch takes from Turtle: numbers and booleans."""

from __future__ import annotations

import re

from jelly_spark.core.terms import format_datatype

_XSD = "http://www.w3.org/2001/XMLSchema#"

_FORMS = {
    f"{_XSD}integer": re.compile(r"[+-]?[0-9]+"),
    f"{_XSD}decimal": re.compile(r"[+-]?[0-9]*\.[0-9]+"),
    f"{_XSD}double": re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)[eE][+-]?[0-9]+"),
    f"{_XSD}boolean": re.compile("true|false"),
}

SHORT_DATATYPES = tuple(_FORMS)
"""The datatypes that have short forms."""


def has_short_form(lexical: str, datatype: str) -> bool:
    """Return whether a literal can be written without quotes and datatype."""
    form = _FORMS.get(datatype)
    return form is not None and form.fullmatch(lexical) is not None


def expand_short_form(text: str) -> str | None:
    """Return the canonical string of a literal in its short form; None if it is none."""
    for datatype, form in _FORMS.items():
        if form.fullmatch(text):
            return f'"{text}"{format_datatype(datatype)}'
    return None
