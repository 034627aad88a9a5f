"""Logs of the differences between the frames of a stream."""

import io
from itertools import groupby
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark import codec, patches
from jelly_spark.codec import (
    JellyRdfOptions,
    LogicalType,
    NQuadsOptions,
    PatchRow,
    PhysicalType,
    RdfRow,
)
from jelly_spark.errors import InvalidTermError, OptionError


def row(number: int, frame: int | None, graph: str | None = None) -> RdfRow:
    return RdfRow("<a:s>", "<a:p>", f'"{number}"', graph, frame=frame)


ID = "<urn:x:{}>".format


def test_each_frame_has_a_patch() -> None:
    rows = [row(1, 0), row(2, 0), row(2, 0), row(2, 1), row(2, 2), row(3, 4)]
    log = list(patches.diff_frames(rows, id=ID, prev="<urn:x:before>"))
    shown = [
        [(row.op, row.value or row.object) for row in group]
        for _, group in groupby(log, key=lambda row: row.patch)
    ]
    begin, end = ("TX", None), ("TC", None)
    assert shown == [
        [
            *[("H", "<urn:x:0>"), ("H", "<urn:x:before>")],
            *[begin, ("A", '"1"'), ("A", '"2"'), end],
        ],
        [("H", "<urn:x:1>"), ("H", "<urn:x:0>"), begin, ("D", '"1"'), end],
        [("H", "<urn:x:2>"), ("H", "<urn:x:1>")],
        [("H", "<urn:x:3>"), ("H", "<urn:x:2>"), begin, ("D", '"2"'), end],
        [("H", "<urn:x:4>"), ("H", "<urn:x:3>"), begin, ("A", '"3"'), end],
    ]
    assert [row.seq for row in log] == list(range(len(log)))
    assert not patches.validate(log)


def test_without_ids_only_changes_make_patches() -> None:
    log = list(patches.diff_frames([row(1, 1), row(1, 2), row(2, 3)]))
    assert [(row.op, row.object, row.patch, row.tx) for row in log] == [
        *(("TX", None, 0, 0), ("A", '"1"', 0, 0), ("TC", None, 0, 0)),
        *(("TX", None, 1, 1), ("D", '"1"', 1, 1), ("A", '"2"', 1, 1), ("TC", None, 1, 1)),
    ]
    assert list(patches.diff_frames([])) == []


def test_a_frame_of_namespaces_is_empty() -> None:
    namespace = RdfRow(name="ex", value="<a:b>", frame=1)
    log = patches.diff_frames([row(1, 0), namespace])
    assert [row.op for row in log] == ["TX", "A", "TC", "TX", "D", "TC"]


@pytest.mark.parametrize("frames", [[None], [0, None], [1, 0], [-1]])
def test_rows_that_are_not_those_of_frames(frames: list[int | None]) -> None:
    with pytest.raises(OptionError, match="rows must have a frame that does not decrease"):
        list(patches.diff_frames([row(1, frame) for frame in frames]))


def test_ids_that_are_not_terms() -> None:
    with pytest.raises(InvalidTermError, match="prev must be a term"):
        patches.diff_frames([], prev="urn:x:1")
    with pytest.raises(InvalidTermError, match="id must be a term"):
        list(patches.diff_frames([row(1, 0)], id="urn:x:{}".format))


@given(
    st.lists(
        st.lists(st.builds(row, st.integers(0, 5), st.none(), st.sampled_from([None, "<a:g>"]))),
        max_size=6,
    )
)
def test_the_log_has_each_frame_as_a_state(frames: list[list[RdfRow]]) -> None:
    """Each prefix of the log gives its frame; and messages and Jelly-RDF give the same log."""
    while frames and not frames[-1]:
        frames.pop()
    rows = [row._replace(frame=i) for i, frame in enumerate(frames) for row in frame]
    log = list(patches.diff_frames(rows, id=ID))
    assert len({row.patch for row in log}) == len(frames)
    for i, frame in enumerate(frames):
        so_far: list[PatchRow] = [row for row in log if row.patch is not None and row.patch <= i]
        statements, _ = patches.state(so_far)
        assert statements == {row[:4] for row in frame}
    messages = NQuadsOptions(version="1.2-messages")
    assert list(patches.diff_frames(copied(rows, messages), id=ID)) == log
    if all(frames):
        grouped = JellyRdfOptions(
            physical_type=PhysicalType.QUADS, logical_type=LogicalType.DATASETS
        )
        assert list(patches.diff_frames(copied(rows, grouped), id=ID)) == log


def copied(rows: list[RdfRow], options: Any) -> list[RdfRow]:
    """Write rows, and return them as they are read."""
    out = io.BytesIO()
    codec.write(out, rows, options=options, format=options.format)
    return list(codec.read(out.getvalue(), format=options.format))


def test_a_frame_that_skips_too_many_is_refused() -> None:
    rows = [RdfRow("<a:s>", "<a:p>", "<a:o>", frame=10**12)]
    with pytest.raises(OptionError, match="must not increase by more than 10000000"):
        list(patches.diff_frames(rows))


def test_prev_is_in_the_first_patch() -> None:
    rows = [RdfRow("<a:s>", "<a:p>", "<a:o>", frame=1)]
    found = list(patches.diff_frames(rows, prev="<a:prev>"))
    assert [(row.op, row.patch) for row in found] == [("H", 0), ("TX", 0), ("A", 0), ("TC", 0)]
