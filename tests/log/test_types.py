"""What type checkers know about a log: a user's program is checked, and has no `Any`."""

from pathlib import Path

from tests.type_checking import check

PROGRAM = """
from collections.abc import Iterator
from datetime import datetime

from pyspark.sql import DataFrame, SparkSession
from typing_extensions import assert_type

from jelly_spark import Log
from jelly_spark.codec import PatchRow
from jelly_spark.log import LogFinding, Version
from jelly_spark.patches import Interval, PrefixKey, Statement


def in_python(path: str) -> Log[PatchRow]:
    log = Log(path)
    assert_type(log, Log[PatchRow])
    assert_type(log.read(), Iterator[PatchRow])
    assert_type(log.state_at("<urn:x:1>"), set[Statement])
    assert_type(log.prefixes_at(datetime.now()), dict[PrefixKey, str])
    assert_type(log.between("<urn:x:1>", "<urn:x:2>"), list[PatchRow])
    assert_type(log.history(lambda found: found.graph is None), list[Interval])
    assert_type(log.append(log.read()), Version)
    assert_type(log.verify(), list[LogFinding])
    return log


def with_a_session(spark: SparkSession) -> None:
    for log in (Log("log", spark), Log("log", spark=spark), Log.delta(spark, "lake.changes")):
        assert_type(log, Log[DataFrame])
        assert_type(log.read("<urn:x:1>"), DataFrame)
        assert_type(log.state_at(), DataFrame)
        assert_type(log.prefixes_at(), DataFrame)
        assert_type(log.between("<urn:x:1>", "<urn:x:2>"), DataFrame)
        assert_type(log.history(), DataFrame)
        assert_type(log.append(log.between("<urn:x:1>", "<urn:x:2>")), Version)
"""

WRONG = """
from pyspark.sql import SparkSession

from jelly_spark import Log

def wrong(spark: SparkSession) -> None:
    Log("log").state_at().show()
    len(Log("log", spark).read())
"""


def test_a_user_program(tmp_path: Path) -> None:
    found = check(tmp_path, program=PROGRAM, wrong=WRONG)
    assert found["program"] == []
    first, second = found["wrong"]
    assert "set[Statement]" in first and "DataFrame" in second
