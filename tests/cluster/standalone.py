"""A standalone cluster of Spark on this machine: a master, a worker, and what is submitted."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pyspark

SPARK_HOME = Path(pyspark.__file__).parent

START_TIMEOUT = 120
"""Seconds in which a master or worker must be up."""

JOB_TIMEOUT = 600
"""Seconds that an application may take."""

STOP_TIMEOUT = 20
"""Seconds that a process is given to end in."""

_HOST = "127.0.0.1"
# Spark's own settings, whatever the machine's are.
_ENVIRONMENT = {
    "SPARK_HOME": str(SPARK_HOME),
    "SPARK_LOCAL_IP": _HOST,
    "PYSPARK_PYTHON": sys.executable,
    "SPARK_DAEMON_MEMORY": "256m",
}


class StandaloneCluster:
    """Where applications can be submitted.

    Args:
        url: the master's address.
        jar: the jar that applications get.
    """

    def __init__(self, url: str, jar: Path) -> None:
        self._url = url
        self._jar = jar

    def submit(
        self,
        script: Path,
        *args: Path | str,
        executors: int,
        memory: str = "512m",
        **others: str,
    ) -> list[str]:
        """Run a Python script as an application, which must succeed, and return what it prints.

        Args:
            script: the script, which gets no more than PySpark and the jar.
            args: its arguments.
            executors: how many, of one core each.
            memory: of an executor, as Spark writes sizes.
            others: more of Spark's settings, by name without `spark.`, with `_` for a dot.
        """
        settings = {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.memory": "512m",
            "spark.executor.memory": memory,
            "spark.executor.cores": "1",
            "spark.cores.max": str(executors),
            # No task before every executor is there.
            "spark.scheduler.minRegisteredResourcesRatio": "1.0",
            "spark.scheduler.maxRegisteredResourcesWaitingTime": "60s",
            **{f"spark.{name.replace('_', '.')}": value for name, value in others.items()},
        }
        command = [
            str(SPARK_HOME / "bin/spark-submit"),
            *("--master", self._url),
            *("--jars", str(self._jar)),
            *(word for item in settings.items() for word in ("--conf", "=".join(item))),
            str(script),
            *map(str, args),
        ]
        done = subprocess.run(
            command,
            env={**os.environ, **_ENVIRONMENT},
            capture_output=True,
            text=True,
            timeout=JOB_TIMEOUT,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


@contextmanager
def standalone_cluster(
    folder: Path, jar: Path, cores: int, workers: int = 1
) -> Iterator[StandaloneCluster]:
    """A master and its workers on free ports, which are gone in the end.

    Args:
        folder: for logs, and the executors' folders.
        jar: what applications get.
        cores: of a worker.
        workers: how many; each has an address of its own, so that it counts as another host.
    """
    master_log = folder / "master.log"
    with ExitStack() as daemons:
        master = daemons.enter_context(_daemon("master.Master", master_log, _HOST, "--port", "0"))
        url = _await(r"Starting Spark master at (spark://\S+)", master_log, master)
        memory = ("--cores", str(cores), "--memory", "2g", "--work-dir", str(folder / "work"))
        for number in range(1, workers + 1):
            log = folder / f"worker-{number}.log"
            worker = daemons.enter_context(
                _daemon("worker.Worker", log, f"127.0.0.{number}", "--port", "0", *memory, url)
            )
            _await(r"(Successfully registered with master)", log, worker)
        yield StandaloneCluster(url, jar)


@contextmanager
def _daemon(name: str, log: Path, host: str, *args: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Spark's own, which writes to `log`; it ends with the block."""
    command = [
        str(SPARK_HOME / "bin/spark-class"),
        f"org.apache.spark.deploy.{name}",
        *("--host", host, "--webui-port", "0"),
        *args,
    ]
    environment = {**os.environ, **_ENVIRONMENT, "SPARK_LOCAL_IP": host}
    with log.open("wb") as out:
        process = subprocess.Popen(command, env=environment, stdout=out, stderr=subprocess.STDOUT)
    try:
        yield process
    finally:
        # A worker ends its executors when it is asked to end.
        process.terminate()
        try:
            process.wait(STOP_TIMEOUT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _await(pattern: str, log: Path, process: subprocess.Popen[bytes]) -> str:
    """Wait for a line in a process's log, and return the pattern's first group."""
    end = time.monotonic() + START_TIMEOUT
    while time.monotonic() < end:
        text = log.read_text(errors="replace")
        found = re.search(pattern, text)
        if found:
            return found[1]
        assert process.poll() is None, text
        time.sleep(0.1)
    raise AssertionError(f"no {pattern!r} within {START_TIMEOUT} s in\n{text}")
