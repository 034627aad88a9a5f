"""Reading RDF Patch text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import BinaryIO

from jelly_spark.core.files.hints import Beginning, matcher
from jelly_spark.core.malformed_input import Place, Violation, in_line
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import PatchRow, RowNumbering
from jelly_spark.core.terms import IRI_CHAR, JENA_DEFAULT_GRAPHS, LEXICAL_CHAR, SURROGATES
from jelly_spark.core.terms.patterns import literal_pattern
from jelly_spark.core.terms.text import CANONICAL_LABEL, XSD_STRING
from jelly_spark.core.text.input import TextInput
from jelly_spark.core.transactions import TransactionCheck
from jelly_spark.formats.rdf_patch.options import RdfPatchOptions
from jelly_spark.formats.rdf_patch.parser import RowParser
from jelly_spark.formats.rdf_patch.token_patterns import ROW_START, START

# The most characters of an incomplete line that are scanned again after more text is read.
_LONG_LINE = 1 << 16

# The fast path matches lines of the common shape: one space between terms, and each term in
# canonical form or in a short form (`R`, a prefixed name, a number or a boolean), which
# `RowParser.expand` expands. Invariant: for each line that matches, the parser would return the
# same row.
_IRI = f"<(?!_:){IRI_CHAR}*>"
_LITERAL = literal_pattern(_IRI, LEXICAL_CHAR, (XSD_STRING,))
_SHORT_FORM = rf"""[A-Za-z0-9:+.-][^\x00-\x20<>"'{SURROGATES}]*"""
_TERM = rf"({_IRI}|{_LITERAL}|<_:{CANONICAL_LABEL}>|_:{CANONICAL_LABEL}|{_SHORT_FORM})"


@cache
def _statement_line() -> re.Pattern[str]:
    """Return the pattern of a whole line.

    Its groups are the row code, the three terms, and the graph, if there is one. It is compiled at
    the first call: compiling takes longer than most imports.
    """
    return re.compile(rf"[ \t\r\n\f]*([AD]) {_TERM} {_TERM} {_TERM}(?: {_TERM})? \.\r?\n")


class RdfPatchReader(RowReader[PatchRow]):
    """Iterates over the rows of an RDF Patch text file; see `RowReader`.

    Like Apache Jena, the reader accepts the current syntax and that of the first version, whose
    `@prefix` lines are not returned as rows.

        with RdfPatchReader("changes.rdfp") as reader:
            for row in reader:
                print(row.op, row.subject)

    Args:
        file: path, URL, bytes, or stream of bytes.
        strict: whether to reject transactions that are not closed by `TC` or `TA` before the next
            `TX` and before the end of their patch, `TC` or `TA` without a transaction, and a header
            without a dot at the end of its line, as rdflib 7.6 writes `prev`.
        max_row_size: the largest size of a row in bytes, from 1 to 2147483647, both of its lines
            and of its terms as canonical strings.

    Raises:
        OptionError: an argument has a wrong type or is out of range.
    """

    format = RdfPatchOptions.format
    row = PatchRow
    start = START
    beginnings = (
        Beginning(format, "RDF Patch text: read it with the format rdf_patch", matcher(ROW_START)),
    )
    is_text = True
    columns: tuple[str, ...] = PatchRow._fields

    def _read(self, stream: BinaryIO) -> Iterator[PatchRow]:
        # The ordinal of the row that is being read.
        self._row = 0
        source = TextInput(stream, self._max_row_size)
        parser = self._parser = RowParser(source, self._max_row_size, strict=self._strict)
        source.skip_byte_order_mark()
        numbering = RowNumbering()
        number = numbering.number
        transactions = TransactionCheck(numbering, strict=self._strict)
        match_statement = _statement_line().match
        expand = parser.expand
        last = parser.last
        seq = -1
        while True:
            text = source.text
            at = source.at
            # Fast path for lines of the common shape. It does not count the sizes of rows, so it is
            # used only where no term can be long.
            short = len(text) <= parser.longest and not parser.was_long
            while short and (match := match_statement(text, at)):
                op, subject, predicate, obj, graph = match.groups()
                if subject[0] != "<" or subject[1] == "_":
                    subject = expand(subject, 0)
                if predicate[0] != "<" or predicate[1] == "_":
                    predicate = expand(predicate, 1)
                if obj[0] != '"' and (obj[0] != "<" or obj[1] == "_"):
                    obj = expand(obj, 2)
                if subject is None or predicate is None or obj is None:
                    break
                if graph is not None:
                    graph = expand(graph, 3)
                    if graph is None:
                        break
                    last[3] = graph
                    if graph in JENA_DEFAULT_GRAPHS:
                        graph = None
                last[0] = subject
                last[1] = predicate
                last[2] = obj
                at = match.end()
                patch, tx, seq = number(op)
                # The pattern matches only the codes A and D.
                yield PatchRow(op, subject, predicate, obj, graph, None, None, patch, tx, seq)  # type: ignore[arg-type]
            source.at = at
            if not source.ended and len(text) - at < _LONG_LINE and text.find("\n", at) < 0:
                source.more(at)
                continue
            self._row = seq + 1
            # Free the text: the parser may need the memory.
            text = ""
            row = parser.next()
            if row is None:
                break
            transactions.check(row.op)
            patch, tx, seq = number(row.op)
            yield PatchRow(*row[:7], patch, tx, seq)
        transactions.check_end()

    def _place(self, violation: Violation) -> Place:
        line, offset = self._parser.place
        return in_line(offset, self._row, line)
