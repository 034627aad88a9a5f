"""The benchmark runs, on little data, and leaves the results that the README speaks of."""

import json
import os
import subprocess
import sys
from pathlib import Path

from benchmarks.participants import ROOT
from tests import jvm_options

RATIOS = {
    *("scan_all", "scan_noop", "scan_count", "scan_predicate", "write"),
    *("scan_vs_text", "scan_vs_thrift", "scan_vs_parquet", "scan_vs_ntriples"),
    *("scan_vs_lines", "ntriples_vs_lines"),
    *("write_vs_text", "write_vs_thrift", "python_decode", "python_encode"),
}


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


def test_run(tmp_path: Path) -> None:
    sizes = ["--rows", "3000", "--python-rows", "1000", "--messages", "200", "--big", "200000"]
    sizes += ["--states", "2000", "--algebra-rounds", "1"]
    rounds = ["--rounds", "1", "--warm-ups", "0", "--heap", "1g"]
    folders = ["--out", str(tmp_path / "results"), "--work", str(tmp_path)]
    run("benchmarks", *sizes, *rounds, *folders)
    run("benchmarks.encoder_vs_kryo", "--rows", "2000", "--heap", "1g", *folders[:2])

    results = json.loads((tmp_path / "results" / "results.json").read_text(encoding="utf-8"))
    assert set(results["ratios"]) - {AVRO} == {
        *RATIOS,
        *(f"weather_{n}" for n in RATIOS),
        *MESSAGES,
        *ENCODERS,
        *ALGEBRA,
        "two_cores",
    }
    assert all(ratio > 0 for ratio in results["ratios"].values())
    assert set(results["goals"]) < set(results["ratios"])
    assert results["medians"].keys() == results["seconds"].keys()
    assert results["small_heap"]["passed"]
    assert abs(results["restart_points"]["ratio"] - 1) < 0.005

    tables = (tmp_path / "results" / "results.md").read_text(encoding="utf-8")
    assert all(f"| `{name}` |" in tables for name in RATIOS)
    assert str(tmp_path) not in tables + json.dumps(results)
    assert (tmp_path / "results" / "results.png").read_bytes().startswith(b"\x89PNG")
    assert "<svg" in (tmp_path / "results" / "speed.svg").read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["results"]


def run(module: str, *arguments: str) -> None:
    # The benchmark chooses the garbage collector, and a JVM refuses two.
    env = {**os.environ, "JDK_JAVA_OPTIONS": jvm_options.QUICK}
    command = [sys.executable, "-m", module, *arguments]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
