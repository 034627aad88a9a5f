"""The quick comparison runs, on little data."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

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


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--base", "other.jar"], "other.jar is not a jar of this project"),
        (["--measures", "scan_all", "nonsense"], "no measure is named like nonsense; there are"),
    ],
)
def test_wrong_arguments(tmp_path: Path, arguments: list[str], error: str) -> None:
    (tmp_path / "other.jar").write_text("no jar", encoding="utf-8")
    command = [sys.executable, "-m", "benchmarks.quick", *arguments]
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    found = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
    )
    assert found.returncode == 1 and found.stderr.startswith(error)


def test_with_peers() -> None:
    chosen = ("text_vs_*", "ntriples_vs_lines")
    shown = run("benchmarks.quick", *SMALL, "--measures", *chosen)
    lines = [line.split() for line in shown.splitlines() if " to " in line]
    assert [(name, time) for name, time, *_ in lines] == [
        ("text_vs_jena", "processor"),
        ("ntriples_vs_lines", "tasks"),
    ]
    assert shown.startswith("launch 1: ") and "launch 2: " in shown
