"""The functions on terms that parse strings, in plain Python.

Arguments are UTF-8, as Spark holds strings: if Spark decoded them, it would not find invalid UTF-8.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jelly_spark.core.malformed_input import invalid_utf8
from jelly_spark.core.terms import TripleTerm, format_term, parse_term
from jelly_spark.core.terms.canonical import format_canonical
from jelly_spark.core.terms.parts import parts_of, term_of
from jelly_spark.errors import InvalidTermError, UnwritableRowError

MOST_SHOWN = 200
"""The most characters of an argument that errors show."""


def _triple(subject: str, predicate: str, object: str) -> str:
    return format_term(TripleTerm(*map(parse_term, (subject, predicate, object))))


def _canonical(text: str) -> str:
    try:
        return format_canonical(parse_term(text))
    except UnwritableRowError as error:
        raise InvalidTermError(str(error)) from None


def _part(name: str) -> Callable[[str], str | None]:
    def part(text: str) -> str | None:
        term = parse_term(text)
        return format_term(getattr(term, name)) if isinstance(term, TripleTerm) else None

    return part


COMPUTE: dict[str, Callable[..., Any]] = {
    "term_value": lambda text: parts_of(parse_term(text)).value,
    "term_datatype": lambda text: parts_of(parse_term(text)).datatype,
    "term_lang": lambda text: parts_of(parse_term(text)).lang,
    "term_direction": lambda text: parts_of(parse_term(text)).direction,
    "triple_subject": _part("subject"),
    "triple_predicate": _part("predicate"),
    "triple_object": _part("object"),
    "canonical_term": lambda text: format_term(parse_term(text)),
    "term_canonical": _canonical,
    "triple": _triple,
    "term_to_struct": lambda text: tuple(parts_of(parse_term(text))),
}
"""The functions whose arguments are terms, by name. They raise an `InvalidTermError`."""


def compute(name: str, is_try: bool, *arguments: bytes | None) -> Any:
    """Return the result of a function of `COMPUTE`; None if an argument is None.

    Args:
        name: the name of the function, without `try_`.
        is_try: whether the result is None if an argument is not a term.
        arguments: the arguments, in UTF-8.

    Raises:
        InvalidTermError: an argument is not a term.
    """
    if None in arguments:
        return None
    try:
        return COMPUTE[name](*map(decode, arguments))
    except InvalidTermError as error:
        if is_try:
            return None
        shown = "', '".join(map(_show, arguments))
        raise _invalid(name, error, f"'{shown}'") from None


def is_term(argument: bytes | None) -> bool | None:
    """Return whether a string is a term; None for None."""
    if argument is None:
        return None
    try:
        parse_term(decode(argument))
    except InvalidTermError:
        return False
    return True


def struct_to_term(is_try: bool, struct: tuple[bytes | None, ...] | None) -> str | None:
    """Return the canonical string of the term that a struct describes; None for None.

    Args:
        is_try: whether the result is None if the fields are not those of a term.
        struct: the five fields, in UTF-8.

    Raises:
        InvalidTermError: the fields are not those of a term.
    """
    if struct is None:
        return None
    try:
        kind, *texts = (None if field is None else decode(field) for field in struct)
        return format_term(term_of(kind, *texts))
    except InvalidTermError as error:
        if is_try:
            return None
        raise _invalid("struct_to_term", error, f"{{{', '.join(map(_show, struct))}}}") from None


def decode(argument: bytes | bytearray | None) -> str:
    """Decode UTF-8.

    Raises:
        InvalidTermError: the bytes are not UTF-8.
    """
    assert argument is not None
    try:
        return argument.decode()
    except UnicodeDecodeError as error:
        found = invalid_utf8(argument[error.start])
        raise InvalidTermError(f"expected {found.expected}, found {found.found}") from None


def _show(argument: bytes | None) -> str:
    return "null" if argument is None else argument.decode(errors="replace")


def _invalid(name: str, error: InvalidTermError, shown: str) -> InvalidTermError:
    cut = shown if len(shown) <= MOST_SHOWN else shown[:MOST_SHOWN] + "…"
    return InvalidTermError(f"{name}: {error}; in {cut} (try_{name} returns null instead)")
