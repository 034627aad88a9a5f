"""Archives in the shape of BEAR's, and the benchmark with little of them."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from benchmarks.bear import SHAPES, patches
from benchmarks.participants import ROOT
from jelly_spark.codec import PatchRow
from jelly_spark.patches import validate
from tests import jvm_options


def test_patches() -> None:
    shape = SHAPES["daily"].scaled(0.05)
    rows = [row for patch in patches(shape) for row in patch]
    assert rows == [row for patch in patches(shape) for row in patch]
    assert rows != [row for patch in patches(shape, seed=2) for row in patch]
    # No statement is added that was there, or deleted that was not.
    assert [*validate(rows)] == []
    first, *others = map(_changes, patches(shape))
    assert abs(first / shape.statements - 1) < 0.1
    assert abs(sum(others) / len(others) / shape.changes - 1) < 0.5


def test_run(tmp_path: Path) -> None:
    out, work = tmp_path / "results", tmp_path / "work"
    out.mkdir()
    work.mkdir()
    shutil.copy(ROOT / "benchmarks/results.json", out)
    archives = ["--archives", "hourly", "--scale", "0.005"]
    rounds = ["--rounds", "1", "--warm-ups", "0"]
    done = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks.archive_bear", *archives, *rounds),
            *("--out", str(out), "--work", str(work)),
        ],
        cwd=ROOT,
        env={**os.environ, "JDK_JAVA_OPTIONS": jvm_options.QUICK},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr

    results = json.loads((out / "results.json").read_text(encoding="utf-8"))
    found = results["bear"]["hourly"]
    assert found["bytes"]["log"] == sum(
        found["bytes"][part] for part in ("patches", "index", "snapshots")
    )
    assert found["queries"]["python"].keys() == found["queries"]["spark"].keys()
    assert {"bear_hourly_bytes", "bear_hourly_ingest"} < {*results["goals"]}
    assert "| HDT-CB |" in (out / "results.md").read_text(encoding="utf-8")
    assert [*work.iterdir()] == []


def _changes(rows: list[PatchRow]) -> int:
    return sum(row.op in ("A", "D") for row in rows)
