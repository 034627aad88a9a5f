"""Measure loading statements and applying patches to a store of pyoxigraph.

`load` and `apply_patch` are compared with the obvious loop: convert the terms of each row, and add
or remove the quad. Each round has new stores in memory; reading the files is measured, too.
"""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import pyoxigraph as ox

from benchmarks.guides.guide import Guide, Table
from benchmarks.guides.made_rows import patch_rows, statements
from benchmarks.running.rounds import in_turns, timed
from jelly_spark import codec
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.integrations.oxigraph import apply_patch, load, to_oxigraph


def quad(row: PatchRow | RdfRow) -> ox.Quad:
    """Return the statement of a row."""
    graph = ox.DefaultGraph() if row.graph is None else _term(row.graph)
    return ox.Quad(_term(row.subject), _term(row.predicate), _term(row.object), graph)


def _term(term: str | None) -> Any:
    assert term is not None
    return to_oxigraph(term)


def load_one_by_one(store: ox.Store, rows: Iterable[RdfRow]) -> None:
    """Add the statements of rows, one after the other."""
    for row in rows:
        store.add(quad(row))


def apply_one_by_one(store: ox.Store, rows: Iterable[PatchRow]) -> None:
    """Apply the changes of rows, one after the other."""
    for row in rows:
        if row.op == "A":
            store.add(quad(row))
        elif row.op == "D":
            store.remove(quad(row))


TASKS: dict[str, tuple[str, Callable[[ox.Store, Any], None]]] = {
    "`load`": ("data.jelly", load),
    "a loop that adds quads": ("data.jelly", load_one_by_one),
    "`apply_patch`": ("log.jellyp", apply_patch),
    "a loop that adds and removes quads": ("log.jellyp", apply_one_by_one),
}


def run(options: Namespace) -> Iterator[Table]:
    """Make the files, and run the tasks in turns."""
    with TemporaryDirectory(prefix="jelly-spark-oxigraph-") as made:
        folder = Path(made)
        codec.write(folder / "data.jelly", statements(options.rows))
        codec.write(folder / "log.jellyp", patch_rows(options.rows))

        def measure(name: str) -> tuple[float, int]:
            file, task = TASKS[name]
            store = ox.Store()
            if file == "log.jellyp":
                load(store, codec.read_jelly_rdf(folder / "data.jelly"))
            seconds, _ = timed(lambda: task(store, codec.read(folder / file)))()
            return seconds, len(store)

        finds = {name: file for name, (file, _) in TASKS.items()}
        seconds = in_turns(
            {name: partial(measure, name) for name in TASKS}, 0, options.rounds, finds
        )
    rows = {
        name: {"rows per second": f"{options.rows / median(taken):,.0f}"}
        for name, taken in seconds.items()
    }
    yield Table("what", rows)


GUIDE = Guide(run, {"rows": 200_000, "rounds": 3})
