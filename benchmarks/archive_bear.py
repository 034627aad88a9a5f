"""Measure logs of patches on archives in the shape of BEAR's.

    make archive-bear
    .venv/bin/python -m benchmarks.archive_bear --archives big --rounds 1 --warm-ups 0

The program adds the figures to the results of the benchmark. Plain Python ingests each archive and
queries the log, and so does Spark. Their results must agree.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.archive_queries import medians, queries
from benchmarks.bear import PREDICATE, SHAPES, SUBJECT, Shape
from benchmarks.log_sizes import compressed_sizes, size_on_disk
from benchmarks.participants import (
    ALGEBRA_HEAP,
    ARCHIVE_PYTHON,
    ARCHIVE_UNCOMPACTED,
    Participants,
)
from benchmarks.report import write_report
from benchmarks.results import BearFigures, Results
from benchmarks.rounds import run

_READERS = {"python": ARCHIVE_PYTHON, "spark": ARCHIVE_UNCOMPACTED}


def main() -> None:
    """Run the measures, and add the figures to the results."""
    parser = argparse.ArgumentParser(description=__doc__)
    add = parser.add_argument
    add(
        "--archives",
        nargs="+",
        default=["hourly", "daily"],
        choices=[*SHAPES],
        help="which archives",
    )
    add("--scale", type=float, default=1, help="factor for the sizes of the archives")
    add("--rounds", type=int, default=3, help="rounds that count")
    add("--warm-ups", type=int, default=1, help="rounds before them")
    add("--out", type=Path, default=Path(__file__).parent, help="the results")
    add("--work", type=Path, help="folder for the data, which is removed")
    options = parser.parse_args()
    path: Path = options.out / "results.json"
    results = Results.from_json(json.loads(path.read_text("utf-8")))
    for name in options.archives:
        results.bear[name] = figures = measure(options, SHAPES[name].scaled(options.scale))
        print(f"{name}: {figures.bytes['log'] / 1e6:.1f} MB, ingested in {figures.ingest:.1f} s")
        for way, size in figures.bytes.items():
            print(f"    {way:20} {size / 1e6:9.2f} MB")
        for query, seconds in figures.queries["python"].items():
            print(f"    {query:20} {seconds:9.2f} s  {figures.queries['spark'][query]:9.2f} s")
    results.compare_bear()
    path.write_text(json.dumps(results.as_json(), indent=2) + "\n", encoding="utf-8")
    write_report(results, options.out)


def measure(options: argparse.Namespace, shape: Shape) -> BearFigures:
    """Return the figures of an archive."""
    with TemporaryDirectory(prefix="jelly-spark-bear-", dir=options.work) as made:
        folder = Path(made).resolve()
        log = folder / ARCHIVE_UNCOMPACTED
        with Participants(ALGEBRA_HEAP, folder) as participants:
            _, rows = participants.ask(ARCHIVE_PYTHON, "hold", shape.name, str(options.scale))
            _, ntriples = participants.ask(ARCHIVE_PYTHON, "ntriples")
            os.sync()
            ingest, _ = participants.ask(ARCHIVE_PYTHON, "ingest")
            participants.ask(ARCHIVE_PYTHON, "release")
            parts = size_on_disk(log)
            group = queries([*_READERS.values()], shape.versions, rows, (SUBJECT, PREDICATE))
            seconds = run(participants, group, options.warm_ups, options.rounds)
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


if __name__ == "__main__":
    main()
