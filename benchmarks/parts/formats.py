"""Measure formats, messages, patch algebra and a big file, with the same participants."""

from __future__ import annotations

import shutil
from dataclasses import replace
from math import ceil
from pathlib import Path

from benchmarks.data.datasets import DATASETS, SHOP
from benchmarks.data.states import Kind
from benchmarks.measures import Files, Group, Request, States, group, messages
from benchmarks.parts.part import Run
from benchmarks.results import Results
from benchmarks.running import who
from benchmarks.running.participants import AVRO_SPARK, SMALL_HEAP, Participants, TaskError
from benchmarks.running.rounds import run

TURTLE_SIZE = 5
"""The statements of Turtle, for each one that is read with the codecs in Python."""


class Formats:
    """The measures.

    Args:
        part: the results, the options, the folder for the data, and the function for steps.
        participants: the processes that do the work.
    """

    def __init__(self, part: Run, participants: Participants) -> None:
        self._results = part.results
        self._options = part.options
        self._folder = part.folder
        self._step = part.step
        self._participants = participants

    def run(self) -> None:
        """Run all measures, and compare them."""
        rows, python_rows = self._options.rows, self._options.python_rows
        sizes: dict[str, dict[str, float]] = {}
        for dataset in DATASETS.values():
            files = Files(dataset, self._folder / dataset.name)
            files.folder.mkdir()
            self._step(f"{dataset.name}: making {rows:,} statements, in all formats")
            made = {"jelly_rdf": self._file(files.make("jelly_rdf", rows))}
            made |= {format: self._file(files.convert(format)) for format in files.formats}
            self._step(f"{dataset.name}: reading")
            jelly, text = files.group("reading", rows), files.group("text", rows)
            # In turn, because they are compared.
            self._measure(replace(jelly, measures=jelly.measures + text.measures))
            self._step(f"{dataset.name}: writing")
            self._measure(files.writing(rows))
            self._step(f"{dataset.name}: {python_rows:,} statements in Python")
            self._file(files.make("python", python_rows))
            self._measure(files.in_python(python_rows, compiled=True))
            if dataset is SHOP:
                self._run_turtle(files)
                self._run_messages(files)
            shutil.rmtree(files.folder)
            for format, size in made.items():
                sizes.setdefault(f"`{format}`", {})[f"{dataset.name}, MB"] = size / 1e6
        self._results.tables["sizes"] = sizes
        self._run_algebra()
        self._run_big_file(sizes["`jelly_rdf`"][f"{SHOP.name}, MB"] * 1e6 / rows)
        self._results.compare_measures()

    def _run_turtle(self, files: Files) -> None:
        """Run the measures of Turtle, with fewer statements."""
        rows = TURTLE_SIZE * self._options.python_rows
        self._step(f"{rows:,} statements of Turtle")
        self._file(files.make("turtle_source", rows))
        task = "make_turtle", files.path("turtle_source"), files.path("turtle")
        self._file((who.PYTHON, *task))
        self._measure(files.group("turtle", rows))
        self._participants.end(who.SPARK_WITH_JENA)

    def _run_messages(self, files: Files) -> None:
        count = self._options.messages
        self._step(f"{count:,} messages")
        rows = self._make_messages(files, count)
        self._measure(messages("decoding", rows, count))
        self._measure(messages("encoding", rows, count))
        # A twentieth of the messages takes about as long.
        fewer = max(1, count // 20)
        self._measure(messages("decoding_in_python", self._make_messages(files, fewer), fewer))
        if AVRO_SPARK is None:
            self._step("no PySpark 4.0 in .build/spark: from_avro is left out")
            return
        self._participants.end(who.SPARK)
        self._measure(messages("decoding_avro", rows, count))
        self._participants.end(who.SPARK_WITH_AVRO)

    def _make_messages(self, files: Files, count: int) -> str:
        path = str(files.folder / f"messages-{count}")
        self._file((who.SPARK, "make_messages", files.path("jelly_rdf"), str(count), path))
        return path

    def _run_algebra(self) -> None:
        rows = self._options.states
        self._run_states("diff_quads", self._states(rows, "quads"), lines=True)
        self._run_states("diff", self._states(rows), lines=True)
        self._run_states("apply", self._states(rows, percent=10), log=True)
        self._run_states("diff_fifth", self._states(rows // 5))
        self._run_states("diff_double", self._states(2 * rows))
        self._run_states("diff_one_subject", self._states(rows, "one_subject"))
        self._run_states("diff_one_predicate", self._states(rows, "one_predicate"))
        self._participants.end(who.SPARK_ALGEBRA)

    def _states(self, rows: int, kind: Kind = "even", percent: int = 1) -> States:
        return States(self._folder / "algebra", rows, kind, percent)

    def _run_states(
        self, name: str, states: States, *, lines: bool = False, log: bool = False
    ) -> None:
        """Run a group of measures, and make the files that it needs."""
        self._step(f"{name}: two states of {states.rows:,} statements")
        states.folder.mkdir()
        requests = states.make()
        requests += states.make_lines() if lines else []
        requests += [states.make_logs()] if log else []
        for request in requests:
            self._file(request)
        # A round takes long enough for the JVM to compile in one.
        self._run(states.group(name), min(self._options.warm_ups, 1), self._options.algebra_rounds)
        shutil.rmtree(states.folder)

    def _run_big_file(self, bytes_of_row: float) -> None:
        for participant in (who.JELLY_CORE, who.JENA, who.PYTHON, who.PYTHON_COMPILED):
            self._participants.end(participant)
        rows = ceil(self._options.big / bytes_of_row)
        files = Files(SHOP, self._folder)
        self._step(f"a file of {self._options.big / 1e6:,.0f} MB, without restart points and with")
        without = self._file(files.make("without", rows, "restartInterval=0"))
        size = self._file(files.convert("jelly_rdf", "big", "without"))
        Path(files.path("without")).unlink()
        found: dict[str, float] = {"rows": rows, "bytes": size, "bytes_without": without}
        self._results.tables["big_file"] = {"sizes": found}
        self._step("the same on one core and on two")
        self._measure(group("big", rows, {"big": files.path("big")}))
        self._participants.end(who.SPARK_TWO_CORES)
        self._step(f"the same in a heap of {SMALL_HEAP}")
        task = who.SPARK_SMALL_HEAP, "scan_all", "jelly_rdf", files.path("big")
        try:
            for _ in ("to warm up", "to count"):
                seconds, _found = self._participants.ask(*task)
            self._results.tables["big_file"]["small_heap"] = {"per_second": rows / seconds}
        except TaskError as error:
            self._results.errors["small_heap"] = error.message

    def _file(self, request: Request) -> int:
        _, size = self._participants.ask(*request)
        return size

    def _measure(self, measured: Group) -> None:
        self._run(measured, self._options.warm_ups, self._options.rounds)

    def _run(self, measured: Group, warm_ups: int, rounds: int) -> None:
        seconds = run(self._participants.ask, measured, warm_ups, rounds)
        self._results.add(measured.rows, seconds)


def report_big_file(results: Results) -> str:
    """Return what was found for the big file."""
    figures = results.tables["big_file"]
    sizes, heap = figures["sizes"], figures.get("small_heap")
    passed = (
        f"failed: {results.errors['small_heap']}"
        if heap is None
        else f"passed, {heap['per_second'] / 1e6:.2f} M rows per second"
    )
    return (
        f"{sizes['rows']:,.0f} statements in a file with restart points: "
        f"{sizes['bytes'] / 1e6:,.1f} MB, {sizes['bytes'] / sizes['bytes_without']:.5f} times the "
        f"{sizes['bytes_without'] / 1e6:,.1f} MB without restart points. A scan of every "
        f"column on two cores in a heap of {SMALL_HEAP}: {passed}."
    )
