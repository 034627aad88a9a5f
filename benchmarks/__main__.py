"""Run the benchmark: generate the data, run the measures, and write the results.

`python -m benchmarks --help` lists the options.
"""

from __future__ import annotations

import argparse
import json
import shutil
from math import ceil
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from benchmarks.data import DATASETS, SHOP
from benchmarks.machine import machine, versions
from benchmarks.measures import (
    ALGEBRA,
    DIFF_SIZES,
    MESSAGES,
    MESSAGES_AVRO,
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
    writing,
)
from benchmarks.messages import ROWS
from benchmarks.participants import (
    AVRO_SPARK,
    JELLY_CORE,
    JENA,
    PYTHON,
    SMALL_HEAP,
    SPARK,
    SPARK_ALGEBRA,
    SPARK_SMALL_HEAP,
    SPARK_TWO_CORES,
    SPARK_WITH_AVRO,
    Participants,
    TaskError,
)
from benchmarks.report import write_report
from benchmarks.results import Results, SmallHeap
from benchmarks.rounds import run


def main() -> None:
    """Run the benchmark."""
    options = _options()
    out: Path = options.out
    out.mkdir(parents=True, exist_ok=True)
    with (
        TemporaryDirectory(prefix="jelly-spark-bench-", dir=options.work) as folder,
        Participants(options.heap, Path(folder).resolve()) as participants,
    ):
        results = Benchmark(options, participants, Path(folder).resolve()).run()
    path = out / "results.json"
    path.write_text(json.dumps(results.as_json(), indent=2) + "\n", encoding="utf-8")
    write_report(results, out)
    for name, ratio in results.ratios.items():
        goal = results.goals.get(name)
        print(f"{name:26} {ratio:8.2f}" + (f"  (goal {goal:g})" if goal else ""))
    print(f"wrote results.json, results.md, results.png and speed.svg in {out}")


class Benchmark:
    """One run of the benchmark.

    Args:
        options: the command-line options.
        participants: the processes that do the work.
        folder: the folder for the data.
    """

    def __init__(
        self, options: argparse.Namespace, participants: Participants, folder: Path
    ) -> None:
        self._options = options
        self._participants = participants
        self._folder = folder
        self._start = monotonic()
        shown = ("rows", "python_rows", "messages", "states", "big", "warm_ups", "rounds", "heap")
        self._results = Results(
            {name: getattr(options, name) for name in shown}, machine(), versions()
        )

    def run(self) -> Results:
        """Run all measures, and return the results."""
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
            self._measure(reading(files, rows))
            self._step(f"{dataset.name}: writing")
            self._measure(writing(files, rows))
            self._step(f"{dataset.name}: {python_rows:,} statements in Python")
            self._file(files.make("python", python_rows))
            self._measure(in_python(files, python_rows))
            if dataset is SHOP:
                self._run_messages(files)
            for ratio in ratios(dataset):
                self._results.compare(ratio)
            shutil.rmtree(files.folder)
        self._run_algebra()
        self._run_big_file()
        return self._results

    def _run_algebra(self) -> None:
        folder, rows = self._folder / "algebra", self._options.states
        folder.mkdir()
        in_lines = {"diff_quads": States(folder, rows, "quads"), "diff": States(folder, rows)}
        for name, states in in_lines.items():
            self._step(f"{name}: two states of {rows:,} statements")
            for request in [*states.make(), *states.make_lines()]:
                self._file(request)
            self._measure(difference(name, states, with_sort=True), self._options.algebra_rounds)
            shutil.rmtree(folder)
            folder.mkdir()
        self._step("a log that changes a fifth of them")
        logged = States(folder, rows, percent=10)
        for request in [*logged.make(), logged.make_logs()]:
            self._file(request)
        self._measure(application(logged), self._options.algebra_rounds)
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
            self._measure(difference(name, other), self._options.algebra_rounds)
        for ratio in ALGEBRA:
            self._results.compare(ratio)
        shutil.rmtree(folder)
        self._participants.end(SPARK_ALGEBRA)

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
        for participant in (JELLY_CORE, JENA, PYTHON):
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

    def _measure(self, group: Group, rounds: int | None = None) -> None:
        rounds = self._options.rounds if rounds is None else rounds
        warm_ups = min(self._options.warm_ups, rounds)
        seconds = run(self._participants, group, warm_ups, rounds)
        self._results.add(group.rows, seconds)

    def _step(self, title: str) -> None:
        print(f"{(monotonic() - self._start) / 60:5.1f} min  {title}", flush=True)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    add = parser.add_argument
    add("--rows", type=int, default=10_000_000, help="statements on the JVM")
    add("--python-rows", type=int, default=200_000, help="statements in Python")
    add("--messages", type=int, default=1_000_000, help="messages of ten statements")
    add("--states", type=int, default=5_000_000, help="statements of a state for patch algebra")
    add(
        "--algebra-rounds", type=int, default=3, help="rounds of patch algebra, as many before them"
    )
    add("--big", type=int, default=1 << 30, help="bytes of the big file, about")
    add("--rounds", type=int, default=5, help="rounds that count")
    add("--warm-ups", type=int, default=3, help="rounds before them")
    add("--heap", default="6g", help="heap of each JVM")
    add("--out", type=Path, default=Path(__file__).parent, help="folder of the results")
    add("--work", type=Path, help="folder for the data, which is removed: 10 GB by default")
    options = parser.parse_args()
    if options.messages * ROWS > options.rows:
        parser.error(f"{options.messages:,} messages need {options.messages * ROWS:,} rows")
    return options


if __name__ == "__main__":
    main()
