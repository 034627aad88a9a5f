"""The ways to bring Jelly Spark to a job without an installation: `--packages` and `--py-files`."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from jelly_spark._version import __version__
from tests.packaging.dist import JARS, MAVEN, WHEEL, built

pytestmark = pytest.mark.long

READ_AND_WRITE = """
from pyspark.sql import SparkSession

spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
spark.read.format("rdf_patch").load("log.rdfp").write.format("jelly_patch").save("log")
"""


def submit(folder: Path, program: str, *options: str) -> list[str]:
    """Runs a program with spark-submit, where jelly_spark is not installed; returns its output."""
    (folder / "log.rdfp").write_text('A <a:s> <a:p> "1" .\nD <a:s> <a:p> "2" .\n')
    (folder / "job.py").write_text(program)
    # Neither this checkout nor the site-packages of the tests, where jelly_spark is installed as
    # a link to it: only what a job needs.
    site = folder / "site"
    for name in ("pyspark", "py4j", "google"):
        (spec,) = [Path(path) / name for path in sys.path if (Path(path) / name).is_dir()][:1]
        site.mkdir(exist_ok=True)
        (site / name).symlink_to(spec)
    environment = {
        **os.environ,
        "PYTHONPATH": str(site),
        "PYSPARK_PYTHON": str(folder / "python"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_HOME": str(site / "pyspark"),
    }
    # -S leaves site-packages out.
    (folder / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "$@"\n')
    (folder / "python").chmod(0o755)
    run = subprocess.run(
        [str(site / "pyspark/bin/spark-submit"), *options, "job.py"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


@pytest.mark.parametrize("jar", JARS)
def test_packages(jar: str, tmp_path: Path) -> None:
    """Spark finds the jar by its coordinates. The second jar brings the first."""
    output = submit(
        tmp_path,
        READ_AND_WRITE + "print(spark.read.format('jelly_patch').load('log').count())",
        *("--packages", f"org.jellyspark:{jar}:{__version__}"),
        *("--repositories", built(MAVEN).as_uri()),
        *("--conf", f"spark.jars.ivy={tmp_path / 'ivy'}"),
    )
    assert output[-1] == "2"
    fetched = {path.name for path in (tmp_path / "ivy/jars").iterdir()}
    assert fetched == {
        f"org.jellyspark_{name}-{__version__}.jar" for name in JARS[: JARS.index(jar) + 1]
    }


def test_py_files(tmp_path: Path) -> None:
    """The wheel works as an argument of `--py-files` if its name ends with `.zip`."""
    package = shutil.copy(built(WHEEL), tmp_path / "jelly_spark.zip")
    jar = tmp_path / "jelly-spark.jar"
    shutil.unpack_archive(built(WHEEL), tmp_path / "unpacked", "zip")
    shutil.copy(tmp_path / "unpacked/jelly_spark/jars/jelly-spark.jar", jar)
    program = (
        READ_AND_WRITE
        + """
import jelly_spark
from jelly_spark.codec import read

def count(paths):
    return [sum(1 for row in read(path)) for path in paths]

print("jelly_spark.zip" in jelly_spark.__file__)
print(spark.sparkContext.parallelize(["log.rdfp"], 1).mapPartitions(count).collect())
"""
    )
    output = submit(tmp_path, program, "--py-files", str(package), "--jars", str(jar))
    assert output[-2:] == ["True", "[2]"]
