"""Reading Turtle, TriG, N3, RDF/XML and JSON-LD with pyoxigraph's parser."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain
from typing import TYPE_CHECKING, BinaryIO, cast

from jelly_spark.core.columns import Columns
from jelly_spark.core.columns.column_reader import ColumnReader
from jelly_spark.core.files.input_file import Readable
from jelly_spark.core.files.paths import is_url, name_of
from jelly_spark.core.malformed_input import Place, Violation
from jelly_spark.core.options import check_bool, check_text
from jelly_spark.core.packages import needs_extra
from jelly_spark.core.row_size import DEFAULT_MAX_ROW_SIZE
from jelly_spark.core.rows import NAMESPACE_COLUMNS, RdfRow
from jelly_spark.errors import OptionError
from jelly_spark.formats.rdf.beginnings import BEGINNINGS
from jelly_spark.formats.rdf.blank_nodes import BlankNodeLabels, XmlBlankNodeLabels
from jelly_spark.formats.rdf.options import RdfOptions
from jelly_spark.formats.rdf.plain_xml import OWN_PREFIXES
from jelly_spark.formats.rdf.source import LONG_TOKEN, ParserInput
from jelly_spark.formats.rdf.syntaxes import SYNTAXES, find_syntax
from jelly_spark.formats.rdf.term_texts import TermColumns, TermTexts

if TYPE_CHECKING:
    import pyoxigraph as ox

# What pyoxigraph's messages say again: the place.
_PLACE = re.compile(r"^Parser error at line .*?: | \(line \d+\)$")
_REMOTE_CONTEXT = "LoadDocumentCallback"


class RdfReader(ColumnReader[RdfRow]):
    """Iterates over the statements of a file of Turtle, TriG, N3, RDF/XML or JSON-LD.

        with RdfReader("data.ttl") as reader:
            for row in reader:
                print(row.subject, row.predicate, row.object)

    It needs the extra `jelly-spark[rdf]`. Statements are returned as the file is parsed; a file of
    JSON-LD is read as a whole first. Lexical forms are kept, such as `8.50` and `01`, and so are
    language tags and labels of blank nodes. IRIs and language tags are read if N-Triples' grammar
    allows them. A blank node without a label gets one that depends on the absolute path of the
    file, on the content if `file` is bytes, or on the first 64 KiB of another stream, and on the
    number of such nodes before it: another file has other labels, and the same file the same ones.

    An error's `offset` is the number of bytes read until then, after decompression.

    Args:
        file: path, URL, bytes, or stream of bytes.
        syntax: `turtle`, `trig`, `n3`, `rdfxml` or `jsonld`; by default, the file's extension says
            it.
        base: the IRI against which relative IRIs are resolved, unless the file has its own. By
            default, there is none, and a relative IRI is an error: the file's path does not count.
        strict: whether to reject what RDF 1.2 does not allow: IRIs that are not those of RFC 3987,
            the datatypes rdf:langString and rdf:dirLangString without a language tag, and subtags
            of more than eight characters.
        namespaces: whether to return the prefixes as rows: those from before the first statement
            come first, all others last.
        max_row_size: the largest size of a row's terms in bytes.

    Raises:
        MalformedInputError: while iterating: the input breaks its syntax, or is JSON that has
            neither statements nor keywords of JSON-LD.
        MissingPackageError: while iterating: pyoxigraph, or a package for the file, is not
            installed.
        OptionError: an argument has a wrong type or is out of range, the extension does not tell
            the syntax, or the file is HDT.
    """

    format = RdfOptions.format
    beginnings = BEGINNINGS
    row = RdfRow
    is_text = True
    columns: tuple[str, ...] = RdfRow._fields

    def __init__(
        self,
        file: Readable,
        *,
        syntax: str = "",
        base: str = "",
        strict: bool = False,
        namespaces: bool = False,
        max_row_size: int = DEFAULT_MAX_ROW_SIZE,
    ) -> None:
        self._syntax = find_syntax(file, syntax)
        self.start = SYNTAXES[self._syntax].start
        check_text("base", base)
        check_bool("namespaces", namespaces)
        self._base = base
        self._namespaces = namespaces
        if not namespaces:
            self.columns = tuple(name for name in self.columns if name not in NAMESPACE_COLUMNS)
        super().__init__(file, strict=strict, max_row_size=max_row_size)
        labels = XmlBlankNodeLabels if self._syntax == "rdfxml" else BlankNodeLabels
        self._labels = labels(_identity(file))
        # Set when reading begins.
        self._source: ParserInput | None = None
        self._is_other_json = False

    def _items(self, stream: BinaryIO) -> Iterator[RdfRow | Columns]:
        syntax = SYNTAXES[self._syntax]
        with needs_extra("rdf", f"reading {syntax.title} needs a package"):
            import pyoxigraph as ox
        source = ParserInput(stream, self._labels, self._syntax, self._base)
        self._source = source
        try:
            parser = ox.parse(
                self._parsed(source),
                syntax.parser_format(),
                base_iri=self._base or None,
                lenient=True,
            )
        except ValueError as error:
            raise OptionError(f"base must be an absolute IRI: {error}") from None
        texts = TermTexts(
            source,
            self._labels,
            has_base=bool(self._base),
            has_graphs=syntax.has_graphs,
            strict=self._strict,
            max_row_size=self._max_row_size,
        )
        declared = dict(OWN_PREFIXES) if self._syntax == "rdfxml" else {}
        with self._syntax_errors():
            first = next(parser, None)
            yield from self._declarations(parser, texts, declared)
            quads = iter(()) if first is None else chain((first,), parser)
            has_more = True
            while has_more:
                columns: TermColumns = ([], [], [], [])
                try:
                    has_more = texts.add_rows(quads, columns)
                except (SyntaxError, MemoryError, Violation):
                    yield from _rows(columns, source.rows)
                    raise
                yield from _rows(columns, source.rows)
        yield from self._declarations(parser, texts, declared)
        if self._is_other_json and not source.rows:
            raise Violation("JSON-LD", "JSON without any of its keywords")

    def _parsed(self, source: ParserInput) -> BinaryIO | bytes:
        """Return what the parser reads."""
        if self._syntax != "jsonld":
            return cast(BinaryIO, source)
        # Imports pyoxigraph.
        from jelly_spark.formats.rdf.json_keys import may_be_json_ld, without_unmapped_keys

        data = source.read_all()
        self._is_other_json = not may_be_json_ld(data)
        return without_unmapped_keys(data, self._base)

    def _declarations(
        self, parser: ox.QuadParser, texts: TermTexts, known: dict[str, str]
    ) -> Iterator[RdfRow]:
        """Check the base and the prefixes; yield those that are new, and add them to `known`."""
        if parser.base_iri is not None:
            texts.iri(parser.base_iri)
        for name, iri in parser.prefixes.items():
            value = texts.iri(iri)
            if self._namespaces and self._source is not None and known.get(name) != iri:
                known[name] = iri
                row = RdfRow(name=name, value=value, seq=self._source.rows)
                self._source.rows += 1
                yield row

    @contextmanager
    def _syntax_errors(self) -> Iterator[None]:
        """Raise the parser's errors as violations."""
        try:
            yield
        except SyntaxError as error:
            source = self._source
            if source is not None and error.lineno is not None and error.offset is not None:
                source.place = (error.lineno, source.column(error.lineno, error.offset))
            raise self._violation(error.msg) from None
        except MemoryError as error:
            if LONG_TOKEN not in str(error):
                raise
            raise Violation(
                "strings of less than 8 MiB"
                if self._syntax == "jsonld"
                else "terms and comments of at most 16 MiB",
                "a longer one, or a string without its end",
            ) from None

    def _violation(self, message: str) -> Violation:
        if self._source is not None and self._source.marks is not None:
            message = self._source.marks.restore(message)
        if _REMOTE_CONTEXT in message:
            return Violation(
                "JSON-LD with its contexts in the file, because contexts are not fetched",
                "the IRI of a context: put the context itself in its place",
            )
        return Violation(
            f"valid {SYNTAXES[self._syntax].title}", f"an error: {_PLACE.sub('', message)}"
        )

    def _place(self, violation: Violation) -> Place:
        source = self._source
        if source is None:
            return Place("line 1", 0, None)
        if source.place is not None:
            line, column = source.place
            text = f"line {line}, column {column}"
        elif source.xml is not None:
            text = f"line {source.xml.line} or before"
        else:
            text = f"after row {source.rows - 1}" if source.rows else "before the first row"
        return Place(text, source.size, source.rows)


def _rows(columns: TermColumns, end: int) -> Iterator[Columns]:
    """Yield rows as columns, if there are any; `end` is the `seq` after the last one."""
    count = len(columns[0])
    if count:
        yield (*columns, None, None, None, range(end - count, end))


def _identity(file: Readable) -> bytes | None:
    """Return what identifies a file: its content, its absolute path or its URL; None for others."""
    if isinstance(file, (bytes, bytearray, memoryview)):
        return bytes(file)
    name = os.fsdecode(file) if isinstance(file, (str, os.PathLike)) else name_of(file)
    if name is None or name.startswith("<"):
        return None
    return os.fsencode(name if is_url(name) else os.path.abspath(name))
