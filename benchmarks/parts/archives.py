"""Measure archives of versions: a log of patches, Delta tables, and a copy of each version.

The participants take turns, both at adding each version and at each query. Their results must
agree.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from statistics import mean, median

from benchmarks.parts.log_sizes import size_of
from benchmarks.parts.part import Part, Run
from benchmarks.parts.queries import ask_queries
from benchmarks.results import Results
from benchmarks.running import who
from benchmarks.running.participants import ALGEBRA_HEAP, Participants
from benchmarks.tables import table

SUBJECT = "<https://data.shop.example/marketplace/europe/product/10000000>"
PREDICATE = "<https://schema.org/price>"

LABELS = {
    who.ARCHIVE_LOG: "`Log`",
    who.ARCHIVE_UNCOMPACTED: "`Log`, not compacted",
    who.ARCHIVE_DELTA: "Delta",
    who.ARCHIVE_VECTORS: "Delta, deletion vectors",
    who.ARCHIVE_COPIES: "copies in Parquet",
}
"""What the table says of the participants."""

SIZE, INGEST = "MB on disk", "ingest, s a version"

QUERY_GOALS = {"state_at": 0.8, "between": 1, "history": 0.8}
"""The kinds of queries, with the goals of their ratios: another archive's time divided by the
log's."""

GOALS = {"bytes": 3, "ingest": 2, **QUERY_GOALS}
"""The goals of all ratios of another archive's figure to the log's."""


def measure(run: Run) -> None:
    """Have each participant ingest the versions and answer the queries, and compare them."""
    options, folder = run.options, run.folder
    archives, versions = options.archives, options.versions
    patches = folder / "patches"
    with Participants(ALGEBRA_HEAP, folder) as participants:
        make = "make", str(patches), str(options.statements), str(versions)
        participants.ask(who.ARCHIVE_LOG, *make)
        ingested: dict[str, list[float]] = {name: [] for name in archives}
        for version in range(versions):
            patch = str(patches / f"version={version}")
            for name, seconds in ingested.items():
                # Else whoever waits for its own bytes to be on disk also waits for those that
                # others wrote before.
                os.sync()
                taken, _ = participants.ask(name, "ingest", str(version), patch)
                seconds.append(taken)
        asked = ask_queries(participants, archives, versions, (SUBJECT, PREDICATE), run.rounds)
    # Without the first version: it is created, not merged, and the JVM is not warm.
    later = {name: seconds[1:] for name, seconds in ingested.items()}
    sizes = {name: size_of(folder / name) for name in archives}
    run.results.tables["archives"] = {
        SIZE: {LABELS[name]: sizes[name] / 1e6 for name in archives},
        INGEST: {LABELS[name]: round(mean(later[name]), 3) for name in archives},
        **{
            f"{query}, s": {LABELS[name]: round(median(asked[name][query]), 3) for name in archives}
            for query in asked[who.ARCHIVE_LOG]
        },
    }
    for name in archives:
        if name != who.ARCHIVE_LOG:
            _compare(run.results, name, sizes, later, asked)


def _compare(
    results: Results,
    peer: str,
    sizes: dict[str, int],
    ingested: dict[str, list[float]],
    asked: dict[str, dict[str, list[float]]],
) -> None:
    """Add the ratios of another archive's size and times to those of the log."""
    by_kind = {
        kind: (_of_kind(asked[who.ARCHIVE_LOG], kind), _of_kind(asked[peer], kind))
        for kind in QUERY_GOALS
    }
    if peer == who.ARCHIVE_UNCOMPACTED:
        results.compare("log_vs_log_uncompacted_state_at", *by_kind["state_at"])
        return
    start = f"log_vs_{peer.removeprefix('archive-').replace('-', '_')}"
    results.compare_figures(f"{start}_bytes", sizes[peer] / sizes[who.ARCHIVE_LOG], GOALS["bytes"])
    times = ingested[who.ARCHIVE_LOG], ingested[peer]
    results.compare(f"{start}_ingest", *times, GOALS["ingest"], center=mean)
    for kind, seconds in by_kind.items():
        results.compare(f"{start}_{kind}", *seconds, GOALS[kind])


def _of_kind(asked: dict[str, list[float]], kind: str) -> list[float]:
    """Return the seconds of all queries of a kind in each round, added up."""
    seconds = [taken for query, taken in asked.items() if query.startswith(kind)]
    return [sum(taken) for taken in zip(*seconds, strict=True)]


def report(results: Results) -> Iterator[str]:
    """Yield the table."""
    options = results.options
    yield (
        f"{options['versions']:,} versions of {options['statements']:,} statements, of which one "
        "percent changes from each to the next."
    )
    yield ""
    yield from table(results.tables["archives"])


PART = Part("An archive of versions", "archives", measure, report)
