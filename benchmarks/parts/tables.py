"""Measure tables that SQL writes: a log of patches, and a Delta table.

Both have the same statements, and the participants take turns.
"""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator
from statistics import median

from benchmarks.parts.log_sizes import size_of
from benchmarks.parts.part import Part, Run
from benchmarks.results import Results
from benchmarks.running import who
from benchmarks.running.participants import ALGEBRA_HEAP, Participants
from benchmarks.tables import table

LABELS = {who.TABLE_LOG: "log", who.TABLE_DELTA: "Delta"}
"""What the table says of the participants."""

WRITES = {
    "insert": "`INSERT` of 1,000 statements",
    "merge": "`MERGE` that changes 1 %",
    "overwrite": "`INSERT OVERWRITE` with 1 % changed",
}
"""What is written, by the names of the tasks."""

CHANGES = "changes"

TIMES, BYTES = 1, 5
"""The goals of the ratios of Delta's seconds and bytes to the log's."""


def measure(run: Run) -> None:
    """Have both tables do each write, and read the changes of many small commits."""
    warm_ups, rounds = run.rounds
    commits = str(run.options.commits)
    # By what is done and by the participant: the seconds and the new bytes of each round.
    seconds: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    sizes: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    with Participants(ALGEBRA_HEAP, run.folder) as participants:

        def ask(what: str, task: str, *arguments: str) -> None:
            returned = set()
            for name in who.TABLES:
                folder = run.folder / name / "statements"
                before = size_of(folder)
                # Else whoever waits for its own bytes also waits for those of the other one.
                os.sync()
                taken, found = participants.ask(name, task, *arguments)
                returned.add(found)
                seconds[what][name].append(taken)
                sizes[what][name].append(size_of(folder) - before)
            assert len(returned) == 1, f"the tables differ after {what}"

        for name in who.TABLES:
            (run.folder / name).mkdir()
        ask("create", "make", str(run.options.table))
        numbers = iter(range(1, 1 << 30))
        for write in WRITES:
            for _ in range(warm_ups + rounds):
                ask(write, write, str(next(numbers)))
        ask("commits", "commit", str(next(numbers)), commits)
        for _ in range(warm_ups + rounds):
            ask(CHANGES, CHANGES, commits)
    for what in (*WRITES, CHANGES):
        ours, delta = (seconds[what][name][warm_ups:] for name in who.TABLES)
        run.results.compare(f"log_table_{what}", ours, delta, TIMES)
    for what in WRITES:
        new = {name: median(sizes[what][name]) for name in who.TABLES}
        ratio = new[who.TABLE_DELTA] / new[who.TABLE_LOG]
        run.results.compare_figures(f"log_table_{what}_bytes", ratio, BYTES)
    rows = {**WRITES, CHANGES: f"changes of {run.options.commits} commits of 10 statements"}
    run.results.tables["tables"] = {
        label: {
            **{
                f"{LABELS[name]}, s": round(median(seconds[what][name][warm_ups:]), 3)
                for name in who.TABLES
            },
            **{
                f"{LABELS[name]}, MB": median(sizes[what][name]) / 1e6
                for name in who.TABLES
                if what in WRITES
            },
        }
        for what, label in rows.items()
    }


def report(results: Results) -> Iterator[str]:
    """Yield the table."""
    yield f"A table of {results.options['table']:,} statements, and what each write adds to it."
    yield ""
    yield from table(results.tables["tables"])


PART = Part("Tables that SQL writes", "tables", measure, report)
