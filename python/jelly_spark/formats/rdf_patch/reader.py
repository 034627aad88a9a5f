"""Reading RDF Patch texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from jelly_spark.core.files import Readable
from jelly_spark.core.malformed_input import Place, Violation, in_line
from jelly_spark.core.options import check_bool
from jelly_spark.core.reader import RowReader
from jelly_spark.core.rows import PatchRow, RowNumbering
from jelly_spark.core.terms import JENA_DEFAULT_GRAPHS
from jelly_spark.core.transactions import TransactionCheck
from jelly_spark.formats.rdf_patch.fast_path import STATEMENT_LINE
from jelly_spark.formats.rdf_patch.options import RdfPatchOptions
from jelly_spark.formats.rdf_patch.parser import RowParser
from jelly_spark.formats.rdf_patch.text_input import TextInput

# How much of a line that is not complete is read again.
_LONG_LINE = 1 << 16


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

    Raises:
        OptionError: an argument is not valid.
    """

    format = RdfPatchOptions.format

    def __init__(self, file: Readable, *, strict: bool = False) -> None:
        check_bool("strict", strict)
        self._strict = strict
        # The ordinal of the row that is being read.
        self._row = 0
        super().__init__(file)

    def _read(self, stream: BinaryIO) -> Iterator[PatchRow]:
        source = TextInput(stream)
        parser = self._parser = RowParser(source)
        source.skip_byte_order_mark()
        numbering = RowNumbering()
        number = numbering.number
        transactions = TransactionCheck(numbering, strict=self._strict)
        plain = STATEMENT_LINE.match
        expand = parser.expand
        last = parser.last
        seq = -1
        while True:
            text = source.text
            at = source.at
            # The common case. It takes what `next` takes, only faster.
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


def read_rdf_patch(file: Readable, *, strict: bool = False) -> Iterator[PatchRow]:
    """Yield the rows of an RDF Patch text; the arguments and errors are those of `RdfPatchReader`.

    Nothing is opened before the first row is asked for.

        added = [row for row in read_rdf_patch("changes.rdfp") if row.op == "A"]
    """
    with RdfPatchReader(file, strict=strict) as reader:
        yield from reader
