"""A Spark Connect server, with or without the jar, and clients that have nothing but Python."""

import os
import socket
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark

from jelly_spark.session import jar_path
from tests.shared import ROOT, WORKER_DAEMON

SPARK_HOME = Path(os.environ.get("SPARK_HOME", Path(pyspark.__file__).parent))

TIMEOUT = 120
"""Seconds in which the server must be up, and that a client may take, by default."""

JVM_ONLY = ("bin", "core", "jars", "java_gateway.py", "sbin")
"""What the package `pyspark-client` leaves out of PySpark, of the things that count here."""

PREAMBLE = """
import sys
sys.modules["py4j"] = None  # importing it fails
from pyspark.sql import SparkSession
from pyspark.util import is_remote_only

assert is_remote_only()
spark = SparkSession.builder.remote(sys.argv[1]).getOrCreate()
"""
"""What the clients' programs begin with."""


class ConnectServer:
    """A server that is up.

    Args:
        url: what clients connect to.
        packages: a folder with PySpark as its clients have it.
    """

    def __init__(self, url: str, packages: Path) -> None:
        self.url = url
        self._packages = packages

    def run(self, program: str, *args: Path | str, timeout: float = TIMEOUT) -> list[str]:
        """Run a program as a client, which must succeed, and return the lines that it prints.

        Args:
            program: its text, after that of `PREAMBLE`.
            args: its arguments.
            timeout: seconds that it may take.
        """
        done = subprocess.run(
            [sys.executable, "-c", PREAMBLE + textwrap.dedent(program), self.url, *map(str, args)],
            env={
                **{name: text for name, text in os.environ.items() if name != "SPARK_HOME"},
                "PYTHONPATH": os.pathsep.join(map(str, (self._packages, ROOT / "python", ROOT))),
                "JAVA_HOME": "/nonexistent",
            },
            capture_output=True,
            text=True,
            timeout=timeout,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout.splitlines()


@contextmanager
def connect_server(folder: Path, *, with_jar: bool = True) -> Iterator[ConnectServer]:
    """Start a server, which ends with the block.

    Args:
        folder: where the server runs, and its log is.
        with_jar: whether the server has the jar.
    """
    port = _free_port()
    packages = _client(folder / "packages")
    command = [
        *(str(SPARK_HOME / "bin/spark-submit"), "--master", "local[2]"),
        *("--class", "org.apache.spark.sql.connect.service.SparkConnectServer"),
        *(("--jars", str(jar_path())) if with_jar else ()),
        *("--conf", f"spark.connect.grpc.binding.port={port}"),
        *("--conf", "spark.ui.enabled=false"),
        *("--conf", "spark.sql.shuffle.partitions=2"),
        *("--conf", f"spark.python.daemon.module={WORKER_DAEMON}"),
        "spark-internal",
    ]
    # Spark lists the modules in the folders of the path. It does not see those of a package that
    # is installed as editable.
    path = os.pathsep.join([str(ROOT / "python"), str(ROOT), os.environ.get("PYTHONPATH", "")])
    environment = {**os.environ, "SPARK_HOME": str(SPARK_HOME), "PYTHONPATH": path}
    with (folder / "server.log").open("w") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=log)
    try:
        _wait_for(port, server, folder / "server.log")
        yield ConnectServer(f"sc://127.0.0.1:{port}", packages)
    finally:
        server.terminate()
        server.wait(TIMEOUT)


def _client(folder: Path) -> Path:
    """Make PySpark without what needs a JVM, as the package `pyspark-client` is, of links."""
    target = folder / "pyspark"
    target.mkdir(parents=True)
    for entry in Path(pyspark.__file__).parent.iterdir():
        if entry.name not in JVM_ONLY:
            (target / entry.name).symlink_to(entry)
    return folder


def _free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port


def _wait_for(port: int, server: "subprocess.Popen[bytes]", log: Path) -> None:
    end = time.monotonic() + TIMEOUT
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            assert server.poll() is None, log.read_text()
            assert time.monotonic() < end, log.read_text()
            time.sleep(0.1)
