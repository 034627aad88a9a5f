"""The parity cases through Spark: each file's rows, and its bytes when they are written again."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from jelly_spark.codec import JellyPatchOptions, PatchRow, StreamType, read_jelly_patch
from tests.parity.cases import read_input
from tests.parity.oplines import canonical_op, op_from_row, read_json_lines
from tests.spark.case_files import case_files
from tests.spark.patches import fails, frame_of, only_file, read, rows_of, save


def expected_ops(case: Path) -> list[list[str]]:
    return [canonical_op(op) for op in read_json_lines(case.with_suffix(".jsonl"))]


def frame_ends_are_lost(ops: list[str], options: JellyPatchOptions) -> bool:
    """Whether the writer ended frames where a reader sees nothing, so that they cannot come again.

    In a FLAT stream that is any END, in a FRAME stream those before the first row: without options
    there is no stream yet. Undelimited output has no ends of frames.
    """
    if not options.delimited:
        return False
    if options.stream_type is StreamType.FLAT:
        return "END" in ops
    return options.stream_type is StreamType.FRAME and ops[:1] == ["END"]


@pytest.mark.parametrize("case", case_files("*.json"))
def test_written_by_the_reference(spark: SparkSession, tmp_path: Path, case: Path) -> None:
    source = case.with_suffix(".jellyp")
    frame = read(spark, source)
    rows = rows_of(frame)
    assert [op_from_row(row) for row in rows] == expected_ops(case)
    assert rows == list(read_jelly_patch(source))

    input_rows, options = read_input(case)
    save(frame.coalesce(1), tmp_path / "again", **options.to_strings())
    again = only_file(tmp_path / "again")
    if frame_ends_are_lost([row.op for row in input_rows], options):
        assert list(read_jelly_patch(again)) == rows
    else:
        assert again.read_bytes() == source.read_bytes()


@pytest.mark.parametrize("case", case_files("read/*.jellyp"))
def test_written_by_others(spark: SparkSession, case: Path) -> None:
    rows = rows_of(read(spark, case))
    assert [op_from_row(row) for row in rows] == expected_ops(case)
    assert rows == list(read_jelly_patch(case))


@pytest.mark.parametrize("strict", [False, True], ids=["lenient", "strict"])
@pytest.mark.parametrize("case", case_files("bad/*.txt"))
def test_malformed(spark: SparkSession, case: Path, strict: bool) -> None:
    verdict = case.read_text(encoding="utf-8").split("\n", 1)[0].strip()
    source = case.with_suffix(".jellyp")
    frame = read(spark, source, strict=strict)
    if verdict == "reject" or (verdict == "strict" and strict):
        with fails(source.name, "frame at byte"):
            frame.collect()
    else:
        assert verdict in ("strict", "accept")
        assert rows_of(frame) == list(read_jelly_patch(source))


@pytest.mark.parametrize("case", case_files("refused/*.json"))
def test_refused(spark: SparkSession, tmp_path: Path, case: Path) -> None:
    rows, options = read_input(case)
    frame = frame_of(spark, rows)
    with fails("UnwritableRowException", "in row {"):
        save(frame, tmp_path / "out", **options.to_strings())
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_many_patches_of_one_file(spark: SparkSession, tmp_path: Path) -> None:
    """END rows close patches; without them the changes of `patch` do, as often."""
    rows = [
        PatchRow(
            op, name="id" if op == "H" else None, value="<a:b>" if op == "H" else None, patch=i
        )
        for i in range(50)
        for op in ("H", "TX", "TC", "END")
    ]
    save(frame_of(spark, rows), tmp_path / "with")
    save(frame_of(spark, [row for row in rows if row.op != "END"]), tmp_path / "without")
    with_ends = rows_of(read(spark, tmp_path / "with"))
    assert [row.patch for row in with_ends] == [row.patch for row in rows]
    # The end of the input closes no patch.
    assert rows_of(read(spark, tmp_path / "without")) == with_ends[:-1]
