"""What both styles write in the same way: strings with their escapes, language tags."""

from __future__ import annotations

import re
from collections.abc import Callable

from jelly_spark.core.rows import encode_text
from jelly_spark.core.terms import Literal
from jelly_spark.errors import UnwritableRowError
from jelly_spark.formats.rdf_patch.names import wrong_in_tag
from jelly_spark.formats.rdf_patch.short_literals import has_short_form

BLANK_NODE_RULE = "an IRI that begins with '_:' is read as a blank node"
"""What an IRI breaks that Jena takes for a blank node, however it is escaped."""

_TAG_CHARACTERS = re.compile("[A-Za-z0-9-]*")
_ESCAPES = str.maketrans(
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
    """Return a string in quotes, escaped as Jena does it."""
    return f'"{text.translate(_ESCAPES)}"'


def format_name(name: str) -> str:
    """Return a name, or the key of a header, in quotes.

    Raises:
        UnwritableRowError: UTF-8 cannot hold it.
    """
    encode_text(name, "a name")
    return format_string(name)


def format_literal(literal: Literal, format_iri: Callable[[str], str]) -> str:
    """Return a literal, in its short form if it has one.

    Args:
        literal: the literal.
        format_iri: returns its datatype as the style has it.

    Raises:
        UnwritableRowError: Turtle, and so RDF Patch, has no such language tag.
    """
    if literal.language is not None:
        return format_string(literal.lexical) + _format_tag(literal.language)
    if literal.datatype is None:
        return format_string(literal.lexical)
    if has_short_form(literal.lexical, literal.datatype):
        return literal.lexical
    return f"{format_string(literal.lexical)}^^{format_iri(literal.datatype)}"


def _format_tag(tag: str) -> str:
    if not _TAG_CHARACTERS.fullmatch(tag) or wrong_in_tag(tag) is not None:
        raise UnwritableRowError("a language tag must be one of Turtle's")
    return f"@{tag}"


def escape_with(pattern: re.Pattern[str], text: str) -> str:
    r"""Return a text whose characters that match the pattern are escaped as `\uXXXX`."""
    return pattern.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04X}"
