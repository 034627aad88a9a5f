"""The demonstration as its users run it."""

import subprocess
import sys
from pathlib import Path

import pytest

from examples.demo.__main__ import PATCHES, report
from examples.demo.generator import shop_log
from jelly_spark.codec import read_jelly_patch
from tests.shared import ROOT


def test_all_its_checks_pass_and_it_keeps_the_log_where_told(tmp_path: Path) -> None:
    run = subprocess.run(
        [sys.executable, "-m", "examples.demo", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.endswith("All checks passed\n")
    assert "FAILED" not in run.stdout
    assert " WARN " not in run.stderr
    assert all(len(line) <= 120 for line in run.stdout.splitlines() if line.startswith(("+", "|")))
    (file,) = tmp_path.glob("shop-log/log/*.jellyp")
    rows, _ = shop_log(PATCHES)
    assert list(read_jelly_patch(file)) == rows
    forms = {path.suffix for path in tmp_path.glob("shop-log/*/part-*")}
    assert forms == {".jellyp", ".rdfp", ".trp"}


def test_a_check_that_fails_is_its_exit_status(capsys: pytest.CaptureFixture[str]) -> None:
    assert report([("water is wet", True), ("the moon is cheese", False)]) == 1
    assert "FAILED the moon is cheese" in capsys.readouterr().out
