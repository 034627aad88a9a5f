"""The streams that the tests write: types and options for each physical type."""

import pytest
from hypothesis import strategies as st

from jelly_spark.codec import JellyRdfOptions, LogicalType, PhysicalType

kinds = pytest.mark.parametrize("kind", PhysicalType, ids=lambda kind: kind.name.lower())
"""Runs a test for each physical type."""

FLAT = {
    PhysicalType.TRIPLES: LogicalType.FLAT_TRIPLES,
    PhysicalType.QUADS: LogicalType.FLAT_QUADS,
    PhysicalType.GRAPHS: LogicalType.FLAT_QUADS,
}
"""The logical types of streams without elements."""

GROUPED = {
    PhysicalType.TRIPLES: LogicalType.GRAPHS,
    PhysicalType.QUADS: LogicalType.DATASETS,
    PhysicalType.GRAPHS: LogicalType.DATASETS,
}
"""The logical types of streams whose frames are elements."""


def options(kind: PhysicalType, *, delimited: bool = True) -> st.SearchStrategy[JellyRdfOptions]:
    """Any options of flat streams with tables big enough for every statement of the tests."""
    return st.builds(
        JellyRdfOptions,
        physical_type=st.just(kind),
        logical_type=st.just(FLAT[kind]),
        stream_name=st.sampled_from(["", "a stream"]),
        frame_size=st.integers(1, 20),
        max_name_table_size=st.integers(128, 140),
        max_prefix_table_size=st.sampled_from([0, 128]),
        max_datatype_table_size=st.integers(128, 140),
        delimited=st.just(delimited),
    )
