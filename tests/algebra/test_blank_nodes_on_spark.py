"""Differences that match blank nodes, on Spark: many cases share a query, which takes seconds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from time import monotonic
from typing import TYPE_CHECKING, Any

import pytest

from jelly_spark import patches
from jelly_spark.codec import PatchRow
from jelly_spark.errors import OptionError
from tests.algebra.engines import Log, State, StatementTuple
from tests.algebra.test_blank_nodes import (
    CASES,
    LARGE,
    edge,
    isomorphic,
    random_state,
    shuffled,
)
from tests.algebra.texts import state

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_SCHEMA = "subject string, predicate string, object string, graph string"
_CASE = re.compile(r"<(\d+)\.")


@pytest.fixture(scope="module", autouse=True)
def one_job(spark: SparkSession) -> Iterator[None]:
    """Run each query as one job, which is faster with so little data."""
    spark.conf.set("spark.sql.adaptive.enabled", "false")
    yield
    spark.conf.unset("spark.sql.adaptive.enabled")


def frame(spark: SparkSession, statements: State) -> DataFrame:
    """A state as a DataFrame; its partitions have the statements in any order."""
    return spark.createDataFrame([(*row, None)[:4] for row in statements], _SCHEMA)


def diff(before: DataFrame, after: DataFrame, blank_nodes: Any = "match") -> DataFrame:
    """The patch between two states."""
    # Without PySpark, this cannot be imported, but the module can.
    from jelly_spark import algebra

    return algebra.diff(before, after, blank_nodes=blank_nodes)


def match(spark: SparkSession, before: State, after: State) -> Log:
    """The changes between two states."""
    patch = diff(frame(spark, before), frame(spark, after))
    return [PatchRow(*row) for row in patch.collect() if row.op in ("A", "D")]


def together(states: Iterable[State]) -> set[StatementTuple]:
    """One state of several that do not meet: a number is in all predicates and labels."""

    def labelled(number: int, term: str) -> str:
        return re.sub(r"_:(?=\w)", f"_:{number}-", term)

    return {
        (
            labelled(number, s),
            labelled(number, p).replace("<", f"<{number}.", 1),
            labelled(number, o),
            None if g is None else labelled(number, g),
        )
        for number, state in enumerate(states)
        for s, p, o, g in state
    }


def apart(statements: State, cases: int) -> list[set[StatementTuple]]:
    """The statements of each of several states, without the numbers in the predicates."""
    found: list[set[StatementTuple]] = [set() for _ in range(cases)]
    for s, p, o, g in statements:
        number = _CASE.match(p)
        assert number
        found[int(number[1])].add((s, _CASE.sub("<", p), o, g))
    return found


@pytest.fixture(scope="module")
def random_states() -> tuple[list[set[StatementTuple]], list[set[StatementTuple]]]:
    """Small states with symmetric nodes, copies and cycles, and what may come after them."""
    befores, afters = [], []
    for seed in range(150):
        random = Random(seed)
        before = random_state(random, 5, random.randrange(12))
        kept = random.sample(sorted(before, key=str), random.randrange(len(before) + 1))
        befores.append(before)
        afters.append(shuffled({*kept, *random_state(random, 5, random.randrange(6))}, random))
    return befores, afters


def test_random_states(
    spark: SparkSession,
    random_states: tuple[list[set[StatementTuple]], list[set[StatementTuple]]],
) -> None:
    befores, afters = random_states
    before, after = together(befores), together(afters)
    patch = match(spark, before, after)
    assert {row[1:5] for row in patch if row.op == "D"} <= before
    found = apart(patches.apply(before, patch)[0], len(afters))
    for number, (one, other) in enumerate(zip(found, afters, strict=True)):
        assert isomorphic(one, other), number
    by_labels = patches.diff(before, after)
    assert len(patch) < len(by_labels)
    best = patches.diff(before, after, blank_nodes="match")
    assert len(patch) < 2 * len(best)


@pytest.mark.long
def test_the_partitions_do_not_matter(
    spark: SparkSession,
    random_states: tuple[list[set[StatementTuple]], list[set[StatementTuple]]],
) -> None:
    before, after = (frame(spark, together(states[:40])) for states in random_states)
    patch = diff(before, after).collect()
    spark.conf.set("spark.sql.shuffle.partitions", "5")
    try:
        twice = after.union(after).repartition(7, "object")
        again = diff(before.orderBy("object"), twice)
        assert again.collect() == patch
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", "2")


# Where any choice between nodes is good, or where plain Python finds a better one.
_OTHERS = {"one copy less", "a node twice in a statement", "cycles of two lengths"}


def test_cases(spark: SparkSession) -> None:
    names = [name for name in CASES if name not in _OTHERS]
    before, after = (together(state(CASES[name][place]) for name in names) for place in (0, 1))
    found = match(spark, before, after)
    assert _signature(found) == _signature(patches.diff(before, after, blank_nodes="match"))


def _signature(rows: Log) -> list[tuple[str | None, ...]]:
    """The changes, but for the labels of new nodes."""
    return sorted(
        tuple(re.sub(r"_:n[0-9a-f]{15}-\d+", "_:new", term or "") for term in row[:5])
        for row in rows
        if row.op in ("A", "D")
    )


def _copies(number: int) -> set[StatementTuple]:
    """Equal trees: a top node with a list of two equal members, each with a part of its own."""
    return {
        row
        for copy in range(number)
        for row in state(
            f"<s> <p> _:{copy}a\n_:{copy}a <l> _:{copy}b\n_:{copy}b <f> _:{copy}c\n"
            f"_:{copy}b <r> _:{copy}d\n_:{copy}d <f> _:{copy}e\n_:{copy}d <r> <nil>\n"
            f"_:{copy}c <q> _:{copy}f\n_:{copy}f <v> <o>\n"
            f"_:{copy}e <q> _:{copy}g\n_:{copy}g <v> <o>\n"
            f"_:{copy}a <x> _:{copy}h\n_:{copy}a <x> _:{copy}i\n"
            f"_:{copy}h <y> _:{copy}j\n_:{copy}i <y> _:{copy}k"
        )
    }


SYMMETRIC: dict[str, Iterable[StatementTuple]] = {
    **{
        name: LARGE[name]
        for name in (
            "a complete graph",
            "copies",
            "a node with many statements",
            "a node with many neighbours",
            "two nodes with many neighbours",
        )
    },
    "equal trees": _copies(100),
    "one tree of equal trees": {
        row
        for n in range(100)
        for row in (
            ("_:t", "<t>", f"_:{n}a", None),
            (f"_:{n}a", "<x>", f"_:{n}b", None),
            (f"_:{n}a", "<x>", f"_:{n}c", None),
            (f"_:{n}b", "<y>", f"_:{n}d", None),
            (f"_:{n}c", "<y>", f"_:{n}e", None),
        )
    },
    "equal trees in a graph with a blank name": {(*row[:3], "_:g") for row in _copies(50)},
    "different lists": {
        row
        for number in range(200)
        for row in (
            (f"_:{number}", "<f>", f'"{number}"', None),
            (f"_:{number}", "<r>", f"_:{number + 1}", None),
        )
    },
}


def test_states_that_differ_only_in_labels(spark: SparkSession) -> None:
    before = together(SYMMETRIC.values())
    patch = match(spark, before, shuffled(before, Random(1)))
    assert [(row.op, *row[1:4]) for row in patch] == []


@pytest.mark.long
def test_new_labels(spark: SparkSession) -> None:
    """They are unlike all labels of both states, even those that were made to be like them."""
    new = [("_:a", "<p>", f'"{number}"', None) for number in range(3)]
    more = [("_:a", "<p>", "<o>", None), ("_:b", "<p>", "<o>", None), ("_:c", "<q>", "<o>", None)]
    made = match(spark, [], [*new, *more])
    assert all(re.fullmatch(r"_:n[0-9a-f]{15}-[01]", row.subject or "") for row in made)
    colours = {row.predicate: (row.subject or "").partition("-")[0] for row in made}
    some = [f"{colours['<p>']}-{number}" for number in (0, 41)]
    long = [f"{colours['<q>']}-{'9' * digits}" for digits in (15, 16, 40)]
    before = [(label, "<r>", f"<{number}>", None) for number, label in enumerate([*some, *long])]
    found = match(spark, before, [*before, *new, *more])
    labels = sorted({row.subject or "" for row in found})
    assert len(labels) == len({row.subject for row in made})
    assert not {*labels} & {row[0] for row in before}
    assert all(row.op == "A" for row in found)


def test_an_unknown_value(spark: SparkSession) -> None:
    nothing = frame(spark, [])
    with pytest.raises(OptionError, match="blank_nodes must be one of: label, match; not 'labels'"):
        diff(nothing, nothing, "labels")


def test_the_plan(spark: SparkSession) -> None:
    """Each state is read two or three times, whatever the number of rounds."""
    before, after = (
        spark.range(size).selectExpr(
            "concat('_:', id) AS subject", "'<p>' AS predicate", "concat('_:', id + 1) AS object"
        )
        for size in (1000, 1001)
    )
    plan = diff(before, after)._jdf.queryExecution().toString()
    physical = plan.partition("== Physical Plan ==")[2]
    assert physical.count("Range (0, 1000,") == 2
    assert physical.count("Range (0, 1001,") == 3
    assert not re.search("Cartesian|NestedLoop|Python|Arrow|Pandas", physical)


POISON: dict[str, Sequence[StatementTuple]] = {
    "a node with many neighbours": [edge("a", b) for b in range(100_000)],
    "equal nodes": [(f"_:{a}", "<p>", "<o>", None) for a in range(100_000)],
    "a complete graph": [edge(a, b) for a in range(200) for b in range(200)],
    "a statement with many nodes": [
        (
            "_:s",
            "<p>",
            "".join(f"<<( _:{n} <p> " for n in range(3000)) + "<o>" + " )>>" * 3000,
            None,
        )
    ],
    "a long literal": [("_:a", "<p>", f'<<( _:b <p> "{chr(92) * 2_000_000}" )>>', None)],
}


@pytest.mark.long
@pytest.mark.parametrize("before", POISON.values(), ids=POISON.keys())
def test_poison(spark: SparkSession, before: Sequence[StatementTuple]) -> None:
    after = shuffled(before, Random(1))
    start = monotonic()
    assert match(spark, before, after) == []
    assert monotonic() - start < 300
