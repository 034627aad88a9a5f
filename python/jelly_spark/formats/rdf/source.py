"""The bytes that pyoxigraph's parser reads, watched on their way."""

from __future__ import annotations

from typing import BinaryIO
from xml.parsers import expat

from jelly_spark.core.malformed_input import Violation
from jelly_spark.formats.rdf.blank_nodes import BlankNodeLabels

_BYTE_ORDER_MARK = "\ufeff".encode()
_TRIPLE_TERM = b"<<("
# Dropping a triple term that is nested some ten thousands deep overflows the parser's stack, and
# ends the process. Terms have far fewer levels.
_MOST_TRIPLE_TERMS = 1000


class ParserInput:
    """A stream that passes on what another one returns, and checks what the parser does not.

    The parser accepts RDF/XML that ends too early, and its stack overflows on deeply nested triple
    terms. It takes a byte order mark for a term.

    Args:
        stream: the stream.
        labels: what notes the labels in the file.
        is_xml: whether the file is XML.

    Attributes:
        rows: the number of statements that the parser has returned, which its user counts.
        size: the number of bytes read.
        place: the line and the column of the error that `read` raised; None if they are not known.
    """

    def __init__(self, stream: BinaryIO, labels: BlankNodeLabels, *, is_xml: bool) -> None:
        self._stream = stream
        self._labels = labels
        self._xml = expat.ParserCreate() if is_xml else None
        # The number of triple terms that began since the parser returned a statement, and the
        # number of statements then.
        self._triple_terms = 0
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
            Violation: the file is not well-formed XML, or triple terms are nested too deeply.
        """
        data = self._stream.read(size)
        if self._xml is not None:
            self._check_xml(self._xml, data)
        elif self.size == 0 and data.startswith(_BYTE_ORDER_MARK):
            self.size = len(_BYTE_ORDER_MARK)
            data = data[self.size :] or self._stream.read(size)
        self.size += len(data)
        self._labels.watch(data)
        self._check_nesting(data)
        return data

    def _check_xml(self, parser: expat.XMLParserType, data: bytes) -> None:
        try:
            parser.Parse(data, not data)
        except expat.ExpatError as error:
            self.place = (error.lineno, error.offset + 1)
            raise Violation(
                "well-formed XML", f"an error: {expat.ErrorString(error.code)}"
            ) from None

    def _check_nesting(self, data: bytes) -> None:
        if self._rows != self.rows:
            self._rows = self.rows
            self._triple_terms = 0
        self._triple_terms += data.count(_TRIPLE_TERM)
        if self._triple_terms > _MOST_TRIPLE_TERMS:
            raise Violation("a statement", f"more than {_MOST_TRIPLE_TERMS} nested triple terms")
