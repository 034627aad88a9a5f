"""Apache Jena Fuseki on this machine, with datasets on disk and in memory."""

from __future__ import annotations

import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from tests.services.broker import HOST, START_TIMEOUT, free_ports
from tests.services.triple_stores import Dataset

_ON_DISK = 5
_IN_MEMORY = 24

_PREFIXES = """
PREFIX fuseki: <http://jena.apache.org/fuseki#>
PREFIX ja: <http://jena.hpl.hp.com/2005/11/Assembler#>
PREFIX tdb2: <http://jena.apache.org/2016/tdb#>
"""

_SERVICE = """
[] a fuseki:Service ;
  fuseki:name "{name}" ;
  fuseki:endpoint [ fuseki:operation fuseki:query ; fuseki:name "query" ] ,
    [ fuseki:operation fuseki:update ; fuseki:name "update" ] ,
    [ fuseki:operation fuseki:gsp-rw ; fuseki:name "data" ] ,
    [ fuseki:operation fuseki:patch ; fuseki:name "patch" ] ;
  fuseki:dataset [ {dataset} ] .
"""


class Fuseki:
    """A server with some empty datasets. It can be killed, and started again with those on disk.

    Args:
        java: the command of Java.
        classpath: of Fuseki's server.
        folder: for its configuration, its data and its log, `fuseki.log`.
    """

    def __init__(self, java: str, classpath: str, folder: Path) -> None:
        (self._port,) = free_ports(1)
        self._log = folder / "fuseki.log"
        disks = [f"disk{number}" for number in range(_ON_DISK)]
        memories = [f"memory{number}" for number in range(_IN_MEMORY)]
        datasets = dict.fromkeys(memories, "a ja:MemoryDataset")
        for name in disks:
            (folder / name).mkdir()
            datasets[name] = f'a tdb2:DatasetTDB2 ; tdb2:location "{folder / name}"'
        services = (_SERVICE.format(name=name, dataset=datasets[name]) for name in datasets)
        configuration = folder / "fuseki.ttl"
        configuration.write_text(_PREFIXES + "".join(services))
        self._unused = {True: iter(disks), False: iter(memories)}
        # The kernel ends it with this process, however that ends.
        guard = ["setpriv", "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        self._command = [
            *(*guard, java, "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", classpath),
            *("org.apache.jena.fuseki.main.cmds.FusekiMainCmd", "--localhost", "--ping"),
            *("--port", str(self._port), "--config", str(configuration)),
        ]
        self._process: subprocess.Popen[bytes] | None = None

    def dataset(self, *, on_disk: bool = False) -> Dataset:
        """Return an empty dataset that no one has used."""
        url = f"http://{HOST}:{self._port}/{next(self._unused[on_disk])}"
        return Dataset(f"{url}/update", f"{url}/query", f"{url}/data", f"{url}/patch")

    def start(self) -> None:
        """Start the server, and wait until it serves."""
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(self._command, stdout=log, stderr=subprocess.STDOUT)
        end = time.monotonic() + START_TIMEOUT
        while not self._serves():
            assert self._process.poll() is None, self._log.read_text()
            assert time.monotonic() < end, self._log.read_text()
            time.sleep(0.05)

    def kill(self) -> None:
        """Kill the server. Do nothing if it is not started."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def _serves(self) -> bool:
        try:
            with urlopen(f"http://{HOST}:{self._port}/$/ping", timeout=5):
                return True
        except (URLError, ConnectionError):
            return False


@contextmanager
def fuseki_server(java: str, classpath: str, folder: Path) -> Iterator[Fuseki]:
    """A server that runs until the end of the block."""
    server = Fuseki(java, classpath, folder)
    try:
        server.start()
        yield server
    finally:
        server.kill()
