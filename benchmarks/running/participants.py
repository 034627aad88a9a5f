"""The processes that do the work.

They stay alive between tasks, so that JIT-compiled code is measured. Only one works at a time.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO, NamedTuple

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

SPARK = "spark"
"""Spark on one core."""

SPARK_TWO_CORES = "spark-two-cores"

SPARK_ALGEBRA = "spark-algebra"
"""Spark on two cores with `ALGEBRA_HEAP`."""

SPARK_WITH_AVRO = "spark-with-avro"
"""Spark 4.0 on one core, with the latest release of spark-avro."""

SPARK_WITH_JENA = "spark-with-jena"
"""Spark on one core, with Jena and the jar that needs it."""

SPARK_SMALL_HEAP = "spark-small-heap"
"""Spark on two cores with `SMALL_HEAP`."""

JELLY_CORE = "jelly-core"
"""jelly-core's decoder in a JVM without Spark, which has compiled it for only one kind of nodes."""

JENA = "jena"
"""jelly-jena and Jena in a JVM without Spark."""

PYTHON = "python"
"""Plain Python, with pyjelly and pyoxigraph."""

PYTHON_COMPILED = "python-compiled"
"""Plain Python, with the compiled codec of this project."""

SPARK_BASE = "spark-base"
"""Like `SPARK`, with the other version of this project."""

PYTHON_BASE = "python-base"
"""Like `PYTHON`, with the other version of this project."""

ARCHIVE_LOG = "archive-log"
ARCHIVE_UNCOMPACTED = "archive-log-uncompacted"
ARCHIVE_DELTA = "archive-delta"
ARCHIVE_VECTORS = "archive-delta-vectors"
ARCHIVE_COPIES = "archive-copies"
ARCHIVES = (
    ARCHIVE_LOG,
    ARCHIVE_UNCOMPACTED,
    ARCHIVE_DELTA,
    ARCHIVE_VECTORS,
    ARCHIVE_COPIES,
)
"""Spark on two cores with `ALGEBRA_HEAP`, each with its own archive."""

ARCHIVE_PYTHON = "archive-python"
"""Plain Python, with the archive of `ARCHIVE_UNCOMPACTED`."""

SHORT_QUERIES = 50
"""The number of short queries on each file before Spark is measured with it, so that the JVM has
compiled the planning of queries, too."""

SMALL_HEAP = "512m"

AVRO_SPARK = next(filter(Path.is_dir, (ROOT / ".build/spark").glob("4.0.*")), None)
"""The PySpark of `SPARK_WITH_AVRO`, if the Makefile has fetched it."""

ALGEBRA_HEAP = "4g"

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
        spark = partial(_spark, short_queries)
        # Functions, because the commands of the peers need files that `make bench` builds.
        self._commands: dict[str, Callable[[], list[str]]] = {
            SPARK: partial(spark, "local[1]", heap),
            SPARK_BASE: partial(spark, "local[1]", heap),
            SPARK_WITH_AVRO: lambda: spark("local[1]", heap, *avro_jars()),
            SPARK_WITH_JENA: lambda: spark("local[1]", heap, *jena_jars()),
            SPARK_TWO_CORES: partial(spark, "local[2]", heap),
            SPARK_ALGEBRA: partial(spark, "local[2]", ALGEBRA_HEAP),
            SPARK_SMALL_HEAP: partial(spark, "local[2]", SMALL_HEAP),
            JELLY_CORE: partial(_peers, heap),
            JENA: partial(_peers, heap),
            PYTHON: partial(_python, "python"),
            PYTHON_BASE: partial(_python, "python"),
            PYTHON_COMPILED: partial(_python, "python"),
            **{name: partial(_archive, name, folder / name) for name in ARCHIVES},
            ARCHIVE_PYTHON: partial(_python, "python_archive", str(folder / ARCHIVE_UNCOMPACTED)),
        }
        self._folder = folder
        self._base = base
        self._pinned = pinned
        self._started: dict[str, _Process] = {}

    def __enter__(self) -> Participants:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
            log = self._folder / f"{name}.log"
            paths, settings = [], {"PYSPARK_PYTHON": sys.executable}
            if name in (SPARK_BASE, PYTHON_BASE):
                assert self._base is not None
                paths.append(str(self._base))
            if name == PYTHON_COMPILED:
                if not any(COMPILED_PACKAGE.glob("*.so")):
                    raise SystemExit("the compiled codec is not there: run `make bench`")
                paths.append(str(COMPILED_PACKAGE))
            if name == SPARK_WITH_AVRO:
                assert AVRO_SPARK is not None
                paths.append(str(AVRO_SPARK))
                settings["SPARK_HOME"] = str(AVRO_SPARK / "deps")
            command = self._commands[name]()
            self._started[name] = _Process(command, log, paths, settings, pinned=self._pinned)
        return self._started[name]

    def end(self, name: str) -> None:
        """End a participant that has been started, to free its memory."""
        self._started.pop(name).end()

    def end_all(self) -> None:
        """End all participants that have been started."""
        for name in list(self._started):
            self.end(name)


class _Process:
    def __init__(
        self,
        command: list[str],
        log: Path,
        paths: list[str],
        settings: dict[str, str],
        *,
        pinned: bool,
    ) -> None:
        self._log = log
        inherited = filter(None, [os.environ.get("PYTHONPATH")])
        path = os.pathsep.join([*paths, str(ROOT), *inherited])
        with log.open("w", encoding="utf-8") as errors:
            self._process = subprocess.Popen(
                command,
                cwd=log.parent,
                env={**os.environ, **settings, "PYTHONPATH": path, "SPARK_LOCAL_IP": "127.0.0.1"},
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


def _python(worker: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", f"benchmarks.workers.{worker}", *arguments]


def _spark(short_queries: int, master: str, heap: str, *jars: str) -> list[str]:
    return _python("spark", master, heap, str(short_queries), *jars)


def _archive(name: str, folder: Path) -> list[str]:
    jars = []
    if name in (ARCHIVE_DELTA, ARCHIVE_VECTORS) and DELTA_CLASSPATH.is_file():
        jars = DELTA_CLASSPATH.read_text(encoding="utf-8").strip().split(os.pathsep)
    return _python("archives", name, str(folder), ALGEBRA_HEAP, *jars)


def _peers(heap: str) -> list[str]:
    main = "org.jellyspark.benchmarks.Peers"
    return [java(), "-XX:+UseParallelGC", f"-Xmx{heap}", "-cp", peers_classpath(), main]


def _open(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe
