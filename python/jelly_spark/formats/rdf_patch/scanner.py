"""From characters to tokens: names, strings, IRIs, numbers, one after the other."""

from __future__ import annotations

import re

from jelly_spark.core.terms import UCHAR, unescape
from jelly_spark.core.violation import Violation
from jelly_spark.formats.rdf_patch.names import (
    LABEL,
    LOCAL_NAME_CHARACTER,
    LOCAL_NAME_ESCAPE,
    LOCAL_NAME_START,
    NAME,
    NAME_CHARACTERS,
    NO_UTF_8,
    wrong_in_tag,
)
from jelly_spark.formats.rdf_patch.source import TextSource

_SPACE = re.compile(r"[ \t\r\n\f]*")
_END_OF_COMMENT = re.compile(r"[\r\n]")
_SHOWN_CHARACTERS = 40
_SHOWN = re.compile(rf"[^ \t\r\n\f{NO_UTF_8}]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

_IRI_CHAR = rf"[^ \t\r\n<>\\{NO_UTF_8}]"
_ESCAPE = rf"""\\[tbnrf"'\\]|{UCHAR}"""


def _run(character: str, escape: str) -> re.Pattern[str]:
    """Return what matches characters and escapes, but not too many escapes at once.

    A match takes memory for each of them.
    """
    return re.compile(f"{character}*(?:(?:{escape}){character}*){{0,100}}")


def _short_string(quote: str) -> re.Pattern[str]:
    return _run(rf"[^{quote}\\\r\n{NO_UTF_8}]", _ESCAPE)


def _long_string(quote: str) -> re.Pattern[str]:
    return _run(rf"[^{quote}\\{NO_UTF_8}]", f"{quote}(?!{quote}{quote})|{_ESCAPE}")


_IRI = _run(_IRI_CHAR, UCHAR)
_LOCAL_NAME = _run(LOCAL_NAME_CHARACTER, LOCAL_NAME_ESCAPE)
# By the quotes around a string, what can stand between them.
_STRINGS = {
    '"': _short_string('"'),
    "'": _short_string("'"),
    '"""': _long_string('"'),
    "'''": _long_string("'"),
}
_TAG = re.compile("[A-Za-z0-9-]*")
# A dot at the end is the number's where an exponent follows, digits for which may be missing.
_NUMBER = re.compile(r"(?:[+-]?(?:[0-9]+(?:\.(?:[0-9]+|(?=[eE])))?|\.[0-9]+)(?:[eE][+-]?[0-9]*)?)?")
_NO_END_OF_NUMBER = re.compile(f"[:+{NAME_CHARACTERS}]")
_HEX_DIGITS = re.compile("[0-9A-Fa-f]*")
_NAME_ESCAPE = re.compile(r"\\(.)")
_UNICODE_ESCAPE = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8})")

# How far beyond a token its end may be decided: an escape is the longest that can begin there.
_LOOK_AHEAD = 12


