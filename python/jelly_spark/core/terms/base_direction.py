"""Base directions of literals (RDF 1.2 Concepts, "Literals").

Formats hold a language and a base direction as one language tag, as in N-Triples: `ar--rtl`.
"""

from __future__ import annotations

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.show import quoted

DIRECTIONS = ("ltr", "rtl")
"""All base directions."""

SEPARATOR = "--"
"""What comes before the base direction in a language tag."""


def join_tag(language: str, direction: str | None) -> str:
    """Return the language tag of a language and a base direction, or of a language alone."""
    return language if direction is None else f"{language}{SEPARATOR}{direction}"


def split_tag(tag: str) -> tuple[str, str | None]:
    """Return the language and the base direction of a valid language tag."""
    language, _, direction = tag.partition(SEPARATOR)
    return language, direction or None


def expected_tag(tag: str) -> str | None:
    """Return what is expected in place of a tag with an invalid base direction.

    Returns:
        None if the base direction is valid, or if there is none.
    """
    language, separator, direction = tag.partition(SEPARATOR)
    if not separator or (language and direction in DIRECTIONS):
        return None
    return "a base direction, --ltr or --rtl" if language else "a language tag"


def check_direction(tag: str) -> None:
    """Check the base direction of a language tag.

    Raises:
        Violation: it is not valid.
    """
    expected = expected_tag(tag)
    if expected is not None:
        raise Violation(expected, quoted(tag))
