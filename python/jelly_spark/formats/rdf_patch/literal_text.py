"""What both styles write of literals and names: strings with their escapes, language tags."""

from __future__ import annotations

import re

from jelly_spark.errors import UnwritableRowError
from jelly_spark.formats.rdf_patch.names import LANGUAGE_TAG

_LANGUAGE_TAG = re.compile(LANGUAGE_TAG)
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
    if not _LANGUAGE_TAG.fullmatch(tag):
        raise UnwritableRowError("RDF Patch holds no language tag of this form")
    return f"@{tag}"


def escape_with(pattern: re.Pattern[str], text: str) -> str:
    r"""Return a text whose characters that match the pattern are escaped as `\uXXXX`."""
    return pattern.sub(_escape, text)


def _escape(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04X}"
