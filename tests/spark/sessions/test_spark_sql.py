"""SQL alone: `spark-sql` with the jar and no Python, with a catalog that outlives it."""

import os
import subprocess
from pathlib import Path

from jelly_spark.session import jar_path
from tests.spark.connect import SPARK_HOME
from tests.spark.patches import EX, SAMPLE, data_files, encoded, only_file, write_file

TIMEOUT = 300
"""Seconds that `spark-sql` may take."""


BETWEEN = "between two scripts"


def run(folder: Path, *scripts: str) -> list[list[str]]:
    """Run scripts with one `spark-sql`, which must succeed, and return the rows that each prints.

    Args:
        folder: where the catalog and the tables are.
        scripts: their statements.
    """
    file = folder / "script.sql"
    file.write_text(f"SELECT '{BETWEEN}';\n".join(scripts), encoding="utf-8")
    done = subprocess.run(
        [
            *(str(SPARK_HOME / "bin/spark-sql"), "--silent", "--master", "local[1]"),
            *("--jars", str(jar_path())),
            *("--conf", "spark.ui.enabled=false"),
            *("--conf", "spark.sql.shuffle.partitions=1"),
            *("--conf", f"spark.sql.warehouse.dir={folder / 'warehouse'}"),
            *("-f", str(file)),
        ],
        cwd=folder,
        env={**os.environ, "SPARK_HOME": str(SPARK_HOME)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [part.splitlines() for part in done.stdout.split(f"{BETWEEN}\n")]


def test_tables_paths_and_functions(tmp_path: Path) -> None:
    path = write_file(tmp_path / "log/1.jellyp", SAMPLE)
    adds = [row for row in SAMPLE if row.op == "A"]
    (found,) = run(
        tmp_path,
        f"""
        SELECT count(*) FROM jelly_patch.`{path}`;
        SELECT count(*), max(seq) FROM jelly_patch.`{path.parent}/*.jellyp` WHERE op = 'A';
        INSERT OVERWRITE DIRECTORY '{tmp_path / "out"}' USING jelly_patch
            SELECT * FROM jelly_patch.`{path}` ORDER BY seq;

        CREATE TABLE log USING jelly_patch LOCATION '{path.parent}';
        CREATE TABLE copy USING jelly_patch AS SELECT * FROM log ORDER BY seq;
        CREATE TABLE text USING rdf_patch;
        INSERT INTO text SELECT * FROM log WHERE op = 'A' ORDER BY seq;
        INSERT INTO text (op, subject, predicate, object)
            VALUES ('D', '<{EX}s>', '<{EX}p>', '"1"');
        CREATE TABLE data (subject STRING, predicate STRING, object STRING, day DATE)
            USING jelly_rdf PARTITIONED BY (day);
        INSERT INTO data PARTITION (day = '2026-11-01') VALUES ('<{EX}s>', '<{EX}p>', '"1"');
        INSERT INTO data VALUES ('<{EX}s>', '<{EX}p>', '"2"', DATE '2026-11-02');
        INSERT OVERWRITE data PARTITION (day = '2026-11-01')
            VALUES ('<{EX}s>', '<{EX}p>', '"3"');
        """,
    )
    assert found == [str(len(SAMPLE)), f"{len(adds)}\t{adds[-1].seq}"]
    warehouse = tmp_path / "warehouse"
    assert only_file(tmp_path / "out").read_bytes() == encoded(SAMPLE)
    assert only_file(warehouse / "copy").read_bytes() == encoded(SAMPLE)
    assert [file.suffix for file in data_files(warehouse / "text")] == [".rdfp", ".rdfp"]
    days = ["day=2026-11-01", "day=2026-11-02"]
    assert [file.parent.name for file in data_files(warehouse / "data")] == days

    # A second process finds the tables in the catalog. It has the functions, too.
    objects = sorted(row.object for row in adds if row.object)
    found, of_functions = run(
        tmp_path,
        """
        SELECT op, object FROM text ORDER BY op, object;
        SELECT count(*) FROM log;
        SELECT object, day FROM data ORDER BY day;
        SELECT object FROM data WHERE day = '2026-11-02';
        SHOW PARTITIONS data;
        """,
        f"""
        CREATE TABLE messages USING parquet AS
            SELECT to_jelly_patch(rows) AS value FROM (
                SELECT collect_list(struct(*)) AS rows
                FROM (SELECT * FROM jelly_patch.`{path}` ORDER BY seq)
            );
        INSERT INTO messages VALUES (X'00FF');
        CREATE VIEW decoded AS
            SELECT row.op, row.object
            FROM (SELECT inline(from_jelly_patch(value, map('mode', 'PERMISSIVE')))
                  AS (op, subject, predicate, object, graph, name, value, patch, tx, seq)
                  FROM messages) AS row;
        CREATE TABLE objects USING parquet AS
            SELECT object, term_kind(object) AS kind FROM decoded WHERE op = 'A';
        CACHE TABLE cached AS SELECT object FROM decoded WHERE op = 'A';

        SELECT object FROM objects WHERE kind IS NOT NULL ORDER BY object;
        SELECT count(*) FROM cached;
        SELECT count_if(from_jelly_patch(value, map('mode', 'PERMISSIVE')) IS NULL) FROM messages;
        SELECT literal('1', 'http://www.w3.org/2001/XMLSchema#integer'), is_iri(iri('{EX}s'));
        SHOW FUNCTIONS LIKE 'from_jelly_*';
        """,
    )
    assert found == [
        *sorted(f"A\t{row.object}" for row in adds),
        'D\t"1"',
        str(len(SAMPLE)),
        *('"3"\t2026-11-01', '"2"\t2026-11-02'),
        '"2"',
        *days,
    ]
    assert of_functions == [
        *objects,
        str(len(objects)),
        "1",
        '"1"^^<http://www.w3.org/2001/XMLSchema#integer>\ttrue',
        *("from_jelly_patch", "from_jelly_rdf"),
    ]
