"""The processes that do the work.

They stay alive between tasks, so that JIT-compiled code is measured. Only one works at a time.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import IO, NamedTuple

from benchmarks.running import who
from benchmarks.running.processor_times import (
    of_processes,
    of_task_threads,
    pin_to_last_core,
    spent,
)

ROOT = Path(__file__).parents[2]
DELTA_CLASSPATH = ROOT / "tests" / "services" / "target" / "delta.classpath"
PEERS_CLASSPATH = ROOT / "benchmarks" / "target" / "peers.classpath"
JENA_JAR = ROOT / "jena" / "target" / "jelly-spark-jena.jar"
JENA_CLASSPATH = ROOT / "tests" / "jena" / "target" / "jena.classpath"
COMPILED_PACKAGE = ROOT / ".build" / "compiled"

SHORT_QUERIES = 50
"""The number of short queries on each file before Spark is measured with it, so that the JVM has
compiled the planning of queries, too."""

SMALL_HEAP = "512m"

AVRO_SPARK = next(filter(Path.is_dir, (ROOT / ".build/spark").glob("4.0.*")), None)
"""The PySpark of `who.SPARK_WITH_AVRO`, if the Makefile has fetched it."""

ALGEBRA_HEAP = "4g"

_HEAPS = {who.SPARK_ALGEBRA: ALGEBRA_HEAP, who.SPARK_SMALL_HEAP: SMALL_HEAP}

_ERROR_LINES = 30


class TaskError(Exception):
    """A participant failed to do a task.

    Attributes:
        message: the participant's error message.
    """

    def __init__(self, task: tuple[str, ...], message: str, log: list[str]) -> None:
        super().__init__("\n".join([" ".join(task), message, *log]))
        self.message = message


class Times(NamedTuple):
    """What a task took, in seconds.

    Attributes:
        elapsed: the time that passed, as the participant measured it.
        processor: the processor time of all threads of the participant, and of what it started.
        tasks: the processor time of the threads that run tasks of Spark; 0 without Spark.
    """

    elapsed: float
    processor: float
    tasks: float


class Participants:
    """All participants; a context manager that ends them.

    Each participant is started with its first task.

    Args:
        heap: the heap size of each JVM, except those that have their own.
        folder: the working directory of the participants, and the folder of their logs.
        base: the folder of the package of the other version of this project, if there is one.
        pinned: whether the participants run on one core.
        short_queries: the number of short queries on each file before Spark is measured with it.
    """

    def __init__(
        self,
        heap: str,
        folder: Path,
        base: Path | None = None,
        *,
        pinned: bool = False,
        short_queries: int = SHORT_QUERIES,
    ) -> None:
        self._heap = heap
        self._folder = folder
        self._base = base
        self._pinned = pinned
        self._short_queries = short_queries
        self._started: dict[str, _Process] = {}

    def __enter__(self) -> Participants:
        return self

    def __exit__(self, *error: object) -> None:
        self.end_all()

    def ask(self, name: str, *task: str) -> tuple[float, int]:
        """Have a participant do a task.

        Returns:
            The seconds that the task took, and the number that it returned.

        Raises:
            TaskError: the task failed, or the process has ended.
        """
        return self._process(name).ask(task)

    def measure(self, name: str, *task: str) -> tuple[Times, int]:
        """Have a participant do a task, and also measure processor times, which needs Linux.

        Returns:
            The times that the task took, and the number that it returned.

        Raises:
            TaskError: the task failed, or the process has ended.
        """
        return self._process(name).measure(task)

    def _process(self, name: str) -> _Process:
        if name not in self._started:
            log, environment = self._folder / f"{name}.log", {"PYSPARK_PYTHON": sys.executable}
            path = []
            if name in (who.SPARK_BASE, who.PYTHON_BASE):
                path.append(str(self._base))
            if name == who.PYTHON_COMPILED:
                if not any(COMPILED_PACKAGE.glob("*.so")):
                    raise SystemExit("the compiled codec is not there: run `make bench`")
                path.append(str(COMPILED_PACKAGE))
            if name == who.SPARK_WITH_AVRO:
                path.append(str(AVRO_SPARK))
                environment["SPARK_HOME"] = f"{AVRO_SPARK}/deps"
            environment["PYTHONPATH"] = os.pathsep.join(
                [*path, str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
            )
            self._started[name] = _Process(self._command(name), log, environment, self._pinned)
        return self._started[name]

    def _command(self, name: str) -> list[str]:
        """Return the command that starts a participant."""
        if name in (who.JELLY_CORE, who.JENA):
            java_options = "-XX:+UseParallelGC", f"-Xmx{self._heap}", "-cp", peers_classpath()
            return [java(), *java_options, "org.jellyspark.benchmarks.Peers"]
        if name in (*who.ARCHIVES, *who.TABLES):
            module = "archives" if name in who.ARCHIVES else "tables"
            worker = module, name, self._folder / name, ALGEBRA_HEAP, *_delta_jars(name)
        elif name == who.ARCHIVE_PYTHON:
            worker = "python_archive", self._folder / who.ARCHIVE_UNCOMPACTED
        elif name in (who.PYTHON, who.PYTHON_BASE, who.PYTHON_COMPILED):
            worker = ("python",)
        else:
            cores = 2 if name in who.WITH_TWO_CORES else 1
            heap = _HEAPS.get(name, self._heap)
            others = {who.SPARK_WITH_AVRO: avro_jars, who.SPARK_WITH_JENA: jena_jars}
            jars = others[name]() if name in others else []
            worker = "spark", f"local[{cores}]", heap, self._short_queries, *jars
        module, *arguments = map(str, worker)
        return [sys.executable, "-m", f"benchmarks.workers.{module}", *arguments]

    def end(self, name: str) -> None:
        """End a participant that has been started, to free its memory."""
        self._started.pop(name).end()

    def end_all(self) -> None:
        """End all participants that have been started."""
        for name in list(self._started):
            self.end(name)


class _Process:
    def __init__(
        self, command: list[str], log: Path, environment: dict[str, str], pinned: bool
    ) -> None:
        self._log = log
        with log.open("w", encoding="utf-8") as errors:
            self._process = subprocess.Popen(
                command,
                cwd=log.parent,
                env={**os.environ, **environment, "SPARK_LOCAL_IP": "127.0.0.1"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                encoding="utf-8",
                preexec_fn=pin_to_last_core if pinned else None,
            )

    def ask(self, task: tuple[str, ...]) -> tuple[float, int]:
        print(*task, sep="\t", file=_open(self._process.stdin), flush=True)
        answer = _open(self._process.stdout).readline().rstrip("\n").split("\t")
        match answer:
            case ["error", message]:
                raise TaskError(task, message, self._last_lines())
            case [seconds, found]:
                return float(seconds), int(found)
            case _:
                raise TaskError(task, "the process has ended", self._last_lines())

    def measure(self, task: tuple[str, ...]) -> tuple[Times, int]:
        pid = self._process.pid
        processor, tasks = of_processes(pid), of_task_threads(pid)
        elapsed, found = self.ask(task)
        processor = of_processes(pid) - processor
        return Times(elapsed, processor, spent(tasks, of_task_threads(pid))), found

    def _last_lines(self) -> list[str]:
        log = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return log[-_ERROR_LINES:]

    def end(self) -> None:
        _open(self._process.stdin).close()
        self._process.wait()


def java() -> str:
    """Return the command that starts a JVM, the same one that Spark uses."""
    home = os.environ.get("JAVA_HOME")
    return f"{home}/bin/java" if home else "java"


def peers_classpath() -> str:
    """Return the class path of the peers on the JVM."""
    if not PEERS_CLASSPATH.is_file():
        raise SystemExit("the peers are not built: run `make bench`")
    return PEERS_CLASSPATH.read_text(encoding="utf-8")


def avro_jars() -> list[str]:
    """Return the path of spark-avro, from the class path of the peers."""
    entries = peers_classpath().strip().split(os.pathsep)
    return [entry for entry in entries if Path(entry).name.startswith("spark-avro")]


def jena_jars() -> list[str]:
    """Return the paths of Jena, and of this project's jar that needs it."""
    for path in (JENA_JAR, JENA_CLASSPATH):
        if not path.is_file():
            raise SystemExit(f"no {path}: run `make test`")
    return [str(JENA_JAR), *JENA_CLASSPATH.read_text(encoding="utf-8").split(os.pathsep)]


def _delta_jars(name: str) -> list[str]:
    if name not in who.WITH_DELTA:
        return []
    if not DELTA_CLASSPATH.is_file():
        raise SystemExit("Delta is not here: run `make bench`, which fetches it")
    return DELTA_CLASSPATH.read_text(encoding="utf-8").strip().split(os.pathsep)


def _open(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe
