"""What the tests need of every triple store."""

from __future__ import annotations

from typing import NamedTuple, Protocol
from urllib.parse import urlencode
from urllib.request import Request, urlopen


class Dataset(NamedTuple):
    """The URLs of the services of a dataset; only Fuseki has one for patches."""

    update: str
    query: str
    graph_store: str
    patch: str = ""


class StoreServer(Protocol):
    """A server with datasets. It can be killed, and started again with those on disk."""

    def dataset(self, *, on_disk: bool = False) -> Dataset:
        """Return an empty dataset that no one has used."""

    def start(self) -> None:
        """Start the server, and wait until it serves."""

    def kill(self) -> None:
        """Kill the server. Do nothing if it is not started."""


def nquads(dataset: Dataset) -> bytes:
    """Return all statements of a dataset."""
    request = Request(dataset.graph_store, headers={"Accept": "application/n-quads"})
    with urlopen(request, timeout=60) as answer:
        found: bytes = answer.read()
        return found


def update(dataset: Dataset, text: str) -> None:
    """Change a dataset, as another program would."""
    with urlopen(dataset.update, urlencode({"update": text}).encode(), timeout=60):
        pass
