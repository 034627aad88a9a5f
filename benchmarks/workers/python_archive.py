"""A process with a log in plain Python: `python -m benchmarks.workers.python_archive FOLDER`."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

from benchmarks.data.bear import SHAPES, patches
from benchmarks.data.versions import id_of
from benchmarks.workers.protocol import Task, serve
from jelly_spark import Log
from jelly_spark.codec import PatchRow
from jelly_spark.patches import Interval, Statement


def main() -> None:
    """Serve the tasks."""
    serve(LogTasks(Path(sys.argv[1])))


class LogTasks:
    """The tasks of a log. Queries return the same numbers as `archives.Archive`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._patches: list[list[PatchRow]] = []

    def hold(self, name: str, scale: str) -> Task:
        """Load the patches of an archive into memory, and return the number of their changes."""
        yield
        self._patches = [*patches(SHAPES[name].scaled(float(scale)))]
        return sum(row.op in ("A", "D") for rows in self._patches for row in rows)

    def ntriples(self) -> Task:
        """Return the size of all versions as N-Triples in bytes."""
        yield
        total = size = 0
        for rows in self._patches:
            for row in rows:
                if row.op in ("A", "D"):
                    line = _length(row) + len("   .\n")
                    size += line if row.op == "A" else -line
            total += size
        return total

    def ingest(self) -> Task:
        """Append the patches that are held, and return their number."""
        gc.collect()
        gc.freeze()
        yield
        return len(self._log.append_all(self._patches))

    def release(self) -> Task:
        """Free the patches that are held."""
        yield
        self._patches = []
        gc.unfreeze()
        return gc.collect()

    def state_at(self, version: str) -> Task:
        """Return the sum of the lengths of the terms of a version."""
        yield
        return sum(map(_length, self._log.state_at(id_of(int(version)))))

    def between(self, a: str, b: str) -> Task:
        """Compute the lengths of all terms of a delta; return those of the added statements."""
        yield
        lengths = {"A": 0, "D": 0}
        for row in self._log.between(id_of(int(a)), id_of(int(b))):
            if row.op in lengths:
                lengths[row.op] += _length(row)
        return lengths["A"]

    def history(self, column: str, term: str) -> Task:
        """Return the sum of the term lengths and version numbers of some statements' intervals."""
        yield
        found = self._log.history(lambda statement: getattr(statement, column) == term)
        return sum(
            _length(each) + (each.added_log_seq or 0) + (each.removed_log_seq or 0)
            for each in found
        )

    @property
    def _log(self) -> Log[PatchRow]:
        # A new object, as in a program that starts: nothing is cached but the index.
        return Log(self._folder)


def _length(row: PatchRow | Statement | Interval) -> int:
    """Return the length of the terms in UTF-8."""
    terms = row.subject, row.predicate, row.object, row.graph
    return sum(len(term.encode()) for term in terms if term is not None)


if __name__ == "__main__":
    main()
