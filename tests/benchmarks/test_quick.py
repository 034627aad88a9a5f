"""The quick comparison runs, on little data."""

import shutil
from pathlib import Path

from tests.benchmarks.test_run import run
from tests.shared import ROOT

SMALL = ("--scale", "0.001", "--minutes", "0.01")


def test_with_a_jar(tmp_path: Path) -> None:
    jar = tmp_path / "other.jar"
    shutil.copy(ROOT / "python/jelly_spark/jars/jelly-spark.jar", jar)
    shown = run("benchmarks.quick", *SMALL, "--base", str(jar), "--measures", "*e")
    lines = [line.split() for line in shown.splitlines() if " to " in line]
    measures = [name for name, *_ in lines]
    scans = ["scan_predicate", "scan_patch_predicate"]
    assert [name for name in measures if not name.startswith("weather_")] == [
        *("scan_predicate", "scan_patch_predicate", "write", "python_decode", "python_encode"),
    ]
    assert all(f"weather_{name}" in measures for name in scans)
    times = {"processor" if "python" in name else "tasks": time for name, time, *_ in lines}
    assert times == {"processor": "processor", "tasks": "tasks"}


def test_with_peers() -> None:
    chosen = ("text_vs_*", "ntriples_vs_lines")
    shown = run("benchmarks.quick", *SMALL, "--measures", *chosen)
    lines = [line.split() for line in shown.splitlines() if " to " in line]
    assert [(name, time) for name, time, *_ in lines] == [
        ("text_vs_jena", "processor"),
        ("ntriples_vs_lines", "tasks"),
    ]
    assert shown.startswith("launch 1: ") and "launch 3: " in shown
