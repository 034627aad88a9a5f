"""Oxigraph's server on this machine, as the package `oxigraph` has it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.services.broker import HOST, START_TIMEOUT, free_ports
from tests.services.triple_stores import Dataset

_COMMAND = str(Path(sys.executable).with_name("oxigraph"))


class Oxigraph:
    """A process for each dataset, since Oxigraph's server has one only.

    Args:
        folder: for the data and the log, `oxigraph.log`.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._log = folder / "oxigraph.log"
        # The arguments for each port.
        self._servers: dict[int, list[str]] = {}
        self._processes: dict[int, subprocess.Popen[bytes]] = {}

    def dataset(self, *, on_disk: bool = False) -> Dataset:
        """Start an empty dataset that no one has used."""
        (port,) = free_ports(1)
        self._servers[port] = ["--location", str(self._folder / str(port))] if on_disk else []
        self.start()
        url = f"http://{HOST}:{port}"
        return Dataset(f"{url}/update", f"{url}/query", f"{url}/store")

    def start(self) -> None:
        """Start the processes that do not run, and wait until they serve."""
        # The kernel ends them with this process, however that ends.
        guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        for port in self._servers.keys() - self._processes:
            command = [*guard, _COMMAND, "serve", "--bind", f"{HOST}:{port}", *self._servers[port]]
            with self._log.open("ab") as log:
                process = subprocess.Popen(command, stdout=log, stderr=subprocess.STDOUT)
            self._processes[port] = process
            end = time.monotonic() + START_TIMEOUT
            while not _serves(port):
                assert process.poll() is None, self._log.read_text()
                assert time.monotonic() < end, self._log.read_text()
                time.sleep(0.02)

    def kill(self) -> None:
        """Kill all processes."""
        for process in self._processes.values():
            process.kill()
            process.wait()
        self._processes.clear()


def _serves(port: int) -> bool:
    try:
        with urlopen(f"http://{HOST}:{port}/", timeout=5):
            return True
    except (URLError, ConnectionError):
        return False


@contextmanager
def oxigraph_server(folder: Path) -> Iterator[Oxigraph]:
    """A server that runs until the end of the block."""
    server = Oxigraph(folder)
    try:
        yield server
    finally:
        server.kill()
