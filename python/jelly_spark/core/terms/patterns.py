"""Regular expressions for terms, and for names in patches, that the text formats share."""

from __future__ import annotations

import re

from jelly_spark.core.terms.text import NAME_REST, NAME_START, TAG_CHARACTERS

NAME_FIRST = NAME_START + "\U000f0000-\U0010ffff"
"""The first characters of names, for use within a character class: Turtle's PN_CHARS_BASE, and all
characters of the planes 15 and 16, which Jena allows too."""

NAME_CHARACTERS = f"{NAME_FIRST}_0-9{NAME_REST}"
"""The characters of names, for use within a character class."""

WORD = re.compile(f"[{NAME_FIRST}](?:[.{NAME_CHARACTERS}]*[{NAME_CHARACTERS}])?")
"""A complete name: the key of a header, or a prefix."""

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
"""The scheme of an absolute IRI, with its colon."""

TAG = re.compile(f"[{TAG_CHARACTERS}]*")
"""The characters of a language tag; `find_tag_error` checks whether they form a valid one."""

_FIRST_SUBTAG = re.compile("[A-Za-z]*")

COMMON_TAG = "[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}"
"""A language tag of the common shape, such as `de-CH`, for use in other patterns."""


def literal_pattern(
    iri: str, lexical_char: str, excluded_datatypes: tuple[str, ...], tag: str = COMMON_TAG
) -> str:
    """Return the pattern of canonical literals, for use in other patterns.

    It matches at most 100 escapes, because the regular expression engine needs memory for each.

    Args:
        iri: the pattern of a datatype's IRI, with its brackets.
        lexical_char: the pattern of an unescaped character.
        excluded_datatypes: IRIs of datatypes whose literals do not match.
        tag: the pattern of a language tag.
    """
    excluded = "|".join(map(re.escape, excluded_datatypes))
    return (
        rf'"{lexical_char}*(?:\\["\\nr]{lexical_char}*){{0,100}}"'
        rf"(?:@{tag}|\^\^(?!<(?:{excluded})>){iri})?"
    )


def find_tag_error(language: str) -> int | None:
    """Return the index where a language breaks Turtle's rules; None if it is valid.

    Args:
        language: a language tag without a base direction: ASCII letters, digits and hyphens only.
    """
    match = _FIRST_SUBTAG.match(language)
    end = match.end() if match else 0
    if end == 0 or (not language.startswith("-", end) and end < len(language)):
        return end
    return len(language) if language.endswith("-") else None
