"""pyjelly's generic API and both codecs read each other's files."""

import gzip
from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark.codec import JellyRdfOptions, JellyRdfReader, JellyRdfWriter, PhysicalType
from jelly_spark.core.terms import Iri, Literal
from tests.codecs import Codec
from tests.conformance.cases import decode, frames, rows_of
from tests.conformance.ntriples import Statement, parse_statements
from tests.interop import pyjelly_files
from tests.interop.strategies import generated, generic_statements
from tests.interop.streams import FLAT, GROUPED, kinds, options

COMMENTS = Iri("urn:x-schemaorg:comments")
"""The graph of the comments in the real data; other statements are in the default graph."""


def stream(data: st.DataObject, kind: PhysicalType) -> list[Statement]:
    return data.draw(generic_statements(quads=kind is not PhysicalType.TRIPLES))


def joined(found: list[list[Statement]]) -> list[Statement]:
    return [statement for frame in found for statement in frame]


@kinds
@generated
@given(st.data())
def test_pyjelly_reads_ours(codec: Codec, kind: PhysicalType, data: st.DataObject) -> None:
    statements = stream(data, kind)
    written = codec.encode(rows_of([statements]), data.draw(options(kind)))
    assert list(pyjelly_files.read(written)) == statements


@kinds
@generated
@given(st.data())
def test_we_read_pyjellys(codec: Codec, kind: PhysicalType, data: st.DataObject) -> None:
    statements = stream(data, kind)
    written = pyjelly_files.write([statements], data.draw(options(kind)))
    assert joined(frames(decode(codec, written))) == statements


@kinds
@generated
@given(st.data())
def test_undelimited_streams(codec: Codec, kind: PhysicalType, data: st.DataObject) -> None:
    statements = stream(data, kind)
    asked = data.draw(options(kind, delimited=False))
    assert list(pyjelly_files.read(codec.encode(rows_of([statements]), asked))) == statements
    assert frames(decode(codec, pyjelly_files.write([statements], asked))) == [statements]


@kinds
@generated
@given(st.data())
def test_streams_of_graphs_and_datasets(
    codec: Codec, kind: PhysicalType, data: st.DataObject
) -> None:
    elements = [stream(data, kind) for _ in range(data.draw(st.integers(1, 3)))]
    asked = JellyRdfOptions(physical_type=kind, logical_type=GROUPED[kind])
    written = codec.encode(rows_of(elements), asked)
    assert [frame for _, frame in pyjelly_files.read_frames(written)] == elements
    assert frames(decode(codec, pyjelly_files.write(elements, asked))) == elements


@pytest.fixture(scope="module")
def release(shared: Path) -> list[Statement]:
    """A release of schema.org, as triples."""
    path = shared / "data/schemaorg/28.0.nt.gz"
    if not path.is_file():
        pytest.skip("no release of schema.org in the shared data")
    with gzip.open(path, "rt", encoding="utf-8", newline="") as file:
        return list(parse_statements(file.read()))


@kinds
def test_real_data(codec: Codec, kind: PhysicalType, release: list[Statement]) -> None:
    statements = release
    if kind is not PhysicalType.TRIPLES:
        statements = [
            (s, p, o, COMMENTS if isinstance(p, Iri) and p.value.endswith("#comment") else None)
            for s, p, o, _ in release
        ]
    assert len(statements) > 10_000
    asked = JellyRdfOptions(physical_type=kind)
    assert list(pyjelly_files.read(codec.encode(rows_of([statements]), asked))) == statements
    theirs = JellyRdfOptions(physical_type=kind, logical_type=FLAT[kind])
    assert joined(frames(decode(codec, pyjelly_files.write([statements], theirs)))) == statements


SUBJECTS = [Iri(f"http://example.org/s{number}") for number in range(9)]
TRIPLES: list[Statement] = [(s, Iri("urn:x:p"), Literal("é", "fr"), None) for s in SUBJECTS]


def test_pyjelly_reads_the_metadata_of_frames() -> None:
    elements = [TRIPLES[:3], TRIPLES[3:4], TRIPLES[4:]]
    metadata = [{"b": b"\x00\xff", "a": b""}, {}, {"é": b"1"}]
    out = BytesIO()
    asked = JellyRdfOptions(
        physical_type=PhysicalType.TRIPLES, logical_type=GROUPED[PhysicalType.TRIPLES]
    )
    with JellyRdfWriter(out, asked) as writer:
        for number, element in enumerate(elements):
            for row in rows_of([element]):
                writer.write(row._replace(frame=number))
            writer.end_frame(metadata[number])
    assert list(pyjelly_files.read_frames(out.getvalue())) == list(
        zip(metadata, elements, strict=True)
    )


def test_we_read_the_metadata_of_pyjellys_frames() -> None:
    metadata = [{"b": b"\x00\xff", "a": b""}, {}, {"é": b"1"}]
    asked = JellyRdfOptions(
        physical_type=PhysicalType.TRIPLES, logical_type=GROUPED[PhysicalType.TRIPLES]
    )
    elements = [TRIPLES[:3], TRIPLES[3:4], TRIPLES[4:]]
    written = pyjelly_files.write(elements, asked, metadata)
    with JellyRdfReader(BytesIO(written)) as reader:
        found = list(reader.frames())
    assert [frame.metadata for frame in found] == metadata
    assert frames(row for frame in found for row in frame.rows) == elements
