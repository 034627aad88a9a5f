"""Logs in tables of Delta."""

import json
import re
import subprocess
import sys
from types import ModuleType
from typing import Any

import pytest

from tests.docs.environment import user_environment
from tests.log.patches import id_of
from tests.services.classpaths import jars
from tests.services.jobs import log, log_writers
from tests.shared import ROOT

TIMEOUT = 600
WRITERS = 8
"""With so many at once, a commit of Delta takes eight seconds."""


def run(job: ModuleType, make_folder: pytest.TempPathFactory, *arguments: object) -> dict[str, Any]:
    """Run a job in a folder of its own, and return what it prints."""
    folder = make_folder.mktemp("delta")
    settings = f"""
spark.master local[4]
spark.jars {jars("delta")}
spark.sql.extensions io.delta.sql.DeltaSparkSessionExtension
spark.sql.catalog.spark_catalog org.apache.spark.sql.delta.catalog.DeltaCatalog
spark.databricks.delta.snapshotPartitions 1
spark.sql.shuffle.partitions 2
"""
    environment = user_environment(make_folder.mktemp("conf"), settings)
    done = subprocess.run(
        [sys.executable, str(job.__file__), *map(str, arguments)],
        cwd=folder,
        env={**environment, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=TIMEOUT,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What `jobs/log.py` prints."""
    return run(log, tmp_path_factory)


@pytest.mark.long
def test_many_writers_make_one_chain(tmp_path_factory: pytest.TempPathFactory) -> None:
    found = run(log_writers, tmp_path_factory, WRITERS)
    assert found["ids"] == [id_of(f"{name}-0") for name in range(WRITERS)]
    assert sorted(found["log"]) == sorted(found["ids"])
    assert found["verify"] == [] and found["adds"] == WRITERS


def test_a_log_in_a_table(found: dict[str, Any]) -> None:
    table = found["table"]
    assert table["empty"] == [None, 0, []]
    assert table["versions"] == [[id_of(number), number] for number in range(3)]
    assert table["states"] == [['"a"', '"b"'], ['"c"'], ['"c"', '"d"']]
    assert table["times"] == [0, 2, 2]
    assert table["between"] == [["D", '"a"'], ["D", '"b"'], ["A", '"c"'], ["A", '"d"']]
    assert table["history"] == 1 and table["read"] == [1, 2]


def test_the_same_patch_again_does_nothing(found: dict[str, Any]) -> None:
    same, id, other_rows, other_place, count = found["table"]["repeated"]
    assert (same, id, count) == (True, id_of(0), 3)
    assert other_rows.startswith("LogConflictError: <urn:patch:0> cannot be appended")
    assert re.match(r"LogError: .*changes has another patch with the id <urn:patch:0>", other_place)


def test_errors(found: dict[str, Any]) -> None:
    conflict, unnumbered, snapshot, headers = found["table"]["errors"]
    assert conflict.startswith("LogConflictError: <urn:patch:9> cannot be appended")
    assert unnumbered.startswith("OptionError: the patch has no column op, seq")
    assert snapshot.startswith("OptionError: a log in a Delta table has no snapshots")
    assert headers.startswith("LogError: the patch has no header id")
    assert found["table"]["findings"] == ["duplicate-id"]


def test_rows_of_a_frame_are_checked(found: dict[str, Any]) -> None:
    checks = found["checks"]
    assert re.match("UnwritableRowError: .* must be closed", checks["open"])
    assert re.match("UnwritableRowError: .* must be closed", checks["nested"])
    assert checks["not begun"] == "UnwritableRowError: TA needs a TX before it"
    assert "op must be one of" in checks["op"]
    assert "A and D need a subject, a predicate and an object" in checks["no object"]
    assert "graph: expected an RDF term" in checks["term"]
    assert checks["two"].startswith("LogError: only one patch")
    assert checks["repeated"].startswith(
        "OptionError: the patch has rows whose seq is null or repeated"
    )
    assert checks["null"].startswith(
        "OptionError: the patch has rows whose seq is null or repeated"
    )
    assert checks["versions"] == 0


def test_a_frame_becomes_what_a_file_would_have(found: dict[str, Any]) -> None:
    checks = found["checks"]
    assert checks["appended"] == [id_of(0), id_of(0), 1]
    transaction = [["TX", None, 0], ["A", '"a"', 0], ["TA", None, 0]]
    assert checks["rows"] == [
        ["H", None, None],
        ["A", '"a"', None],
        *transaction,
        ["END", None, None],
    ]
    assert checks["state"] == [["<urn:s>", "<urn:p>", '"a"', "<urn:g>"]]


def test_a_position_is_not_used_twice(found: dict[str, Any]) -> None:
    head, error, id = found["removed"]
    assert (head, id) == (None, id_of(1))
    assert re.match(r"LogError: <urn:patch:1> .*removed had another patch with log_seq 0", error)
