"""Differences by digests are those by a shuffle, whatever the states and the places of hashes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from jelly_spark import algebra, patches
from jelly_spark.algebra import digests
from jelly_spark.algebra.columns import STATEMENT
from jelly_spark.errors import OptionError
from tests.algebra.engines import State, StatementTuple
from tests.algebra.strategies import states
from tests.algebra.together import state_of_cases
from tests.examples import examples
from tests.spark.settings import setting

pytestmark = pytest.mark.spark

SCHEMA = "subject string, predicate string, object string, graph string"
CASES = 200
MANY = 500
OPTIONS: dict[str, dict[str, Any]] = {
    "labels": {},
    "tags": {"language_tags": "ignore-case"},
}


def numbers(first: int, last: int) -> list[StatementTuple]:
    return [(f"<urn:x:{n}>", "<urn:x:p>", f'"{n % 7}"', None) for n in range(first, last)]


COMMON = numbers(0, MANY)
CHANGED = [*COMMON, *numbers(900, 903)], [*COMMON, *numbers(800, 805)]
STATES: list[tuple[State, State]] = [
    (COMMON, [*COMMON, *COMMON]),
    CHANGED,
    (numbers(0, 300), numbers(300, MANY)),
    ([], COMMON),
    (COMMON, []),
    (
        [("<urn:x:s>", "<urn:x:p>", f'"{n}"', None) for n in range(MANY)],
        [("<urn:x:s>", "<urn:x:p>", f'"{n}"', None) for n in range(1, MANY + 1)],
    ),
    (COMMON, [(*COMMON[0][:3], "<urn:x:g>"), *COMMON[1:]]),
    (
        [("_:b", "<urn:x:p>", '<<( <urn:x:a> <urn:x:p> "1"@en )>>', None), *COMMON],
        [("_:b", "<urn:x:p>", '<<( <urn:x:a> <urn:x:p> "1"@EN )>>', None), *COMMON],
    ),
]
"""Duplicates, a few changes, disjoint states, states of nothing, one subject, a graph instead of
none, and tags in triple terms."""


@pytest.fixture(scope="module")
def frame(spark: SparkSession) -> Callable[[State], DataFrame]:
    """Makes a DataFrame of a state."""
    return lambda state: spark.createDataFrame([*state], SCHEMA)


@pytest.fixture(scope="module")
def cases(frame: Callable[[State], DataFrame]) -> tuple[DataFrame, DataFrame]:
    """The states of all cases, one of them cached."""
    drawn = examples(st.tuples(states, states), CASES)
    before, after = zip(*drawn, *STATES, strict=True)
    return frame(state_of_cases(before)).repartition(3), frame(state_of_cases(after)).cache()


@pytest.mark.parametrize("options", OPTIONS)
def test_states_of_all_kinds(options: str, cases: tuple[DataFrame, DataFrame]) -> None:
    assert_equal_strategies(cases, OPTIONS[options])


def test_matched_blank_nodes(spark: SparkSession, frame: Callable[[State], DataFrame]) -> None:
    """Statements without them are compared by digests, and all others as without digests."""
    nodes = [(f"_:{n}", "<urn:x:p>", f'"{n}"', None) for n in range(5)]
    others = [(f"_:x{n}", "<urn:x:p>", f'"{n}"', None) for n in range(1, 6)]
    pair = [*CHANGED[0], *nodes], [*CHANGED[1], *others]
    expected = patches.diff(*pair, blank_nodes="match")
    # Adaptive execution would plan the query again after each of about thirty shuffles.
    with setting(spark, "spark.sql.adaptive.enabled", "false"):
        found = algebra.diff(*map(frame, pair), blank_nodes="match", strategy="digest").collect()
    # The label of the new node may be another one.
    assert [(row[0], row[3]) for row in found] == [(row[0], row[3]) for row in expected]


@pytest.mark.parametrize("size", [digests._LEAST, 12])
def test_statements_at_few_places(
    size: int, cases: tuple[DataFrame, DataFrame], monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the fewest places, most have differences, and all statements are compared."""
    monkeypatch.setattr(digests, "_USUAL", size)
    assert_equal_strategies(cases, {})


@pytest.mark.parametrize("partitions", [1, 40])
def test_states_of_one_partition_and_of_many(
    partitions: int, frame: Callable[[State], DataFrame]
) -> None:
    """Spark brings a union of single partitions together without a shuffle."""
    before, after = (frame(state).repartition(partitions) for state in CHANGED)
    assert_equal_strategies((before, after), {})
    assert_equal_strategies((before.coalesce(1), after.coalesce(1).cache()), {})


def test_states_that_are_joins(frame: Callable[[State], DataFrame]) -> None:
    """Partitions of both sides of a join stay together."""
    before, after = (
        frame(state)
        .repartition(20, "subject")
        .join(frame(state).hint("merge").select("subject").repartition(20, "subject"), "subject")
        for state in CHANGED
    )
    assert_equal_strategies((before, after), {})


@pytest.mark.parametrize("state", [COMMON, []], ids=["equal", "nothing"])
def test_equal_states(state: State, frame: Callable[[State], DataFrame]) -> None:
    patch = algebra.diff(frame(state), frame([*reversed([*state])]), strategy="digest")
    assert patch.collect() == []


