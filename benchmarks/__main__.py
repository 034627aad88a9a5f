"""Run the benchmark: generate the data, run the measures, and write the results.

`python -m benchmarks --help` lists the options.
"""

from __future__ import annotations

import argparse
import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from benchmarks.data.bear import SHAPES
from benchmarks.data.datasets import DATASETS, SHOP
from benchmarks.data.messages import ROWS
from benchmarks.measures import (
    ALGEBRA,
    DIFF_SIZES,
    MESSAGES,
    MESSAGES_AVRO,
    TURTLE,
    TWO_CORES,
    Files,
    Group,
    Request,
    States,
    application,
    big_file,
    decoding,
    difference,
    encoding,
    in_python,
    ratios,
    reading,
    reading_text,
    reading_turtle,
    writing,
)
from benchmarks.parts.archives import measure_archives
from benchmarks.parts.bear import measure_bear
from benchmarks.parts.blank_nodes import measure_blank_nodes
from benchmarks.parts.encoders import measure_encoders
from benchmarks.parts.growth import measure_growth
from benchmarks.parts.skipping import measure_skipping
from benchmarks.report import write_report
from benchmarks.results import Results, SmallHeap
from benchmarks.running.machine import machine, versions
from benchmarks.running.participants import (
    ARCHIVES,
    AVRO_SPARK,
    JELLY_CORE,
    JENA,
    PYTHON,
    PYTHON_COMPILED,
    SMALL_HEAP,
    SPARK,
    SPARK_ALGEBRA,
    SPARK_SMALL_HEAP,
    SPARK_TWO_CORES,
    SPARK_WITH_AVRO,
    SPARK_WITH_JENA,
    Participants,
    TaskError,
)
from benchmarks.running.rounds import run

TURTLE_SIZE = 5
"""The statements of Turtle, for each one that is read with the codecs in Python."""

SHOWN = (
    *("rows", "python_rows", "messages", "states", "big", "quads", "blank_states"),
    *("warm_ups", "rounds", "algebra_rounds", "heap"),
)
"""The options that are in the results."""


def main() -> None:
    """Run the benchmark."""
    options = _options()
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    results = Benchmark(options).run()
    path = out / "results.json"
    path.write_text(json.dumps(results.as_json(), indent=2) + "\n", encoding="utf-8")
    write_report(results, out)
    for name, ratio in results.ratios.items():
        goal = results.goals.get(name)
        low, high = results.intervals.get(name, (ratio, ratio))
        print(
            f"{name:44} {ratio:8.2f}  {low:.2f} to {high:.2f}"
            + (f"  (goal {goal:g})" if goal else "")
        )
    print(f"wrote results.json, results.md and speed.svg in {out}")


class Benchmark:
    """One run of the benchmark.

    Args:
        options: the command-line options.
    """

    def __init__(self, options: argparse.Namespace) -> None:
        self._options = options
        self._start = monotonic()
        self._start_of_step: float | None = None
        self._results = Results(
            {name: getattr(options, name) for name in SHOWN}, machine(), versions()
        )

    def run(self) -> Results:
        """Run all parts, and return the results."""
        options, results = self._options, self._results
        # The rounds of the other parts take long enough for the JVM to compile in one.
        rounds = min(options.warm_ups, 1), options.rounds
        with self._folder() as folder, Participants(options.heap, folder) as participants:
            Formats(options, results, participants, folder, self._step).run()
        self._step(f"encoders, and Kryo: {options.quads:,} quads")
        measure_encoders(results, options.quads, options.rounds, options.heap)
        self._step(f"archives of {options.versions} versions")
        with self._folder() as folder:
            sizes = options.versions, options.statements
            measure_archives(results, folder, options.archives, *sizes, *rounds)
        self._step("archives in the shape of BEAR's")
        with self._folder() as folder:
            measure_bear(results, folder, options.bear, options.scale, *rounds)
        self._step("logs that grow")
        with self._folder() as folder:
            measure_growth(results, folder, options.logs)
        self._step("looking for one subject")
        with self._folder() as folder:
            measure_skipping(results, folder, options.log_megabytes, options.rounds)
        self._step("matching blank nodes")
        with self._folder() as folder:
            measure_blank_nodes(results, folder, options.blank_states, *rounds)
        self._step("done")
        return results

    @contextmanager
    def _folder(self) -> Iterator[Path]:
        prefix = "jelly-spark-bench-"
        with TemporaryDirectory(prefix=prefix, dir=self._options.work) as folder:
            yield Path(folder).resolve()

    def _step(self, title: str) -> None:
        now = monotonic()
        if self._start_of_step is not None:
            print(f"{'':11}it took {now - self._start_of_step:.0f} s")
        self._start_of_step = now
        print(f"{(now - self._start) / 60:5.1f} min  {title}", flush=True)


