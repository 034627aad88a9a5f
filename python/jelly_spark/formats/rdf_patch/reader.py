"""Reading RDF Patch texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO

from jelly_spark.core.files import Readable
from jelly_spark.core.malformed_input import Place, Violation, in_line
from jelly_spark.core.options import check_bool
from jelly_spark.core.reader import RowReader
from jelly_spark.core.row_size import DEFAULT_MAX_ROW_SIZE, check_max_row_size
from jelly_spark.core.rows import PatchRow, RowNumbering
from jelly_spark.core.terms import JENA_DEFAULT_GRAPHS
from jelly_spark.core.text_input import TextInput
from jelly_spark.core.transactions import TransactionCheck
from jelly_spark.formats.rdf_patch.fast_path import STATEMENT_LINE
from jelly_spark.formats.rdf_patch.options import RdfPatchOptions
from jelly_spark.formats.rdf_patch.parser import RowParser

# How much of a line that is not complete is read again.
_LONG_LINE = 1 << 16


def _match_nothing(text: str, at: int) -> None:
    """Match no line."""


class RdfPatchReader(RowReader[PatchRow]):
    """Iterates over the rows of a file of RDF Patch text, as `RowReader` says.

    It reads what Apache Jena reads: the current syntax and that of the first version, whose
    `@prefix` lines give no rows.

        with RdfPatchReader("changes.rdfp") as reader:
            for row in reader:
                print(row.op, row.subject)

    Args:
        file: path, URL, bytes, or stream of bytes.
        strict: whether transactions that do not alternate TX and TC or TA, or cross the end of
            their patch, are errors too.
        max_row_size: the most bytes of a row: of its lines, and of its terms as canonical strings.

    Raises:
        OptionError: an argument is not valid.
    """

    format = RdfPatchOptions.format

    def __init__(
        self,
        file: Readable,
        *,
        strict: bool = False,
        max_row_size: int = DEFAULT_MAX_ROW_SIZE,
    ) -> None:
        check_bool("strict", strict)
        check_max_row_size(max_row_size)
        self._strict = strict
        self._max_row_size = max_row_size
        # The ordinal of the row that is being read.
        self._row = 0
        super().__init__(file)

    def _read(self, stream: BinaryIO) -> Iterator[PatchRow]:
        source = TextInput(stream, self._max_row_size)
        parser = self._parser = RowParser(source, self._max_row_size)
        source.skip_byte_order_mark()
        numbering = RowNumbering()
        number = numbering.number
        transactions = TransactionCheck(numbering, strict=self._strict)
        plain: Callable[[str, int], re.Match[str] | None]
        expand = parser.expand
        last = parser.last
        seq = -1
        while True:
            text = source.text
            at = source.at
            # The common case. It takes what `next` takes, only faster. It counts nothing, so it
            # takes no text in which a term could be long.
            short = len(text) <= parser.longest and not parser.was_long
            plain = STATEMENT_LINE.match if short else _match_nothing
            while match := plain(text, at):
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
                # The pattern takes the codes A and D only.
                yield PatchRow(op, subject, predicate, obj, graph, None, None, patch, tx, seq)  # type: ignore[arg-type]
            source.at = at
            if not source.ended and len(text) - at < _LONG_LINE and text.find("\n", at) < 0:
                source.more(at)
                continue
            self._row = seq + 1
            # The parser may need memory for a text of its own.
            text = ""
            columns = parser.next()
            if columns is None:
                break
            transactions.check(columns.op)
            patch, tx, seq = number(columns.op)
            yield PatchRow(*columns, patch, tx, seq)
        transactions.check_end()

    def _place(self, violation: Violation) -> Place:
        line, offset = self._parser.place
        return in_line(offset, self._row, line)


def read_rdf_patch(
    file: Readable, *, strict: bool = False, max_row_size: int = DEFAULT_MAX_ROW_SIZE
) -> Iterator[PatchRow]:
    """Yield the rows of an RDF Patch text; the arguments and errors are those of `RdfPatchReader`.

    Nothing is opened before the first row is asked for.

        added = [row for row in read_rdf_patch("changes.rdfp") if row.op == "A"]
    """
    with RdfPatchReader(file, strict=strict, max_row_size=max_row_size) as reader:
        yield from reader
