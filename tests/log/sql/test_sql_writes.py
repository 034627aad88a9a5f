"""Logs that SQL and DataFrames write: each statement that changes something is one patch."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from jelly_spark import patches
from jelly_spark.codec import PatchRow
from jelly_spark.log import Log
from tests.log.patches import statement
from tests.log.sql.random_statements import check_random_statements
from tests.log.test_on_spark import set_of
from tests.spark.patches import fails
from tests.spark.plans import plan_of

SETTING = "spark.sql.catalog.written"

State = set[tuple[Any, ...]]


class Table(NamedTuple):
    """A log of a catalog, which plain Python reads."""

    name: str
    log: Log[PatchRow]
    path: Path

    @property
    def state(self) -> State:
        """The statements after the last patch."""
        return {*map(tuple, self.log.state_at())}


@pytest.fixture(scope="module")
def folder(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    found = tmp_path_factory.mktemp("logs [of] {many} *names?")
    spark.conf.set(SETTING, "org.jellyspark.LogCatalog")
    spark.conf.set(f"{SETTING}.path", str(found))
    yield found


@pytest.fixture
def table(spark: SparkSession, folder: Path) -> Table:
    """A new log, which SQL has made, with the statements 0 to 4."""
    return made(spark, folder)


@pytest.fixture(scope="module")
def constant(spark: SparkSession, folder: Path) -> Table:
    """A log like `table`, for tests that do not change it."""
    return made(spark, folder)


def made(spark: SparkSession, folder: Path) -> Table:
    name = f"log{len([*folder.iterdir()])}"
    path = folder / name
    found = Table(f"written.{name}", Log(path), path)
    spark.sql(f"CREATE TABLE {found.name}")
    assert found.log.verify() == []
    insert(spark, found, *range(5))
    return found


def insert(spark: SparkSession, table: Table, *names: object) -> None:
    spark.sql(f"INSERT INTO {table.name} VALUES {values(names)}")


def values(names: Any) -> str:
    return ", ".join(f"('<urn:s>', '<urn:p>', '\"{name}\"', NULL)" for name in names)


def named(*names: object) -> State:
    return {statement(name) for name in names}


def test_the_patches_of_statements(spark: SparkSession, table: Table) -> None:
    """They are those of `Log.commit` in plain Python, but for their ids."""
    target = table.name
    steps: list[tuple[str, State]] = [
        (f"INSERT INTO {target} VALUES {values([4, 5, 5, 6])}", named(*range(7))),
        (f"DELETE FROM {target} WHERE object <= '\"1\"'", named(2, 3, 4, 5, 6)),
        (
            f"UPDATE {target} SET object = '\"6\"', graph = '<urn:g>' WHERE object = '\"2\"'",
            {*named(3, 4, 5, 6), statement(6, "<urn:g>")},
        ),
        # A statement becomes one that is there, and another one stays what it is.
        (
            f"UPDATE {target} SET object = '\"4\"' WHERE object IN ('\"3\"', '\"4\"')",
            {*named(4, 5, 6), statement(6, "<urn:g>")},
        ),
        (
            f"MERGE INTO {target} old USING (SELECT * FROM VALUES ('\"4\"', true), "
            "('\"5\"', false), ('\"7\"', true) AS new (object, keep)) new "
            "ON old.object = new.object "
            "WHEN MATCHED AND NOT keep THEN DELETE "
            "WHEN MATCHED THEN UPDATE SET object = concat(old.object, '@en') "
            "WHEN NOT MATCHED THEN INSERT (subject, predicate, object) "
            "VALUES ('<urn:s>', '<urn:p>', new.object) "
            "WHEN NOT MATCHED BY SOURCE AND graph IS NOT NULL THEN DELETE",
            {*named(6, 7), ("<urn:s>", "<urn:p>", '"4"@en', None)},
        ),
        (f"INSERT OVERWRITE {target} VALUES {values([7, 8])}", named(7, 8)),
        (
            f"MERGE INTO {target} old USING {target} new ON old.object = new.object "
            "WHEN MATCHED AND new.object = '\"8\"' THEN DELETE",
            named(7),
        ),
        (
            f"INSERT INTO {target} BY NAME SELECT '\"9\"' object, '<urn:s>' subject, "
            "'<urn:p>' predicate",
            named(7, 9),
        ),
        (
            f"DELETE FROM {target} WHERE object IN (SELECT max(object) FROM {target}) "
            f"AND NOT EXISTS (SELECT 1 FROM {target} WHERE object = '\"10\"')",
            named(7),
        ),
        (f"DELETE FROM {target}", set()),
        (f"INSERT OVERWRITE {target} VALUES {values([1])}", named(1)),
    ]
    expected: Log[PatchRow] = Log(table.path.with_name("expected"))
    states = [named(*range(5)), *(state for _, state in steps)]
    for state in states:
        expected.commit(state)
    for query, state in steps:
        spark.sql(query)
        assert table.state == state, query
        assert set_of(spark.table(target)) == state
        assert table.log.verify() == []
    assert changes_of(table.log) == changes_of(expected)
    assert states_of(spark, table, range(len(states))) == dict(enumerate(states))
    # So nothing but the rows of the patches is read for changes.
    assert all(entry.canonical for entry in table.log._view().all())
    for n in range(len(steps) + 1):
        rows = [row for row in table.log.read() if row.patch == n]
        before = [] if n == 0 else [*table.log.state_at(n - 1)]
        assert [*patches.check_canonical(rows, before)] == rows


def test_the_plan_of_a_state(spark: SparkSession, table: Table) -> None:
    """The first patch, which is canonical, is read like a snapshot."""
    assert "Exchange" not in plan_of(spark.table(table.name))
    insert(spark, table, 5)
    plan = plan_of(spark.table(table.name))
    assert "LeftAnti" in plan and plan.count("Exchange hashpartitioning") == 1
    assert set_of(spark.table(table.name)) == named(*range(6))


def states_of(spark: SparkSession, table: Table, versions: Iterable[int]) -> dict[int, State]:
    """The states of versions, of one query for all, which is faster."""
    each = f"SELECT {{0}}, * FROM {table.name} VERSION AS OF {{0}}"
    found: dict[int, State] = {version: set() for version in versions}
    for version, *terms in set_of(spark.sql(" UNION ALL ".join(map(each.format, found)))):
        found[int(version)].add(tuple(terms))
    return found


def changes_of(log: Log[PatchRow]) -> list[tuple[Any, ...]]:
    """The rows of all patches without their ids."""
    return [tuple(row) for row in log.read() if row.op != "H"]


@pytest.mark.parametrize(
    "query",
    [
        "INSERT INTO {} VALUES ('<urn:s>', '<urn:p>', '\"1\"', NULL)",
        "INSERT INTO {0} SELECT * FROM {0}",
        "INSERT OVERWRITE {0} SELECT * FROM {0}",
        "DELETE FROM {} WHERE object = 'other'",
        "UPDATE {} SET graph = NULL",
        "INSERT INTO {0} SELECT * FROM {0} WHERE false",
    ],
)
def test_without_a_change_there_is_no_patch(
    spark: SparkSession, constant: Table, query: str
) -> None:
    spark.sql(query.format(constant.name))
    assert len(constant.log.versions()) == 1
    assert [*constant.path.glob("_log/staging*")] == []


def test_random_statements(spark: SparkSession, folder: Path) -> None:
    """A few; `tests/versions` has several hundred."""
    check_random_statements(spark, "written", folder, count=10, seed=46, ranges=2)


def test_more_statements_than_the_driver_holds(spark: SparkSession, table: Table) -> None:
    """In each step, existing and new ones."""
    columns = "'<urn:s>' AS subject, '<urn:p>' AS predicate, concat('\"', id, '\"') AS object"
    select = f"SELECT {columns}, CAST(NULL AS STRING) AS graph FROM"
    spark.sql(f"INSERT INTO {table.name} {select} range(3, 15000)")
    assert table.state == named(*range(15_000))
    spark.sql(f"INSERT INTO {table.name} {select} range(5000, 30000)")
    assert table.state == named(*range(30_000))
    spark.sql(
        f"MERGE INTO {table.name} old USING ({select} range(10000, 40000)) new "
        "ON old.object = new.object WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT *"
    )
    assert table.state == named(*range(10_000), *range(30_000, 40_000))
    changes = Counter(row.patch for row in table.log.read() if row.op in "AD")
    assert [*changes.values()] == [5, 14_995, 15_000, 30_000]


def test_dataframes(spark: SparkSession, table: Table) -> None:
    rows = spark.createDataFrame(
        [statement(7), statement(8, "<urn:g>")], spark.table(table.name).schema
    )
    rows.drop("graph").writeTo(table.name).append()
    assert table.state == named(*range(5), 7, 8)
    rows.writeTo(table.name).overwrite(F.lit(True))
    assert table.state == {*named(7), statement(8, "<urn:g>")}
    rows.where("graph IS NULL").write.mode("append").saveAsTable(table.name)
    assert len(table.log.versions()) == 3
    rows.limit(1).write.insertInto(table.name, overwrite=True)
    assert len(table.state) == 1
    rows.writeTo(f"{table.name}_new").using("jelly_patch").create()
    assert set_of(spark.table(f"{table.name}_new")) == set_of(rows)


def test_tables_that_are_made(spark: SparkSession, table: Table) -> None:
    new = f"{table.name}_made"
    log = Log(table.path.with_name(table.path.name + "_made"))
    spark.sql(f"CREATE TABLE {new} AS SELECT * FROM {table.name} WHERE object > '\"2\"'")
    assert {*map(tuple, log.state_at())} == named(3, 4)
    spark.sql(f"CREATE TABLE IF NOT EXISTS {new}")
    with pytest.raises(AnalysisException, match="TABLE_OR_VIEW_ALREADY_EXISTS"):
        spark.sql(f"CREATE TABLE {new}")
    with fails("cannot be dropped, as this removes all its patches: set spark.sql.catalog.written"):
        spark.sql(f"DROP TABLE {new}")
    spark.conf.set(f"{SETTING}.allowDrop", "true")
    spark.sql(f"DROP TABLE {new}")
    spark.conf.unset(f"{SETTING}.allowDrop")
    assert not table.path.with_name(table.path.name + "_made").exists()
    spark.sql(
        f"CREATE TABLE {new} (subject STRING, predicate STRING, object STRING, graph STRING) "
        "USING jelly_patch"
    )
    # The other object has seen the patches of the table that was dropped.
    log = Log(table.path.with_name(table.path.name + "_made"))
    assert (log.verify(), log.versions()) == ([], [])
    spark.sql(f"CREATE TABLE {new}_turned AS SELECT object, predicate, subject FROM {table.name}")
    assert set_of(spark.table(f"{new}_turned")) == table.state
    spark.sql(f"CREATE TABLE {new}_empty AS SELECT * FROM {new}")
    assert spark.table(f"{new}_empty").count() == 0
    rows = spark.sql(f"SHOW TBLPROPERTIES {table.name}").collect()
    size = sum(file.stat().st_size for file in table.path.glob("*.jellyp"))
    assert {("head", table.log.head()), ("patches", "1"), ("begin", "0"), ("size", str(size))} <= {
        (row.key, row.value) for row in rows
    }
    described = spark.sql(f"DESCRIBE TABLE EXTENDED {table.name}").collect()
    assert any(row.col_name == "Location" and table.path.name in row.data_type for row in described)


def test_headers(spark: SparkSession, table: Table) -> None:
    rows = spark.createDataFrame([statement(7)], spark.table(table.name).schema)
    author = '"Anna"'
    table.log.commit(table.state, prefixes={(None, "ex"): "<urn:ex:>"})
    (rows.writeTo(table.name).option("message", 'a "cup"').option("header.author", author).append())
    spark.conf.set(f"{SETTING}.message", "from the session")
    spark.sql(f"DELETE FROM {table.name} WHERE object = '\"7\"'")
    spark.conf.unset(f"{SETTING}.message")
    given = {
        (row.patch, row.name): row.value
        for row in table.log.read()
        if row.op == "H" and row.name not in ("id", "prev")
    }
    assert given == {
        (2, "message"): '"a \\"cup\\""',
        (2, "author"): author,
        (3, "message"): '"from the session"',
    }
    messages = spark.table(f"{table.name}.versions").orderBy("log_seq").select("message").collect()
    assert [row.message for row in messages[2:]] == ['"a \\"cup\\""', '"from the session"']
    _, prefixes = table.log._materialize(table.log._view(), table.log._view().last)
    assert dict(prefixes) == {(None, "ex"): "<urn:ex:>"}
    for name, value, message in [
        ("massage", "a", "a commit has no option 'massage': its options are message and header."),
        ("header.author", "Anna", "header.author must be a term, such as <urn:x:1>"),
        ("header.prev", "<urn:x:1>", "header.prev cannot be set"),
    ]:
        with fails(message):
            rows.writeTo(table.name).option(name, value).append()


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("(NULL, '<urn:p>', '\"1\"', NULL)", "subject must be an IRI or a blank node"),
        ("('\"s\"', '<urn:p>', '\"1\"', NULL)", "subject must be an IRI or a blank node"),
        ("('urn:s', '<urn:p>', '\"1\"', NULL)", "subject must be an IRI or a blank node"),
        ("('<urn:s>', '_:p', '\"1\"', NULL)", "predicate must be an IRI"),
        ("('<urn:s>', '<urn:p>', 'one', NULL)", "object must be a term"),
        ("('<urn:s>', '<urn:p>', '\"caf\\\\u00e9\"', NULL)", "object must be a term"),
        ("('<urn:s>', '<urn:p>', '\"1\"', '\"g\"')", "graph must be an IRI, a blank node or null"),
    ],
)
def test_rows_that_are_no_statements(
    spark: SparkSession, constant: Table, row: str, message: str
) -> None:
    for query in (
        f"INSERT INTO {constant.name} VALUES {row}",
        f"INSERT OVERWRITE {constant.name} VALUES {row}",
    ):
        with fails(message, "in row {"):
            spark.sql(query)
    assert len(constant.log.versions()) == 1
    assert [*constant.path.glob("_log/staging*")] == []


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("CREATE TABLE {}_b (subject STRING)", "whose columns are subject, predicate, object"),
        (
            "CREATE TABLE {}_b (subject INT, predicate STRING, object STRING, graph STRING)",
            "found the type int of subject",
        ),
        ("CREATE TABLE {}_b USING parquet AS SELECT * FROM {}", "found provider parquet"),
        ("CREATE TABLE {}_b PARTITIONED BY (graph) AS SELECT * FROM {}", "found partitions by"),
        ("CREATE TABLE {}_b TBLPROPERTIES ('a' = 'b')", "found a b"),
        ("CREATE OR REPLACE TABLE {} AS SELECT * FROM {}", "cannot be replaced: INSERT OVERWRITE"),
        ("CREATE TABLE written.`..`", "cannot be a log, because no folder can have this name"),
        ("CREATE TABLE written.`a/b`", "cannot be a log, because no folder can have this name"),
        ("CREATE TABLE written.some.other", "SCHEMA_NOT_FOUND"),
        ("ALTER TABLE {} ADD COLUMN name STRING", "cannot be altered"),
        ("ALTER TABLE {} RENAME TO other", "cannot be renamed"),
        ("INSERT INTO {}.versions SELECT * FROM {}.versions", "does not support append"),
        (
            "INSERT INTO {} REPLACE WHERE object = '1' SELECT * FROM {}",
            "does not support overwrite by filter",
        ),
        ("INSERT INTO {} SELECT subject FROM {}", "INSERT_COLUMN_ARITY_MISMATCH"),
        ("INSERT INTO {}_missing SELECT * FROM {}", "TABLE_OR_VIEW_NOT_FOUND"),
        ("DELETE FROM {} WHERE objekt = '\"1\"'", "UNRESOLVED_COLUMN.WITH_SUGGESTION"),
        ("SELECT * FROM {} VERSION AS OF 99", "the log has no patch at position 99"),
        ("INSERT INTO {} (subject, other) VALUES ('a', 'b')", "other"),
    ],
)
def test_what_is_refused(spark: SparkSession, constant: Table, query: str, message: str) -> None:
    with fails(message):
        spark.sql(query.replace("{}", constant.name))
    assert not constant.path.with_name(f"{constant.path.name}_b").exists()
    assert len(constant.log.versions()) == 1


def test_a_folder_with_other_patches_is_no_new_table(spark: SparkSession, constant: Table) -> None:
    other = constant.path.with_name(f"{constant.path.name}_other")
    other.mkdir()
    (other / "1.rdfp").write_text("A <urn:s> <urn:p> <urn:o> .\n")
    for select in ("", f"AS SELECT * FROM {constant.name}"):
        with fails("has patches, but is not a managed log"):
            spark.sql(f"CREATE TABLE {constant.name}_other {select}")
    for query in ("SELECT * FROM {}", "INSERT INTO {} VALUES ('a', 'b', 'c', NULL)", "DESCRIBE {}"):
        with fails("is not a managed log: call Log.adopt, or `jelly-spark log adopt`, once"):
            spark.sql(query.format(f"{constant.name}_other"))
    spark.sql(f"DROP TABLE IF EXISTS {constant.name}_other")
    assert [file.name for file in other.rglob("*")] == ["1.rdfp"]
    file = constant.path.with_name(f"{constant.path.name}_file")
    file.write_text("no folder")
    for select in ("", f"AS SELECT * FROM {constant.name}"):
        with fails("is a file, so it cannot become a log"):
            spark.sql(f"CREATE TABLE {constant.name}_file {select}")
    assert file.read_text() == "no folder"
    file.unlink()


@pytest.fixture
def appending(spark: SparkSession, table: Table) -> Callable[[list[PatchRow]], str]:
    """Makes the name of a function of SQL that appends a patch, once, while a query runs."""

    def make(changes: list[PatchRow]) -> str:
        path, marker = str(table.path), str(table.path.with_name(f"{table.path.name}.done"))

        def append(object: str) -> bool:
            try:
                Path(marker).touch(exist_ok=False)
            except FileExistsError:
                return True
            Log(path).append(changes, assign_ids=True)
            return True

        name = f"append_to_{table.path.name}"
        spark.udf.register(name, F.udf(append, "boolean"))
        return f"{name}(object)"

    return make


ONE_MORE = [PatchRow("TX"), PatchRow("A", *statement(9)), PatchRow("TC")]


def test_inserts_are_tried_again(
    spark: SparkSession, table: Table, appending: Callable[[list[PatchRow]], str]
) -> None:
    call = appending(ONE_MORE)
    spark.sql(
        f"INSERT INTO {table.name} SELECT '<urn:s>', '<urn:p>', object, NULL "
        f"FROM VALUES ('\"8\"'), ('\"9\"') AS new (object) WHERE {call}"
    )
    assert table.state == named(*range(5), 8, 9)
    # The patch that was first has 9 already.
    assert [row.object for row in table.log.read(after=1) if row.op == "A"] == ['"8"']


@pytest.mark.parametrize(
    "query",
    [
        "DELETE FROM {} WHERE object = '\"1\"' AND {}",
        "UPDATE {} SET graph = '<urn:g>' WHERE {}",
        "MERGE INTO {0} old USING (SELECT * FROM VALUES ('\"8\"') AS new (object)) object "
        "ON old.object = object.object WHEN NOT MATCHED AND {2} THEN "
        "INSERT (subject, predicate, object) VALUES ('<urn:s>', '<urn:p>', object.object)",
        "INSERT OVERWRITE {0} SELECT * FROM {0} WHERE object = '\"1\"' AND {1}",
    ],
)
def test_what_has_read_old_statements_is_refused(
    spark: SparkSession, table: Table, appending: Callable[[list[PatchRow]], str], query: str
) -> None:
    call = appending(ONE_MORE)
    with fails(f"another program has changed {table.name} since this statement read it"):
        spark.sql(query.format(table.name, call, call.replace("(object)", "(object.object)")))
    assert table.state == named(*range(5), 9)
    assert (len(table.log.versions()), table.log.verify()) == (2, [])


def test_a_patch_that_changes_no_statement_is_no_conflict(
    spark: SparkSession, table: Table, appending: Callable[[list[PatchRow]], str]
) -> None:
    call = appending([PatchRow("PA", name="ex", value="<urn:ex:>")])
    spark.sql(f"DELETE FROM {table.name} WHERE object = '\"1\"' AND {call}")
    assert table.state == named(0, 2, 3, 4)
    assert (len(table.log.versions()), table.log.verify()) == (3, [])


def test_many_writers(spark: SparkSession, table: Table) -> None:
    """Each of SQL and Python appends its own statements; every one is there, in one chain."""

    def with_sql(first: int) -> None:
        for n in range(first, first + 4):
            insert(spark, table, n)

    def with_python(first: int) -> None:
        for n in range(first, first + 4):
            changes = [PatchRow("TX"), PatchRow("A", *statement(n)), PatchRow("TC")]
            Log(table.path).append(changes, assign_ids=True)

    with ThreadPoolExecutor() as pool:
        jobs = [pool.submit(with_sql, 100), pool.submit(with_sql, 200)]
        jobs.append(pool.submit(with_python, 300))
        for job in jobs:
            job.result()
    expected = [*range(5), *(first + n for first in (100, 200, 300) for n in range(4))]
    assert table.state == named(*expected)
    assert len(table.log.versions()) == 13
    assert table.log.verify() == []
