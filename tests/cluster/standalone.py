"""A standalone cluster of Spark on this machine: a master, a worker, and what is submitted."""

import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark

SPARK_HOME = Path(pyspark.__file__).parent

START_TIMEOUT = 120
"""Seconds in which a master or worker must be up."""

JOB_TIMEOUT = 600
"""Seconds that an application may take."""

STOP_TIMEOUT = 20
"""Seconds that a process is given to end in."""

# Spark's own settings, whatever the machine's are.
_ENVIRONMENT = {
    "SPARK_HOME": str(SPARK_HOME),
    "SPARK_LOCAL_IP": "127.0.0.1",
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
        self, script: Path, *args: Path | str, executors: int, memory: str = "512m"
    ) -> list[str]:
        """Run a Python script as an application, which must succeed, and return what it prints.

        Args:
            script: the script, which gets no more than PySpark and the jar.
            args: its arguments.
            executors: how many, of one core each.
            memory: of an executor, as Spark writes sizes.
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
def standalone_cluster(folder: Path, jar: Path, cores: int) -> Iterator[StandaloneCluster]:
    """A master and one worker on free ports, which are gone in the end.

    Args:
        folder: for logs, and the executors' folders.
        jar: what applications get.
        cores: of the worker.
    """
    master_log, worker_log = folder / "master.log", folder / "worker.log"
    with _daemon("master.Master", master_log, "--port", "0") as master:
        url = _await(r"Starting Spark master at (spark://\S+)", master_log, master)
        memory = ("--cores", str(cores), "--memory", "2g", "--work-dir", str(folder / "work"))
        with _daemon("worker.Worker", worker_log, "--port", "0", *memory, url) as worker:
            _await(r"(Successfully registered with master)", worker_log, worker)
            yield StandaloneCluster(url, jar)


@contextmanager
def _daemon(name: str, log: Path, *args: str) -> Iterator[subprocess.Popen[bytes]]:
    """A process of Spark's own, which writes to `log`; it ends with the block."""
    command = [
        str(SPARK_HOME / "bin/spark-class"),
        f"org.apache.spark.deploy.{name}",
        *("--host", "127.0.0.1", "--webui-port", "0"),
        *args,
    ]
    with log.open("wb") as out:
        process = subprocess.Popen(
            command, env={**os.environ, **_ENVIRONMENT}, stdout=out, stderr=subprocess.STDOUT
        )
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
