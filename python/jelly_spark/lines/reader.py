"""Reading N-Triples and N-Quads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from io import BytesIO
from itertools import count, repeat
from typing import BinaryIO, ClassVar, cast

from jelly_spark.core.files import Readable
from jelly_spark.core.malformed_input import Place, Violation, in_line, in_line_of_part
from jelly_spark.core.options import check_bool, check_part
from jelly_spark.core.reader import RowReader
from jelly_spark.core.row_size import DEFAULT_MAX_ROW_SIZE, check_max_row_size
from jelly_spark.core.rows import RdfRow
from jelly_spark.core.text_input import TextInput
from jelly_spark.lines.fast_path import line_patterns, to_canonical
from jelly_spark.lines.parser import StatementParser
from jelly_spark.lines.part import LinePart

# How much of a line that is not complete is read again.
_LONG_LINE = 1 << 16
# The most bytes of a character.
_CHARACTER = 4
_LINES = {has_graphs: line_patterns(has_graphs=has_graphs) for has_graphs in (False, True)}


class LineReader(RowReader[RdfRow]):
    """Iterates over the statements of a file of N-Triples or N-Quads, as `RowReader` says.

    Args:
        file: path, URL, bytes, or stream of bytes, which must be seekable to read a part that does
            not begin at 0.
        strict: whether what RDF 1.1 does not have is an error: quoted triples, and language tags
            with a base direction.
        max_row_size: the most bytes of a row: of its line, and of its terms as canonical strings.
        part: a pair of byte offsets `0 <= start <= end`. The reader reads the lines that begin from
            `start` to before `end`; a line begins at the start of the file, and after each line
            feed and carriage return. In a part that does not begin at 0, rows have no `seq`. If the
            file is compressed, the part that begins at 0 is the whole file, and other parts are
            empty. None for the whole file.

    Raises:
        OptionError: an argument is not valid.
    """

    has_graphs: ClassVar[bool]
    """Whether statements may have graphs."""

    def __init__(
        self,
        file: Readable,
        *,
        strict: bool = False,
        max_row_size: int = DEFAULT_MAX_ROW_SIZE,
        part: tuple[int, int] | None = None,
    ) -> None:
        check_bool("strict", strict)
        check_max_row_size(max_row_size)
        check_part(part)
        self._strict = strict
        self._max_row_size = max_row_size
        self._part = part
        # Where the part begins, and what numbers its rows.
        self._start = 0
        self._number: Callable[[], int | None] = count().__next__
        super().__init__(file)

    def _read(self, stream: BinaryIO) -> Iterator[RdfRow]:
        limit = self._max_row_size
        source = TextInput(self._lines_of_part(stream), limit)
        parser = self._parser = StatementParser(
            source, limit, has_graphs=self.has_graphs, strict=self._strict
        )
        if self._start == 0:
            source.skip_byte_order_mark()
        find_lines = _LINES[self.has_graphs].canonical.finditer
        common = _LINES[self.has_graphs].common.match
        number = self._number
        new = tuple.__new__
        line: re.Match[str] | None
        other: re.Match[str] | None
        while True:
            text = source.text
            at = source.at
            # The common case. It takes what `next` takes, only faster. It counts nothing, so it
            # takes no text in which a line could be too long.
            if source.is_utf8 and len(text) * _CHARACTER <= limit:
                end = max(at, text.rfind("\n", at) + 1)
                for line in find_lines(text, at, end):
                    subject, predicate, obj, graph = line.groups()
                    if subject is None:
                        other = common(text, line.start())
                        if other is None:
                            at = line.start()
                            break
                        subject, predicate, obj, graph = map(to_canonical, other.groups())
                    # As the class does it, without a call of its `__new__`.
                    yield new(
                        RdfRow,
                        (subject, predicate, obj, graph, None, None, None, number()),
                    )
                else:
                    at = end
                line = other = None
            source.at = at
            if not source.ended and len(text) - at < _LONG_LINE and text.find("\n", at) < 0:
                source.more(at)
                continue
            # The parser may need memory for a text of its own.
            text = ""
            statement = parser.next()
            if statement is None:
                return
            yield RdfRow(*statement, seq=number())

    def _lines_of_part(self, stream: BinaryIO) -> BinaryIO:
        if self._part is None:
            return stream
        start, end = self._part
        if self._input.compressed:
            # It cannot be read from its middle, so that it has no parts, as for Spark.
            return stream if start == 0 < end else BytesIO()
        part = LinePart(stream, start, end)
        self._start = part.offset
        if self._start > 0:
            self._number = repeat(None).__next__
        return cast(BinaryIO, part)

    def _place(self, violation: Violation) -> Place:
        line, offset = self._parser.place
        row = self._number()
        return in_line_of_part(self._start + offset) if row is None else in_line(offset, row, line)