def assert_equal_strategies(pair: tuple[DataFrame, DataFrame], options: dict[str, Any]) -> None:
    expected, found = (
        algebra.diff(*pair, **options, strategy=strategy) for strategy in ("shuffle", "digest")
    )
    assert "jelly_digest_marks" in plan_of(found)
    assert found.collect() == expected.collect()


@pytest.fixture
def changing(
    frame: Callable[[State], DataFrame], tmp_path: Path
) -> Callable[[Callable[[int], range]], DataFrame]:
    """Makes a state that has other statements whenever it is read: their numbers."""
    reads = tmp_path / "reads"
    reads.touch()

    def read(numbers: Callable[[int], range], batches: Iterator[Any]) -> Iterator[Any]:
        import pyarrow as pa

        for _ in batches:
            with reads.open("a") as file:
                file.write("read\n")
            found = numbers(len(reads.read_text().splitlines()))
            objects = pa.array([f'"{n}"' for n in found])
            subjects, predicates = (
                pa.array([term] * len(found)) for term in ("<urn:s>", "<urn:p>")
            )
            graphs = pa.nulls(len(found), pa.string())
            yield pa.RecordBatch.from_arrays(
                [subjects, predicates, objects, graphs], names=[*STATEMENT]
            )

    one_row = frame([]).sparkSession.range(0, 1, 1, 1)
    return lambda numbers: one_row.mapInArrow(partial(read, numbers), SCHEMA)


@pytest.mark.parametrize("options", ["labels", "tags"])
def test_a_state_that_loses_a_changed_statement_between_two_reads(
    options: str,
    frame: Callable[[State], DataFrame],
    changing: Callable[[Callable[[int], range]], DataFrame],
) -> None:
    after = changing(lambda read: range(read, MANY))
    patch = algebra.diff(frame([]), after, strategy="digest", **OPTIONS[options])
    with pytest.raises(PySparkException, match="a state changed while two states were compared"):
        patch.collect()


def test_a_state_that_gets_a_statement_between_two_reads(
    frame: Callable[[State], DataFrame],
    changing: Callable[[Callable[[int], range]], DataFrame],
) -> None:
    """It is not read again, because its places did not differ: the patch is that of the first."""
    after = changing(lambda read: range(read + 1))
    patch = algebra.diff(frame([]), after, strategy="digest")
    assert [row.object for row in patch.collect() if row.op == "A"] == ['"0"', '"1"']


def test_a_key_is_drawn_for_each_difference(frame: Callable[[State], DataFrame]) -> None:
    state = frame(COMMON)
    one, other = (algebra.diff(state, state, strategy="digest") for _ in range(2))
    assert plan_of(one) != plan_of(other)


@pytest.fixture
def files(
    frame: Callable[[State], DataFrame], spark: SparkSession, tmp_path: Path
) -> tuple[DataFrame, DataFrame]:
    """Two states in files."""
    paths = []
    for name, state in zip("ab", CHANGED, strict=True):
        paths.append(str(tmp_path / name))
        frame(state).write.format("jelly_rdf").save(paths[-1])
    before, after = (spark.read.format("jelly_rdf").load(path) for path in paths)
    return before, after


def test_auto_takes_digests_for_big_files(
    files: tuple[DataFrame, DataFrame], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not uses_digests(*files)
    monkeypatch.setattr(digests, "_LEAST_BYTES", 1)
    assert uses_digests(*files)
    assert uses_digests(files[0].cache(), files[1].where("object <> '\"1\"'"))
    assert_equal_strategies(files, {})


@pytest.mark.parametrize(
    "query",
    [
        lambda state: state.distinct(),
        lambda state: state.where("rand() < 0.5"),
        lambda state: state.limit(10),
        lambda state: state.join(state.limit(1), "subject", "left_semi"),
        lambda state: state.sparkSession.createDataFrame(state.collect(), state.schema),
        lambda state: state.sparkSession.createDataFrame([], state.schema).cache(),
    ],
)
def test_auto_shuffles_what_it_cannot_read_twice(
    query: Callable[[DataFrame], DataFrame],
    files: tuple[DataFrame, DataFrame],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(digests, "_LEAST_BYTES", 1)
    assert not uses_digests(files[0], query(files[1]))


def test_an_error_is_raised_by_the_query(spark: SparkSession) -> None:
    state = spark.sql("SELECT '<s>' AS subject, CAST(NULL AS string) AS predicate, '<o>' AS object")
    patch = algebra.diff(state, state)
    with pytest.raises(PySparkException, match="must have a subject, a predicate"):
        patch.collect()


def test_a_strategy_that_does_not_exist(frame: Callable[[State], DataFrame]) -> None:
    with pytest.raises(OptionError, match="strategy must be one of: auto, digest, shuffle"):
        algebra.diff(frame([]), frame([]), strategy="sort")  # type: ignore[arg-type]


def uses_digests(before: DataFrame, after: DataFrame) -> bool:
    return "jelly_digest_marks" in plan_of(algebra.diff(before, after))


def plan_of(frame: DataFrame) -> str:
    plan: str = frame._jdf.queryExecution().toString()
    return plan
