"""A process that runs the codecs in Python: `python -m benchmarks.workers.python`."""

# pyjelly has no type annotations.
# mypy: disable-error-code="import-untyped"

from __future__ import annotations

import gc
import os
import subprocess
from typing import Any

from pyjelly.integrations.generic.parse import parse_jelly_flat
from pyjelly.integrations.generic.serialize import flat_stream_to_file
from pyoxigraph import QuadParser, RdfFormat, parse, serialize

from benchmarks.data.datasets import PREFIXES
from benchmarks.workers.protocol import Task, serve
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
    serve(PythonTasks())


class PythonTasks:
    """The tasks, for this project's codec and for pyjelly with its own statements."""

    def __init__(self) -> None:
        self._rows: list[RdfRow] = []
        self._statements: list[Any] = []

    def hold(self, path: str) -> Task:
        """Load the statements of a Jelly-RDF file into memory for each codec, replacing others."""
        yield
        self._rows = list(read_jelly_rdf(path))
        with open(path, "rb") as file:
            self._statements = list(parse_jelly_flat(file))
        return len(self._rows)

    def release(self) -> Task:
        """Remove the statements from memory."""
        yield
        self._rows, self._statements = [], []
        gc.unfreeze()
        return gc.collect()

    def python_decode(self, path: str) -> Task:
        """Read with `jelly_spark.codec`."""
        _clean()
        yield
        return sum(1 for _ in read_jelly_rdf(path))

    def python_to_arrow(self, path: str) -> Task:
        """Read as Arrow batches with `jelly_spark`."""
        _clean()
        yield
        return sum(batch.num_rows for batch in to_arrow(path, format="jelly_rdf"))

    def python_encode(self, path: str, physical_type: str) -> Task:
        """Write with `jelly_spark.codec`."""
        _clean()
        yield
        with JellyRdfWriter(
            path, JellyRdfOptions(physical_type=PhysicalType[physical_type])
        ) as writer:
            for row in self._rows:
                writer.write(row)
        return len(self._rows)

    def pyjelly_decode(self, path: str) -> Task:
        """Read with pyjelly."""
        _clean()
        yield
        with open(path, "rb") as file:
            return sum(1 for _ in parse_jelly_flat(file))

    def pyjelly_encode(self, path: str) -> Task:
        """Write with pyjelly."""
        _clean()
        yield
        with open(path, "wb") as file:
            flat_stream_to_file((statement for statement in self._statements), file)
        return len(self._statements)

    def sort_and_comm(self, before: str, after: str) -> Task:
        """Count the lines that only one of two files has, with GNU sort and comm."""
        yield
        paths = []
        for path in (before, after):
            paths.append(f"{path}.sorted")
            command = ["sort", "--parallel=2", "-S", "2G", "-u", "-o", paths[-1], path]
            subprocess.run(command, env=_C_LOCALE, check=True)
        comm = subprocess.Popen(["comm", "-3", *paths], env=_C_LOCALE, stdout=subprocess.PIPE)
        assert comm.stdout is not None
        with comm.stdout as lines:
            return sum(1 for _ in lines)

    def pyoxigraph_parse(self, path: str) -> Task:
        """Count the statements of a file of N-Triples, N-Quads or Turtle with pyoxigraph."""
        _clean()
        yield
        return sum(1 for _ in _parser(path))

    def pyoxigraph_to_nquads(self, path: str) -> Task:
        """Read a file as `pyoxigraph_parse` does, and write N-Quads to nowhere."""
        _clean()
        yield
        with open(os.devnull, "wb") as nowhere:
            serialize(_parser(path), nowhere, format=RdfFormat.N_QUADS)
        return 0

    def make_turtle(self, source: str, path: str) -> Task:
        """Write the statements of a Jelly-RDF file as Turtle, and return the size of the file."""
        yield
        options = RdfOptions(syntax="turtle", prefixes=PREFIXES)
        codec.write(path, read_jelly_rdf(source), options=options)
        return os.path.getsize(path)

    def turtle_read(self, path: str) -> Task:
        """Count the statements of a file of Turtle with `jelly_spark.codec`."""
        _clean()
        yield
        return sum(1 for _ in codec.read(path, format="rdf"))

    def serdi(self, format: str, path: str) -> Task:
        """Read an N-Triples or N-Quads file with serdi, which writes the statements again."""
        arguments = ["serdi", "-b", "-q", "-i", format, "-o", format, path]
        yield
        subprocess.run(arguments, stdout=subprocess.DEVNULL, check=True)
        return 0


def _parser(path: str) -> QuadParser:
    extension = path.rpartition(".")[2]
    formats = {"nquads": RdfFormat.N_QUADS, "turtle": RdfFormat.TURTLE}
    return parse(path=path, format=formats.get(extension, RdfFormat.N_TRIPLES))


def _clean() -> None:
    """Collect the garbage of earlier tasks, and exclude all live objects from later collections."""
    gc.collect()
    gc.freeze()


if __name__ == "__main__":
    main()
