"""Reading events: lines of JSON, or of server-sent events, to events with all their chunks."""

from __future__ import annotations

import json
import re
from collections import OrderedDict
from collections.abc import Container, Iterable, Iterator
from io import TextIOBase
from os import PathLike
from typing import Any, NamedTuple, TypeAlias
from uuid import NAMESPACE_URL, UUID, uuid5

from jelly_spark.core.files.input_file import InputFile
from jelly_spark.core.files.paths import FilePath, name_of
from jelly_spark.core.files.streams import UNNAMED
from jelly_spark.core.rows import triple_columns
from jelly_spark.core.show import quoted
from jelly_spark.errors import MalformedInputError, OptionError
from jelly_spark.formats.rdf import RdfReader
from jelly_spark.patches import Statement
from jelly_spark.patches.blank_nodes.graphs import has_blank_node
from jelly_spark.patches.checks.lexical_forms import LEXICAL_FORMS

Lines: TypeAlias = FilePath | Iterable[bytes | str]
"""The path or URL of a file of events, or its lines, such as a stream of bytes."""

OPERATIONS = frozenset(("import", "diff", "delete", "reconcile"))
"""What an event can say about an entity."""

_EXPECTED = "an event with the schema mediawiki/wikibase/entity/rdf_change 2"

_FIELDS = ("added", "deleted", "linked_shared", "unlinked_shared")

# N-Triples is a part of Turtle.
_SYNTAXES = {"text/turtle": "turtle", "application/n-triples": "turtle"}

_LONGEST_LINE = 64 << 20
"""The longest line in bytes. Wikidata's own are cut into chunks of about 128,000 characters."""

_BLOCK = 1 << 16

_REMEMBERED = 100_000
"""How many chunks are remembered, to find those that come again, in at most 40 MB."""

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_DATE_TIME = re.compile(LEXICAL_FORMS["dateTime"])

_CANARY = "canary"
"""The domain of events that only test the stream."""

# All chunks of an event must agree on these.
_SHARED = ("operation", "entity_id", "rev_id", "sequence_length")


class Event(NamedTuple):
    """A change of an entity.

    Attributes:
        id: the IRI that identifies the event, as a term.
        time: when the stream got the event, in the format of `xsd:dateTime`; None if unknown.
        operation: one of `OPERATIONS`.
        domain: the host of the Wikibase, such as `www.wikidata.org`.
        entity: the id of the entity, such as `Q42`.
        added: the statements that are added, each once; likewise:
        deleted: those that are deleted.
        linked_shared: those that the entity refers to now, and others may refer to already.
        unlinked_shared: those that the entity no longer refers to, and others may refer to.
    """

    id: str
    time: str | None
    operation: str
    domain: str
    entity: str
    added: list[Statement]
    deleted: list[Statement]
    linked_shared: list[Statement]
    unlinked_shared: list[Statement]


