"""Frames without content, which are passed over many at a time, and count as frames."""

import pytest

from jelly_spark import codec
from jelly_spark.codec import JellyRdfReader, StreamType
from jelly_spark.errors import MalformedInputError
from tests.codec.jelly_patch import helpers as patch
from tests.codec.jelly_rdf import helpers as rdf
from tests.codec.streams import Trickle

# Within a buffer, and over several.
COUNTS = [1, 2, 200_000]


@pytest.mark.parametrize("count", COUNTS)
def test_they_count_as_frames(count: int) -> None:
    empty = bytes(count)
    first = rdf.frame(rdf.options_row(), rdf.triple_row(), rdf.triple_row())
    data = empty + first + empty + rdf.frame(rdf.triple_row()) + empty
    for stream in (data, Trickle(data, (1 << 16, 7, 1, 100))):
        rows = list(codec.read(stream, format="jelly_rdf"))
        numbers = [(row.frame, row.seq) for row in rows]
        assert numbers == [(count, 0), (count, 1), (2 * count + 1, 2)]
    assert sum(1 for _ in JellyRdfReader(data).frames()) == 3 * count + 2


@pytest.mark.parametrize("stream_type", StreamType)
def test_in_a_stream_of_frames_each_ends_a_patch(stream_type: StreamType) -> None:
    count = 1000
    options = patch.options_row(stream_type=stream_type.value)
    data = bytes(count) + patch.frame(options) + bytes(count)
    ops = [row.op for row in patch.read(data, strict=True)]
    # What stands before the options has no type.
    assert ops == (["END"] * (count + 1) if stream_type is StreamType.FRAME else [])


def test_an_error_at_the_end_is_in_the_last_one() -> None:
    start = patch.frame(patch.options_row(), b"\x32\0")
    assert [row.op for row in patch.read(start)] == ["TX"]
    for count in (0, 1, 100, 100_000):
        with pytest.raises(MalformedInputError) as error:
            patch.read(start + bytes(count), strict=True)
        assert error.value.offset == (len(start) + count - 1 if count else 0)
