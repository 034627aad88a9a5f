"""pyjelly, which does not know restart points, reads files with restart points."""

from hypothesis import given
from hypothesis import strategies as st

from jelly_spark.codec import JellyRdfOptions, PhysicalType
from tests.codec.files.restart_files import points_of
from tests.codecs import PythonCodec
from tests.conformance.cases import decode, frames, rows_of
from tests.interop import pyjelly_files
from tests.interop.strategies import generated, generic_statements
from tests.interop.streams import FLAT, GROUPED, kinds

CODEC = PythonCodec()

intervals = st.sampled_from([1, 50, 200])


@kinds
@generated
@given(st.data())
def test_streams_of_statements(kind: PhysicalType, data: st.DataObject) -> None:
    statements = data.draw(generic_statements(quads=kind is not PhysicalType.TRIPLES))
    options = JellyRdfOptions(
        physical_type=kind,
        logical_type=FLAT[kind],
        frame_size=data.draw(st.integers(1, 10)),
        restart_interval=data.draw(intervals),
    )
    written = CODEC.encode(rows_of([statements]), options)
    assert list(pyjelly_files.read(written)) == statements


@kinds
@generated
@given(st.data())
def test_streams_of_elements(kind: PhysicalType, data: st.DataObject) -> None:
    statements = generic_statements(quads=kind is not PhysicalType.TRIPLES)
    elements = [data.draw(statements) for _ in range(3)]
    options = JellyRdfOptions(
        physical_type=kind, logical_type=GROUPED[kind], restart_interval=data.draw(intervals)
    )
    written = CODEC.encode(rows_of(elements), options)
    found = list(pyjelly_files.read_frames(written))
    assert [frame for _, frame in found] == elements
    # pyjelly shows the index as metadata; our reader hides it.
    assert [*found[-1][0]] == (["jelly-spark.index"] if points_of(written) else [])
    assert frames(decode(CODEC, written)) == elements
