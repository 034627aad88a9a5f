"""The benchmark runs, on little data, and leaves the results that the README speaks of."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.measures import MEASURES, RATIOS, SHOP_RATIOS
from benchmarks.parts.archives import GOALS
from benchmarks.parts.tables import WRITES
from benchmarks.results import Results
from benchmarks.running import who
from benchmarks.running.participants import ROOT
from tests import jvm_options
from tests.services.classpaths import classpath

SERDI = {"ntriples_vs_serdi", "weather_ntriples_vs_serdi"}
"""Only where serdi is installed."""

AVRO = "from_jelly_patch_vs_avro"
"""Only where Spark 4.0 is."""
ENCODERS = {
    f"jelly{objects}_vs_kryo{objects}_{kind}_{what}"
    for objects in ("", "_batches")
    for kind in ("fields", "jena")
    for what in ("size", "speed")
}

ARCHIVES = [who.ARCHIVE_LOG, who.ARCHIVE_UNCOMPACTED, who.ARCHIVE_VECTORS]


def test_run(tmp_path: Path) -> None:
    classpath("delta")
    sizes = ["--rows", "3000", "--python-rows", "1000", "--messages", "200", "--big", "200000"]
    sizes += ["--states", "2000", "--algebra-rounds", "1", "--quads", "2000"]
    sizes += ["--versions", "3", "--statements", "2000", "--archives", *ARCHIVES]
    sizes += ["--scale", "0.005", "--logs", "100", "250", "--log-megabytes", "2"]
    sizes += ["--blank-states", "1000", "--table", "2000", "--commits", "3"]
    rounds = ["--rounds", "1", "--warm-ups", "0", "--heap", "1g"]
    folders = ["--out", str(tmp_path / "results"), "--work", str(tmp_path)]
    run("benchmarks", *sizes, *rounds, *folders)

    results = Results.read(tmp_path / "results")
    archives = {f"log_vs_delta_vectors_{what}" for what in GOALS}
    tables = {f"log_table_{what}{of}" for what in WRITES for of in ("", "_bytes")}
    measured = {ratio.name for ratio in RATIOS if ratio.ours in results.measures}
    assert {ratio.name for ratio in SHOP_RATIOS} - SERDI - {AVRO} <= measured
    assert set(results.ratios) - SERDI == {
        *measured - SERDI,
        *ENCODERS,
        *archives,
        *tables,
        "log_table_changes",
        "log_vs_log_uncompacted_state_at",
        *("bear_hourly_bytes", "bear_hourly_ingest"),
    }
    assert all(found.ratio > 0 for found in results.ratios.values())
    assert {name for name, found in results.ratios.items() if found.interval is None} == {
        *(name for name in results.ratios if name.endswith(("_size", "_bytes")))
    } - {"diff_double_size", "diff_fifth_size"} | {"bear_hourly_ingest"}
    assert not results.errors
    big = results.tables["big_file"]["sizes"]
    assert abs(big["bytes"] / big["bytes_without"] - 1) < 0.005

    bear = {what: found["hourly"] for what, found in results.tables["bear"].items()}
    parts = (bear[f"its {part}, MB"] for part in ("patches", "index", "snapshots"))
    assert bear["log, MB"] == pytest.approx(sum(parts))
    assert len(results.tables["archives"]["MB on disk"]) == len(ARCHIVES)
    append = results.tables["growth, in S3"]["append"]
    assert [*append] == ["100", "250"]
    assert (append["100"]["requests"], append["100"]["lists"]) == (3, 0)
    assert len(results.tables["skipping"]) == 4 and len(results.tables["blank_nodes"]) == 2

    report = (tmp_path / "results" / "results.md").read_text(encoding="utf-8")
    shop = [name for name in results.ratios if not name.startswith("weather_")]
    assert all(f"| `{name}` |" in report for name in shop)
    measured = {measure.name for measure in MEASURES if measure.name in results.measures}
    assert all(f"| `{name}` |" in report for name in measured)
    assert all(text in report for text in ("| HDT-CB |", "| MB on disk |", "| append |"))
    assert "Not run" not in report
    content = (tmp_path / "results" / "results.json").read_text(encoding="utf-8")
    assert str(tmp_path) not in report + content
    assert "<svg" in (tmp_path / "results" / "speed.svg").read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


def run(module: str, *arguments: str) -> str:
    # The benchmark chooses the garbage collector, and a JVM refuses two.
    env = {**os.environ, "JDK_JAVA_OPTIONS": jvm_options.QUICK}
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
