"""A segment of a log's index in memory: text, of which only the needed blocks are parsed."""

from __future__ import annotations

import zlib
from bisect import bisect_right
from itertools import pairwise

from jelly_spark.log.entries.entry import Position
from jelly_spark.log.index.block import Block, decompress, parse, start_of_entry

_HEAD = b"\n{"
"""What precedes a block, except the first one: the line of an entry begins with `[`."""


class Segment:
    """The blocks of a segment, which follow each other.

    Args:
        text: the lines of the blocks.
        name: the name of the file, for messages.

    Raises:
        LogError: a block is of a newer version.
        ValueError: the blocks do not follow each other.
    """

    def __init__(self, text: bytes, name: str) -> None:
        self._text = text
        self._name = name
        # Where the blocks begin and end in the text.
        self._ends = [0]
        while (at := text.find(_HEAD, self._ends[-1])) >= 0:
            self._ends.append(at + 1)
        self._ends.append(len(text))
        # The position of the first patch of each block, and of the patch after the last one.
        self._firsts: list[int] = []
        end = 0
        for begin, stop in pairwise(self._ends):
            head = parse(text[begin : text.index(b"\n", begin) + 1], name)
            if head is None or (self._firsts and head.first != end):
                raise ValueError(f"{name} has a block that does not follow the one before it")
            self._firsts.append(head.first)
            end = head.first + text.count(b"\n", begin, stop) - 1
        self._firsts.append(end)
        self._blocks: dict[int, Block] = {}

    @classmethod
    def load(cls, data: bytes, name: str) -> Segment | None:
        """Return a segment, given its bytes; None if they are damaged.

        Raises:
            LogError: a block is of a newer version.
        """
        try:
            return cls(decompress(data), name)
        except (EOFError, OSError, ValueError, zlib.error):
            return None

    @property
    def first(self) -> int:
        """The position of the first patch."""
        return self._firsts[0]

    @property
    def next(self) -> int:
        """The position of the patch after the last one."""
        return self._firsts[-1]

    def block(self, position: int) -> Block | None:
        """Return the block with the patch at a position of the segment; None if it is damaged."""
        at = bisect_right(self._firsts, position) - 1
        found = self._blocks.get(at) or parse(self._lines(at), self._name)
        if found is None or found.next != self._firsts[at + 1]:
            return None
        self._blocks[at] = found
        return found

    def _lines(self, at: int) -> bytes:
        return self._text[self._ends[at] : self._ends[at + 1]]

    def find(self, id: str | None, end: int) -> Position | None:
        """Return the position of the last patch with an id that is before a position, if any.

        The id is searched for in the text.
        """
        wanted = b"\n" + start_of_entry(id)
        at = len(self._text)
        while (at := self._text.rfind(wanted, 0, at)) >= 0:
            block = bisect_right(self._ends, at) - 1
            found = self._firsts[block] + self._text.count(b"\n", self._ends[block], at)
            if found < end:
                return Position(found)
        return None
