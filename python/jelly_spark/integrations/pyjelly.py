"""pyjelly: the statements of its generic API as rows, and rows as such statements.

    from pyjelly.integrations.generic.parse import parse_jelly_flat
    from jelly_spark import codec
    from jelly_spark.integrations.pyjelly import rows

    with open("data.jelly", "rb") as file:
        codec.write("data.nq", rows(parse_jelly_flat(file)))

It needs the extra `jelly-spark[pyjelly]`. pyjelly's integration with rdflib, the format `jelly`,
works beside the format `jelly-patch` of `jelly_spark.integrations.rdflib`.
"""

# pyjelly ships no types.
# mypy: disable-error-code="import-untyped"

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator
from typing import Any

from jelly_spark.core import terms
from jelly_spark.core.files.input_file import InputFile, Readable
from jelly_spark.core.packages import needs_extra
from jelly_spark.core.rows import RdfRow, StatementTuple, triple_columns
from jelly_spark.core.terms import format_term, language_tag, parse_term, tagged_literal
from jelly_spark.errors import InvalidTermError, OptionError
from jelly_spark.integrations.net_changes import converted

with needs_extra("pyjelly", "jelly_spark.integrations.pyjelly needs a package"):
    from pyjelly.integrations.generic import generic_sink as generic
    from pyjelly.integrations.generic.parse import parse_jelly_flat

__all__ = ["from_pyjelly", "quads", "read", "rows", "to_pyjelly", "triples"]


def to_pyjelly(term: str) -> Any:
    """Return a term as pyjelly's `IRI`, `BlankNode`, `Literal` or `Triple`, exactly.

        str(to_pyjelly("<urn:x:s>"))  # '<urn:x:s>'

    Args:
        term: a term in N-Triples syntax.

    Raises:
        InvalidTermError: the string is not a term.
    """
    return _convert(parse_term(term))


def _convert(term: terms.Term) -> Any:
    if isinstance(term, terms.Iri):
        return generic.IRI(term.value)
    if isinstance(term, terms.BlankNode):
        return generic.BlankNode(term.label)
    if isinstance(term, terms.Literal):
        return generic.Literal(term.lexical, language_tag(term), term.datatype)
    return generic.Triple(*map(_convert, (term.subject, term.predicate, term.object)))


def from_pyjelly(term: Any) -> str:
    """Return a term of pyjelly's generic API as a string in N-Triples syntax.

    Args:
        term: an `IRI`, a `BlankNode`, a `Literal` or a `Triple`.

    Raises:
        InvalidTermError: the term is something else, holds a lone surrogate, or nests triples more
            than 63 deep.
    """
    return format_term(_parse(term))


def _parse(term: Any) -> terms.Term:
    # pyjelly has no public names for the strings of a term, and their `str` has no escapes.
    if isinstance(term, generic.IRI):
        return terms.Iri(term._iri)
    if isinstance(term, generic.BlankNode):
        return terms.BlankNode(term._identifier)
    if isinstance(term, generic.Literal):
        if term._langtag:
            return tagged_literal(term._lex, term._langtag)
        return terms.Literal(term._lex, None, term._datatype)
    if isinstance(term, generic.Triple):
        return terms.TripleTerm(*map(_parse, term))
    raise InvalidTermError(
        "a term must be an IRI, a BlankNode, a Literal or a Triple of pyjelly, not "
        f"{type(term).__name__}"
    )


def rows(statements: Iterable[Any]) -> Iterator[RdfRow]:
    """Yield statements of pyjelly's generic API as rows.

    Args:
        statements: what `parse_jelly_flat` or a `GenericStatementSink` yields: `Triple`s, `Quad`s,
            and `Prefix`es, which become rows of namespaces.

    Raises:
        InvalidTermError: a term is not one of pyjelly's.
        OptionError: an item is not a statement.
    """
    for item in statements:
        if isinstance(item, generic.Prefix):
            yield RdfRow(name=item.prefix, value=from_pyjelly(item.iri))
            continue
        if not isinstance(item, (generic.Triple, generic.Quad)):
            raise OptionError(f"expected statements of pyjelly, not {type(item).__name__}")
        subject, predicate, obj = map(from_pyjelly, item[:3])
        graph = None
        if isinstance(item, generic.Quad) and item.g is not generic.DefaultGraph:
            graph = from_pyjelly(item.g)
        yield RdfRow(subject, predicate, obj, graph)


def read(file: Readable) -> Iterator[RdfRow]:
    """Yield the rows of a Jelly-RDF file as pyjelly reads them.

    pyjelly 0.8.2 cannot read namespaces in this way.

    Args:
        file: path, URL, bytes, or stream of bytes.

    Raises:
        OSError: the file cannot be read.
        pyjelly.errors.JellyConformanceError: pyjelly rejects the file; other malformed files can
            raise other errors.
    """
    source = InputFile(file)
    try:
        yield from rows(parse_jelly_flat(_Stream(source)))
    finally:
        source.close()


class _Stream(io.RawIOBase):
    """The content of a file, decompressed, as a stream that pyjelly wraps in a buffer."""

    def __init__(self, file: InputFile) -> None:
        self._file = file

    def readable(self) -> bool:
        """Return that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill a buffer, and return the number of bytes; 0 at the end."""
        data = self._file.stream.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)


def triples(rows: Iterable[RdfRow | StatementTuple]) -> Iterator[Any]:
    """Yield rows as `Triple`s and `Prefix`es of pyjelly's generic API.

        flat_stream_to_file(triples(codec.read("data.nt")), file)

    Raises:
        UnwritableRowError: a row is not valid, or has a graph.
    """
    return converted(rows, lambda row: _statement(row, in_graphs=False))


def quads(rows: Iterable[RdfRow | StatementTuple]) -> Iterator[Any]:
    """Yield rows as `Quad`s and `Prefix`es of pyjelly's generic API.

        flat_stream_to_file(quads(codec.read("data.nq")), file)

    Raises:
        UnwritableRowError: a row is not valid.
    """
    return converted(rows, lambda row: _statement(row, in_graphs=True))


def _statement(row: RdfRow, *, in_graphs: bool) -> Any:
    if row.name is not None:
        iri = to_pyjelly("" if row.value is None else row.value)
        if not isinstance(iri, generic.IRI):
            raise InvalidTermError("the value of a namespace must be an IRI")
        return generic.Prefix(row.name, iri)
    terms_of_row = map(to_pyjelly, triple_columns(row))
    if in_graphs:
        name = generic.DefaultGraph if row.graph is None else to_pyjelly(row.graph)
        return generic.Quad(*terms_of_row, name)
    if row.graph is not None:
        raise InvalidTermError("a triple has no graph: use `quads`")
    return generic.Triple(*terms_of_row)
