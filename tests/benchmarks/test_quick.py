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
    measures = [line.split()[0] for line in shown.splitlines() if " to " in line]
    scans = ["scan_predicate", "scan_patch_predicate"]
    assert [name for name in measures if not name.startswith("weather_")] == [
        *("scan_predicate", "scan_patch_predicate", "write", "python_decode", "python_encode"),
    ]
    assert all(f"weather_{name}" in measures for name in scans)


def test_with_peers() -> None:
    shown = run("benchmarks.quick", *SMALL, "--measures", "text_vs_*")
    (line,) = [line for line in shown.splitlines() if line.startswith("text_vs_jena")]
    assert line.split()[5] == "to"