class Scanner:
    """Reads the tokens that are asked for; `source.at` is where the next one begins.

    Every method raises a `Violation` where the text does not hold what it reads.

    Args:
        source: the text.
    """

    def __init__(self, source: TextSource) -> None:
        self._source = source

    def skip_space(self) -> str:
        """Skip white space and comments; return the character after them, `""` at the end."""
        source = self._source
        while True:
            match = _SPACE.match(source.text, source.at)
            if match is not None:
                source.at = match.end()
            character = source.text[source.at : source.at + 1]
            if character == "#":
                self._skip_comment()
            elif character or not source.more(source.at):
                return character

    def _skip_comment(self) -> None:
        source = self._source
        while True:
            match = _END_OF_COMMENT.search(source.text, source.at)
            if match is not None:
                source.at = match.start()
                return
            source.at = len(source.text)
            if not source.more(source.at):
                return

    def peek(self, size: int) -> str:
        """Return the next characters, fewer where the text ends."""
        source = self._source
        while len(source.text) - source.at < size and source.more(source.at):
            pass
        return source.text[source.at : source.at + size]

    def take(self, token: str) -> bool:
        """Take these characters if they come next; return whether they did."""
        if self.peek(len(token)) != token:
            return False
        self._source.at += len(token)
        return True

    def wrong_token(self, expected: str) -> Violation:
        """Return what is wrong where another token was expected: the error shows what is there."""
        # One more than is shown, to know whether there is more.
        match = _SHOWN.match(self.peek(_SHOWN_CHARACTERS + 1))
        if match is None:
            return self._wrong_character(expected, self._source.at)
        return Violation(expected, quoted(match[0]))

    def _wrong_character(self, expected: str, index: int) -> Violation:
        """Return what is wrong where another character was expected, all text before it read."""
        character = self._source.text[index : index + 1]
        if not character:
            return Violation(expected, "the end of the input")
        if "\ud800" <= character <= "\udfff":
            return Violation("UTF-8", "other bytes")
        if character in "\r\n":
            return Violation(expected, "the end of the line")
        return Violation(expected, quoted(character))

    def word(self) -> str:
        """Return the next word, without taking it; `""` if none comes next."""
        name = self._name(NAME)
        return "" if self.peek(len(name) + 1).endswith(":") else name

    def prefix_before_colon(self) -> str | None:
        """Return the next prefix, which may be empty, and take it and its colon; None if none."""
        name = self._name(NAME)
        if not self.peek(len(name) + 1).endswith(":"):
            return None
        self._source.at += len(name) + 1
        return name

    def label(self) -> str:
        """Return the label of a blank node and take it, after `_:`."""
        label = self._name(LABEL)
        if not label:
            raise self._wrong_character("a blank node label", self._source.at)
        self._source.at += len(label)
        return label

    def local_name(self) -> str:
        """Return what follows the colon of a prefixed name, nothing escaped, and take it."""
        source = self._source
        begins = LOCAL_NAME_START.match(self.peek(1))
        end = self._end(_LOCAL_NAME, repeated=True) if begins else source.at
        if source.text.startswith("%", end):
            digits = _HEX_DIGITS.match(source.text, end + 1, end + 3)
            at = digits.end() if digits else end
            raise self._wrong_character("2 hexadecimal digits", at)
        if source.text.startswith("\\", end):
            raise self._wrong_character("an escape of a name", end)
        name = source.text[source.at : end].rstrip(".")
        # A dot behind a backslash is no end.
        if name.endswith("\\"):
            name += "."
        source.at += len(name)
        return _NAME_ESCAPE.sub(r"\1", name)

    def iri(self) -> str:
        """Return what is in the angle brackets of an IRI, escapes as they are, and take it.

        The first bracket is taken already.
        """
        source = self._source
        end = self._end(_IRI, repeated=True)
        if not source.text.startswith(">", end):
            raise self._broken("a character that an IRI may hold, or '>'", end)
        iri = source.text[source.at : end]
        source.at = end + 1
        return iri

    def string(self) -> str | None:
        """Return the next string, nothing escaped, and take it; None if none comes next."""
        source = self._source
        start = self.peek(3)
        quote = start[:1]
        if not quote or quote not in "\"'":
            return None
        if start == quote * 3:
            quote = start
        source.at += len(quote)
        end = self._end(_STRINGS[quote], repeated=True)
        if not source.text.startswith(quote, end):
            raise self._broken(f"a character that a literal may hold, or '{quote}'", end)
        string = source.text[source.at : end]
        source.at = end + len(quote)
        return unescape(string)

    def language_tag(self) -> str:
        """Return a language tag and take it, after its `@`."""
        source = self._source
        end = self._end(_TAG)
        tag = source.text[source.at : end]
        wrong = wrong_in_tag(tag)
        if wrong is not None:
            raise self._wrong_character("a language tag", source.at + wrong)
        source.at = end
        return tag

    def number(self) -> str:
        """Return the next number, as it is written, without taking it; `""` if none comes next."""
        source = self._source
        end = self._end(_NUMBER)
        number = source.text[source.at : end]
        if number.endswith(("e", "E", "+", "-")):
            raise self._wrong_character("the digits of an exponent", end)
        if number and _NO_END_OF_NUMBER.match(source.text, end):
            source.at = end
            raise self.wrong_token("the end of the number")
        return number

    def _end(self, pattern: re.Pattern[str], *, repeated: bool = False) -> int:
        """Return the index in the text where a pattern ends that takes all it can.

        Args:
            pattern: it matches everywhere, if only the empty string.
            repeated: whether it may have to match again and again.
        """
        source = self._source
        while True:
            text = source.text
            begin = -1
            end = source.at
            while begin < end and (repeated or begin < 0):
                begin = end
                match = pattern.match(text, begin)
                end = begin if match is None else match.end()
            if end + _LOOK_AHEAD <= len(text) or source.ended:
                return end
            source.more(source.at)

    def _name(self, pattern: re.Pattern[str]) -> str:
        """Return the name that comes next, without taking it; dots do not end it."""
        end = self._end(pattern)
        return self._source.text[self._source.at : end].rstrip(".")

    def _broken(self, expected: str, index: int) -> Violation:
        """Return what is wrong where an IRI or a string does not go on: an escape, or what else."""
        text = self._source.text
        if text.startswith("\\", index):
            digits = {"u": 4, "U": 8}.get(text[index + 1 : index + 2])
            expected = f"{digits} hexadecimal digits" if digits else "an escape sequence"
            if _UNICODE_ESCAPE.match(text, index):
                expected = "an escape of a Unicode character"
        return self._wrong_character(expected, index)


def quoted(text: str) -> str:
    """Return a text as errors show it: in quotes, its beginning, control characters escaped."""
    shown = text[:_SHOWN_CHARACTERS] + "…" if len(text) > _SHOWN_CHARACTERS else text
    escaped = _CONTROL.sub(lambda match: f"\\u{ord(match[0]):04X}", shown)
    return f"'{escaped}'"
