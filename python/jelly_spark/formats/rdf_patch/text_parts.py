"""What both styles write in the same way: strings with their escapes, language tags."""

from __future__ import annotations

import re

from jelly_spark.errors import UnwritableRowError
from jelly_spark.formats.rdf_patch.names import wrong_in_tag

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
    try:
        name.encode()
    except UnicodeEncodeError:
        raise UnwritableRowError("a name holds a lone surrogate") from None
    return format_string(name)


def format_tag(tag: str) -> str:
    """Return what follows the quotes of a literal with this language tag.

    Raises:
        UnwritableRowError: Turtle, and so RDF Patch, has no such tag.
    """
    if not _TAG_CHARACTERS.fullmatch(tag) or wrong_in_tag(tag) is not None:
        raise UnwritableRowError("a language tag must be one of Turtle's")
    return f"@{tag}"


def escape_with(pattern: re.Pattern[str], text: str) -> str:
    r"""Return a text whose characters that match the pattern are escaped as `\uXXXX`."""
    return pattern.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04X}"
