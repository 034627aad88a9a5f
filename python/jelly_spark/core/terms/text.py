"""The text of canonical terms: what is escaped, and how.

`terms` describes the canonical string of a term.
"""

from __future__ import annotations

import re
from typing import Final

from jelly_spark.core.show import escape_character

XSD: Final = "http://www.w3.org/2001/XMLSchema#"
"""The namespace of XML Schema's datatypes."""

XSD_STRING: Final = XSD + "string"

NAME_START: Final = (
    "A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02ff\u0370-\u037d\u037f-\u1fff\u200c-\u200d"
    "\u2070-\u218f\u2c00-\u2fef\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufffd\U00010000-\U000effff"
)
"""The first characters of names (PN_CHARS_BASE), for use within a character class."""

NAME_REST: Final = "\u00b7\u0300-\u036f\u203f-\u2040-"
"""The other characters of names besides `NAME_START`, digits and underscores, for use within a
character class."""

ESCAPED_IN_IRI: Final = r"""\x00-\x20<>"{}|^`\\"""
"""The characters that N-Triples does not allow in IRIs, for use within a character class."""

TAG_CHARACTERS: Final = "A-Za-z0-9-"
"""The characters that a language tag holds unescaped, for use within a character class."""

LABEL_START: Final = NAME_START + "_0-9"
"""The first characters of canonical blank node labels, for use within a character class."""

CANONICAL_LABEL: Final = (
    f"[{LABEL_START}](?:[.{LABEL_START}{NAME_REST}]*[{LABEL_START}{NAME_REST}])?"
)
"""A blank node label whose canonical string is `_:label`.

RDF 1.1 allows colons in labels, but later versions do not. So colons after `_:` are read, but never
written.
"""

_CANONICAL_LABEL: Final = re.compile(CANONICAL_LABEL)

_ESCAPED_IN_IRI: Final = re.compile(f"[{ESCAPED_IN_IRI}]")

_ESCAPED_IN_TAG: Final = re.compile(f"[^{TAG_CHARACTERS}]")

_LEX_ESCAPES: Final = str.maketrans({'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r"})


def escape_iri(text: str) -> str:
    """Escape the characters that N-Triples does not allow in an IRI, or in a part of one."""
    # Most local names are alphanumeric, and `isalnum` is several times faster than the pattern.
    return text if text.isalnum() else _ESCAPED_IN_IRI.sub(escape_character, text)


def format_iri(escaped: str) -> str:
    """Return the canonical string of an IRI, given its escaped text."""
    if escaped.startswith("_:"):
        # `<_:x>` is a blank node, so escape the underscore.
        return f"<\\u005F{escaped[1:]}>"
    return f"<{escaped}>"


def is_canonical_label(label: str) -> bool:
    """Return whether a blank node with this label is written as `_:label`."""
    return _CANONICAL_LABEL.fullmatch(label) is not None


def format_blank_node(label: str) -> str:
    """Return the canonical string of a blank node."""
    if is_canonical_label(label):
        return f"_:{label}"
    return f"<_:{escape_iri(label)}>"


def escape_lexical(lexical: str) -> str:
    """Escape the characters that must be escaped in a canonical literal."""
    # Four searches for single characters are faster than one regular expression.
    if '"' in lexical or "\\" in lexical or "\n" in lexical or "\r" in lexical:
        return lexical.translate(_LEX_ESCAPES)
    return lexical


def escape_tag(tag: str) -> str:
    """Escape the characters that N-Triples does not allow in a language tag."""
    return _ESCAPED_IN_TAG.sub(escape_character, tag)


def format_language(tag: str) -> str:
    """Return the end of a canonical literal, `@tag`; for an empty tag, an empty string."""
    return f"@{escape_tag(tag)}" if tag else ""


def format_datatype(datatype: str) -> str:
    """Return the end of a canonical literal, `^^<datatype>`; for xsd:string, an empty string.

    Args:
        datatype: the datatype's IRI, without escapes.
    """
    return "" if datatype == XSD_STRING else "^^" + format_iri(escape_iri(datatype))
