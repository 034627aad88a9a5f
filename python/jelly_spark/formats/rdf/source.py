"""The bytes that pyoxigraph's parser reads, watched on their way."""

from __future__ import annotations

from functools import partial
from typing import BinaryIO
from xml.parsers import expat

from jelly_spark.core.malformed_input import Violation
from jelly_spark.formats.rdf.blank_nodes import BlankNodeLabels
from jelly_spark.formats.rdf.nesting import JsonNesting, TripleTermNesting, XmlNesting
from jelly_spark.formats.rdf.recent_source import RecentSource
from jelly_spark.formats.rdf.source_marks import SourceMarks

_BYTE_ORDER_MARK = "\ufeff".encode()

_FIRST_BYTES = 1 << 16
"""How many bytes are read at once first: they identify a stream without a name."""


class ParserInput:
    """A stream that passes on what another one returns, and checks what the parser does not.

    The parser accepts RDF/XML that ends too early, and its stack overflows if parts are nested too
    deep. It takes a byte order mark for a term. Turtle, TriG and N3 get marks for what it would
    lose.

    Args:
        stream: the stream.
        labels: what notes the labels in the file.
        syntax: the syntax of the file.

    Attributes:
        rows: the number of statements that the parser has returned, which its user counts.
        size: the number of bytes read.
        place: the line and the column of the error that `read` raised; None if they are not known.
        marks: the marks in the source; None in RDF/XML and JSON-LD.
    """

    def __init__(self, stream: BinaryIO, labels: BlankNodeLabels, syntax: str) -> None:
        self._stream = stream
        self._labels = labels
        self._xml = expat.ParserCreate() if syntax == "rdfxml" else None
        self._json = JsonNesting() if syntax == "jsonld" else None
        self._triple_terms = TripleTermNesting()
        if self._xml is not None:
            XmlNesting(self._xml)
        is_turtle = self._xml is None and self._json is None
        self.marks = SourceMarks() if is_turtle else None
        self._recent = RecentSource()
        # What has been read, but not returned yet; None before the first bytes.
        self._ready: bytes | None = None
        # The number of statements when the last bytes were read.
        self._rows = 0
        self.rows = 0
        self.size = 0
        self.place: tuple[int, int] | None = None

    @property
    def line(self) -> int | None:
        """The number of the line of XML up to which the file has been read, from 1."""
        return None if self._xml is None else self._xml.CurrentLineNumber

    def read(self, size: int = -1) -> bytes:
        """Return up to `size` bytes, or empty bytes at the end.

        Raises:
            Violation: the file is not well-formed XML, or parts are nested too deep.
        """
        if self._ready is None:
            self._ready = self._passed(self._read_first())
        while not self._ready:
            data = self._stream.read(size)
            self._ready = self._passed(data)
            if not data:
                break
        end = len(self._ready) if size < 0 else size
        data, self._ready = self._ready[:end], self._ready[end:]
        return data

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
        self._watch(data)
        if self.marks is None:
            return data
        self._recent.add(data)
        return self.marks.mark(data, is_last=not data)

    def _read_first(self) -> bytes:
        """Return the first bytes, without a byte order mark, which XML's parsers know."""
        first = b""
        while len(first) < _FIRST_BYTES:
            data = self._stream.read(_FIRST_BYTES - len(first))
            if not data:
                break
            first += data
        if self._xml is None and first.startswith(_BYTE_ORDER_MARK):
            self.size = len(_BYTE_ORDER_MARK)
        return first[self.size :]

    def _watch(self, data: bytes) -> None:
        self.size += len(data)
        self._labels.watch(data)
        if self._xml is not None:
            self._check_xml(self._xml, data)
        elif self._json is not None:
            self._json.watch(data)
        else:
            if self._rows != self.rows:
                self._rows = self.rows
                self._triple_terms.restart()
            self._triple_terms.watch(data)

    def _check_xml(self, parser: expat.XMLParserType, data: bytes) -> None:
        try:
            parser.Parse(data, not data)
        except expat.ExpatError as error:
            self.place = (error.lineno, error.offset + 1)
            raise Violation(
                "well-formed XML", f"an error: {expat.ErrorString(error.code)}"
            ) from None
