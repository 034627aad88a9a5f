"""What is Spark's own of patch algebra: its plans, its inputs, its errors.

What the functions compute is tested in `tests/algebra`, with the same tests as plain Python.
"""

from __future__ import annotations

import re
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from jelly_spark import algebra, functions, patches
from jelly_spark.codec import PatchRow, read_jelly_patch
from jelly_spark.errors import InvalidTermError, OptionError
from tests.spark.patches import fails, frame_of, only_file, rows_of, write_file
from tests.spark.plans import plan_of

STATEMENT = "subject string, predicate string, object string, graph string"

Rows = list[tuple[Any, ...]]


def state(spark: SparkSession, *objects: str, graph: str | None = None) -> DataFrame:
    """Statements that differ in their objects."""
    return spark.createDataFrame([("<urn:s>", "<urn:p>", o, graph) for o in objects], STATEMENT)


def objects(frame: DataFrame) -> list[str]:
    return sorted(row.object for row in frame.collect())


def changes(*rows: tuple[str, str], tx: int | None = None) -> list[PatchRow]:
    """Rows that change statements, by their objects."""
    return [PatchRow(op, "<urn:s>", "<urn:p>", o, tx=tx) for op, o in rows]  # type: ignore[arg-type]


def log_of(spark: SparkSession, rows: list[PatchRow]) -> DataFrame:
    """A log of one patch; `tx` of the rows stays."""
    return frame_of(spark, [row._replace(patch=0, seq=seq) for seq, row in enumerate(rows)])


