"""Files of the datasets that stay in a folder for later runs.

    .venv/bin/python -m benchmarks.running.made_files FOLDER --rows 200000

The program makes those that the benchmarks of methods read: see `make jmh`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.data.datasets import DATASETS
from benchmarks.measures import Files, Request
from benchmarks.running.participants import Participants


def main() -> None:
    """Make the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, required=True, help="statements of a file")
    options = parser.parse_args()
    with (
        TemporaryDirectory(prefix="jelly-spark-bench-") as work,
        Participants("2g", Path(work)) as participants,
    ):
        for dataset in DATASETS.values():
            files = Files(dataset, options.folder.resolve())
            make_missing(participants, in_formats(files, options.rows, ["jelly_patch"]))


def in_formats(files: Files, rows: int, formats: Iterable[str]) -> dict[str, Request]:
    """Return the requests for the Jelly-RDF file of a dataset and for others, by their paths."""
    made = {files.path("jelly_rdf"): files.make("jelly_rdf", rows)}
    return made | {files.path(format): files.convert(format) for format in formats}


def make_missing(participants: Participants, files: Mapping[str, Request]) -> None:
    """Make those of the files that are not there, in this order."""
    for path, request in files.items():
        if not Path(path).exists():
            Path(path).parent.mkdir(parents=True, exist_ok=True)
            participants.ask(*request)


if __name__ == "__main__":
    main()
