"""What a Jelly file consists of: bytes by kind of row, lookup entries and their uses, terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, BinaryIO, ClassVar, cast

from google.protobuf.message import Message

from jelly_spark._proto.patch_pb2 import RdfPatchRow
from jelly_spark._proto.rdf_pb2 import RdfIri, RdfLiteral, RdfStreamRow, RdfTriple
from jelly_spark.codec import JellyPatchReader, JellyRdfReader, JellyReader
from jelly_spark.core.files.input_file import Readable
from jelly_spark.jelly.frames.frame_format import ROW_TAG
from jelly_spark.jelly.lookup_ids import BEFORE_FIRST
from jelly_spark.jelly.wire import varint

KINDS = {
    **{"statement_add": "A", "statement_delete": "D", "namespace_add": "PA"},
    **{"namespace_delete": "PD", "transaction_start": "TX", "transaction_commit": "TC"},
    **{"transaction_abort": "TA", "header": "H", "punctuation": "END"},
    **{"name": "name entry", "prefix": "prefix entry", "datatype": "datatype entry"},
    **{"graph_start": "graph start", "graph_end": "graph end"},
}
"""The names of kinds of rows for users, by the name of the field, where they differ."""

# The number of terms of a statement, by the kind of row; that of patches depends on the options.
_STATEMENTS = {"triple": 3, "quad": 4, "statement_add": 4, "statement_delete": 4}
# The value of `statement_type` in the options of a patch stream of triples.
_PATCH_OF_TRIPLES = 1


class _Lookup:
    """Follows the entries of a lookup table.

    Attributes:
        size: the size of the table, in entries.
    """

    def __init__(self) -> None:
        self.size = 0
        self._entries = 0
        # The last id that was set, and the references to each entry that is in the table.
        self._last = BEFORE_FIRST
        self._uses: dict[int, int] = {}
        # The number of replaced entries, by their references: none, one, or more.
        self._gone: Counter[int] = Counter()
        self._all_uses = 0

    def set(self, encoded_id: int) -> None:
        """Add an entry; an encoded id of 0 means the previous one plus one."""
        self._last = encoded_id or self._last + 1
        self._entries += 1
        before = self._uses.get(self._last)
        if before is not None:
            self._gone[min(before, 2)] += 1
        self._uses[self._last] = 0

    def use(self, id: int) -> None:
        """Count a reference to an entry."""
        self._all_uses += 1
        self._uses[id] += 1

    def numbers(self) -> dict[str, int]:
        """Return how the table is used so far, in entries and in references to them."""
        by_uses = self._gone + Counter(min(uses, 2) for uses in self._uses.values())
        return {
            "size": self.size,
            "entries": self._entries,
            "replaced": self._gone.total(),
            "uses": self._all_uses,
            "used_once": by_uses[1],
            "unused": by_uses[0],
        }


class Anatomy:
    """Counts what the rows of a Jelly stream consist of.

    Args:
        message: the class of a row's message.

    Attributes:
        frames: the number of frames.
        size: the number of bytes, after decompression.
        rows: the number of messages, by kind.
        bytes: the size of these, with their tags and lengths, by kind.
        terms: the number of terms that are written, by kind.
        repeated: the number of terms of statements that repeat that of the statement before.
        text: the number of bytes of the lexical forms of literals.
    """

    def __init__(self, message: type[Message]) -> None:
        self._message = message
        self.frames = 0
        self.size = 0
        self.rows: Counter[str] = Counter()
        self.bytes: Counter[str] = Counter()
        self.terms: Counter[str] = Counter()
        self.repeated = 0
        self.text = 0
        self._lookups = {"name": _Lookup(), "prefix": _Lookup(), "datatype": _Lookup()}
        self._last_prefix = self._last_name = BEFORE_FIRST
        self._statements = dict(_STATEMENTS)

    def lookups(self) -> dict[str, dict[str, int]]:
        """Return how each lookup table is used."""
        return {kind: lookup.numbers() for kind, lookup in self._lookups.items()}

    def add(self, data: bytes) -> None:
        """Add a row, which a decoder has accepted."""
        row: Any = self._message.FromString(data)
        kind: str = row.WhichOneof("row")
        value = getattr(row, kind)
        self.rows[kind] += 1
        self.bytes[kind] += len(ROW_TAG) + len(varint(len(data))) + len(data)
        if kind in self._lookups:
            self._lookups[kind].set(value.id)
        elif kind == "options":
            for name, lookup in self._lookups.items():
                lookup.size = getattr(value, f"max_{name}_table_size")
            if getattr(value, "statement_type", None) == _PATCH_OF_TRIPLES:
                self._statements.update(statement_add=3, statement_delete=3)
        else:
            written = self._add_terms(value)
            if kind in self._statements:
                self.repeated += self._statements[kind] - written

    def _add_terms(self, message: Message) -> int:
        """Count the terms of a message, and return the number of those that are not nested."""
        count = 0
        # In the order of their numbers, which is that in which encoded ids are resolved.
        for field, value in message.ListFields():
            if isinstance(value, RdfIri):
                self._add_iri(value)
            elif isinstance(value, RdfLiteral):
                self._add_literal(value)
            elif isinstance(value, RdfTriple):
                self.terms["triple term"] += 1
                self._add_terms(value)
            elif field.name.endswith("_bnode"):
                self.terms["blank node"] += 1
            elif field.name.endswith("_default_graph"):
                self.terms["default graph"] += 1
            else:
                continue
            count += 1
        return count

    def _add_iri(self, iri: RdfIri) -> None:
        self.terms["IRI"] += 1
        self._last_name = iri.name_id or self._last_name + 1
        self._lookups["name"].use(self._last_name)
        self._last_prefix = iri.prefix_id or self._last_prefix
        # Before the first prefix, and without a table of prefixes, there is none to refer to.
        if self._last_prefix != BEFORE_FIRST:
            self._lookups["prefix"].use(self._last_prefix)

    def _add_literal(self, literal: RdfLiteral) -> None:
        self.terms["literal"] += 1
        self.text += len(literal.lex.encode())
        if literal.datatype:
            self._lookups["datatype"].use(literal.datatype)


class _CountingStream:
    """Counts the bytes that are read from a stream."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.count = 0

    def read(self, size: int = -1) -> bytes:
        data = self._stream.read(size)
        self.count += len(data)
        return data


