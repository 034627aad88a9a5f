"""How long a row may be, and the text of its terms, which is never made longer than that.

A short file can stand for long rows, since entries of lookup tables, prefixes and repeated terms
stand for text that was given once. So the size of a row is checked while its text is collected,
before it is joined.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.options import check_size
from jelly_spark.core.terms import (
    XSD_STRING,
    escape_iri,
    escape_lexical,
    escape_tag,
    is_canonical_label,
    unescape_pieces,
)

DEFAULT_MAX_ROW_SIZE = 1 << 26
"""The most bytes of a row, unless the reader's `max_row_size` says something else."""

# An array's most bytes on the JVM.
_MOST = 2**31 - 1

# What a string that is not ASCII takes besides its characters.
_HEADER = sys.getsizeof("\xe9") - 2
# How many bytes, and characters of a text, are taken at once.
_CHUNK = 1 << 20
_PIECE = 1 << 16
# The least that a term in a quoted triple counts as, in bytes; the same on the JVM.
_MIN_QUOTED_TERM = 64
# In place of the characters before a term.
_NO_TERM = -1
_CONTINUATION_BYTES = bytes(range(0x80, 0xC0))
# In UTF-8 the first bytes of characters from U+10000 on, from U+0100 on, and of all but ASCII.
_FIRST_BYTES = (
    (4, re.compile(b"[\xf0-\xff]")),
    (3, re.compile(b"[\xc4-\xff]")),
    (2, re.compile(b"[\x80-\xff]")),
)


def check_max_row_size(value: object) -> None:
    """Check the option `max_row_size`.

    Raises:
        OptionError: it is not a whole number from 1 to 2147483647.
    """
    check_size("max_row_size", value, 1, _MOST)


def longer_row(limit: int) -> Violation:
    """Return the error for a row of more than `limit` bytes."""
    return Violation(f"a row of at most {limit} bytes (option maxRowSize)", "a longer one")


def text_size(text: str) -> int:
    """Return the size of a text, in bytes: neither in UTF-8 nor in memory does it take more.

    Every character counts as many bytes as the widest of them takes in UTF-8.
    """
    return len(text) * _width(text)


def _width(text: str) -> int:
    if text.isascii():
        return 1
    # A string has 1, 2 or 4 bytes for each of its characters, and for a NUL at its end.
    per_character = (sys.getsizeof(text) - _HEADER) // (len(text) + 1)
    return min(per_character + 1, 4)


def check_decoded_size(data: bytes | memoryview, limit: int) -> None:
    """Check the `text_size` of a text before it is decoded from UTF-8.

    Raises:
        Violation: it is above the limit.
    """
    # At most as many characters as bytes, of at most four bytes each.
    if len(data) * 4 <= limit:
        return
    width = next((width for width, first in _FIRST_BYTES if first.search(data)), 1)
    characters = sum(
        len(bytes(data[at : at + _CHUNK]).translate(None, _CONTINUATION_BYTES))
        for at in range(0, len(data), _CHUNK)
    )
    if characters * width > limit:
        raise longer_row(limit)


class TableSpace:
    """The memory of what a stream declares once and then refers to.

    Args:
        what: what it declares, for error messages.
        max_row_size: the reader's option; all declarations may take half of it.
    """

    __slots__ = ("_used", "_what", "limit")

    def __init__(self, what: str, max_row_size: int) -> None:
        self._what = what
        self.limit = max_row_size // 2
        self._used = 0

    def take(self, size: int) -> None:
        """Take so many bytes more; less, where the number is negative.

        Raises:
            Violation: there are not as many.
        """
        self._used += size
        if self._used > self.limit:
            raise Violation(
                f"{self._what} of at most {self.limit} bytes together (half of option maxRowSize)",
                "longer ones",
            )


