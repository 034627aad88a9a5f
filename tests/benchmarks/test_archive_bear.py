"""Archives in the shape of BEAR's."""

from benchmarks.data.bear import SHAPES, patches
from jelly_spark.codec import PatchRow
from jelly_spark.patches import validate


def test_patches() -> None:
    shape = SHAPES["daily"].scaled(0.05)
    rows = [row for patch in patches(shape) for row in patch]
    assert rows == [row for patch in patches(shape) for row in patch]
    assert rows != [row for patch in patches(shape, seed=2) for row in patch]
    # No statement is added that was there, or deleted that was not.
    assert [*validate(rows)] == []
    first, *others = map(_changes, patches(shape))
    assert abs(first / shape.statements - 1) < 0.1
    assert abs(sum(others) / len(others) / shape.changes - 1) < 0.5


def _changes(rows: list[PatchRow]) -> int:
    return sum(row.op in ("A", "D") for row in rows)
