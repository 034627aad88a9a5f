"""Marks in Turtle, TriG and N3 for what pyoxigraph's parser would lose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from secrets import token_hex
from string import ascii_uppercase

from jelly_spark.core.terms.text import ESCAPED_IN_IRI

# From each byte of a tag to a digit: 1 for upper-case letters.
_CASE = bytes(b"01"[chr(code) in ascii_uppercase] for code in range(256))
# A tag comes after a quote or white space; to mark all that looks like one could make a string too
# long for the parser. It ends where the parser ends it: what comes after may not go on in a mark,
# as in `"x"@EN1`, which is two terms of a list.
_TAG = re.compile(
    rb"""@(?<![^"'\s]@)(?=[A-Za-z0-9-]*[A-Z])[A-Za-z]+(?:-[A-Za-z0-9]+)*(?![A-Za-z0-9])"""
)
# Tags with more bytes get no mark, and are not held back.
_LONGEST_TAG = 1 << 12
_IRI_CHAR = f"[^{ESCAPED_IN_IRI}]".encode()
# An IRI with escapes, and the escape of a character that an IRI cannot hold without one.
_ESCAPED_IRI = re.compile(rb"<%b*(?:\\[uU]%b*)+>" % (_IRI_CHAR, _IRI_CHAR))
_ESCAPE = re.compile(rb"\\(?:u|U0000)00(?:[01][0-9A-Fa-f]|2[02]|3[CEce]|5[CEce]|60|7[BCDbcd])")
# A tag or an IRI that may go on in the next bytes.
_OPEN_TAG = re.compile(rb"@[A-Za-z0-9-]*")
_OPEN_IRI = re.compile(rb'<[^\x00-\x20<>"{}|^`]*')
# IRIs with more bytes are not held back.
_LONGEST_IRI = 1 << 16


class SourceMarks:
    r"""Marks what the parser would lose, and restores it in what the parser returns.

    The parser makes language tags lower-case, so `@de-AT` becomes `@de-AT-MARK-00011z`, where
    1 is for letters that are upper-case, and z ends the mark: what the parser puts after it, such
    as the character of an escape, is not part of it. It returns `\u0020` in an IRI as a space,
    which it would also accept without the escape, so the escape becomes `MARKu00000020`. Strings
    and comments can have such marks, too, and get back what they had. A mark has 64 random bits, so
    that no file has it by itself.

    Attributes:
        text: what all marks have.
    """

    def __init__(self) -> None:
        # Begins with a letter, and has no upper-case ones.
        mark = f"x{token_hex(8)}"
        self.text = mark
        self._tag_end = b"-%b-%%bz" % mark.encode()
        # The end of the source, which may be the beginning of something to mark.
        self._held = b""
        # The byte before.
        self._before = b""

    def mark(self, data: bytes, *, is_last: bool) -> bytes:
        """Return the next bytes of the source with marks.

        Args:
            data: the next bytes.
            is_last: whether no more come; if not, the last ones may be returned by the next call.
        """
        data = self._held + data
        end = len(data) if is_last else _closed(data)
        self._held = data[end:]
        data = data[:end]
        before, self._before = self._before, data[-1:] or self._before
        # Tags first: a mark of an escape looks like a part of a tag.
        if b"@" in data:
            data = _TAG.sub(self._mark_tag, before + data)[len(before) :]
        if b"\\" in data and _ESCAPE.search(data):
            data = _ESCAPED_IRI.sub(self._mark_iri, data)
        return data

    def is_in(self, text: str) -> bool:
        """Return whether a text that the parser returned has marks."""
        return self.text in text

    def restore(self, text: str) -> str:
        """Return a text that the parser returned without marks."""
        if not self.is_in(text):
            return text
        # Not compiled before: most files have none.
        text = re.sub(f"@([A-Za-z0-9-]+)-{self.text}-([01]+)z", _restore_tag, text)
        return re.sub(f"{self.text}u([0-9a-f]{{8}})", _restore_escape, text)

    def column(self, line: bytes, column: int) -> int:
        """Return the column in a line of the source, given the one that the parser has.

        Args:
            line: the line in the source.
            column: the column, in characters from 1.
        """
        moved = 0
        for end, added in sorted(self._changes(line)):
            if end + moved >= column - 1:
                break
            moved = min(moved + added, column - 1 - end)
        return column - moved

    def _changes(self, line: bytes) -> Iterator[tuple[int, int]]:
        """Yield where each mark is in a line, in characters from 0, and how many it adds."""
        for iri in _ESCAPED_IRI.finditer(line):
            for escape in _ESCAPE.finditer(iri[0]):
                end = iri.start() + escape.end()
                yield _characters(line[:end]), len(self._mark_escape(escape)) - len(escape[0])
        for tag in _TAG.finditer(line):
            yield _characters(line[: tag.end()]), len(self._mark_tag(tag)) - len(tag[0])

    def _mark_tag(self, match: re.Match[bytes]) -> bytes:
        tag = match[0]
        if len(tag) > _LONGEST_TAG:
            return tag
        return tag + self._tag_end % tag[1:].translate(_CASE)

    def _mark_iri(self, match: re.Match[bytes]) -> bytes:
        return _ESCAPE.sub(self._mark_escape, match[0])

    def _mark_escape(self, match: re.Match[bytes]) -> bytes:
        return f"{self.text}u{int(match[0][2:], 16):08x}".encode()


def _closed(data: bytes) -> int:
    """Return the index before which all tags and IRIs end, but for those that are too long."""
    end = len(data)
    # One byte more, because a hyphen at the end may or may not belong to the tag.
    tag = data.rfind(b"@", max(0, end - _LONGEST_TAG - 1))
    if tag >= 0 and _OPEN_TAG.fullmatch(data, tag):
        end = tag
    iri = data.rfind(b"<", 0, end)
    if len(data) - _LONGEST_IRI <= iri and iri >= 0 and _OPEN_IRI.fullmatch(data, iri):
        end = iri
    return end


def _restore_tag(match: re.Match[str]) -> str:
    letters = zip(match[1], match[2], strict=True)
    return "@" + "".join(letter.upper() if case == "1" else letter for letter, case in letters)


def _restore_escape(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def _characters(data: bytes) -> int:
    return len(data.decode("utf-8", "replace"))
