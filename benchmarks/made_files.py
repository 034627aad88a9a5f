"""Files of the datasets that stay in a folder for later runs.

    .venv/bin/python -m benchmarks.made_files FOLDER --rows 200000

The program makes those that the benchmarks of methods read: see `make jmh`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.data import DATASETS, Dataset
from benchmarks.measures import Files
from benchmarks.participants import Participants

PATCH = "jelly_patch"


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
            make_files(participants, dataset, options.folder.resolve(), options.rows, [PATCH])


def make_files(
    participants: Participants, dataset: Dataset, folder: Path, rows: int, formats: Sequence[str]
) -> Files:
    """Make the Jelly-RDF file of a dataset, and convert it to other formats.

    Files that are in the folder already are kept.
    """
    folder.mkdir(parents=True, exist_ok=True)
    files = Files(dataset, folder)
    needed = {"jelly_rdf": files.make("jelly_rdf", rows)}
    needed |= {format: files.convert(format) for format in formats}
    for format, (participant, *task) in needed.items():
        if not Path(files.path(format)).exists():
            participants.ask(participant, *task)
    return files


if __name__ == "__main__":
    main()
