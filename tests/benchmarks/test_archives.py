"""The benchmark's archives of versions, with few statements: all find the same."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.participants import ARCHIVE_LOG, ARCHIVE_UNCOMPACTED, ARCHIVE_VECTORS, ROOT
from benchmarks.results import ARCHIVE_GOALS
from tests import jvm_options
from tests.services.classpaths import classpath


def test_archives(tmp_path: Path) -> None:
    classpath("delta")
    out, work = tmp_path / "results", tmp_path / "work"
    out.mkdir()
    work.mkdir()
    shutil.copy(ROOT / "benchmarks/results.json", out)
    sizes = ["--versions", "3", "--statements", "2000", "--rounds", "1", "--warm-ups", "0"]
    archives = [ARCHIVE_LOG, ARCHIVE_UNCOMPACTED, ARCHIVE_VECTORS]
    sizes += ["--archives", *archives]
    command = [sys.executable, "-m", "benchmarks.log_vs_delta", *sizes]
    done = subprocess.run(
        [*command, "--out", str(out), "--work", str(work)],
        cwd=ROOT,
        env={**os.environ, "JDK_JAVA_OPTIONS": jvm_options.QUICK},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr

    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    assert {*results["archives"]} == {*archives}
    found = {f"log_vs_delta_vectors_{what}" for what in ARCHIVE_GOALS}
    assert found < {*results["ratios"]} and found < {*results["goals"]}
    assert "log_vs_log_uncompacted_state_at" in results["ratios"]
    assert "| MB on disk |" in (out / "results.md").read_text(encoding="utf-8")
    assert [*work.iterdir()] == []
