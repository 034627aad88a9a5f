"""Statements of pyjelly's generic API, and rows."""

# pyjelly ships no types.
# mypy: disable-error-code="import-untyped"

import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pyjelly.integrations.generic import generic_sink as generic
from pyjelly.integrations.generic.parse import parse_jelly_flat
from pyjelly.integrations.generic.serialize import flat_stream_to_file

from jelly_spark import codec, patches
from jelly_spark.codec import JellyRdfOptions, PatchRow, PhysicalType, RdfRow
from jelly_spark.core.terms import format_term
from jelly_spark.errors import InvalidTermError, OptionError, UnwritableRowError
from jelly_spark.integrations.pyjelly import from_pyjelly, quads, rows, to_pyjelly, triples
from tests.codec.strategies import terms
from tests.integrations.parity_files import committed_rows, each_file

S, P = "<urn:x:s>", "<urn:x:p>"
TERMS = terms().map(format_term)


@given(TERMS)
def test_round_trip(term: str) -> None:
    assert from_pyjelly(to_pyjelly(term)) == term


@given(TERMS, TERMS)
def test_terms_stay_apart(one: str, other: str) -> None:
    assert (to_pyjelly(one) == to_pyjelly(other)) == (one == other)


STATEMENTS = st.tuples(TERMS, TERMS, TERMS, st.none() | TERMS).map(lambda terms: RdfRow(*terms))


@settings(max_examples=30)
@given(st.lists(STATEMENTS, max_size=5))
def test_statements(statements: list[RdfRow]) -> None:
    assert list(rows(quads(statements))) == statements
    without = [row._replace(graph=None) for row in statements]
    assert list(rows(triples(without))) == without


@each_file
def test_parity_files(path: Path) -> None:
    state, _ = patches.state(committed_rows(path.read_bytes()))
    statements = [RdfRow(*each) for each in sorted(state, key=str)]
    assert list(rows(quads(statements))) == statements


@pytest.mark.parametrize("kind", [PhysicalType.TRIPLES, PhysicalType.QUADS])
def test_files(kind: PhysicalType) -> None:
    statements = [RdfRow(S, P, '"01"@en-GB'), RdfRow(S, P, "_:b"), RdfRow(S, P, '"a\\n"')]
    convert = triples
    if kind is PhysicalType.QUADS:
        statements.append(RdfRow(S, P, S, "_:g"))
        convert = quads
    ours = io.BytesIO()
    codec.write(ours, statements, options=JellyRdfOptions(physical_type=kind))
    ours.seek(0)
    assert list(rows(parse_jelly_flat(ours))) == statements
    theirs = io.BytesIO()
    flat_stream_to_file(convert(statements), theirs)
    found = codec.read(theirs.getvalue(), format="jelly_rdf")
    assert [row[:4] for row in found] == [row[:4] for row in statements]


def test_namespaces() -> None:
    row = RdfRow(name="ex", value="<urn:x:>")
    (prefix,) = triples([row])
    assert prefix == generic.Prefix("ex", generic.IRI("urn:x:"))
    assert list(rows([prefix])) == [row]


@pytest.mark.parametrize("term", [generic.DefaultGraph, "a", None])
def test_other_terms(term: object) -> None:
    with pytest.raises(InvalidTermError, match="must be an IRI, a BlankNode, a Literal"):
        from_pyjelly(term)


def test_wrong_arguments() -> None:
    with pytest.raises(OptionError, match="expected statements of pyjelly, not str"):
        list(rows(["a"]))
    with pytest.raises(UnwritableRowError, match="a row must be a RdfRow, not PatchRow"):
        list(quads([PatchRow("A", S, P, S)]))  # type: ignore[list-item]
    with pytest.raises(UnwritableRowError, match="a triple has no graph"):
        list(triples([RdfRow(S, P, S, S)]))
    with pytest.raises(UnwritableRowError, match="needs a subject"):
        list(quads([RdfRow(S, P)]))
    with pytest.raises(UnwritableRowError, match="expected an RDF term"):
        list(quads([RdfRow(S, P, "o")]))
    with pytest.raises(UnwritableRowError, match="the value of a namespace must be an IRI"):
        list(quads([RdfRow(name="a", value="_:b")]))