class QuotedSize:
    """Counts the terms inside the quoted triples of a row while they are read.

    So a row that is too long is refused before its memory is made.

    Args:
        limit: the most bytes of all these terms together.

    Attributes:
        size: the bytes counted so far; whoever begins a row sets it to 0.
    """

    __slots__ = ("_limit", "size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.size = 0

    def add(self, term: int) -> None:
        """Add a term of so many bytes; a short one counts as what an object for it takes.

        Raises:
            Violation: the row is too long now.
        """
        self.size += term if term > _MIN_QUOTED_TERM else _MIN_QUOTED_TERM
        if self.size > self._limit:
            raise longer_row(self._limit)

    def add_terms(self, *terms: str) -> None:
        """Add the terms of a quoted triple, given as strings; of triples, the terms were added.

        Raises:
            Violation: the row is too long now.
        """
        for term in terms:
            if not term.startswith("<<"):
                size = len(term) if term.isascii() else text_size(term)
                self.size += size if size > _MIN_QUOTED_TERM else _MIN_QUOTED_TERM
        if self.size > self._limit:
            raise longer_row(self._limit)


class RowText:
    """Collects the canonical strings of a row's terms in pieces, which are joined at a term's end.

    Terms of any length take little more memory than their strings: each piece is escaped by itself,
    and nested triples are joined once.

    Args:
        limit: the most bytes of the row, as `text_size` counts them.

    Attributes:
        size: the bytes of the row's complete terms.
    """

    __slots__ = ("_characters", "_inner_from", "_limit", "_pieces", "_quoted", "_width", "size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._quoted = QuotedSize(limit)
        self.begin_row()

    def begin_row(self) -> None:
        """Begin with no terms."""
        self.size = 0
        self._quoted.size = 0
        self._begin_term()

    def _begin_term(self) -> None:
        self._pieces: list[str] = []
        self._characters = 0
        self._width = 1
        # The characters before the innermost term that has begun, within a quoted triple.
        self._inner_from = _NO_TERM

    def add(self, *pieces: str) -> None:
        """Add pieces to the term.

        Raises:
            Violation: the row is too long.
        """
        for piece in pieces:
            self._characters += len(piece)
            if not piece.isascii():
                self._width = max(self._width, _width(piece))
        self._check()
        self._pieces += pieces

    def end_term(self) -> str:
        """Return the term's text, and begin another term."""
        pieces = self._pieces
        self.size += self._characters * self._width
        self._begin_term()
        return "".join(pieces)

    def begin_inner_term(self) -> None:
        """Begin a term inside a quoted triple: add the blank before it."""
        self._pieces.append(" ")
        self._characters += 1
        self._inner_from = self._characters

    def end_inner_term(self) -> None:
        """End the term that `begin_inner_term` began, and count it if it is no quoted triple.

        Raises:
            Violation: the row is too long.
        """
        # The terms inside of a quoted triple have ended, and were counted.
        if self._inner_from != _NO_TERM:
            self._quoted.add((self._characters - self._inner_from) * self._width)
            self._inner_from = _NO_TERM

    def add_escaped(self, escape: Callable[[str], str], text: str) -> None:
        """Add a text, given what escapes each of its characters."""
        if len(text) <= _PIECE:
            self.add(escape(text))
            return
        starts = range(0, len(text), _PIECE)
        if all(escape(piece) == piece for at in starts if (piece := text[at : at + _PIECE])):
            # No copy is needed.
            self.add(text)
            return
        for at in starts:
            self.add(escape(text[at : at + _PIECE]))

    def add_unescaped(self, escape: Callable[[str], str], text: str) -> None:
        """Add a text whose escapes are replaced first, given what escapes each character then."""
        if "\\" not in text:
            self.add_escaped(escape, text)
            return
        for piece in unescape_pieces(text):
            self.add(escape(piece))

    def unescape(self, text: str) -> str:
        """Return a text with its escapes replaced; it is not added to the row.

        Raises:
            Violation: it is too long for any row.
        """
        if "\\" not in text:
            return text
        result = RowText(self._limit)
        result.add_unescaped(str, text)
        return result.end_term()

    def add_iri(self, iri: str) -> None:
        """Add an IRI, given without escapes; see `terms.format_iri`."""
        if iri.startswith("_:"):
            self.add("<\\u005F")
            iri = iri[1:]
        else:
            self.add("<")
        self.add_escaped(escape_iri, iri)
        self.add(">")

    def add_blank_node(self, label: str) -> None:
        """Add a blank node; see `terms.format_blank_node`."""
        if is_canonical_label(label):
            self.add("_:", label)
        else:
            self.add("<_:")
            self.add_escaped(escape_iri, label)
            self.add(">")

    def add_lexical(self, lexical: str) -> None:
        """Add the part of a literal in its quotes, and these."""
        self.add('"')
        self.add_escaped(escape_lexical, lexical)
        self.add('"')

    def add_language(self, tag: str) -> None:
        """Add the part of a literal after its quotes; see `terms.format_language`."""
        if tag:
            self.add("@")
            self.add_escaped(escape_tag, tag)

    def add_datatype(self, datatype: str) -> None:
        """Add the part of a literal after its quotes; see `terms.format_datatype`."""
        if datatype != XSD_STRING:
            self.add("^^")
            self.add_iri(datatype)

    def count(self, text: str | None) -> None:
        """Count a complete term, or a name; None counts nothing.

        Raises:
            Violation: the row is too long.
        """
        if text is not None:
            self.size += text_size(text)
            self._check()

    def _check(self) -> None:
        if self.size + self._characters * self._width > self._limit:
            raise longer_row(self._limit)
