"""Programs with a Spark session of their own, as a process can have but one JVM."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path
from zipfile import ZipFile

from tests.shared import ROOT, WORKER_DAEMON

TIMEOUT = 600
"""Seconds that a program may take, by default."""

PLAIN = f"""
import sys
from pyspark.sql import SparkSession

def builder():
    return (
        SparkSession.builder.master("local[1]")
        .config("spark.ui.enabled", "false")
        .config("spark.log.level", "ERROR")
        .config("spark.python.daemon.module", "{WORKER_DAEMON}")
    )

def on_classpath(spark, name):
    loader = spark._jvm.java.lang.Thread.currentThread().getContextClassLoader()
    return loader.getResource(name) is not None

def rows(spark, path):
    return spark.read.format("jelly_patch").load(path).count()
"""
"""What the programs begin with: a session without the jar, and what they look at."""


def run(program: str, *args: Path | str, timeout: float = TIMEOUT, **env: str) -> list[str]:
    """Run a Python program, which must succeed, and return the lines that it prints.

    Args:
        program: its text, after that of `PLAIN`.
        args: its arguments.
        timeout: seconds that it may take.
        env: environment variables, besides those of this process.
    """
    path = os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, "-c", PLAIN + textwrap.dedent(program), *map(str, args)],
        env={**os.environ, "PYTHONPATH": path, **env},
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def make_jar(path: Path, resource: str) -> Path:
    """Make a jar that holds one resource and nothing else."""
    with ZipFile(path, "w") as jar:
        jar.writestr(resource, "here\n")
    return path
