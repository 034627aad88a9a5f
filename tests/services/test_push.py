"""Keeping Fuseki and Oxigraph in step with a log, and Fuseki by its patch service, too."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from itertools import chain
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from jelly_spark import codec
from jelly_spark.core.rows import PatchRow, RowOp
from jelly_spark.errors import OptionError, StoreError, StoreRequestError
from jelly_spark.log import Log
from jelly_spark.patches import Statement
from jelly_spark.stores import FusekiStore, PositionFile, Pushed, SparqlStore, TripleStore, push
from jelly_spark.stores.positions import GRAPH, LOG
from tests.docs.environment import user_environment
from tests.docs.run_page import check_page
from tests.services.triple_stores import Dataset, StoreServer, nquads, update
from tests.stores.delta_server import delta_server

SKOLEM = "urn:x:genid:"

_CHANGES: tuple[RowOp, ...] = ("A", "A", "D")
_ENDS: tuple[RowOp, ...] = ("TC", "TC", "TA")
_GRAPHS = (None, "<urn:x:g1>", "<urn:x:g2>")


# For tests with other servers than all of them, once.
FUSEKI_6 = pytest.param("fuseki_6", marks=pytest.mark.long)
FUSEKI = pytest.mark.parametrize("server", ["fuseki", FUSEKI_6], indirect=True)


def sparql(dataset: Dataset, skolem_base: str = "", *, graph_store: bool = False) -> SparqlStore:
    return SparqlStore(
        dataset.update,
        query=dataset.query,
        graph_store=dataset.graph_store if graph_store else None,
        skolem_base=skolem_base,
    )


def patch_service(dataset: Dataset) -> FusekiStore:
    return FusekiStore(dataset.patch, query=dataset.query)


def append(log: Log[PatchRow], rows: Iterable[PatchRow]) -> str:
    """Append rows as a patch, and return its id."""
    prev = log.head()
    number = 0 if prev is None else int(prev[len("<urn:x:patch:") : -1]) + 1
    headers = [PatchRow("H", name="id", value=f"<urn:x:patch:{number}>")]
    if prev is not None:
        headers.append(PatchRow("H", name="prev", value=prev))
    return log.append([*headers, *rows]).id


def transaction(op: RowOp, *statements: Statement, end: RowOp = "TC") -> list[PatchRow]:
    rows = (PatchRow(op, *statement) for statement in statements)
    return [PatchRow("TX"), *rows, PatchRow(end)]


def statements(seed: random.Random, count: int, *, blank: bool) -> list[Statement]:
    def term(kind: str) -> str:
        number = seed.randrange(30)
        return f"_:b{number}" if blank and number % 5 == 0 else f"<urn:x:{kind}{number}>"

    def found() -> Statement:
        obj = seed.choice([term("o"), f'"\\u text {seed.randrange(9)}\\n\u00e9"@en'])
        return Statement(term("s"), "<urn:x:p>", obj.replace("\\u", "\\\\u"), seed.choice(_GRAPHS))

    return [found() for _ in range(count)]


def append_random(log: Log[PatchRow], seed: int, count: int, *, blank: bool = False) -> None:
    """Append patches that add and delete, some of them in transactions that are aborted."""
    source = random.Random(seed)
    for _ in range(count):
        rows = chain.from_iterable(
            transaction(
                source.choice(_CHANGES),
                *statements(source, 15, blank=blank),
                end=source.choice(_ENDS),
            )
            for _ in range(3)
        )
        append(log, rows)


def stored(dataset: Dataset) -> set[Statement]:
    """Return the statements of a dataset besides the position."""
    rows = codec.read(BytesIO(nquads(dataset)), format="nquads")
    found = (
        # Jena writes the label x as Bx.
        Statement(*(term and term.replace("_:Bb", "_:b") for term in row[:4]))  # type: ignore[arg-type]
        for row in rows
    )
    return {statement for statement in found if statement.graph != GRAPH}


def prefixes(dataset: Dataset) -> set[str]:
    """Return the names of the prefixes of a dataset."""
    request = Request(f"{dataset.graph_store}?default", headers={"Accept": "text/turtle"})
    with urlopen(request, timeout=60) as answer:
        return {*re.findall(r"PREFIX (\w+):", answer.read().decode())}


@pytest.fixture
def log(tmp_path: Path) -> Log[PatchRow]:
    """A log of five patches without blank nodes."""
    log = Log(tmp_path / "log")
    append_random(log, 1, 5)
    return log


@FUSEKI
def test_guide(
    server: StoreServer, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    ids = [f"<uuid:7d2b1f0c-93a4-4b7e-8f5e-{number:012}>" for number in (1, 2, 3)]
    with delta_server() as delta:
        for id, prev in zip(ids, [None, *ids], strict=False):
            header = [] if prev is None else [PatchRow("H", name="prev", value=prev)]
            delta.append("shop", [PatchRow("H", name="id", value=id), *header])
        environment = {
            **user_environment(tmp_path_factory.mktemp("conf")),
            "STORE": server.dataset(on_disk=True).update.removesuffix("/update"),
            "DELTA": delta.url,
        }
        check_page("docs/guides/triple-stores.md", environment, tmp_path)


@pytest.mark.parametrize(
    ("server", "store_at"),
    [
        ("fuseki", sparql),
        ("fuseki", patch_service),
        ("oxigraph", sparql),
        pytest.param("fuseki_6", sparql, marks=pytest.mark.long),
        pytest.param("fuseki_6", patch_service, marks=pytest.mark.long),
    ],
    indirect=["server"],
)
def test_first_load_then_patches(
    server: StoreServer, log: Log[PatchRow], store_at: Callable[[Dataset], TripleStore]
) -> None:
    dataset = server.dataset()
    store = store_at(dataset)
    state = log.state_at()
    assert push(log, store) == Pushed("<urn:x:patch:4>", 0, len(state))
    assert stored(dataset) == state
    append_random(log, 2, 20)
    assert push(log, store) == Pushed("<urn:x:patch:24>", 20, None)
    assert stored(dataset) == log.state_at()
    assert push(log, store) == Pushed("<urn:x:patch:24>", 0, None)


@FUSEKI
def test_two_stores(server: StoreServer, log: Log[PatchRow]) -> None:
    first, second = server.dataset(), server.dataset()
    push(log, sparql(first))
    append_random(log, 3, 2)
    push(log, patch_service(second))
    append_random(log, 4, 2)
    assert push(log, sparql(first)).patches == 4
    assert push(log, patch_service(second)).patches == 2
    assert stored(first) == stored(second) == log.state_at()


def test_graph_store(server: StoreServer, tmp_path: Path) -> None:
    log = Log(tmp_path / "log")
    append_random(log, 5, 3, blank=True)
    triple = "<<( _:b0 <urn:x:p> _:b5 )>>"
    append(log, transaction("A", Statement("_:b0", "<urn:x:says>", triple, "_:b10")))
    by_graph_store, by_updates = server.dataset(), server.dataset()
    push(log, sparql(by_graph_store, SKOLEM, graph_store=True))
    push(log, sparql(by_updates, SKOLEM))
    assert stored(by_graph_store) == stored(by_updates)
    append(log, transaction("D", *log.state_at()))
    push(log, sparql(by_graph_store, SKOLEM, graph_store=True))
    assert stored(by_graph_store) == set()


@FUSEKI
def test_blank_nodes_keep_their_labels_in_the_patch_service(
    server: StoreServer, tmp_path: Path
) -> None:
    log, dataset = Log(tmp_path / "log"), server.dataset()
    append_random(log, 6, 3, blank=True)
    push(log, patch_service(dataset))
    append_random(log, 7, 10, blank=True)
    push(log, patch_service(dataset))
    assert stored(dataset) == log.state_at()


def test_blank_nodes_in_sparql(server: StoreServer, log: Log[PatchRow]) -> None:
    dataset, other = server.dataset(), server.dataset()
    push(log, sparql(dataset))
    before = log.state_at()
    append(log, transaction("A", Statement("_:b0", "<urn:x:p>", "<urn:x:o>", None)))
    with pytest.raises(StoreError, match="_:b0 has a blank node, which SPARQL cannot delete"):
        push(log, sparql(other))
    assert nquads(other) == b""
    with pytest.raises(StoreError, match="_:b0 has a blank node, which SPARQL cannot delete"):
        push(log, sparql(dataset))
    assert stored(dataset) == before
    with pytest.raises(StoreError, match=f"has blank nodes for .*, not IRIs .* {SKOLEM}"):
        push(log, sparql(dataset, SKOLEM))


@pytest.mark.parametrize(
    ("server", "service"),
    [
        ("fuseki", "sparql"),
        *(
            pytest.param(server, service, marks=pytest.mark.long)
            for server, service in [
                ("fuseki", "fuseki"),
                ("fuseki", "position file"),
                ("fuseki_6", "sparql"),
                ("fuseki_6", "fuseki"),
                ("oxigraph", "sparql"),
                ("oxigraph", "position file"),
            ]
        ),
    ],
    indirect=["server"],
)
def test_killed_pushes(server: StoreServer, tmp_path: Path, service: str) -> None:
    folder, dataset = tmp_path / "log", server.dataset(on_disk=True)
    log, source, file = Log(folder), random.Random(service), tmp_path / "position.json"
    command = [sys.executable, "-m", "jelly_spark.cli", "push", str(folder)]
    command += [dataset.patch if service == "fuseki" else dataset.update]
    command += ["--query", dataset.query]
    if service == "fuseki":
        command += ["--service", service]
    if service == "position file":
        command += ["--position", str(file)]

    def position() -> object:
        if service == "position file":
            return file.read_bytes() if file.exists() else None
        return sparql(dataset).positions()

    loaded = (Statement(f"<urn:x:{n}>", "<urn:x:p>", '"1"', None) for n in range(25_000))
    append(log, transaction("A", *loaded))
    killed = 0  # in the middle of a push
    for seed in range(2):
        for _ in range(2):
            before = position()
            process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            while process.poll() is None and position() == before:
                time.sleep(0.005)
            time.sleep(source.uniform(0, 0.4))
            killed += process.poll() is None
            process.kill()
            process.wait()
        append_random(log, seed, 40, blank=service == "fuseki")
    assert killed
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"The store is at {log.head()}" in done.stdout
    assert stored(dataset) == log.state_at()


def test_killed_server(server: StoreServer, log: Log[PatchRow]) -> None:
    """A push waits for a server that is restarted meanwhile."""
    dataset = server.dataset(on_disk=True)
    push(log, sparql(dataset))
    append_random(log, 8, 40)
    restarts = iter([10, 25])
    at = next(restarts)

    def restart(patches: int) -> None:
        nonlocal at
        if patches == at:
            server.kill()
            server.start()
            at = next(restarts, -1)

    assert push(log, sparql(dataset), on_progress=lambda done: restart(done.patches)).patches == 40
    assert stored(dataset) == log.state_at()


def test_a_store_that_was_loaded_otherwise(server: StoreServer, log: Log[PatchRow]) -> None:
    dataset = server.dataset()
    update(dataset, "INSERT DATA { <urn:x:mine> <urn:x:p> 1 }")
    with pytest.raises(StoreError, match="has statements, but no position in a log"):
        push(log, sparql(dataset))
    append(log, transaction("A", Statement("<urn:x:new>", "<urn:x:p>", '"1"', None)))
    assert push(log, sparql(dataset), holds="<urn:x:patch:4>").patches == 1
    assert len(stored(dataset)) == 2
    with pytest.raises(StoreError, match="has a position already, <urn:x:patch:5>"):
        push(log, sparql(dataset), holds="<urn:x:patch:4>")


def test_another_log(server: StoreServer, log: Log[PatchRow], tmp_path: Path) -> None:
    dataset = server.dataset()
    push(log, sparql(dataset))
    other = Log(tmp_path / "other")
    with pytest.raises(StoreError, match="is at <urn:x:patch:4>, which is not in this log"):
        push(other, sparql(dataset))
    append_random(other, 1, 2)
    with pytest.raises(StoreError, match="is at <urn:x:patch:4>, which is not in this log"):
        push(other, sparql(dataset))


def test_expired_patches(server: StoreServer, log: Log[PatchRow]) -> None:
    behind, at_the_beginning = server.dataset(), server.dataset()
    push(log, sparql(behind))
    append_random(log, 9, 2)
    push(log, sparql(at_the_beginning))
    append_random(log, 10, 2)
    log.expire("<urn:x:patch:7>")
    with pytest.raises(StoreError, match="the patch has expired"):
        push(log, sparql(behind))
    assert push(log, sparql(at_the_beginning)).patches == 2
    assert stored(at_the_beginning) == log.state_at()
    loaded = server.dataset()
    push(log, sparql(loaded))
    assert stored(loaded) == log.state_at()


def test_two_pushes_at_a_time(server: StoreServer, log: Log[PatchRow]) -> None:
    """If an older patch came last, the store is brought in step from there."""
    dataset = server.dataset()
    push(log, sparql(dataset))
    statement = Statement("<urn:x:new>", "<urn:x:p>", '"1"', None)
    append(log, transaction("A", statement))
    append(log, transaction("D", statement))
    push(log, sparql(dataset))
    # What another push of patch 5 does, if the store carries it out late.
    update(
        dataset,
        f"INSERT DATA {{ <urn:x:new> <urn:x:p> '1' "
        f"GRAPH {GRAPH} {{ {LOG} <urn:x-jelly-spark:version> '<urn:x:patch:5>' }} }}",
    )
    assert push(log, sparql(dataset)).patches == 1
    assert stored(dataset) == log.state_at()
    assert push(log, sparql(dataset)).patches == 0


class _Aborting(FusekiStore):
    def send(self, rows: Sequence[PatchRow]) -> None:
        super().send([*rows[:-1], PatchRow("TA")])


@FUSEKI
def test_a_patch_that_fuseki_rolls_back(server: StoreServer, log: Log[PatchRow]) -> None:
    """Fuseki reports success nevertheless."""
    dataset = server.dataset()
    push(log, patch_service(dataset))
    append_random(log, 11, 1)
    with pytest.raises(StoreError, match="reported success, but is not at <urn:x:patch:5>"):
        push(log, _Aborting(dataset.patch, query=dataset.query))
    with pytest.raises(OptionError, match="a position file cannot be used with Fuseki's patch"):
        push(log, patch_service(dataset), position_file=PositionFile("position.json"))


def test_position_file(server: StoreServer, log: Log[PatchRow], tmp_path: Path) -> None:
    dataset, other = server.dataset(), server.dataset()
    file = PositionFile(tmp_path / "position.json")
    push(log, sparql(dataset), position_file=file)
    append_random(log, 11, 3)
    assert push(log, sparql(dataset), position_file=file).patches == 3
    assert GRAPH.encode() not in nquads(dataset)
    assert stored(dataset) == log.state_at()
    with pytest.raises(StoreError, match=f"has the position of {dataset.update}"):
        push(log, sparql(other), position_file=file)


def test_wrong_service(server: StoreServer, log: Log[PatchRow]) -> None:
    dataset = server.dataset()
    with pytest.raises(StoreRequestError, match=r"404 .*check the URL"):
        push(log, SparqlStore(f"{dataset.update}-that-is-missing"))
    with pytest.raises(StoreRequestError, match=r"415 .*as `query`$") as found:
        push(log, SparqlStore(dataset.update))
    assert found.value.status == 415
    with pytest.raises(StoreError, match="the query service one of the same dataset"):
        push(log, SparqlStore(dataset.update, query=server.dataset().query))


@FUSEKI
def test_patch_service_without_query_service(server: StoreServer, log: Log[PatchRow]) -> None:
    with pytest.raises(StoreRequestError, match=r"as `query`$"):
        push(log, FusekiStore(server.dataset().patch))


@FUSEKI
def test_prefixes_in_the_patch_service(server: StoreServer, tmp_path: Path) -> None:
    """The first load sends them, and a deleted prefix may have its IRI."""
    log, dataset = Log(tmp_path / "log"), server.dataset()
    statement = Statement("<urn:x:s>", "<urn:x:p>", '"1"')
    add = [PatchRow("PA", name=name, value=f"<urn:{name}:>") for name in ("x", "y")]
    append(log, [PatchRow("TX"), *add, PatchRow("A", *statement), PatchRow("TC")])
    push(log, patch_service(dataset))
    assert prefixes(dataset) == {"x", "y"}
    append(log, [PatchRow("TX"), PatchRow("PD", name="x", value="<urn:x:>"), PatchRow("TC")])
    assert push(log, patch_service(dataset)).patches == 1
    assert prefixes(dataset) == {"y"}
