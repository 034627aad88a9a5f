"""The base class of write options, the names of options in Spark, and checks of values."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from enum import Enum
from typing import Any, ClassVar, TypeVar, get_type_hints

from jelly_spark.core.show import show
from jelly_spark.errors import OptionError

_C = TypeVar("_C")
_O = TypeVar("_O", bound="WriteOptions")

_MOST_DIGITS = 1000


@dataclass(frozen=True)
class WriteOptions:
    """Base class of the options for writing a format, which are frozen dataclasses.

    Each field is an option of the type bool, int, str, an Enum, whose names are the option's
    values, or a mapping of strings, which is `NAME=VALUE NAME=VALUE` as a string. Subclasses check
    the values in `__post_init__`, with the functions below.
    """

    format: ClassVar[str]
    """The short name of the format."""

    @classmethod
    def from_strings(cls: type[_O], options: Mapping[str, str]) -> _O:
        """Return options given as strings, under their camelCase names, as in Spark.

        Names and values are case-insensitive.

        Raises:
            OptionError: a name or a value is not valid, a name is given twice, or `options` is not
                a mapping of strings to strings.
        """
        if not isinstance(options, Mapping):
            raise OptionError(f"options must be a mapping of strings, not {show(options)}")
        for name, text in options.items():
            if not isinstance(name, str) or not isinstance(text, str):
                raise OptionError(
                    f"options must be a mapping of strings, not of {show(name)} to {show(text)}"
                )
        # Error messages list a format's own options before those that it shares with others.
        shared = {field.name for base in cls.__bases__ for field in fields(base)}
        in_order = sorted(fields(cls), key=lambda field: field.name in shared)
        known = {camel(field.name).lower(): field for field in in_order}
        kinds = get_type_hints(cls)
        values: dict[str, Any] = {}
        for name, text in options.items():
            field = known.get(name.lower())
            if field is None:
                raise unknown_option(name, [camel(field.name) for field in known.values()])
            if field.name in values:
                raise OptionError(f"option {camel(field.name)} is given twice")
            values[field.name] = _parse(field.name, kinds[field.name], text)
        with named_as_in_spark():
            return cls(**values)

    def to_strings(self) -> dict[str, str]:
        """Return the options as strings, as `from_strings` and Spark's writers accept them."""
        return strings_of((field.name, getattr(self, field.name)) for field in fields(self))


def strings_of(options: Iterable[tuple[str, object]]) -> dict[str, str]:
    """Return options as strings under their names in Spark, given their snake_case names."""
    return {
        camel(name): value.name
        if isinstance(value, Enum)
        else str(value).lower()
        if isinstance(value, bool)
        else " ".join(f"{key}={text}" for key, text in value.items())
        if isinstance(value, Mapping)
        else str(value)
        for name, value in options
    }


def camel(name: str) -> str:
    """Return the name of an option in Spark: `frameSize` for `frame_size`."""
    first, *rest = name.split("_")
    return first + "".join(word.capitalize() for word in rest)


@contextmanager
def named_as_in_spark() -> Iterator[None]:
    """Name the option in errors of checks as in Spark, because its value was given as there."""
    try:
        yield
    except OptionError as error:
        names, must, rest = str(error).partition(" must ")
        raise OptionError(_SNAKE.sub(lambda name: camel(name[0]), names) + must + rest) from None


_SNAKE = re.compile("[a-z]+(?:_[a-z]+)+")


def unknown_option(name: str, known: Sequence[str]) -> OptionError:
    """Return the error for an unknown option; it suggests options with a similar name."""
    near = " or ".join(option for option in known if _is_near(name, option))
    valid = ", ".join(known)
    if not near:
        return OptionError(f"unknown option {name!r}; the options are: {valid}")
    return OptionError(f"unknown option {name!r}: did you mean {near}? The options are: {valid}")


def check_spelling(names: Iterable[str], known: Sequence[str]) -> None:
    """Check that no name is a misspelling of an option.

    Names that resemble no option are accepted: Spark passes the options of its own, too.

    Raises:
        OptionError: a name is misspelt; the message has the right one.
    """
    right = {option.lower() for option in known}
    for name in names:
        if name.lower() in right or name.lower() in _OF_OTHERS:
            continue
        if any(_is_near(name, option) for option in known):
            raise unknown_option(name, known)


# An option of Spark's CSV source that resembles our `delimited`.
_OF_OTHERS = frozenset(("delimiter",))


def _is_near(name: str, option: str) -> bool:
    """Return whether a name is probably a misspelling of an option.

    Case, underscores, hyphens and spaces are ignored. The names must then be equal, or begin with
    the same letter and differ in one letter (in two, if the option has at least 8 letters).
    """
    given, wanted = (text.lower().translate(_NO_LETTERS) for text in (name, option))
    if given == wanted:
        return True
    return given[:1] == wanted[:1] and _distance(given, wanted) <= (1 if len(wanted) < 8 else 2)


