"""The benchmark runs, on little data, and leaves the results that the README speaks of."""

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.data.datasets import DATASETS
from benchmarks.measures import ratios
from benchmarks.results import ARCHIVE_GOALS
from benchmarks.running.participants import ARCHIVE_LOG, ARCHIVE_UNCOMPACTED, ARCHIVE_VECTORS, ROOT
from tests import jvm_options
from tests.services.classpaths import classpath

MESSAGES = {f"{name}_vs_json" for name in ("from_jelly_patch", "to_jelly_patch")} | {
    "from_jelly_patch_vs_python"
}
ALGEBRA = {
    *(
        "diff_vs_sort",
        "triples_diff_vs_sort",
        "apply_vs_jena",
        "diff_double_size",
        "diff_fifth_size",
    ),
    *("diff_skewed_subject", "diff_skewed_predicate"),
}
AVRO = "from_jelly_patch_vs_avro"
"""Only where Spark 4.0 is."""


ENCODERS = {
    f"jelly{objects}_vs_kryo{objects}_{kind}_{what}"
    for objects in ("", "_batches")
    for kind in ("fields", "jena")
    for what in ("size", "speed")
}


ARCHIVES = [ARCHIVE_LOG, ARCHIVE_UNCOMPACTED, ARCHIVE_VECTORS]


def test_run(tmp_path: Path) -> None:
    classpath("delta")
    sizes = ["--rows", "3000", "--python-rows", "1000", "--messages", "200", "--big", "200000"]
    sizes += ["--states", "2000", "--algebra-rounds", "1", "--quads", "2000"]
    sizes += ["--versions", "3", "--statements", "2000", "--archives", *ARCHIVES]
    sizes += ["--scale", "0.005", "--logs", "100", "250", "--log-megabytes", "2"]
    sizes += ["--blank-states", "1000"]
    rounds = ["--rounds", "1", "--warm-ups", "0", "--heap", "1g"]
    folders = ["--out", str(tmp_path / "results"), "--work", str(tmp_path)]
    run("benchmarks", *sizes, *rounds, *folders)

    results = json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
    archives = {f"log_vs_delta_vectors_{what}" for what in ARCHIVE_GOALS}
    assert set(results["ratios"]) - {AVRO} == {
        *(ratio.name for dataset in DATASETS.values() for ratio in ratios(dataset)),
        *MESSAGES,
        *ENCODERS,
        *ALGEBRA,
        *archives,
        *("two_cores", "log_vs_log_uncompacted_state_at"),
        *("bear_hourly_bytes", "bear_hourly_ingest"),
    }
    assert all(ratio > 0 for ratio in results["ratios"].values())
    assert set(results["goals"]) < set(results["ratios"])
    assert {name for name in results["ratios"] if name not in results["intervals"]} == {
        *(name for name in results["ratios"] if name.endswith(("_size", "_bytes")))
    } - {"diff_double_size", "diff_fifth_size"} | {"bear_hourly_ingest"}
    assert results["medians"].keys() == results["seconds"].keys()
    assert results["small_heap"]["passed"]
    assert abs(results["restart_points"]["ratio"] - 1) < 0.005

    bear = results["bear"]["hourly"]
    parts = ("patches", "index", "snapshots")
    assert bear["bytes"]["log"] == sum(bear["bytes"][part] for part in parts)
    assert bear["queries"]["python"].keys() == bear["queries"]["spark"].keys()
    assert {*results["archives"]} == {*ARCHIVES}
    for found in results["growth"].values():
        assert [*found] == ["100", "250"]
    append = results["growth"]["in S3"]["100"]["append"]
    assert (append["requests"], append["lists"]) == (3, 0)
    assert len(results["skipping"]) == 4 and len(results["blank_nodes"]) == 2

    tables = (tmp_path / "results" / "results.md").read_text(encoding="utf-8")
    shop = [name for name in results["ratios"] if not name.startswith("weather_")]
    assert all(f"| `{name}` |" in tables for name in shop)
    assert all(text in tables for text in ("| HDT-CB |", "| MB on disk |", "| append |"))
    assert "Not run" not in tables
    assert str(tmp_path) not in tables + json.dumps(results)
    assert "<svg" in (tmp_path / "results" / "speed.svg").read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


def run(module: str, *arguments: str) -> str:
    # The benchmark chooses the garbage collector, and a JVM refuses two.
    env = {**os.environ, "JDK_JAVA_OPTIONS": jvm_options.QUICK}
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout
