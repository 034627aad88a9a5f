"""A process that runs the codecs in Python: `python -m benchmarks.workers.python`."""

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
from pyoxigraph import QuadParser, RdfFormat, parse, serialize

from benchmarks.data.datasets import PREFIXES
from benchmarks.workers.protocol import Work, serve
from jelly_spark import codec
from jelly_spark.codec import (
    JellyRdfOptions,
    JellyRdfWriter,
    PhysicalType,
    RdfOptions,
    RdfRow,
    read_jelly_rdf,
)
from jelly_spark.integrations.arrow import to_arrow

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
            "python_to_arrow": tasks.python_to_arrow,
            "pyoxigraph_parse": pyoxigraph_parse,
            "pyoxigraph_to_nquads": pyoxigraph_to_nquads,
            "make_turtle": make_turtle,
            "turtle_read": turtle_read,
            "serdi": serdi,
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


def pyoxigraph_parse(path: str) -> Work:
    """Count the statements of a file of N-Triples, N-Quads or Turtle with pyoxigraph."""
    return _cleanly(lambda: sum(1 for _ in _parser(path)))


def pyoxigraph_to_nquads(path: str) -> Work:
    """Read a file as `pyoxigraph_parse` does, and write N-Quads to nowhere."""

    def work() -> int:
        with open(os.devnull, "wb") as nowhere:
            serialize(_parser(path), nowhere, format=RdfFormat.N_QUADS)
        return 0

    return _cleanly(work)


def _parser(path: str) -> QuadParser:
    extension = path.rpartition(".")[2]
    formats = {"nquads": RdfFormat.N_QUADS, "turtle": RdfFormat.TURTLE}
    return parse(path=path, format=formats.get(extension, RdfFormat.N_TRIPLES))


def make_turtle(source: str, path: str) -> Work:
    """Write the statements of a Jelly-RDF file as Turtle, and return the size of the file."""

    def work() -> int:
        options = RdfOptions(syntax="turtle", prefixes=PREFIXES)
        codec.write(path, read_jelly_rdf(source), options=options)
        return os.path.getsize(path)

    return work


def turtle_read(path: str) -> Work:
    """Count the statements of a file of Turtle with `jelly_spark.codec`."""
    return _cleanly(lambda: sum(1 for _ in codec.read(path, format="rdf")))


def serdi(format: str, path: str) -> Work:
    """Read an N-Triples or N-Quads file with serdi, which writes the statements again."""
    arguments = ["serdi", "-b", "-q", "-i", format, "-o", format, path]

    def work() -> int:
        subprocess.run(arguments, stdout=subprocess.DEVNULL, check=True)
        return 0

    return work


class PythonTasks:
    """The tasks, for this project's codec and for pyjelly with its own statements."""

    def __init__(self) -> None:
        self._rows: list[RdfRow] = []
        self._statements: list[Any] = []

    def hold(self, path: str) -> Work:
        """Load the statements of a Jelly-RDF file into memory for each codec, replacing others."""

        def work() -> int:
            self._rows = list(read_jelly_rdf(path))
            with open(path, "rb") as file:
                self._statements = list(parse_jelly_flat(file))
            return len(self._rows)

        return work

    def python_decode(self, path: str) -> Work:
        """Read with `jelly_spark.codec`."""
        return _cleanly(lambda: sum(1 for _ in read_jelly_rdf(path)))

    def python_to_arrow(self, path: str) -> Work:
        """Read as Arrow batches with `jelly_spark`."""
        return _cleanly(lambda: sum(batch.num_rows for batch in to_arrow(path, format="jelly_rdf")))

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


def _cleanly(work: Callable[[], int]) -> Work:
    """Collect the garbage of earlier tasks, and exclude all live objects from later collections."""
    gc.collect()
    gc.freeze()
    return work


if __name__ == "__main__":
    main()
