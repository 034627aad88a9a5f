"""A process that runs the codecs in Python: `python -m benchmarks.python_worker`."""

# pyjelly has no type annotations.
# mypy: disable-error-code="import-untyped"

from __future__ import annotations

import gc
import os
import subprocess
from collections.abc import Callable
from typing import Any

from pyjelly.integrations.generic.parse import parse_jelly_flat
from pyjelly.integrations.generic.serialize import flat_stream_to_file
from rdflib import Dataset, Graph

from benchmarks.worker import Work, serve
from jelly_spark.codec import JellyRdfOptions, JellyRdfWriter, PhysicalType, RdfRow, read_jelly_rdf

_C_LOCALE = {**os.environ, "LC_ALL": "C"}


def main() -> None:
    """Serve the tasks."""
    tasks = PythonTasks()
    serve(
        {
            "hold": tasks.hold,
            "python_decode": tasks.python_decode,
            "python_encode": tasks.python_encode,
            "pyjelly_decode": tasks.pyjelly_decode,
            "pyjelly_encode": tasks.pyjelly_encode,
            "rdflib_decode": tasks.rdflib_decode,
            "rdflib_encode": tasks.rdflib_encode,
            "sort_and_comm": sort_and_comm,
        }
    )


def sort_and_comm(before: str, after: str) -> Work:
    """Count the lines that only one of two files has, with GNU sort and comm."""

    def work() -> int:
        paths = []
        for path in (before, after):
            paths.append(f"{path}.sorted")
            command = ["sort", "--parallel=2", "-S", "2G", "-u", "-o", paths[-1], path]
            subprocess.run(command, env=_C_LOCALE, check=True)
        comm = subprocess.Popen(["comm", "-3", *paths], env=_C_LOCALE, stdout=subprocess.PIPE)
        assert comm.stdout is not None
        with comm.stdout as lines:
            return sum(1 for _ in lines)

    return work


class PythonTasks:
    """The tasks, for this project's codec, pyjelly with its own statements, and with rdflib's."""

    def __init__(self) -> None:
        self._rows: list[RdfRow] = []
        self._statements: list[Any] = []
        self._graph = Graph()

    def hold(self, path: str, physical_type: str) -> Work:
        """Load the statements of a Jelly-RDF file into memory for each codec, replacing others."""

        def work() -> int:
            self._rows = list(read_jelly_rdf(path))
            with open(path, "rb") as file:
                self._statements = list(parse_jelly_flat(file))
            self._graph = _rdflib_graph(path, physical_type)
            return len(self._rows)

        return work

    def python_decode(self, path: str) -> Work:
        """Read with `jelly_spark.codec`."""
        return _cleanly(lambda: sum(1 for _ in read_jelly_rdf(path)))

    def python_encode(self, path: str, physical_type: str) -> Work:
        """Write with `jelly_spark.codec`."""

        def work() -> int:
            with JellyRdfWriter(
                path, JellyRdfOptions(physical_type=PhysicalType[physical_type])
            ) as writer:
                for row in self._rows:
                    writer.write(row)
            return len(self._rows)

        return _cleanly(work)

    def pyjelly_decode(self, path: str) -> Work:
        """Read with pyjelly."""

        def work() -> int:
            with open(path, "rb") as file:
                return sum(1 for _ in parse_jelly_flat(file))

        return _cleanly(work)

    def pyjelly_encode(self, path: str) -> Work:
        """Write with pyjelly."""

        def work() -> int:
            with open(path, "wb") as file:
                flat_stream_to_file((statement for statement in self._statements), file)
            return len(self._statements)

        return _cleanly(work)

    def rdflib_decode(self, path: str, physical_type: str) -> Work:
        """Read into an rdflib graph with pyjelly."""
        return _cleanly(lambda: len(_rdflib_graph(path, physical_type)))

    def rdflib_encode(self, path: str) -> Work:
        """Write an rdflib graph with pyjelly."""

        def work() -> int:
            self._graph.serialize(path, format="jelly")
            return len(self._graph)

        return _cleanly(work)


def _rdflib_graph(path: str, physical_type: str) -> Graph:
    graph = Graph() if physical_type == "TRIPLES" else Dataset()
    return graph.parse(path, format="jelly")


def _cleanly(work: Callable[[], int]) -> Work:
    """Collect the garbage of earlier tasks, and exclude all live objects from later collections."""
    gc.collect()
    gc.freeze()
    return work


if __name__ == "__main__":
    main()
