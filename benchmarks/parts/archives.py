"""Measure archives of versions: a log of patches, Delta tables, and a copy of each version.

The participants take turns, both at adding each version and at each query. Their results must
agree.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from statistics import mean

from benchmarks.parts.queries import medians, queries, sums
from benchmarks.results import QUERY_GOALS, ArchiveFigures, Results
from benchmarks.running.participants import (
    ALGEBRA_HEAP,
    ARCHIVE_DELTA,
    ARCHIVE_LOG,
    ARCHIVE_VECTORS,
    DELTA_CLASSPATH,
    Participants,
)
from benchmarks.running.rounds import run

SUBJECT = "<https://data.shop.example/marketplace/europe/product/10000000>"
PREDICATE = "<https://schema.org/price>"


def measure_archives(
    results: Results,
    folder: Path,
    archives: Sequence[str],
    versions: int,
    statements: int,
    warm_ups: int,
    rounds: int,
) -> None:
    """Run the measures, and add the figures to the results.

    Args:
        results: the results.
        folder: the folder for the data.
        archives: the participants.
        versions: the number of versions, at least 3.
        statements: the number of statements in each version.
        warm_ups: the number of rounds of queries before those that count.
        rounds: the number of rounds that count.
    """
    if {ARCHIVE_DELTA, ARCHIVE_VECTORS} & {*archives} and not DELTA_CLASSPATH.is_file():
        raise SystemExit("Delta is not here: run `make bench`, which fetches it")
    patches = folder / "patches"
    with Participants(ALGEBRA_HEAP, folder) as participants:
        participants.ask(ARCHIVE_LOG, "make", str(patches), str(statements), str(versions))
        ingested: dict[str, list[float]] = {name: [] for name in archives}
        for version in range(versions):
            patch = str(patches / f"version={version}")
            for name, seconds in ingested.items():
                # Else whoever waits for its own bytes to be on disk also waits for those that
                # others wrote before.
                os.sync()
                taken, _ = participants.ask(name, "ingest", str(version), patch)
                seconds.append(taken)
        group = queries(archives, versions, statements, (SUBJECT, PREDICATE))
        asked = run(participants.ask, group, warm_ups, rounds)
    # Without the first version: it is created, not merged, and the JVM is not warm.
    later = {name: seconds[1:] for name, seconds in ingested.items()}
    results.archives = {
        name: ArchiveFigures(
            _size(folder / name), round(mean(later[name]), 3), medians(group, asked, name)
        )
        for name in archives
    }
    results.archive_sizes = {"versions": versions, "statements": statements}
    results.compare_archives(
        later,
        {name: {kind: sums(group, asked, name, kind) for kind in QUERY_GOALS} for name in archives},
    )


def _size(folder: Path) -> int:
    """Return the size of the files in a folder in bytes, without Hadoop's checksum files."""
    files = (path for path in folder.rglob("*") if path.is_file() and path.suffix != ".crc")
    return sum(path.stat().st_size for path in files)
