"""From characters to tokens: names, strings, IRIs and numbers."""

from __future__ import annotations

import re

from jelly_spark.core.malformed_input import Violation, invalid_utf8
from jelly_spark.core.terms import (
    STRING_ESCAPE,
    SURROGATES,
    UCHAR,
    escape_character,
    expected_escape,
)
from jelly_spark.formats.rdf_patch.text_input import TextInput
from jelly_spark.formats.rdf_patch.token_patterns import (
    LABEL,
    LOCAL_NAME_CHAR,
    LOCAL_NAME_ESCAPE,
    LOCAL_NAME_START,
    NAME,
    NAME_CHARACTERS,
    TAG,
    find_tag_error,
)

_SPACE = re.compile(r"[ \t\r\n\f]*")
_END_OF_COMMENT = re.compile(r"[\r\n]")
_SHOWN_CHARACTERS = 40
# A string of more characters is worth a copy of the text after it.
_LONG = 1 << 20
# What `surrogateescape` adds to a byte that is not UTF-8.
_ESCAPED_BYTE = 0xDC00
_SHOWN = re.compile(rf"[^ \t\r\n\f{SURROGATES}]+")
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")

_IRI_CHAR = rf"[^ \t\r\n<>\\{SURROGATES}]"


def _run(character: str, escape: str) -> re.Pattern[str]:
    """Return the pattern of a run of characters and at most 100 escapes.

    The pattern engine needs memory for each escape. So `Scanner._end` matches again where a match
    ends, until nothing more matches.
    """
    return re.compile(f"{character}*(?:(?:{escape}){character}*){{0,100}}")


def _short_string(quote: str) -> re.Pattern[str]:
    return _run(rf"[^{quote}\\\r\n{SURROGATES}]", STRING_ESCAPE)


def _long_string(quote: str) -> re.Pattern[str]:
    return _run(rf"[^{quote}\\{SURROGATES}]", f"{quote}(?!{quote}{quote})|{STRING_ESCAPE}")


_IRI = _run(_IRI_CHAR, UCHAR)
_LOCAL_NAME = _run(LOCAL_NAME_CHAR, LOCAL_NAME_ESCAPE)
# The content of a string by the quotes around it.
_STRINGS = {
    '"': _short_string('"'),
    "'": _short_string("'"),
    '"""': _long_string('"'),
    "'''": _long_string("'"),
}
# The dot of `1.e5` belongs to the number, the dot of `1.` does not. The digits of an exponent are
# optional here, so that an exponent without them is found as an error.
_NUMBER = re.compile(r"(?:[+-]?(?:[0-9]+(?:\.(?:[0-9]+|(?=[eE])))?|\.[0-9]+)(?:[eE][+-]?[0-9]*)?)?")
_NO_END_OF_NUMBER = re.compile(f"[:+{NAME_CHARACTERS}]")
_HEX_DIGITS = re.compile("[0-9A-Fa-f]*")
_NAME_ESCAPE = re.compile(r"\\(.)")

# How many characters after a token may decide where it ends: the longest is `\UXXXXXXXX`.
_LOOK_AHEAD = 12


