"""Measure archives of versions: a log of patches, Delta tables, and a copy of each version.

    make log-vs-delta
    .venv/bin/python -m benchmarks.log_vs_delta --versions 50 --statements 1000000

The program adds the figures to the results of the benchmark. The participants take turns, both at
adding each version and at each query. Their results must agree.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory

from benchmarks.archive_queries import medians, queries
from benchmarks.participants import (
    ALGEBRA_HEAP,
    ARCHIVE_LOG,
    ARCHIVES,
    DELTA_CLASSPATH,
    Participants,
)
from benchmarks.report import write_report
from benchmarks.results import ArchiveFigures, Results
from benchmarks.rounds import run

SUBJECT = "<https://data.shop.example/marketplace/europe/product/10000000>"
PREDICATE = "<https://schema.org/price>"


def main() -> None:
    """Run the measures, and add the figures to the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--versions", type=int, default=50, help="number of versions")
    parser.add_argument("--statements", type=int, default=1_000_000, help="those of a version")
    parser.add_argument("--rounds", type=int, default=3, help="rounds that count")
    parser.add_argument("--warm-ups", type=int, default=3, help="rounds before them")
    parser.add_argument("--archives", nargs="+", default=ARCHIVES, choices=ARCHIVES, help="which")
    parser.add_argument("--out", type=Path, default=Path(__file__).parent, help="the results")
    parser.add_argument("--work", type=Path, help="folder for the data, which is removed")
    options = parser.parse_args()
    if options.versions < 3:
        parser.error("--versions must be at least 3")
    if not DELTA_CLASSPATH.is_file():
        raise SystemExit("Delta is not here: run `make log-vs-delta`, which fetches it")
    path: Path = options.out / "results.json"
    results = Results.from_json(json.loads(path.read_text("utf-8")))
    results.archives = measure(options)
    results.archive_sizes = {"versions": options.versions, "statements": options.statements}
    results.compare_archives()
    path.write_text(json.dumps(results.as_json(), indent=2) + "\n", encoding="utf-8")
    write_report(results, options.out)
    for name, figures in results.archives.items():
        print(f"{name:22} {figures.bytes / 1e6:9.1f} MB, {figures.ingest:6.2f} s a version")
        for query, seconds in figures.queries.items():
            print(f"    {query:20} {seconds:6.2f} s")


def measure(options: argparse.Namespace) -> dict[str, ArchiveFigures]:
    """Return the figures of each archive, by participant."""
    with TemporaryDirectory(prefix="jelly-spark-archives-", dir=options.work) as made:
        folder = Path(made).resolve()
        patches = folder / "patches"
        with Participants(ALGEBRA_HEAP, folder) as participants:
            participants.ask(
                *(ARCHIVE_LOG, "make", str(patches)),
                *(str(options.statements), str(options.versions)),
            )
            ingested: dict[str, list[float]] = {name: [] for name in options.archives}
            for version in range(options.versions):
                patch = str(patches / f"version={version}")
                for name, seconds in ingested.items():
                    # Else whoever waits for its own bytes to be on disk also waits for those that
                    # others wrote before.
                    os.sync()
                    taken, _ = participants.ask(name, "ingest", str(version), patch)
                    seconds.append(taken)
            terms = SUBJECT, PREDICATE
            group = queries(options.archives, options.versions, options.statements, terms)
            asked = run(participants, group, options.warm_ups, options.rounds)
        return {
            name: ArchiveFigures(
                _size(folder / name),
                # Without the first version: it is created, not merged, and the JVM is not warm.
                round(mean(seconds[1:]), 3),
                medians(group, asked, name),
            )
            for name, seconds in ingested.items()
        }


def _size(folder: Path) -> int:
    """Return the size of the files in a folder in bytes, without Hadoop's checksum files."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".crc")
    return sum(path.stat().st_size for path in files)


if __name__ == "__main__":
    main()
