"""The cases of a suite, and how a codec passes each.

In Jelly's suite a frame is a file: the N-Triples or N-Quads files of a case, in the order of the
manifest, hold what the frames of its Jelly file hold, empty ones included, whatever the logical
type of the stream. Statements are compared in their order. Blank nodes are the same where one
mapping of labels, the same for all files of the case, makes them so. Namespace declarations are no
part of the data.

The W3C's suites of N-Triples and N-Quads say which files are well-formed, and what their canonical
form is. What these hold is compared with what the parser of this package of tests reads. What files
of Turtle and TriG hold is compared with what pyoxigraph's parser reads.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, zip_longest
from pathlib import Path
from typing import TypeAlias, TypeVar

import pyoxigraph

from jelly_spark._proto.rdf_pb2 import RdfStreamOptions
from jelly_spark.codec import JellyRdfOptions, RdfRow
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.errors import MalformedInputError, OptionError, UnwritableRowError
from jelly_spark.formats import FORMATS
from jelly_spark.formats.rdf.syntaxes import SYNTAXES
from jelly_spark.integrations import oxigraph
from tests.case_runner import Case, Failed
from tests.codecs import Codec
from tests.conformance.isomorphism import Isomorphism
from tests.conformance.manifest import (
    CANONICAL_N_QUADS,
    CANONICAL_N_TRIPLES,
    FROM_JELLY,
    N_QUADS,
    N_TRIPLES,
    NEGATIVE,
    NOT_N_QUADS,
    NOT_N_TRIPLES,
    NOT_TURTLE,
    POSITIVE,
    TO_JELLY,
    TURTLE,
    W3C,
    Entry,
    Unusable,
    read_manifest,
)
from tests.conformance.ntriples import Statement, read_statements
from tests.conformance.stream_options import is_grouped, read_stream_options, writer_options

Frame: TypeAlias = list[Statement]
_T = TypeVar("_T")

_TAG = re.compile('"@[A-Za-z0-9-]+')
_SUFFIXES = {".jelly", ".nt", ".nq"}


@dataclass(frozen=True)
class EntryCase(Case):
    """A case that an entry of a manifest describes."""

    entry: Entry

    def check(self, codec: Codec) -> None:
        for file in (*self.entry.action, *(self.entry.result or ())):
            if not file.is_file():
                raise Failed(f"there is no {file.name}")
        self._check(codec)

    def _check(self, codec: Codec) -> None:
        raise NotImplementedError


class Reads(EntryCase):
    """Jelly to statements: in each frame those of its file."""

    def _check(self, codec: Codec) -> None:
        if self.entry.result is None:
            raise Failed("the entry has no mf:result")
        found = frames(decode(codec, only(self.entry.action)))
        compare(found, [read_statements(file) for file in self.entry.result])


class Rejects(EntryCase):
    """Jelly against the specification: an error, at least where reading is strict about it."""

    def _check(self, codec: Codec) -> None:
        try:
            decode(codec, only(self.entry.action), strict=True)
        except MalformedInputError:
            return
        raise Failed("read without an error")


class Writes(EntryCase):
    """Statements to Jelly: the stream options asked for, and the statements given.

    The result is one way to write them, so its statements are compared, not its bytes. Where the
    frames of the stream are no elements of it, the writer may end them where it likes.
    """

    def _check(self, codec: Codec) -> None:
        if self.entry.result is None:
            raise Failed("the entry has no mf:result")
        asked, given = read_input(self.entry)
        data = encode(codec, given, asked, delimited=self.entry.delimited)
        options = read_stream_options(data)
        if options != asked:
            raise Failed(f"stream options {options}, expected {asked}")
        found = frames(decode(codec, data, strict=True))
        for expected in (given, frames(decode(codec, only(self.entry.result)))):
            if is_grouped(asked):
                compare(found, expected)
            else:
                compare([[*chain(*found)]], [[*chain(*expected)]])


class Refuses(EntryCase):
    """Stream options that no stream has, or statements that none with these options can hold."""

    def _check(self, codec: Codec) -> None:
        asked, given = read_input(self.entry)
        try:
            encode(codec, given, asked, delimited=self.entry.delimited)
        except (OptionError, UnwritableRowError):
            return
        raise Failed("written without an error")


class ReadsTriples(EntryCase):
    """Well-formed N-Triples: read, also strictly, and written again."""

    format = "ntriples"

    def _check(self, codec: Codec) -> None:
        file = only(self.entry.action)
        rows = codec.decode(file, self.format)
        compare([[*map(statement_of, rows)]], [read_statements(file)])
        if codec.decode(file, self.format, strict=True) != rows:
            raise Failed("other statements where reading is strict")
        again = codec.decode(codec.encode(rows, FORMATS[self.format].options()), self.format)
        if again != rows:
            raise Failed("other statements after writing")


class RejectsTriples(EntryCase):
    """A file that is not N-Triples: an error, at least where reading is strict about it."""

    format = "ntriples"

    def _check(self, codec: Codec) -> None:
        try:
            codec.decode(only(self.entry.action), self.format, strict=True)
        except MalformedInputError:
            return
        raise Failed("read without an error")


class CanonicalizesTriples(EntryCase):
    """Well-formed N-Triples: written in canonical form, byte for byte."""

    format = "ntriples"

    def _check(self, codec: Codec) -> None:
        if self.entry.result is None:
            raise Failed("the entry has no mf:result")
        options = FORMATS[self.format].options.from_strings({"canonical": "true"})
        rows = codec.decode(only(self.entry.action), self.format)
        found = codec.encode(rows, options)
        expected = only(self.entry.result).read_bytes()
        if found != expected:
            raise Failed(f"{found!r}, expected {expected!r}")


class ReadsQuads(ReadsTriples):
    """Well-formed N-Quads: read, also strictly, and written again."""

    format = "nquads"


class RejectsQuads(RejectsTriples):
    """A file that is not N-Quads: an error, at least where reading is strict about it."""

    format = "nquads"


class ReadsTurtle(EntryCase):
    """Well-formed Turtle or TriG: read as by pyoxigraph, in the same order.

    Language tags are compared without case, since pyoxigraph makes them lower-case.
    """

    format = "rdf"

    def _check(self, codec: Codec) -> None:
        file, base = only(self.entry.action), self.entry.base
        syntax = only(tuple(TURTLE[name] for name in self.entry.classes))
        parser = pyoxigraph.parse(path=file, format=SYNTAXES[syntax].parser_format(), base_iri=base)
        rows = codec.decode(file, self.format, syntax=syntax, base=base)
        found, expected = map(_with_lower_tags, (rows, oxigraph.rows(parser)))
        compare([[*map(statement_of, found)]], [[*map(statement_of, expected)]])


def _with_lower_tags(rows: Iterable[RdfRow]) -> Iterator[RdfRow]:
    for row in rows:
        yield row._replace(object=_TAG.sub(lambda tag: tag[0].lower(), row.object or ""))


class RejectsTurtle(EntryCase):
    """A file that is not Turtle or TriG: an error, at least where reading is strict about it."""

    format = "rdf"

    def _check(self, codec: Codec) -> None:
        syntax = only(tuple(NOT_TURTLE[name] for name in self.entry.classes))
        options = {"syntax": syntax, "base": self.entry.base, "strict": True}
        try:
            codec.decode(only(self.entry.action), self.format, **options)
        except MalformedInputError:
            return
        raise Failed("read without an error")


class CanonicalizesQuads(CanonicalizesTriples):
    """Well-formed N-Quads: written in canonical form, byte for byte."""

    format = "nquads"


@dataclass(frozen=True)
class Malformed(Case):
    """A manifest, or an entry of one, that does not describe a case."""

    reason: str

    def check(self, codec: Codec) -> None:
        raise Failed(self.reason)


class Misplaced(Case):
    """A file that no entry names."""

    def check(self, codec: Codec) -> None:
        raise Failed("no entry of a manifest names it")


_CASES: dict[frozenset[str], tuple[type[EntryCase], str]] = {
    frozenset({FROM_JELLY, POSITIVE}): (Reads, "read"),
    frozenset({FROM_JELLY, NEGATIVE}): (Rejects, "reject"),
    frozenset({TO_JELLY, POSITIVE}): (Writes, "write"),
    frozenset({TO_JELLY, NEGATIVE}): (Refuses, "refuse"),
    frozenset({N_TRIPLES}): (ReadsTriples, "read"),
    frozenset({NOT_N_TRIPLES}): (RejectsTriples, "reject"),
    frozenset({CANONICAL_N_TRIPLES}): (CanonicalizesTriples, "canonicalize"),
    frozenset({N_QUADS}): (ReadsQuads, "read"),
    frozenset({NOT_N_QUADS}): (RejectsQuads, "reject"),
    frozenset({CANONICAL_N_QUADS}): (CanonicalizesQuads, "canonicalize"),
    **{frozenset({name}): (ReadsTurtle, "read") for name in TURTLE},
    **{frozenset({name}): (RejectsTurtle, "reject") for name in NOT_TURTLE},
}


def find_cases(folder: Path) -> Iterator[Case]:
    """Yield the cases of the manifests in a folder and below it, then what no manifest names."""
    named: set[Path] = set()
    elsewhere: set[Path] = set()
    for manifest in sorted(folder.rglob("manifest.ttl")):
        for item in read_manifest(manifest):
            if isinstance(item, Entry):
                files = {*item.action, *(item.result or ())}
                named |= files
                if item.classes & W3C:
                    # Its folders hold files that are no cases.
                    elsewhere.add(item.path.parent)
                elif all(file.parent != item.path for file in files):
                    elsewhere.add(item.path)
            yield _case(item)
    for path in sorted(folder.rglob("*")):
        # Two entries of the official suite name the files of other cases instead of their own.
        if path.suffix in _SUFFIXES and path not in named and path.parent not in elsewhere:
            yield Misplaced(path, "find")


def _case(item: Entry | Unusable) -> Case:
    if isinstance(item, Unusable):
        return Malformed(item.path, "find", item.reason)
    found = _CASES.get(item.classes)
    if found is None:
        names = ", ".join(sorted(name.rpartition("#")[2] for name in item.classes))
        return Malformed(item.path, "find", f"classes that are no kind of case: {names or 'none'}")
    kind, what = found
    return kind(item.path, what, item)


def read_input(entry: Entry) -> tuple[RdfStreamOptions, list[Frame]]:
    """Return what an entry asks to be written: the stream options, and the frames."""
    options, *files = entry.action
    return read_stream_options(options.read_bytes()), [read_statements(file) for file in files]


def encode(
    codec: Codec, given: Iterable[Frame], asked: RdfStreamOptions, *, delimited: bool
) -> bytes:
    """Have a codec write frames with the stream options asked for."""
    return codec.encode(rows_of(given), writer_options(asked, delimited=delimited))


def decode(codec: Codec, source: Path | bytes, *, strict: bool = False) -> list[RdfRow]:
    """Have a codec read Jelly-RDF, the rows of namespace declarations included."""
    return codec.decode(source, JellyRdfOptions.format, namespaces=True, strict=strict)


def rows_of(given: Iterable[Frame]) -> Iterator[RdfRow]:
    """Yield the rows of the statements of frames."""
    for number, frame in enumerate(given):
        for subject, predicate, obj, graph in frame:
            yield RdfRow(
                format_term(subject),
                format_term(predicate),
                format_term(obj),
                None if graph is None else format_term(graph),
                frame=number,
            )


def frames(rows: Iterable[RdfRow]) -> list[Frame]:
    """Return the statements of each frame up to the last that has any."""
    found: list[Frame] = []
    for row in rows:
        if row.name is not None:
            continue
        assert row.frame is not None
        while len(found) <= row.frame:
            found.append([])
        found[row.frame].append(statement_of(row))
    return found


def statement_of(row: RdfRow) -> Statement:
    """Return the statement of a row."""
    assert row.subject and row.predicate and row.object
    graph = None if row.graph is None else parse_term(row.graph)
    return parse_term(row.subject), parse_term(row.predicate), parse_term(row.object), graph


def compare(found: Iterable[Frame], expected: Iterable[Frame]) -> None:
    """Compare frames; those that are missing at the end are empty.

    Raises:
        Failed: they differ in more than the labels of blank nodes.
    """
    isomorphism = Isomorphism()
    for number, (is_, must) in enumerate(zip_longest(found, expected, fillvalue=())):
        for i, (one, other) in enumerate(zip(is_, must, strict=False)):
            if not isomorphism.matches(other, one):
                raise Failed(f"frame {number}, statement {i}: {text(one)}, expected {text(other)}")
        if len(is_) != len(must):
            raise Failed(f"frame {number}: {len(is_)} statements, expected {len(must)}")


def text(statement: Statement) -> str:
    """Return a statement as a line of N-Quads."""
    return " ".join(format_term(term) for term in statement if term is not None) + " ."


def only(items: tuple[_T, ...]) -> _T:
    """Return the file or the class of an entry that must have just one."""
    if len(items) != 1:
        raise Failed(f"the entry has {len(items)} files or classes where it must have one")
    return items[0]
