"""The bytes that pyoxigraph's parser reads, watched on their way."""

from __future__ import annotations

from functools import partial
from typing import BinaryIO

from jelly_spark.core.malformed_input import Violation
from jelly_spark.formats.rdf.blank_nodes import BlankNodeLabels
from jelly_spark.formats.rdf.nesting import JsonNesting, TripleTermNesting
from jelly_spark.formats.rdf.plain_xml import PlainXml
from jelly_spark.formats.rdf.recent_source import RecentSource
from jelly_spark.formats.rdf.source_marks import SourceMarks

_BYTE_ORDER_MARK = "\ufeff".encode()

LONG_TOKEN = "buffer maximal size"
"""What pyoxigraph says, in a MemoryError, about a token that is too long."""

_FIRST_BYTES = 1 << 16
"""How many bytes are read at once first: they identify a stream without a name."""


class ParserInput:
    """A stream that passes on what another one returns, and checks what the parser does not.

    Its stack overflows if parts are nested too deep. It takes a byte order mark for a term. RDF/XML
    is written anew for it. Turtle, TriG and N3 get marks for what it would lose.

    Args:
        stream: the stream.
        labels: what notes the labels in the file.
        syntax: the syntax of the file.
        base: the IRI against which relative IRIs are resolved; may be empty.

    Attributes:
        rows: the number of statements that the parser has returned, which its user counts.
        size: the number of bytes read.
        place: the line and the column of the error that `read` raised; None if they are not known.
        xml: what writes RDF/XML anew; None in other syntaxes.
        marks: the marks in the source; None in RDF/XML and JSON-LD.
    """

    def __init__(self, stream: BinaryIO, labels: BlankNodeLabels, syntax: str, base: str) -> None:
        self._stream = stream
        self._labels = labels
        self.xml = PlainXml(base) if syntax == "rdfxml" else None
        self._json = JsonNesting()
        self._triple_terms = TripleTermNesting()
        self.marks = None if syntax in ("rdfxml", "jsonld") else SourceMarks()
        self._recent = RecentSource()
        # What the parser gets next, and how much of it it has taken.
        self._block = b""
        self._at = 0
        self._has_started = self._has_ended = False
        # The number of statements when the last bytes were read.
        self._rows = 0
        self.rows = 0
        self.size = 0
        self.place: tuple[int, int] | None = None

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes, or empty bytes at the end.

        Raises:
            Violation: the file is not well-formed XML, or parts are nested too deep.
        """
        while self._at == len(self._block) and not self._has_ended:
            data = self._stream.read(size) if self._has_started else self._read_first()
            self._has_started = True
            self._has_ended = not data
            self._block, self._at = self._passed(data), 0
        start = self._at
        self._at = len(self._block) if size < 0 else min(start + size, len(self._block))
        return self._block[start : self._at]

    def read_all(self) -> bytes:
        """Return the rest of the bytes; errors as `read`."""
        return b"".join(iter(partial(self.read, _FIRST_BYTES), b""))

    def column(self, line: int, column: int) -> int:
        """Return the column in the source, given the one that the parser has."""
        text = None if self.marks is None else self._recent.line(line)
        return column if self.marks is None or text is None else self.marks.column(text, column)

    def find(self, text: str) -> tuple[int, int] | None:
        """Return the line and the column of a text of Turtle that was read a short time ago.

        Returns:
            The place where it comes first; None if it is not there.
        """
        return self._recent.find(text.encode())

    def _passed(self, data: bytes) -> bytes:
        """Watch the next bytes of the file, and return those for the parser."""
        self.size += len(data)
        self._labels.watch(data)
        if self.xml is not None:
            return self._plain(self.xml, data)
        if self.marks is None:
            self._json.watch(data)
            return data
        if self._rows != self.rows:
            self._rows = self.rows
            self._triple_terms.restart()
        self._triple_terms.watch(data)
        self._recent.add(data)
        return self.marks.mark(data, is_last=not data)

    def _plain(self, xml: PlainXml, data: bytes) -> bytes:
        try:
            return xml.add(data)
        except Violation:
            self.place = xml.place
            raise

    def _read_first(self) -> bytes:
        """Return the first bytes, without a byte order mark, which XML's parsers know."""
        first = b""
        while len(first) < _FIRST_BYTES:
            data = self._stream.read(_FIRST_BYTES - len(first))
            if not data:
                break
            first += data
        if self.xml is None and first.startswith(_BYTE_ORDER_MARK):
            self.size = len(_BYTE_ORDER_MARK)
        return first[self.size :]