class EventReader:
    """Iterates once over the events of a file or of lines.

    Chunks that come again are left out, as far as they are remembered.

    Args:
        lines: the file or the lines.
        skip: the ids of events that are left out. Their Turtle is not parsed.

    Raises:
        MalformedInputError: while iterating: a line is not an event, or an event lacks chunks.
        OptionError: `lines` is neither a path nor an iterable of lines.
        OSError: while iterating: the file cannot be read.
    """

    def __init__(self, lines: Lines, skip: Container[str] = ()) -> None:
        if isinstance(lines, (bytes, bytearray, TextIOBase)) or not isinstance(
            lines, (str, PathLike, Iterable)
        ):
            raise OptionError(
                "expected a path, or lines of events such as a stream of bytes, not "
                f"{type(lines).__name__}"
            )
        self._lines = lines
        self._skip = skip
        # The ids and numbers of the last chunks.
        self._seen: OrderedDict[tuple[str, int], None] = OrderedDict()
        self._name = name_of(lines) or UNNAMED
        # The number of the current line, from 1, and the number of bytes before it.
        self._line = 0
        self._offset = 0
        self._next_offset = 0

    def __iter__(self) -> Iterator[Event]:
        chunks: list[dict[str, Any]] = []
        id = ""
        for chunk in self._chunks():
            chunk_id = self._id(chunk)
            if self._comes_again(chunk_id, chunk["sequence"]):
                continue
            self._check_next(chunks, chunk)
            # Each chunk has an id of its own. That of the first is the event's.
            id = id if chunks else chunk_id
            chunks.append(chunk)
            if len(chunks) == chunk["sequence_length"]:
                if id not in self._skip:
                    yield self._event(id, chunks)
                chunks = []
        if chunks:
            count = chunks[0]["sequence_length"]
            raise self.error(
                f"{count} chunks of an event of {chunks[0]['entity_id']}",
                f"the end after {len(chunks)} of them",
            )

    def error(self, expected: str, found: str) -> MalformedInputError:
        """Return an error about the current line."""
        # Strings in JSON can have lone surrogates, which could not be shown.
        expected, found = (
            text.encode("utf-8", "backslashreplace").decode() for text in (expected, found)
        )
        return MalformedInputError(
            self._name, f"line {self._line}", self._offset, None, expected, found
        )

    def _comes_again(self, id: str, sequence: int) -> bool:
        """Return whether a chunk is among the last ones, and remember it."""
        key = (id, sequence)
        if key in self._seen:
            return True
        self._seen[key] = None
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)
        return False

    def _chunks(self) -> Iterator[dict[str, Any]]:
        """Yield the JSON objects of the lines, besides those that only test the stream."""
        for line in self._read_lines():
            text = line.strip()
            # Of a server-sent event. Wikimedia's have all of an event's data in one line.
            content = text.removeprefix(b"data:").lstrip()
            if not content or text.startswith((b":", b"id:", b"event:", b"retry:")):
                continue
            if not content.startswith(b"{"):
                raise self.error("an event as JSON", quoted(text[:100].decode("utf-8", "replace")))
            chunk = self._parsed(content)
            if chunk["meta"].get("domain") != _CANARY:
                self._check(chunk)
                yield chunk

    def _read_lines(self) -> Iterator[bytes]:
        lines = self._lines
        if isinstance(lines, (str, PathLike)):
            lines = _lines_of_file(lines)
        for line in lines:
            if not isinstance(line, (bytes, str)):
                raise OptionError(f"a line must be bytes or str, not {type(line).__name__}")
            content = line.encode("utf-8", "surrogatepass") if isinstance(line, str) else line
            self._line += 1
            self._offset, self._next_offset = self._next_offset, self._next_offset + len(content)
            if len(content) > _LONGEST_LINE:
                raise self.error(f"a line of at most {_LONGEST_LINE:,} bytes", "a longer one")
            yield content.removeprefix(_BYTE_ORDER_MARK) if self._line == 1 else content

    def _parsed(self, text: bytes) -> dict[str, Any]:
        """Return an event's JSON object, with the object `meta`."""
        try:
            found: dict[str, Any] = json.loads(text)
        except RecursionError:
            raise self.error("an event as JSON", "JSON that is nested too deep") from None
        except ValueError as error:
            raise self.error("an event as JSON", f"an error: {error}") from None
        if not isinstance(found.get("meta"), dict):
            raise self.error(_EXPECTED, "JSON without meta")
        return found

    def _check(self, found: dict[str, Any]) -> None:
        """Check that an event's JSON object has all fields that are needed."""
        for name, kind in (
            *(("operation", str), ("entity_id", str), ("rev_id", int)),
            *(("sequence", int), ("sequence_length", int)),
        ):
            if type(found.get(name)) is not kind:
                raise self.error(_EXPECTED, f"no {name}, or one of another type")
        if found["operation"] not in OPERATIONS:
            raise self.error(
                f"one of the operations {', '.join(sorted(OPERATIONS))}",
                quoted(found["operation"]),
            )

    def _check_next(self, before: list[dict[str, Any]], chunk: dict[str, Any]) -> None:
        """Check that a chunk follows those before it, of the same event."""
        sequence, length = chunk["sequence"], chunk["sequence_length"]
        if sequence != len(before) or sequence >= length:
            count = before[0]["sequence_length"] if before else length
            raise self.error(
                f"chunk {len(before)} of {count} of an event", f"chunk {sequence} of {length}"
            )
        if not before:
            return
        for name in _SHARED:
            if chunk[name] != before[0][name]:
                raise self.error(
                    f"a chunk with the {name} of the one before, {before[0][name]}",
                    f"{chunk[name]}",
                )
        if chunk["meta"].get("request_id") != before[0]["meta"].get("request_id"):
            raise self.error("a chunk with the request_id of the one before", "another one")

    def _event(self, id: str, chunks: list[dict[str, Any]]) -> Event:
        first = chunks[0]
        domain = first["meta"].get("domain")
        statements: dict[str, dict[Statement, None]] = {name: {} for name in _FIELDS}
        for chunk in chunks:
            for name, found in statements.items():
                found.update(dict.fromkeys(self._statements(chunk, f"rdf_{name}_data")))
        return Event(
            id,
            self._time(first),
            first["operation"],
            domain if isinstance(domain, str) else "",
            first["entity_id"],
            *map(list, statements.values()),
        )

    def _id(self, chunk: dict[str, Any]) -> str:
        id = chunk["meta"].get("id")
        if id is None:
            # The schema does not require an id. What is in the event identifies it, too.
            return f"<{uuid5(NAMESPACE_URL, json.dumps(chunk, sort_keys=True)).urn}>"
        try:
            return f"<{UUID(id).urn}>"
        except (AttributeError, TypeError, ValueError):
            raise self.error("a UUID as the id in meta", quoted(str(id))) from None

    def _time(self, chunk: dict[str, Any]) -> str | None:
        time = chunk["meta"].get("dt")
        if time is None:
            return None
        if not isinstance(time, str) or not _DATE_TIME.fullmatch(time):
            raise self.error("an xsd:dateTime as dt in meta", quoted(str(time)))
        return time

    def _statements(self, chunk: dict[str, Any], field: str) -> Iterator[Statement]:
        """Yield the statements of a field with RDF data; none if there is no such field."""
        data = chunk.get(field)
        if data is None:
            return
        if not isinstance(data, dict) or not isinstance(data.get("data"), str):
            raise self.error(f"data in {field}", "something else")
        syntax = _SYNTAXES.get(str(data.get("mime_type")).partition(";")[0].strip())
        if syntax is None:
            raise self.error(
                f"text/turtle as the mime_type of {field}", quoted(str(data.get("mime_type")))
            )
        try:
            rows = [*RdfReader(data["data"].encode(), syntax=syntax)]
        except UnicodeEncodeError:
            raise self.error(f"Unicode in {field}", "a lone surrogate") from None
        except MalformedInputError as error:
            place = f"line {self._line}, {field}, {error.place}"
            raise MalformedInputError(
                self._name, place, self._offset, None, error.expected, error.found
            ) from None
        for row in rows:
            statement = Statement(*triple_columns(row))
            if has_blank_node(statement):
                raise self.error(
                    f"IRIs in place of blank nodes in {field}, which nothing could delete later",
                    "a blank node",
                )
            yield statement


def _lines_of_file(path: FilePath) -> Iterator[bytes]:
    """Yield the lines of a file, decompressed, and of a line that is too long the beginning."""
    source = InputFile(path)
    try:
        line: list[bytes] = []
        size = 0
        while size <= _LONGEST_LINE and (block := source.stream.read(_BLOCK)):
            first, *others = block.split(b"\n")
            line.append(first)
            size += len(first)
            for other in others:
                yield b"".join([*line, b"\n"])
                line, size = [other], len(other)
        if size:
            yield b"".join(line)
    finally:
        source.close()
