"""Pushed filters give the same rows as filters that Spark evaluates itself."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from pyspark.sql import SparkSession

from jelly_spark.codec import RdfPatchOptions, RdfPatchThriftOptions
from jelly_spark.core.rows import AnyRow
from tests.spark.many_rows import Written, every_kind, patch, rows_of
from tests.spark.plans import plan_of

FILES = every_kind(1500, max_name_table_size=16)

# Without the IRI that RDF Patch's text takes for a blank node.
_ROWS = [row for row in patch(300).rows if "u005F" not in str(row)]
OTHERS = {
    "rdf_patch": Written(RdfPatchOptions(), _ROWS),
    "rdf_patch_thrift": Written(RdfPatchThriftOptions(), _ROWS),
}

# None of a file's, or not as a reader writes it.
ABSENT = [
    "<http://absent.example/>",
    '"\\u0078"',
    "",
    "x",
    "\ufffd",
    "_:none",
    "<<( _:a _:b _:c )>>",
]

DECIDED = ("op", "subject", "predicate", "object", "graph")


@dataclass(frozen=True)
class Condition:
    """A condition on rows; what it says of one is None where SQL says null."""

    sql: str
    of: Callable[[AnyRow], bool | None]


def literal(text: str) -> str:
    """A string of SQL."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def conditions(rows: list[Any]) -> Callable[[Random], Condition]:
    """Make random conditions on columns of the rows; most compare with values of theirs."""
    columns = [name for name in DECIDED if name in rows[0]._fields]
    values = {
        name: sorted({getattr(row, name) for row in rows} - {None}, key=str) for name in columns
    }

    def one(random: Random) -> Condition:
        name = random.choice(columns)

        def value() -> str:
            pool = values[name] if values[name] and random.randrange(6) else ABSENT
            return str(random.choice(pool))

        def test(sql: str, holds: Callable[[str | None], bool | None]) -> Condition:
            return Condition(sql, lambda row: holds(getattr(row, name)))

        def unless_null(holds: Callable[[str], bool]) -> Callable[[str | None], bool | None]:
            return lambda text: None if text is None else holds(text)

        match random.randrange(9):
            case 0:
                return test(f"{name} IS NULL", lambda text: text is None)
            case 1:
                return test(f"{name} IS NOT NULL", lambda text: text is not None)
            case 2:
                some = value()
                return test(f"{name} <=> {literal(some)}", lambda text: text == some)
            case 3:
                return test(f"{name} <=> NULL", lambda text: text is None)
            case 4 | 5:
                several = [value() for _ in range(random.randint(2, 14))]
                listed = ", ".join(map(literal, several))
                return test(f"{name} IN ({listed})", unless_null(lambda text: text in several))
            case 6:
                other = value()
                return test(f"{name} != {literal(other)}", unless_null(lambda text: text != other))
            case _:
                equal = value()
                return test(f"{name} = {literal(equal)}", unless_null(lambda text: text == equal))

    def draw(random: Random) -> Condition:
        parts = [one(random) for _ in range(random.choice((1, 1, 2, 2, 3)))]
        if len(parts) == 2 and random.randrange(4) == 0:
            first, second = parts
            return Condition(
                f"({first.sql} OR {second.sql})", lambda row: first.of(row) or second.of(row)
            )
        return Condition(
            " AND ".join(part.sql for part in parts),
            lambda row: all(part.of(row) for part in parts),
        )

    return draw


def hidden(sql: str) -> str:
    """A condition that says the same, and that no reader is told of."""
    for name in DECIDED:
        sql = sql.replace(f"{name} ", f"concat({name}, '') ")
    return sql


def check(
    spark: SparkSession, tmp_path: Path, written: Written, *, examples: int, **options: Any
) -> None:
    """Compare what random conditions give, on all columns or some, with what Python says."""
    data = written.encoded()
    (tmp_path / "file").write_bytes(data)
    rows = written.decoded(data)
    frame = written.read(spark, tmp_path / "file", **options)
    draw = conditions(rows)
    random = Random(str(written.options))
    for _ in range(examples):
        condition = draw(random)
        columns = random.sample(frame.columns, random.randint(0, 3))
        chosen = ["seq", *(name for name in columns if name != "seq")]
        found = rows_of(frame.where(condition.sql).select(*chosen))
        expected = [
            tuple(getattr(row, name) for name in chosen) for row in rows if condition.of(row)
        ]
        assert found == expected, (condition.sql, chosen)


@pytest.mark.parametrize("kind", FILES)
def test_random_conditions(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    check(spark, tmp_path, FILES[kind], examples=14)


@pytest.mark.parametrize("format", OTHERS)
def test_formats_without_lookups(spark: SparkSession, tmp_path: Path, format: str) -> None:
    check(spark, tmp_path, OTHERS[format], examples=6)


@pytest.mark.parametrize("kind", ["patch-PUNCTUATED-QUADS", "rdf-QUADS-FLAT_QUADS"])
def test_all_columns_and_hidden_conditions(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    written = FILES[kind]
    data = written.encoded()
    (tmp_path / "file").write_bytes(data)
    frame = written.read(spark, tmp_path / "file")
    draw = conditions(written.decoded(data))
    random = Random(kind)
    for _ in range(5):
        sql = draw(random).sql
        assert "PushedFilters: []" in plan_of(frame.where(hidden(sql)))
        assert rows_of(frame.where(sql)) == rows_of(frame.where(hidden(sql))), sql
        assert frame.where(sql).count() == frame.where(hidden(sql)).count()


@pytest.mark.parametrize("kind", ["patch-FLAT-QUADS", "rdf-GRAPHS-FLAT_QUADS"])
def test_structs_are_null_or_not(spark: SparkSession, tmp_path: Path, kind: str) -> None:
    written = FILES[kind]
    data = written.encoded()
    (tmp_path / "file").write_bytes(data)
    rows = written.decoded(data)
    frame = written.read(spark, tmp_path / "file", terms="struct")
    for name in ("subject", "object", "graph"):
        nulls = sum(getattr(row, name) is None for row in rows)
        assert frame.where(f"{name} IS NULL").count() == nulls
        assert frame.where(f"{name} IS NOT NULL").count() == len(rows) - nulls
    found = frame.where("graph IS NOT NULL AND object.lang = 'fr-BE'").select("seq").collect()
    assert [seq for (seq,) in found] == [
        row.seq for row in rows if row.graph is not None and row.object == '"chat"@fr-BE'
    ]


def test_explain_shows_what_is_pushed(spark: SparkSession, tmp_path: Path) -> None:
    written = FILES["patch-FLAT-QUADS"]
    (tmp_path / "file").write_bytes(written.encoded())
    frame = written.read(spark, tmp_path / "file")
    plan = plan_of(frame.where("op IN ('A', 'D') AND graph IS NULL").select("object"))
    assert "PushedFilters: [In(op, [A,D]), IsNull(graph)]" in plan


def test_rows_that_are_left_out_are_not_given_to_spark(spark: SparkSession, tmp_path: Path) -> None:
    """The scan itself gives those that pass, and no more."""
    written = FILES["patch-FLAT-QUADS"]
    data = written.encoded()
    (tmp_path / "file").write_bytes(data)
    frame = written.read(spark, tmp_path / "file").where("predicate = '<http://example.org/p1>'")
    passed = frame.count()
    assert 0 < passed < len(written.rows)
    physical: Any = frame._jdf.queryExecution().executedPlan()
    frame._jdf.collectToPython()  # runs the plan whose numbers are asked for
    scan = physical.collectLeaves().apply(0)
    assert scan.metrics().apply("numOutputRows").value() == passed
