"""Measure loading statements and applying patches to a store of pyoxigraph.

    .venv/bin/python -m benchmarks.guides.oxigraph

`load` and `apply_patch` are compared with the obvious loop: convert the terms of each row, and add
or remove the quad. Each round has new stores in memory; reading the files is measured, too.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

import pyoxigraph as ox

from benchmarks.guides.command_line import patch_rows, statements
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


def main() -> None:
    """Make the files, run the tasks in turns, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000, help="rows of each file")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of all tasks")
    options = parser.parse_args()
    figures: dict[str, list[float]] = {name: [] for name in TASKS}
    states: dict[str, set[int]] = {}
    with TemporaryDirectory(prefix="jelly-spark-oxigraph-") as made:
        folder = Path(made)
        codec.write(folder / "data.jelly", statements(options.rows))
        codec.write(folder / "log.jellyp", patch_rows(options.rows))
        for _ in range(options.rounds):
            for name, (file, task) in TASKS.items():
                store = ox.Store()
                if file == "log.jellyp":
                    load(store, codec.read_jelly_rdf(folder / "data.jelly"))
                start = time.perf_counter()
                task(store, codec.read(folder / file))
                figures[name].append(time.perf_counter() - start)
                states.setdefault(file, set()).add(len(store))
    assert all(len(sizes) == 1 for sizes in states.values()), states
    print("| what | rows per second |\n| --- | ---: |")
    for name, seconds in figures.items():
        print(f"| {name} | {options.rows / median(seconds):,.0f} |")


if __name__ == "__main__":
    main()
