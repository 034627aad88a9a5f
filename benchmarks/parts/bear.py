"""Measure logs of patches on archives in the shape of BEAR's.

Plain Python ingests each archive and queries the log, and so does Spark. Their results must agree.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from benchmarks.data.bear import PREDICATE, SHAPES, SUBJECT, Shape
from benchmarks.parts.log_sizes import compressed_sizes, size_on_disk
from benchmarks.parts.queries import medians, queries
from benchmarks.results import BearFigures, Results
from benchmarks.running.participants import (
    ALGEBRA_HEAP,
    ARCHIVE_PYTHON,
    ARCHIVE_UNCOMPACTED,
    Participants,
)
from benchmarks.running.rounds import run

_READERS = {"python": ARCHIVE_PYTHON, "spark": ARCHIVE_UNCOMPACTED}


def measure_bear(
    results: Results,
    folder: Path,
    archives: Sequence[str],
    scale: float,
    warm_ups: int,
    rounds: int,
) -> None:
    """Run the measures, and add the figures to the results.

    Args:
        results: the results.
        folder: the folder for the data.
        archives: the names of the archives.
        scale: the factor for the sizes of the archives.
        warm_ups: the number of rounds of queries before those that count.
        rounds: the number of rounds that count.
    """
    for name in archives:
        place = folder / name
        place.mkdir()
        shape = SHAPES[name].scaled(scale)
        results.bear[name] = _measure(place, shape, scale, warm_ups, rounds)
    results.compare_bear()


def _measure(folder: Path, shape: Shape, scale: float, warm_ups: int, rounds: int) -> BearFigures:
    """Return the figures of an archive."""
    log = folder / ARCHIVE_UNCOMPACTED
    with Participants(ALGEBRA_HEAP, folder) as participants:
        _, rows = participants.ask(ARCHIVE_PYTHON, "hold", shape.name, str(scale))
        _, ntriples = participants.ask(ARCHIVE_PYTHON, "ntriples")
        os.sync()
        ingest, _ = participants.ask(ARCHIVE_PYTHON, "ingest")
        participants.ask(ARCHIVE_PYTHON, "release")
        parts = size_on_disk(log)
        group = queries([*_READERS.values()], shape.versions, rows, (SUBJECT, PREDICATE))
        seconds = run(participants.ask, group, warm_ups, rounds)
    return BearFigures(
        versions=shape.versions,
        changes=rows,
        bytes={
            "ntriples": ntriples,
            "log": sum(parts.values()),
            **parts,
            **compressed_sizes(log),
        },
        ingest=round(ingest, 2),
        queries={
            name: medians(group, seconds, participant) for name, participant in _READERS.items()
        },
    )
