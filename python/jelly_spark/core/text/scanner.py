"""The scanner of tokens that the text formats share, and the error messages of their parsers."""

from __future__ import annotations

import re
from typing import ClassVar

from jelly_spark.core.malformed_input import Violation, invalid_utf8
from jelly_spark.core.show import SHOWN_CHARACTERS, quoted
from jelly_spark.core.terms import MAX_NESTING, STRING_ESCAPE, SURROGATES, UCHAR, expected_escape
from jelly_spark.core.terms.base_direction import SEPARATOR, check_direction
from jelly_spark.core.terms.patterns import TAG, find_tag_error
from jelly_spark.core.text.input import TextInput

_END_OF_COMMENT = re.compile(r"[\r\n]")
# After a string of more characters, the text before the current position is dropped.
_LONG = 1 << 20
# The number that `surrogateescape` adds to an invalid byte.
_ESCAPED_BYTE = 0xDC00
_SHOWN = re.compile(rf"[^ \t\r\n\f{SURROGATES}]+")

# The end of a token can depend on this many characters after it: the longest is `\UXXXXXXXX`.
_LOOK_AHEAD = 12


def run_pattern(character: str, escape: str) -> re.Pattern[str]:
    """Return the pattern of a run of characters and at most 100 escapes.

    The regular expression engine needs memory for each escape. So for longer runs,
    `TextScanner.end` matches again where a match ends, until nothing more matches.
    """
    return re.compile(f"{character}*(?:(?:{escape}){character}*){{0,100}}")


def iri_pattern(character: str) -> re.Pattern[str]:
    """Return the pattern of an IRI's text with escapes, given the one of unescaped characters."""
    return run_pattern(character, UCHAR)


def string_pattern(quote: str) -> re.Pattern[str]:
    """Return the pattern of a single-line string with escapes, without its quotes."""
    return run_pattern(rf"[^{quote}\\\r\n{SURROGATES}]", STRING_ESCAPE)


class TextScanner:
    """Scans the tokens that a parser requests, from `source.at` on.

    Taking a token moves `source.at` to the index after it. Each method raises `Violation` if it
    finds a malformed token.

    Args:
        source: the text.
    """

    space: ClassVar[re.Pattern[str]]
    """The white space of the format, of any length."""

    iri_text: ClassVar[re.Pattern[str]]
    """The text of an IRI; see `iri_pattern`."""

    label_text: ClassVar[re.Pattern[str]]
    """The longest possible blank node label; dots at its end are not part of it."""

    def __init__(self, source: TextInput) -> None:
        self._source = source

    def skip_space(self) -> str:
        """Skip white space and comments; return the next character, or `""` at the end."""
        while True:
            character = self.skip(self.space)
            if character != "#":
                return character
            self.skip_comment()

    def skip(self, pattern: re.Pattern[str]) -> str:
        """Skip the text that a pattern matches; return the next character, or `""` at the end."""
        source = self._source
        while True:
            match = pattern.match(source.text, source.at)
            if match is not None:
                source.at = match.end()
            character = source.text[source.at : source.at + 1]
            if character or not source.more(source.at):
                return character

    def skip_comment(self) -> None:
        """Skip the rest of the line, but not the end of the line."""
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

    def require(self, token: str) -> None:
        """Take these characters, which must come next."""
        if not self.take(token):
            raise self.wrong_token(f"'{token}'")

    def begin_triple(self, depth: int) -> str:
        """Take the `<<` or `<<(` of a triple term; return the token that ends it.

        Args:
            depth: the nesting level of the triple; the outermost has 1.
        """
        if depth > MAX_NESTING:
            raise self.wrong_token(f"triple terms nested at most {MAX_NESTING} deep")
        self.take("<<")
        return ")>>" if self.take("(") else ">>"

    def wrong_token(self, expected: str) -> Violation:
        """Return the error for an unexpected token, which shows the text at `source.at`."""
        # Peek one character more than is shown, so that `quoted` knows whether to add "…".
        match = _SHOWN.match(self.peek(SHOWN_CHARACTERS + 1))
        if match is None:
            return self.wrong_character(expected, self._source.at)
        return Violation(expected, quoted(match[0]))

    def wrong_character(self, expected: str, index: int) -> Violation:
        """Return the error for an unexpected character at an index of the text."""
        character = self._source.text[index : index + 1]
        if not character:
            return Violation(expected, "the end of the input")
        if "\ud800" <= character <= "\udfff":
            return invalid_utf8(ord(character) - _ESCAPED_BYTE)
        if character in "\r\n":
            return Violation(expected, "the end of the line")
        return Violation(expected, quoted(character))

    def iri(self) -> str:
        """Take the rest of an IRI after its `<`; return its text without `>`, with its escapes."""
        source = self._source
        end = self.end(self.iri_text, repeated=True)
        if not source.text.startswith(">", end):
            raise self._broken("a character that an IRI may hold, or '>'", end)
        iri = source.text[source.at : end]
        source.at = end + 1
        return iri

    def label(self) -> str:
        """Take and return the label of a blank node, from after its `_:`."""
        label = self.name(self.label_text)
        if not label:
            raise self.wrong_character("a blank node label", self._source.at)
        self._source.at += len(label)
        return label

    def string_text(self, pattern: re.Pattern[str], quote: str) -> str:
        """Take the rest of a string after its opening quote; return its text with its escapes.

        Args:
            pattern: the pattern of the text between the quotes.
            quote: the closing quote.
        """
        source = self._source
        end = self.end(pattern, repeated=True)
        if not source.text.startswith(quote, end):
            raise self._broken(f"a character that a literal may hold, or '{quote}'", end)
        string = source.text[source.at : end]
        source.at = end + len(quote)
        if len(string) > _LONG:
            source.drop_passed()
        return string

    def language_tag(self) -> str:
        """Take and return a language tag, from after its `@`."""
        source = self._source
        end = self.end(TAG)
        tag = source.text[source.at : end]
        error = find_tag_error(tag.partition(SEPARATOR)[0])
        if error is not None:
            raise self.wrong_character("a language tag", source.at + error)
        check_direction(tag)
        source.at = end
        return tag

    def end(self, pattern: re.Pattern[str], *, repeated: bool = False) -> int:
        """Return the index in the text where the longest match of a pattern ends.

        This reads more text while the match could go on there.

        Args:
            pattern: a pattern that also matches the empty string.
            repeated: whether to match again where a match ends; see `run_pattern`.
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
            # Free the text before its successor is made.
            del text, match
            source.more(source.at)

    def name(self, pattern: re.Pattern[str]) -> str:
        """Return the next name without taking it. Dots at its end are not part of it."""
        end = self.end(pattern)
        return self._source.text[self._source.at : end].rstrip(".")

    def _broken(self, expected: str, index: int) -> Violation:
        """Return the error for the index where an IRI or a string is malformed.

        Args:
            expected: what is expected there, unless there is an invalid escape.
            index: the index in the text.
        """
        return self.wrong_character(expected_escape(self._source.text, index) or expected, index)
