"""The output that both encoders share: quoted strings, literals, language tags and escapes."""

from __future__ import annotations

import re
from collections.abc import Callable

from jelly_spark.core.rows import encode_text
from jelly_spark.core.show import escape_character
from jelly_spark.core.terms import Literal, language_tag
from jelly_spark.core.terms.short_literals import has_short_form
from jelly_spark.core.terms.statement_rules import check_tag

BLANK_NODE_RULE = "an IRI must not begin with '_:', which RDF Patch reads as a blank node"
"""The rule against IRIs that Jena would read as blank nodes, even with an escaped `_`."""

# Jena escapes U+FFFD too.
_STRING_ESCAPES = str.maketrans(
    {
        '"': '\\"',
        "\\": "\\\\",
        "\n": "\\n",
        "\r": "\\r",
        "\t": "\\t",
        "\f": "\\f",
        "\ufffd": "\\uFFFD",
    }
)


def format_string(text: str) -> str:
    """Return a string in quotes, with the escapes that Jena writes."""
    return f'"{text.translate(_STRING_ESCAPES)}"'


def format_name(name: str) -> str:
    """Return a prefix name, or the key of a header, in quotes.

    Raises:
        UnwritableRowError: the name holds a lone surrogate.
    """
    encode_text(name, "a name")
    return format_string(name)


def format_literal(literal: Literal, format_iri: Callable[[str], str]) -> str:
    """Return a literal, in its short form if it has one.

    Args:
        literal: the literal.
        format_iri: a function that formats the IRI of its datatype.

    Raises:
        UnwritableRowError: the language tag does not follow Turtle's grammar, which RDF Patch uses.
    """
    check_tag(literal, "Turtle's")
    tag = language_tag(literal)
    if tag is not None:
        return f"{format_string(literal.lexical)}@{tag}"
    if literal.datatype is None:
        return format_string(literal.lexical)
    if has_short_form(literal.lexical, literal.datatype):
        return literal.lexical
    return f"{format_string(literal.lexical)}^^{format_iri(literal.datatype)}"


def escape_matches(pattern: re.Pattern[str], text: str) -> str:
    r"""Escape each character that the pattern matches as `\uXXXX` or `\UXXXXXXXX`."""
    return pattern.sub(escape_character, text)