@pytest.fixture(scope="module")
def files(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> dict[str, DataFrame]:
    """States and a log, from files."""
    folder = tmp_path_factory.mktemp("files")
    found = {}
    for name, objects in (("before", ('"a"', '"b"')), ("after", ('"b"', '"c"'))):
        path = str(folder / name)
        state(spark, *objects).write.format("jelly_rdf").save(path)
        found[name] = spark.read.format("jelly_rdf").load(path)
    write_file(folder / "log.jellyp", changes(("A", '"c"'), ("D", '"a"')))
    found["log"] = spark.read.format("jelly_patch").load(str(folder / "log.jellyp"))
    return found


def shuffles(frame: DataFrame) -> int:
    """The number of shuffles by hash in the plan, which has no other costly operation."""
    plan = plan_of(frame)
    assert not re.search("Cartesian|NestedLoop|Python|Arrow|Pandas", plan), plan
    return plan.count("Exchange hashpartitioning")


def test_each_query_shuffles_once(files: dict[str, DataFrame]) -> None:
    before, after, log = files["before"], files["after"], files["log"]
    assert shuffles(algebra.diff(before, after, id="<urn:id>")) == 1
    assert shuffles(algebra.apply(before, log)[0]) == 1
    assert shuffles(algebra.apply(before, log, strict=True)[2]) == 1
    assert shuffles(algebra.state(log)[0]) == 1
    assert shuffles(algebra.changes(log, before)) == 1
    assert shuffles(algebra.history(log, F.col("subject") == "<urn:s>", before)) == 1
    assert shuffles(algebra.squash(log, before)) == 1
    assert shuffles(algebra.apply(before, log)[1]) == 0


def test_only_statements_that_may_change_are_shuffled(files: dict[str, DataFrame]) -> None:
    before, log = files["before"], files["log"]
    for query in (
        algebra.changes(log, before),
        algebra.squash(log, before),
        algebra.apply(before, log, strict=True)[2],
        algebra.validate(log, before),
    ):
        found = re.findall("LeftSemi, BuildRight|FileScan jelly_rdf", plan_of(query))
        assert found == ["LeftSemi, BuildRight", "FileScan jelly_rdf"]


def test_changes_of_canonical_patches_are_a_projection(files: dict[str, DataFrame]) -> None:
    found = algebra.changes(files["log"], files["before"], assume_canonical=True)
    plan = plan_of(found)
    assert "Exchange" not in plan.replace("BroadcastExchange", "")
    assert not re.search("FileScan jelly_rdf|Sort|Window|Aggregate", plan), plan


def test_no_function_runs_a_query(spark: SparkSession, files: dict[str, DataFrame]) -> None:
    before, after, log = files["before"], files["after"], files["log"]
    context = spark.sparkContext
    context.setJobGroup("algebra", "calls only")
    try:
        algebra.diff(
            before, after, id="<urn:id>", prefixes=(before.selectExpr("'a' name", "'b' value"),) * 2
        )
        algebra.diff(before, after, blank_nodes="match")
        algebra.apply(before, log, strict=True)
        algebra.state(log)
        algebra.changes(log, before)
        algebra.check_canonical(log, before)
        algebra.history(log)
        algebra.squash(log, before)
        algebra.invert(log)
        algebra.concat(log, log)
        algebra.split(log, 1)
        algebra.validate(log, before)
        assert not context.statusTracker().getJobIdsForGroup("algebra")
    finally:
        context.setJobGroup("", "")


COLLISION = (
    '"xxxxxxxci G=~%;0uo% lEn"',
    '"xxxxxxxCv!\u07d8\u02b7G0uo%\u03f7\u0484"',
)
"""Two objects with the same xxhash64, whatever its seed."""


def test_statements_whose_hashes_collide_are_told_apart(spark: SparkSession) -> None:
    one, other = (state(spark, text) for text in COLLISION)
    hashes = one.union(other).select(F.xxhash64("subject", "predicate", "object", "graph"))
    assert hashes.distinct().count() == 1
    found = rows_of(algebra.diff(one, other))
    assert [(row.op, row.object) for row in found[1:-1]] == [
        ("D", COLLISION[0]),
        ("A", COLLISION[1]),
    ]
    log = log_of(spark, changes(("D", COLLISION[0]), ("A", COLLISION[1])))
    assert objects(algebra.apply(one, log)[0]) == [COLLISION[1]]
    assert algebra.changes(log, one).count() == 2
    assert algebra.squash(log, other).count() == 0


def test_a_difference_becomes_one_file(spark: SparkSession, tmp_path: Path) -> None:
    before = state(spark, *(f'"{n}"' for n in range(50))).repartition(5)
    after = state(spark, *(f'"{n}"' for n in range(25, 75))).repartition(3)
    patch = algebra.diff(before, after, id="<urn:id>")
    patch.write.format("jelly_patch").save(str(tmp_path / "patch"))
    found = list(read_jelly_patch(only_file(tmp_path / "patch")))
    assert [row.op for row in found] == ["H", "TX", *["D"] * 25, *["A"] * 25, "TC"]
    assert found == rows_of(patch)


def test_terms_may_be_structs(spark: SparkSession, files: dict[str, DataFrame]) -> None:
    terms = ("subject", "predicate", "object", "graph")
    structs = {name: functions.term_to_struct(name) for name in terms}
    before, after = files["before"], files["after"].withColumns(structs)
    expected = rows_of(algebra.diff(before, files["after"]))
    assert rows_of(algebra.diff(before, after)) == expected
    log = files["log"].withColumns({**structs, "value": functions.term_to_struct("value")})
    assert objects(algebra.apply(before.withColumns(structs), log)[0]) == ['"b"', '"c"']


def test_other_columns_and_namespaces_are_ignored(spark: SparkSession) -> None:
    rows: Rows = [("<urn:s>", "<urn:p>", '"a"', 1), ("<urn:s>", "<urn:p>", '"a"', 2), (None,) * 4]
    before = spark.createDataFrame(rows, "subject string, predicate string, object string, n int")
    assert algebra.diff(before, state(spark, '"a"')).count() == 0
    assert algebra.apply(before, log_of(spark, []))[0].count() == 1


@pytest.mark.parametrize("missing", ["predicate", "object"])
def test_statements_need_their_terms(spark: SparkSession, missing: str) -> None:
    """In plain Python, too, they are errors, and rows without a subject are ignored."""
    good = state(spark, '"a"')
    bad = good.withColumn(missing, F.lit(None).cast("string"))
    log = log_of(spark, changes(("A", '"b"')))
    refused = "must have a subject, a predicate and an object; in row"
    for query in (
        algebra.diff(good, bad),
        algebra.diff(bad.withColumns({"object": functions.term_to_struct("object")}), good),
        algebra.apply(bad, log)[0],
        algebra.changes(log, bad),
        algebra.history(log, state=bad),
    ):
        with fails(refused, '"subject":"<urn:s>"'):
            query.collect()
    with pytest.raises(OptionError, match="the terms of a statement must be"):
        patches.diff([tuple(row) for row in bad.collect()], [])


def test_files_need_log_seq(spark: SparkSession, tmp_path: Path) -> None:
    for number in range(2):
        write_file(tmp_path / f"{number}.jellyp", changes(("A", f'"{number}"')))
    log = spark.read.format("jelly_patch").load(str(tmp_path))
    for call in (algebra.state, algebra.changes, algebra.squash, algebra.invert, algebra.validate):
        with pytest.raises(OptionError, match=r"2 files .*read_log"):
            call(log)
    name = F.regexp_extract("_metadata.file_name", "[0-9]+", 0).cast("bigint")
    with_order = log.select("*", name.alias("log_seq"))
    assert objects(algebra.state(with_order)[0]) == ['"0"', '"1"']
    assert [row.log_seq for row in algebra.changes(with_order).orderBy("object").collect()] == [
        0,
        1,
    ]


def test_patches_of_many_files_are_in_order(spark: SparkSession, tmp_path: Path) -> None:
    for number in range(2):
        write_file(tmp_path / f"{number}.jellyp", changes(("A", f'"{number}"')))
    name = F.regexp_extract("_metadata.file_name", "[0-9]+", 0).cast("bigint")
    log = spark.read.format("jelly_patch").load(str(tmp_path)).select("*", name.alias("log_seq"))
    patch = algebra.squash(log)
    assert len(patch.inputFiles()) > 1
    inverse = algebra.invert(patch)
    assert [row.op for row in rows_of(inverse)] == ["TX", "D", "D", "TC"]
    assert objects(algebra.state(algebra.concat(patch, inverse, patch))[0]) == ['"0"', '"1"']


def test_tables_may_have_many_files(spark: SparkSession, tmp_path: Path) -> None:
    log = log_of(spark, changes(*(("A", f'"{n}"') for n in range(4))))
    log.repartition(3).write.parquet(str(tmp_path / "log"))
    table = spark.read.parquet(str(tmp_path / "log"))
    assert len(table.inputFiles()) > 1
    assert algebra.state(table)[0].count() == 4


def test_transactions_with_one_number_are_an_error(spark: SparkSession) -> None:
    rows = [PatchRow("TX", tx=0), *changes(("A", '"a"'), tx=0), PatchRow("TC", tx=0)]
    with fails("a transaction must end once", "read_log", '"tx":0'):
        algebra.state(log_of(spark, [*rows, *rows]))[0].collect()


def test_rows_without_their_transaction_are_an_error(spark: SparkSession) -> None:
    log = log_of(spark, changes(("A", '"a"'), tx=0))
    with fails("must be closed by TC or TA", '"object":"\\"a\\""'):
        algebra.state(log)[0].collect()
    assert algebra.state(log, on_open="ignore")[0].count() == 1


def test_rows_without_their_place_are_an_error(spark: SparkSession) -> None:
    with fails("must have its place", '"object":"\\"a\\""'):
        algebra.state(frame_of(spark, changes(("A", '"a"'))))[0].collect()


@pytest.mark.parametrize(
    "call",
    [
        algebra.concat,
        algebra.split,
        lambda log: algebra.split(log, "patch"),
        lambda log: algebra.split(log, 1),
        algebra.invert,
    ],
    ids=["concat", "split by transaction", "split by patch", "split by number", "invert"],
)
def test_rows_that_are_put_in_order_need_their_place(
    spark: SparkSession, call: Callable[[DataFrame], DataFrame]
) -> None:
    for row in (PatchRow("H", name="id", value="<urn:1>"), *changes(("A", '"a"'))):
        with fails("must have its place", f'"op":"{row.op}"'):
            call(frame_of(spark, [row])).collect()
    with fails("a TX row must have the number of its transaction", '"seq":0'):
        call(log_of(spark, [PatchRow("TX"), PatchRow("TC")])).collect()


@pytest.mark.parametrize("on_open", ["error", "ignore"])
def test_transactions_need_their_number(
    spark: SparkSession, on_open: Literal["error", "ignore"]
) -> None:
    log = log_of(spark, [PatchRow("TX"), *changes(("A", '"a"')), PatchRow("TA")])
    for rows in (log, log.drop("tx")):
        with fails("a TX row must have the number of its transaction", '"seq":0'):
            algebra.state(rows, on_open=on_open)[0].collect()
    without = log_of(spark, changes(("A", '"a"'))).drop("tx")
    assert algebra.state(without, on_open=on_open)[0].count() == 1


def test_names_of_columns_may_differ_in_case(spark: SparkSession) -> None:
    before, after = state(spark), state(spark, '"a"', graph="<urn:g>")
    expected = rows_of(algebra.diff(before, after))
    assert expected[1].graph == "<urn:g>"
    assert rows_of(algebra.diff(before, after.withColumnRenamed("graph", "Graph"))) == expected
    both = after.toDF("Subject", "predicate", "object", "graph").crossJoin(
        spark.createDataFrame([("<urn:h>",)], "Graph string")
    )
    assert rows_of(algebra.diff(before, both)) == expected
    two = both.toDF("subject", "predicate", "object", "GRAPH", "Graph")
    with pytest.raises(OptionError, match="after has several columns graph that differ in case"):
        algebra.diff(before, two)

    rows = [PatchRow("TX", tx=0), *changes(("A", '"a"'), tx=0), PatchRow("TA", tx=0)]
    aborted = log_of(spark, rows).withColumnsRenamed({"tx": "Tx", "op": "OP"})
    assert algebra.state(aborted)[0].count() == 0
    with pytest.raises(OptionError, match="has a column op"):
        algebra.diff(before, aborted)
    later, earlier = (
        log_of(spark, changes((op, '"a"'))).withColumn("Log_Seq", F.lit(place).cast("bigint"))
        for place, op in ((1, "A"), (0, "D"))
    )
    assert algebra.state(later.union(earlier))[0].count() == 1


def test_patches_whose_columns_differ_in_case_are_in_order(
    files: dict[str, DataFrame], tmp_path: Path
) -> None:
    for number in range(2):
        write_file(tmp_path / f"{number}.jellyp", changes(("A", f'"{number}"')))
    log = files["log"].sparkSession.read.format("jelly_patch").load(str(tmp_path))
    with pytest.raises(OptionError, match="2 files"):
        algebra.state(log.withColumnRenamed("seq", "Seq"))
    patch = algebra.squash(log.withColumn("LOG_SEQ", F.col("patch")))
    assert algebra.state(patch.withColumnRenamed("seq", "Seq"))[0].count() == 2


def test_the_last_iri_of_a_prefix_counts(spark: SparkSession) -> None:
    none = state(spark)
    schema = "name string, value string"
    old: Rows = [("a", "<urn:1>"), ("a", "<urn:2>")]
    new: Rows = [("a", "<urn:4>"), ("a", "<urn:3>"), ("a", "<urn:2>")]
    before, after = (spark.createDataFrame(rows, schema) for rows in (old, new))
    patch = algebra.diff(none, none, prefixes=(before, after))
    found = [(row.op, row.value) for row in rows_of(patch)[1:-1]]
    assert found == [("PD", "<urn:2>"), ("PA", "<urn:4>")]
    assert algebra.diff(none, none, prefixes=(before, before)).count() == 0
    prefixes = algebra.apply(none, log_of(spark, []), prefixes=after)[1]
    assert [row.value for row in prefixes.collect()] == ["<urn:4>"]


def test_only_terms_are_converted_from_structs(spark: SparkSession) -> None:
    log = log_of(spark, changes(("D", '"a"')))
    file = F.struct(F.lit("log.jellyp").alias("path"))
    assert algebra.state(log.withColumn("file", file))[0].count() == 0
    assert [row.file for row in algebra.validate(log.withColumn("file", file)).collect()] == [
        "{log.jellyp}"
    ]
    with pytest.raises(OptionError, match="the column op must be a string, not a struct"):
        algebra.state(log.withColumn("op", F.struct("op")))


def test_arguments_are_checked(spark: SparkSession) -> None:
    before, log = state(spark, '"a"'), log_of(spark, changes(("A", '"a"')))
    with pytest.raises(InvalidTermError):
        algebra.diff(before, before, id="oops")
    with pytest.raises(OptionError, match="after has no column object"):
        algebra.diff(before, before.drop("object"))
    for ask in (lambda: algebra.diff(log, before), lambda: algebra.apply(log, log)):
        with pytest.raises(OptionError, match="has a column op, so it holds patches, not a state"):
            ask()
    with pytest.raises(OptionError, match="patches has no column seq"):
        algebra.state(log.drop("seq"))
    with pytest.raises(OptionError, match="on_open must be one of: error, ignore; not 'never'"):
        algebra.state(log, on_open="never")  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="by must be one of"):
        algebra.split(log, 0)
    with pytest.raises(OptionError, match="at least one"):
        algebra.concat()


def test_findings_have_the_file(spark: SparkSession) -> None:
    log = log_of(spark, changes(("D", '"a"'))).withColumn("file", F.lit("log.jellyp"))
    assert [row.file for row in algebra.validate(log).collect()] == ["log.jellyp"]


def test_the_algebra_is_imported_when_it_is_used() -> None:
    program = """
        import sys
        import jelly_spark

        print("pyspark" in sys.modules)
        print(jelly_spark.algebra.diff.__name__)
        print("pyspark" in sys.modules)
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["False", "diff", "True"]


def test_the_algebra_needs_pyspark() -> None:
    program = """
        import sys

        sys.modules["pyspark"] = None
        try:
            import jelly_spark.algebra
        except ImportError as error:
            print(type(error).__name__, "pip install 'pyspark>=" in str(error))
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    found = subprocess.run(command, capture_output=True, text=True, check=True)
    assert found.stdout.split() == ["MissingPackageError", "True"]