class Scanner:
    """Scans the tokens that the parser asks for, from `source.at` on.

    To take a token is to move `source.at` behind it. Each method raises `Violation` if the text
    holds a malformed token.

    Args:
        source: the text.
    """

    def __init__(self, source: TextInput) -> None:
        self._source = source

    def skip_space(self) -> str:
        """Skip white space and comments; return the character that follows, `""` at the end."""
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
        """Return the next `size` characters, or fewer at the end of the text."""
        source = self._source
        while len(source.text) - source.at < size and source.more(source.at):
            pass
        return source.text[source.at : source.at + size]

    def take(self, token: str) -> bool:
        """Take these characters if they come next; return whether they do."""
        if self.peek(len(token)) != token:
            return False
        self._source.at += len(token)
        return True

    def wrong_token(self, expected: str) -> Violation:
        """Return the error for another token than expected; it shows the text that is there."""
        # One character more than is shown, so that `quoted` knows whether to add "…".
        match = _SHOWN.match(self.peek(_SHOWN_CHARACTERS + 1))
        if match is None:
            return self._wrong_character(expected, self._source.at)
        return Violation(expected, quoted(match[0]))

    def _wrong_character(self, expected: str, index: int) -> Violation:
        """Return the error for another character than expected at an index of the text."""
        character = self._source.text[index : index + 1]
        if not character:
            return Violation(expected, "the end of the input")
        if "\ud800" <= character <= "\udfff":
            return invalid_utf8(ord(character) - _ESCAPED_BYTE)
        if character in "\r\n":
            return Violation(expected, "the end of the line")
        return Violation(expected, quoted(character))

    def word(self) -> str:
        """Return the next word, without taking it; `""` if there is none."""
        name = self._name(NAME)
        return "" if self.peek(len(name) + 1).endswith(":") else name

    def prefix_before_colon(self) -> str | None:
        """Take a prefix, which may be empty, and its colon; return the prefix, None if none."""
        name = self._name(NAME)
        if not self.peek(len(name) + 1).endswith(":"):
            return None
        self._source.at += len(name) + 1
        return name

    def label(self) -> str:
        """Take and return the label of a blank node, after `_:`."""
        label = self._name(LABEL)
        if not label:
            raise self._wrong_character("a blank node label", self._source.at)
        self._source.at += len(label)
        return label

    def local_name(self) -> str:
        """Take the local name of a prefixed name, after its colon; return it without escapes."""
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
        # The dot of an escape `\.` is part of the name.
        if name.endswith("\\"):
            name += "."
        source.at += len(name)
        return _NAME_ESCAPE.sub(r"\1", name)

    def iri(self) -> str:
        """Take an IRI, after its `<`, with its `>`; return its text with its escapes."""
        source = self._source
        end = self._end(_IRI, repeated=True)
        if not source.text.startswith(">", end):
            raise self._broken("a character that an IRI may hold, or '>'", end)
        iri = source.text[source.at : end]
        source.at = end + 1
        return iri

    def string(self) -> str | None:
        """Take a quoted string, and return its text with its escapes; None if none begins here."""
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
        if len(string) > _LONG:
            source.drop_passed()
        return string

    def language_tag(self) -> str:
        """Take and return a language tag, after its `@`."""
        source = self._source
        end = self._end(TAG)
        tag = source.text[source.at : end]
        error = find_tag_error(tag)
        if error is not None:
            raise self._wrong_character("a language tag", source.at + error)
        source.at = end
        return tag

    def number(self) -> str:
        """Return the next number as it is written, without taking it; `""` if there is none."""
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
        """Return the index in the text where the longest match of a pattern ends.

        Reads on while the end could be that of the text decoded so far.

        Args:
            pattern: a pattern that also matches the empty string.
            repeated: whether to match again where a match ends; see `_run`.
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
            # So that the text does not outlive its successor.
            del text, match
            source.more(source.at)

    def _name(self, pattern: re.Pattern[str]) -> str:
        """Return the next name, without taking it; a name does not end with a dot."""
        end = self._end(pattern)
        return self._source.text[self._source.at : end].rstrip(".")

    def _broken(self, expected: str, index: int) -> Violation:
        """Return the error for the index where an IRI or a string breaks.

        Args:
            expected: what could follow there, unless an invalid escape stands there.
            index: the index in the text.
        """
        return self._wrong_character(expected_escape(self._source.text, index) or expected, index)


def quoted(text: str) -> str:
    """Return a text as error messages show it: quoted, cut, with control characters escaped."""
    shown = text[:_SHOWN_CHARACTERS] + "…" if len(text) > _SHOWN_CHARACTERS else text
    return f"'{_CONTROL.sub(escape_character, shown)}'"
