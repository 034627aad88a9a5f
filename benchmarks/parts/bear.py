"""Measure logs of patches on archives in the shape of BEAR's.

Plain Python ingests each archive and queries the log, and so does Spark. Their results must agree.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.data.bear import PREDICATE, SHAPES, SUBJECT, Shape
from benchmarks.parts.log_sizes import compressed_sizes, size_on_disk
from benchmarks.parts.part import Part, Run
from benchmarks.parts.queries import ask_queries
from benchmarks.results import Results
from benchmarks.running import who
from benchmarks.running.participants import ALGEBRA_HEAP, Participants
from benchmarks.tables import table

LOG, INGEST = "log, MB", "ingestion in plain Python, s"

BEST = 25.1
"""The published size of BEAR's hourly archive in HDT-CB, the smallest one, in megabytes."""

INGEST_SECONDS = 60
"""The seconds that the ingestion of BEAR's hourly archive may take."""

PUBLISHED = {
    "all versions as N-Triples": {"MB": "8,315"},
    "the same in gzip": {"MB": "466"},
    "OSTRICH": {"MB": "451", "ingestion, min": "4,497"},
    "COBRA*": {"MB": "217", "ingestion, min": "338"},
    "Jena-CB": {"MB": "53.8", "ingestion, min": "0.65"},
    "HDT-CB": {"MB": f"{BEST}", "ingestion, min": "0.07"},
}


def measure(run: Run) -> None:
    """Measure each archive, and compare the hourly one with the goals."""
    tables: dict[str, dict[str, Any]] = {}
    for name in run.options.bear:
        place = run.folder / name
        place.mkdir()
        found = _measure(place, SHAPES[name].scaled(run.options.scale), run)
        for what, figure in found.items():
            tables.setdefault(what, {})[name] = figure
        if name == "hourly":
            run.results.compare_figures("bear_hourly_bytes", BEST / found[LOG], 1)
            run.results.compare_figures("bear_hourly_ingest", INGEST_SECONDS / found[INGEST], 1)
    run.results.tables["bear"] = tables


def _measure(folder: Path, shape: Shape, run: Run) -> dict[str, Any]:
    """Return the figures of an archive, by what they are."""
    log = folder / who.ARCHIVE_UNCOMPACTED
    names = who.ARCHIVE_PYTHON, who.ARCHIVE_UNCOMPACTED
    with Participants(ALGEBRA_HEAP, folder) as participants:
        hold = "hold", shape.name, str(run.options.scale)
        _, changes = participants.ask(who.ARCHIVE_PYTHON, *hold)
        _, ntriples = participants.ask(who.ARCHIVE_PYTHON, "ntriples")
        os.sync()
        ingest, _ = participants.ask(who.ARCHIVE_PYTHON, "ingest")
        participants.ask(who.ARCHIVE_PYTHON, "release")
        parts = size_on_disk(log)
        terms = SUBJECT, PREDICATE
        asked = ask_queries(participants, names, shape.versions, terms, run.rounds)
    sizes = {
        "all versions as N-Triples": ntriples,
        "log": sum(parts.values()),
        **{f"its {part}": size for part, size in parts.items()},
        **{f"patches, {how}": size for how, size in compressed_sizes(log).items()},
    }
    return {
        "versions": shape.versions,
        "changes": changes,
        **{f"{what}, MB": size / 1e6 for what, size in sizes.items()},
        INGEST: round(ingest, 2),
        **{
            f"{query}, plain Python / Spark, s": [
                round(median(asked[name][query]), 3) for name in names
            ]
            for query in asked[who.ARCHIVE_PYTHON]
        },
    }


def report(results: Results) -> Iterator[str]:
    """Yield the tables."""
    yield from table(results.tables["bear"])
    yield from ["", "Published for BEAR's hourly archive, on other machines:", ""]
    yield from table(PUBLISHED)


PART = Part("Archives in the shape of BEAR's", "bear", measure, report)
