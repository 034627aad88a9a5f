"""The limit on the size of a row, and building the strings of its terms within that limit.

A short file can hold long rows, because lookup entries, prefixes and repeated terms refer to text
that occurs once. So the size of a row is checked while the pieces of its terms are collected, and
before they are joined.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Final

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.options import check_size
from jelly_spark.core.terms import unescape_pieces
from jelly_spark.core.terms.text import (
    XSD_STRING,
    escape_iri,
    escape_lexical,
    escape_tag,
    is_canonical_label,
)

DEFAULT_MAX_ROW_SIZE: Final = 1 << 26
"""The default of the reader's option `max_row_size`: the largest size of a row in bytes."""

# The largest size of an array on the JVM, in bytes.
_MOST: Final = 2**31 - 1

# The size of a string that is not ASCII, in bytes, without its characters.
_HEADER: Final = sys.getsizeof("\xe9") - 2
# Long bytes and texts are processed in chunks of this many bytes, and pieces of this many
# characters.
_CHUNK: Final = 1 << 20
_PIECE: Final = 1 << 16
# The smallest size that a term in a triple term counts as, in bytes; the same on the JVM.
_MIN_INNER_TERM: Final = 64
# The value of `_inner_from` while there is no inner term.
_NO_TERM: Final = -1
_CONTINUATION_BYTES: Final = bytes(range(0x80, 0xC0))
# By the size of a character: the first bytes in UTF-8 of characters from U+10000, from U+0100, and
# from U+0080 on.
_FIRST_BYTES: Final = (
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
    """Return an upper bound for the size of a text in bytes, both in UTF-8 and in memory.

    Every character counts as many bytes as the widest one takes in UTF-8.
    """
    return len(text) * _width(text)


def _width(text: str) -> int:
    if text.isascii():
        return 1
    # CPython stores 1, 2 or 4 bytes for each character, and for a NUL at the end (PEP 393).
    per_character = (sys.getsizeof(text) - _HEADER) // (len(text) + 1)
    return min(per_character + 1, 4)


def check_decoded_size(data: bytes | memoryview, limit: int) -> None:
    """Check the `text_size` of a text before it is decoded from UTF-8.

    Raises:
        Violation: the size is above the limit.
    """
    # Fast path: there are at most as many characters as bytes, with at most four bytes each.
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
    """The memory for lookup entries or prefixes, which a stream declares once and then refers to.

    Args:
        what: what is declared, in the plural, for error messages.
        max_row_size: the reader's option; all declarations together may take half of it.

    Attributes:
        limit: the largest size of all declarations together, in bytes.
    """

    __slots__ = ("_used", "_what", "limit")

    def __init__(self, what: str, max_row_size: int) -> None:
        self._what = what
        self.limit = max_row_size // 2
        self._used = 0

    def take(self, size: int) -> None:
        """Reserve this many bytes, or release them if the number is negative.

        Raises:
            Violation: the limit is exceeded.
        """
        self._used += size
        if self._used > self.limit:
            raise Violation(
                f"{self._what} of at most {self.limit} bytes together (half of option maxRowSize)",
                "longer ones",
            )


class TripleTermSize:
    """Counts the sizes of the terms inside the triple terms of a row while they are read.

    So a row that is too long is rejected before memory is allocated for it.

    Args:
        limit: the largest size of all these terms together, in bytes.

    Attributes:
        size: the bytes counted so far. The caller sets it to 0 at the beginning of each row.
    """

    __slots__ = ("_limit", "size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self.size = 0

    def add(self, term: int) -> None:
        """Add a term of this many bytes; a short one counts as 64 bytes, the size of an object.

        Raises:
            Violation: the limit is exceeded.
        """
        self.size += term if term > _MIN_INNER_TERM else _MIN_INNER_TERM
        if self.size > self._limit:
            raise longer_row(self._limit)

    def add_terms(self, *terms: str) -> None:
        """Add the terms of a triple term, as strings, except inner triples.

        The terms of inner triples have been added already.

        Raises:
            Violation: the limit is exceeded.
        """
        for term in terms:
            if not term.startswith("<<"):
                self.add(text_size(term))


class RowText:
    """Builds the canonical strings of a row's terms from pieces, which are joined once per term.

    Terms of any length take little more memory than their strings: each piece is escaped by itself,
    and the pieces of a triple term are joined only at its end.

    Args:
        limit: the largest size of the row in bytes, as `text_size` counts them.

    Attributes:
        size: the size of the row's complete terms, in bytes.
    """

    __slots__ = ("_characters", "_inner_from", "_limit", "_pieces", "_triples", "_width", "size")

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._triples = TripleTermSize(limit)
        self.begin_row()

    def begin_row(self) -> None:
        """Begin a row, which has no terms yet."""
        self.size = 0
        self._triples.size = 0
        self._begin_term()

    def _begin_term(self) -> None:
        self._pieces: list[str] = []
        self._characters = 0
        self._width = 1
        # Within a triple term: the number of characters before the current inner term.
        self._inner_from = _NO_TERM

    def add(self, *pieces: str) -> None:
        """Add pieces to the current term.

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
        """Return the string of the current term, and begin the next term."""
        pieces = self._pieces
        self.size += self._characters * self._width
        self._begin_term()
        return "".join(pieces)

    def begin_triple_term(self) -> None:
        """Begin a triple term, whose terms follow as inner terms."""
        self.add("<<(")

    def end_triple_term(self) -> None:
        """End the triple term that `begin_triple_term` began."""
        self.add(" )>>")

    def begin_inner_term(self) -> None:
        """Begin a term inside a triple term, with the space before it."""
        self._pieces.append(" ")
        self._characters += 1
        self._inner_from = self._characters

    def end_inner_term(self) -> None:
        """End the term that `begin_inner_term` began, and count it unless it is a triple term.

        Raises:
            Violation: the row is too long.
        """
        # At the end of a triple term, its terms have been counted.
        if self._inner_from != _NO_TERM:
            self._triples.add((self._characters - self._inner_from) * self._width)
            self._inner_from = _NO_TERM

    def add_escaped(self, escape: Callable[[str], str], text: str) -> None:
        """Add a text, escaped piece by piece with the function `escape`."""
        if len(text) <= _PIECE:
            self.add(escape(text))
            return
        starts = range(0, len(text), _PIECE)
        if all(escape(piece) == piece for at in starts if (piece := text[at : at + _PIECE])):
            # Nothing to escape, so no copy is needed.
            self.add(text)
            return
        for at in starts:
            self.add(escape(text[at : at + _PIECE]))

    def add_unescaped(self, escape: Callable[[str], str], text: str) -> None:
        """Replace the escapes in a text, and add it, escaped with the function `escape`."""
        if "\\" not in text:
            self.add_escaped(escape, text)
            return
        for piece in unescape_pieces(text):
            self.add(escape(piece))

    def unescape(self, text: str) -> str:
        """Return a text with its escapes replaced, without adding it to the row.

        Raises:
            Violation: the text is longer than a row may be.
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
        """Add the lexical form of a literal, with its quotes."""
        self.add('"')
        self.add_escaped(escape_lexical, lexical)
        self.add('"')

    def add_language(self, tag: str) -> None:
        """Add the language tag of a literal; see `terms.format_language`."""
        if tag:
            self.add("@")
            self.add_escaped(escape_tag, tag)

    def add_datatype(self, datatype: str) -> None:
        """Add the datatype of a literal; see `terms.format_datatype`."""
        if datatype != XSD_STRING:
            self.add("^^")
            self.add_iri(datatype)

    def count(self, text: str | None) -> None:
        """Count a complete term or a name without adding it; None counts as 0.

        Raises:
            Violation: the row is too long.
        """
        if text is not None:
            self.size += text_size(text)
            self._check()

    def _check(self) -> None:
        if self.size + self._characters * self._width > self._limit:
            raise longer_row(self._limit)