_NO_LETTERS = str.maketrans("", "", "_- ")


def _distance(a: str, b: str) -> int:
    """Return the number of letters to insert, delete, replace or swap to get from one to the other.

    This is the Damerau-Levenshtein distance (optimal string alignment).
    """
    before: list[int] = []
    last, row = before, list(range(len(b) + 1))
    for i in range(1, len(a) + 1):
        before, last, row = last, row, [i]
        for j in range(1, len(b) + 1):
            cost = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]))
            if i > 1 and j > 1 and a[i - 1] == b[j - 2] and a[i - 2] == b[j - 1]:
                cost = min(cost, before[j - 2] + 1)
            row.append(cost)
    return row[-1]


def check_size(name: str, value: object, least: int, most: int) -> None:
    """Check that a value is an int from `least` to `most`.

    Raises:
        OptionError: it is not.
    """
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise OptionError(
            f"{name} must be a whole number from {least} to {most}, not {show(value)}"
        )


def check_bool(name: str, value: object) -> None:
    """Check that a value is a bool.

    Raises:
        OptionError: it is not.
    """
    if not isinstance(value, bool):
        raise OptionError(f"{name} must be one of: true, false; not {show(value)}")


def check_text(name: str, value: object) -> None:
    """Check that a value is a string that UTF-8 can hold.

    Raises:
        OptionError: it is not.
    """
    if not isinstance(value, str):
        raise OptionError(f"{name} must be a string, not {show(value)}")
    try:
        value.encode()
    except UnicodeEncodeError:
        raise OptionError(f"{name} must not hold a lone surrogate, not {show(value)}") from None


def check_member(name: str, value: object, kind: type[Enum]) -> None:
    """Check that a value is a member of an Enum.

    Raises:
        OptionError: it is not.
    """
    if not isinstance(value, kind):
        # The message lists names. For a string that is such a name, suggest the member.
        is_name = isinstance(value, str) and value.upper() in kind.__members__
        hint = f": give {kind.__name__}.{str(value).upper()}" if is_name else ""
        raise OptionError(
            f"{name} must be one of: {', '.join(kind.__members__)}; not {show(value)}{hint}"
        )


def check_class(name: str, value: object, kind: type[object]) -> None:
    """Check that an argument is an instance of a class, such as a format's own options.

    Raises:
        OptionError: it is not.
    """
    if not isinstance(value, kind):
        raise OptionError(f"{name} must be {kind.__name__}, not {show(value)}")


def check_part(part: object) -> None:
    """Check that a value is None or a pair of byte offsets `0 <= start <= end`.

    Adjacent parts from 0 to the length of a file together have all its rows, each once.

    Raises:
        OptionError: it is neither.
    """
    if part is None:
        return
    if (
        not isinstance(part, tuple)
        or len(part) != 2
        or not all(type(offset) is int for offset in part)
        or not 0 <= part[0] <= part[1]
    ):
        raise OptionError(
            "part must be None or a pair of byte offsets 0 <= start <= end, not " + show(part)
        )


def _parse(name: str, kind: type, text: str) -> object:
    if kind is str:
        return text
    if kind == Mapping[str, str]:
        return parse_pairs(camel(name), text.split())
    text = text.strip()
    if kind is bool:
        return parse_bool(name, text)
    if issubclass(kind, Enum):
        return choose(camel(name), text, kind.__members__)
    return parse_size(text)


def parse_pairs(name: str, pairs: Iterable[str]) -> dict[str, str]:
    """Return the value of an option that maps names to strings, given each `NAME=VALUE`.

    Raises:
        OptionError: one is not of this form, or two have the same name.
    """
    found: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise OptionError(f"{name} must be NAME=VALUE, not {pair!r}")
        if key in found:
            raise OptionError(f"{name} has {key!r} twice")
        found[key] = value
    return found


def parse_bool(name: str, text: str) -> bool:
    """Return the value of an option that is true or false.

    Raises:
        OptionError: the text is neither.
    """
    value = {"true": True, "false": False}.get(text.lower())
    if value is None:
        raise OptionError(f"{camel(name)} must be one of: true, false; not {text!r}")
    return value


def choose(name: str, text: str, values: Mapping[str, _C]) -> _C:
    """Return the value of an option with few values, by their names in any case.

    Raises:
        OptionError: the text is not one of the names; the message lists them.
    """
    given = text.strip()
    for known, value in values.items():
        if known.lower() == given.lower():
            return value
    raise OptionError(f"{name} must be one of: {', '.join(values)}; not {given!r}")


def parse_size(text: str) -> int | str:
    """Return a whole number; the text itself if it is not one, for `check_size` to reject."""
    # Python does not parse numbers with thousands of digits.
    plain = text.isascii() and text.isdigit() and len(text) <= _MOST_DIGITS
    return int(text) if plain else text