class _AnatomyReader(JellyReader[Any, Any]):
    """A reader that adds each row to an `Anatomy`, before it returns the row."""

    message: ClassVar[type[Message]]

    def __init__(self, file: Readable, **options: Any) -> None:
        super().__init__(file, **options)
        self.anatomy = Anatomy(self.message)

    def _read(self, stream: BinaryIO) -> Iterator[Any]:
        anatomy = self.anatomy
        counting = _CountingStream(stream)
        for frames, decoder in self._ranges(cast(BinaryIO, counting), row_by_row=True):
            for data in frames:
                assert not isinstance(data, int)
                if data is None:
                    row = decoder.end_frame()
                else:
                    # The decoder empties a bytearray.
                    copy = bytes(data)
                    row = decoder.decode(data)
                    anatomy.add(copy)
                if row is not None:
                    yield row
                elif data is None and frames.is_empty:
                    decoder.skip_frames(frames.skip_empty_frames())
            anatomy.frames = frames.frames
        anatomy.size = counting.count


class JellyPatchAnatomyReader(_AnatomyReader, JellyPatchReader):
    """Reads Jelly-Patch, and adds each row to the attribute `anatomy`."""

    message = RdfPatchRow


class JellyRdfAnatomyReader(_AnatomyReader, JellyRdfReader):
    """Reads Jelly-RDF, and adds each row to the attribute `anatomy`."""

    message = RdfStreamRow
