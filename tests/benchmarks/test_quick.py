"""The quick comparison runs, on little data."""

import shutil
from pathlib import Path

from tests.benchmarks.test_run import run
from tests.shared import ROOT

SMALL = ("--scale", "0.001", "--minutes", "0.01", "--launches", "2")


def test_with_a_jar(tmp_path: Path) -> None:
    jar = tmp_path / "other.jar"
    shutil.copy(ROOT / "python/jelly_spark/jars/jelly-spark.jar", jar)
    chosen = ("scan_predicate", "weather_write", "python_*code")
    shown = run("benchmarks.quick", *SMALL, "--base", str(jar), "--measures", *chosen)
    lines = [line.split() for line in shown.splitlines() if " to " in line]
    assert [(name, time) for name, time, *_ in lines] == [
        ("scan_predicate", "tasks"),
        ("python_decode", "processor"),
        ("python_encode", "processor"),
        ("weather_write", "tasks"),
    ]


def test_with_peers() -> None:
    chosen = ("text_vs_*", "ntriples_vs_lines")
    shown = run("benchmarks.quick", *SMALL, "--measures", *chosen)
    lines = [line.split() for line in shown.splitlines() if " to " in line]
    assert [(name, time) for name, time, *_ in lines] == [
        ("text_vs_jena", "processor"),
        ("ntriples_vs_lines", "tasks"),
    ]
    assert shown.startswith("launch 1: ") and "launch 2: " in shown
