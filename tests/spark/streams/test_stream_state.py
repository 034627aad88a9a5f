"""The example that follows the state of a log, by Spark's `transformWithState`."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from pyspark import __version__, cloudpickle
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

import jelly_spark
from examples.streaming import state
from jelly_spark import codec
from jelly_spark.codec import PatchRow, RowOp
from tests.spark.patches import EX, FORMAT, read, write_file

TIMEOUT = 300
"""Seconds that a stream may take for all that is there."""

PROVIDER = "spark.sql.streaming.stateStore.providerClass"

ROCKS_DB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"

Statement = tuple[str | None, ...]

pytestmark = pytest.mark.skipif(
    __version__.startswith("4.0."), reason="Python's transformWithState came with Spark 4.1"
)


@pytest.fixture
def spark(spark: SparkSession) -> Iterator[SparkSession]:
    """The session, with the state store that the operator needs."""
    # Python workers cannot import the example.
    cloudpickle.register_pickle_by_value(state)  # type: ignore[no-untyped-call]
    spark.conf.set(PROVIDER, ROCKS_DB)
    yield spark
    spark.conf.unset(PROVIDER)


def follow(spark: SparkSession, folder: Path) -> None:
    """Take what is new in the log."""
    log = jelly_spark.read_stream(spark, FORMAT, folder / "log", maxFilesPerTrigger=2)
    query = (
        state.changes(log)
        .repartition(1)
        .writeStream.format(FORMAT)
        .option("checkpointLocation", str(folder / "checkpoint"))
        .trigger(availableNow=True)
        .start(str(folder / "changes"))
    )
    assert query.awaitTermination(TIMEOUT)


def found(spark: SparkSession, folder: Path) -> list[Statement]:
    """The statements in the state, sorted."""
    rows = state.state(spark, str(folder / "checkpoint")).collect()
    return sorted((tuple(row) for row in rows), key=str)


def net(rows: list[PatchRow]) -> dict[Statement, int]:
    """How often each statement came, less how often it went."""
    counts: dict[Statement, int] = {}
    for row in rows:
        key = (row.subject, row.predicate, row.object, row.graph)
        counts[key] = counts.get(key, 0) + (1 if row.op == "A" else -1)
    return counts


def replayed(patches: list[list[PatchRow]]) -> list[Statement]:
    """The statements after the patches in their order, sorted."""
    present: set[Statement] = set()
    for row in (row for patch in patches for row in patch):
        (present.add if row.op == "A" else present.discard)(
            (row.subject, row.predicate, row.object, row.graph)
        )
    return sorted(present, key=str)


def test_state_and_changes(spark: SparkSession, tmp_path: Path) -> None:
    """Whatever the order in which the patches come, their names say in which they count."""
    draw = random.Random(14)
    ops: list[RowOp] = ["A", "D"]
    patches = [
        [
            PatchRow(
                draw.choice(ops),
                f"<{EX}{draw.randrange(6)}>",
                f"<{EX}p>",
                '"o"',
                draw.choice([None, f"<{EX}g>"]),
            )
            for _ in range(12)
        ]
        for _ in range(5)
    ]
    for arriving in ([1], [4, 0], [2, 3]):
        for number in arriving:
            write_file(tmp_path / f"log/{number}.jellyp", patches[number])
        follow(spark, tmp_path)
    assert found(spark, tmp_path) == replayed(patches)
    changed = [
        row
        for path in (tmp_path / "changes").glob("*.jellyp")
        for row in codec.read_jelly_patch(path)
    ]
    counts = net(changed)
    # Each statement came and went in turn.
    assert set(counts.values()) <= {0, 1}
    assert sorted((key for key, count in counts.items() if count), key=str) == replayed(patches)


def test_nothing_is_written_where_nothing_changes(spark: SparkSession, tmp_path: Path) -> None:
    row = PatchRow("A", f"<{EX}s>", f"<{EX}p>", '"o"')
    write_file(tmp_path / "log/1.jellyp", [row])
    follow(spark, tmp_path)
    write_file(tmp_path / "log/2.jellyp", [row, row._replace(op="D"), row])
    follow(spark, tmp_path)
    assert read(spark, tmp_path / "changes").count() == 1


def test_aborted_transactions_are_an_error(spark: SparkSession, tmp_path: Path) -> None:
    row = PatchRow("A", f"<{EX}s>", f"<{EX}p>", '"o"')
    write_file(tmp_path / "log/1.jellyp", [PatchRow("TX"), row, PatchRow("TA")])
    with pytest.raises(PySparkException, match="aborted transaction"):
        follow(spark, tmp_path)