class Formats:
    """The measures of formats, messages and patch algebra.

    Args:
        options: the command-line options.
        results: the results, to which the figures are added.
        participants: the processes that do the work.
        folder: the folder for the data.
        step: is called with the title of each step.
    """

    def __init__(
        self,
        options: argparse.Namespace,
        results: Results,
        participants: Participants,
        folder: Path,
        step: Callable[[str], None],
    ) -> None:
        self._options = options
        self._results = results
        self._participants = participants
        self._folder = folder
        self._step = step

    def run(self) -> None:
        """Run all measures."""
        rows, python_rows = self._options.rows, self._options.python_rows
        for dataset in DATASETS.values():
            files = Files(dataset, self._folder / dataset.name)
            files.folder.mkdir()
            self._step(f"{dataset.name}: making {rows:,} statements, in all formats")
            self._results.file_bytes[dataset.name] = {
                "jelly_rdf": self._file(files.make("jelly_rdf", rows)),
                **{format: self._file(files.convert(format)) for format in files.formats},
            }
            self._step(f"{dataset.name}: reading")
            jelly, text = reading(files, rows), reading_text(files, rows)
            # In turn, because they are compared.
            self._measure(replace(jelly, measures=jelly.measures + text.measures))
            self._step(f"{dataset.name}: writing")
            self._measure(writing(files, rows))
            self._step(f"{dataset.name}: {python_rows:,} statements in Python")
            self._file(files.make("python", python_rows))
            self._measure(in_python(files, python_rows, compiled=True))
            if dataset is SHOP:
                self._run_turtle(files)
                self._run_messages(files)
            for ratio in ratios(dataset):
                self._results.compare(ratio)
            shutil.rmtree(files.folder)
        self._run_algebra()
        self._run_big_file()

    def _run_algebra(self) -> None:
        folder, rows = self._folder / "algebra", self._options.states
        folder.mkdir()
        in_lines = {"diff_quads": States(folder, rows, "quads"), "diff": States(folder, rows)}
        for name, states in in_lines.items():
            self._step(f"{name}: two states of {rows:,} statements")
            for request in [*states.make(), *states.make_lines()]:
                self._file(request)
            self._measure_algebra(difference(name, states, with_sort=True))
            shutil.rmtree(folder)
            folder.mkdir()
        self._step("a log that changes a fifth of them")
        logged = States(folder, rows, percent=10)
        for request in [*logged.make(), logged.make_logs()]:
            self._file(request)
        self._measure_algebra(application(logged))
        others = {
            **{name: States(folder, int(rows * size)) for name, size in DIFF_SIZES.items()},
            "diff_one_subject": States(folder, rows, "one_subject"),
            "diff_one_predicate": States(folder, rows, "one_predicate"),
        }
        for name, other in others.items():
            self._step(f"{name}: {other.rows:,} statements")
            shutil.rmtree(folder)
            folder.mkdir()
            for request in other.make():
                self._file(request)
            self._measure_algebra(difference(name, other))
        for ratio in ALGEBRA:
            self._results.compare(ratio)
        shutil.rmtree(folder)
        self._participants.end(SPARK_ALGEBRA)

    def _run_turtle(self, files: Files) -> None:
        rows = TURTLE_SIZE * self._options.python_rows
        self._step(f"{rows:,} statements of Turtle")
        source, turtle = files.path("turtle_source"), files.path("turtle")
        self._file(files.make("turtle_source", rows))
        self._results.file_bytes[SHOP.name]["turtle"] = self._file(
            (PYTHON, "make_turtle", source, turtle)
        )
        self._measure(reading_turtle(turtle, rows))
        self._participants.end(SPARK_WITH_JENA)
        for ratio in TURTLE:
            self._results.compare(ratio)

    def _run_messages(self, files: Files) -> None:
        count = self._options.messages
        self._step(f"{count:,} messages")
        rows, some = (str(files.folder / name) for name in ("messages", "some_messages"))
        self._make_messages(files, count, rows)
        self._measure(
            decoding(rows, count, {"jelly_patch": "from_jelly_patch", "json": "from_json"})
        )
        self._measure(encoding(rows, count, {"jelly_patch": "to_jelly_patch", "json": "to_json"}))
        # A twentieth of the messages takes about as long.
        fewer = max(1, count // 20)
        self._make_messages(files, fewer, some)
        self._measure(decoding(some, fewer, {"python": "from_python_udf"}))
        for ratio in MESSAGES:
            self._results.compare(ratio)
        if AVRO_SPARK is None:
            self._step("no PySpark 4.0 in .build/spark: from_avro is left out")
            return
        self._participants.end(SPARK)
        codecs = {"jelly_patch": "from_jelly_patch_4_0", "avro": "from_avro"}
        self._measure(decoding(rows, count, codecs, SPARK_WITH_AVRO))
        self._participants.end(SPARK_WITH_AVRO)
        self._results.compare(MESSAGES_AVRO)

    def _make_messages(self, files: Files, count: int, rows: str) -> None:
        jelly = files.path("jelly_rdf")
        self._participants.ask(SPARK, "make_messages", jelly, str(count), rows)

    def _run_big_file(self) -> None:
        for participant in (JELLY_CORE, JENA, PYTHON, PYTHON_COMPILED):
            self._participants.end(participant)
        per_row = self._results.file_bytes[SHOP.name]["jelly_rdf"] / self._options.rows
        rows = ceil(self._options.big / per_row)
        files = Files(SHOP, self._folder)
        self._step(f"a file of {self._options.big / 1e6:,.0f} MB, without restart points and with")
        without = self._file(files.make("without", rows, "restartInterval=0"))
        size = self._file(files.rewrite("without", "big"))
        Path(files.path("without")).unlink()
        self._results.restart_points = {
            "rows": rows,
            "bytes": size,
            "bytes_without": without,
            "ratio": size / without,
        }
        self._step("the same on one core and on two")
        self._measure(big_file(files.path("big"), rows))
        self._results.compare(TWO_CORES)
        self._participants.end(SPARK_TWO_CORES)
        self._step(f"the same in a heap of {SMALL_HEAP}")
        self._results.small_heap = self._scan_in_small_heap(files.path("big"), rows)

    def _scan_in_small_heap(self, path: str, rows: int) -> SmallHeap:
        try:
            for _ in ("to warm up", "to count"):
                seconds, _found = self._participants.ask(
                    SPARK_SMALL_HEAP, "scan_all", "jelly_rdf", path
                )
        except TaskError as error:
            return SmallHeap(SMALL_HEAP, False, error=error.message)
        return SmallHeap(SMALL_HEAP, True, rows_per_second=round(rows / seconds))

    def _file(self, request: Request) -> int:
        participant, *task = request
        _, size = self._participants.ask(participant, *task)
        return size

    def _measure(self, group: Group) -> None:
        self._run(group, self._options.warm_ups, self._options.rounds)

    def _measure_algebra(self, group: Group) -> None:
        # A round takes long enough for the JVM to compile in one.
        self._run(group, min(self._options.warm_ups, 1), self._options.algebra_rounds)

    def _run(self, group: Group, warm_ups: int, rounds: int) -> None:
        seconds = run(self._participants.ask, group, warm_ups, rounds)
        self._results.add(group.rows, seconds)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add = parser.add_argument
    add("--rows", type=int, default=4_000_000, help="statements on the JVM")
    add("--python-rows", type=int, default=100_000, help="statements in Python")
    add("--messages", type=int, default=400_000, help="messages of ten statements")
    add("--states", type=int, default=2_000_000, help="statements of a state for patch algebra")
    add("--algebra-rounds", type=int, default=3, help="rounds of patch algebra")
    add("--big", type=int, default=1 << 29, help="bytes of the big file, about")
    add("--quads", type=int, default=300_000, help="quads that are shuffled")
    add("--versions", type=int, default=20, help="versions of an archive, at least 3")
    add("--statements", type=int, default=500_000, help="statements of a version")
    add("--archives", nargs="+", default=ARCHIVES, choices=ARCHIVES, help="which archives")
    add("--bear", nargs="+", default=["hourly"], choices=[*SHAPES], help="which of BEAR's archives")
    add("--scale", type=float, default=1, help="factor for the sizes of BEAR's archives")
    add("--logs", type=int, nargs="+", default=[100, 1_000, 20_000], help="patches of logs")
    add("--log-megabytes", type=int, default=128, help="size of the log to look for a subject in")
    add("--blank-states", type=int, default=500_000, help="statements of a state with blank nodes")
    add("--rounds", type=int, default=4, help="rounds that count")
    add("--warm-ups", type=int, default=2, help="rounds before them")
    add("--heap", default="6g", help="heap of each JVM")
    add("--out", type=Path, default=Path(__file__).parent, help="folder of the results")
    add("--work", type=Path, help="folder for the data, which is removed: 5 GB by default")
    options = parser.parse_args()
    if options.messages * ROWS > options.rows:
        parser.error(f"{options.messages:,} messages need {options.messages * ROWS:,} rows")
    if options.versions < 3:
        parser.error("--versions must be at least 3")
    return options


if __name__ == "__main__":
    main()
