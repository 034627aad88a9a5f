"""Pulling logs from a server with RDF Delta's API."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jelly_spark.cli.app import app
from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import (
    LogConflictError,
    LogError,
    MalformedInputError,
    OptionError,
    StoreError,
    StoreRequestError,
)
from jelly_spark.log import Log
from jelly_spark.stores import DeltaVersions, Pulled, RdfDeltaLog, pull
from tests.stores.delta_server import DeltaServer, delta_server

NAME = "shop"


@pytest.fixture
def server() -> Iterator[DeltaServer]:
    """A server with an empty log."""
    with delta_server() as found:
        found.logs[NAME] = []
        yield found


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))
    monkeypatch.setattr("jelly_spark.stores.http.sleep", lambda _: None)


@pytest.fixture
def log(tmp_path: Path) -> Log[PatchRow]:
    """An empty log."""
    return Log(tmp_path / "log")


def source(server: DeltaServer, name: str = NAME) -> RdfDeltaLog:
    return RdfDeltaLog(f"{server.url}/{name}")


def id_of(number: int) -> str:
    """The id of a patch, as RDF Delta's clients make it."""
    return f"<uuid:016f5292-2b49-41b2-80fe-{number:012}>"


def headers(number: int) -> list[PatchRow]:
    found = [PatchRow("H", name="id", value=id_of(number))]
    if number > 1:
        found.append(PatchRow("H", name="prev", value=id_of(number - 1)))
    return found


def patch(number: int) -> list[PatchRow]:
    """A patch with an aborted transaction, if its number is even, and a committed one."""
    aborted = [PatchRow("TX"), PatchRow("A", "<urn:x:s>", "<urn:x:p>", '"no"'), PatchRow("TA")]
    return [
        *headers(number),
        *(aborted if number % 2 == 0 else []),
        PatchRow("TX"),
        PatchRow("PA", name="x", value=f"<urn:x:{number}:>"),
        PatchRow("A", f"<urn:x:s{number}>", "<urn:x:p>", '"1"', "<urn:x:g>"),
        PatchRow("D", f"<urn:x:s{number - 1}>", "<urn:x:p>", '"1"', "<urn:x:g>"),
        PatchRow("TC"),
    ]


def append(server: DeltaServer, *numbers: int) -> None:
    for number in numbers:
        server.append(NAME, patch(number))


def plain(log: Log[PatchRow]) -> list[PatchRow]:
    """The rows of a log without ordinals and ends of patches."""
    rows = (row._replace(patch=None, tx=None, seq=None) for row in log.read())
    return [row for row in rows if row.op != "END"]


def check(log: Log[PatchRow], last: int) -> None:
    """Check that a log has patches 1 to `last`, each once, as they are."""
    assert [version.id for version in log.versions()] == [id_of(n + 1) for n in range(last)]
    assert plain(log) == [row for number in range(last) for row in patch(number + 1)]
    # A pull that was killed leaves a temporary file, which is not part of the log.
    assert [found for found in log.verify() if not found.file.endswith(".part")] == []


def test_pull(server: DeltaServer, log: Log[PatchRow]) -> None:
    assert pull(source(server), log) == Pulled(None, 0)
    append(server, 1, 2, 3)
    seen: list[Pulled] = []
    assert pull(source(server), log, on_progress=seen.append) == Pulled(id_of(3), 3)
    assert seen == [Pulled(id_of(number), number) for number in (1, 2, 3)]
    check(log, 3)
    assert pull(source(server), log) == Pulled(id_of(3), 0)
    append(server, 4, 5)
    server.requests.clear()
    assert pull(source(server), log) == Pulled(id_of(5), 2)
    assert server.requests == ["POST /$/rpc", *(f"GET /{NAME}/{n}" for n in (3, 4, 5))]
    check(log, 5)


def test_patches_without_changes(server: DeltaServer, log: Log[PatchRow]) -> None:
    server.append(NAME, headers(1))
    server.append(NAME, [*headers(2), PatchRow("TX"), PatchRow("TC")])
    server.append(NAME, [*headers(3), PatchRow("TX"), PatchRow("TA")])
    assert pull(source(server), log).patches == 3
    assert [row.op for row in plain(log)] == [*"HHH", "TX", "TC", *"HH", "TX", "TA"]


def test_versions(server: DeltaServer) -> None:
    assert source(server).versions() == DeltaVersions(0, 0)
    append(server, 1, 2)
    assert source(server).versions() == DeltaVersions(1, 2)
    assert source(server).patch(2) == patch(2)
    assert RdfDeltaLog(f"{server.url}/{NAME}/").versions() == DeltaVersions(1, 2)


def test_failing_requests(server: DeltaServer, log: Log[PatchRow]) -> None:
    append(server, 1, 2, 3)
    server.statuses = [503, 200, 0, 0, 500]
    messages: list[str] = []
    done = pull(source(server), log, on_retry=lambda error, _: messages.append(str(error)))
    assert done.patches == 3
    check(log, 3)
    assert "503 Service Unavailable: as it was told" in messages[0]
    assert "was lost in the middle of the answer" in messages[1]
    append(server, 4, 5)
    server.statuses = [200, 200, 404]
    with pytest.raises(StoreRequestError, match=f"{NAME}/5: 404 .* as it was told: check the URL"):
        pull(source(server), log)
    check(log, 4)
    server.statuses = [502] * 9
    with pytest.raises(StoreRequestError, match="502 Bad Gateway"):
        pull(source(server), log)
    assert pull(source(server), log).patches == 1


def test_an_answer_that_is_too_long(
    server: DeltaServer, log: Log[PatchRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    append(server, 1)
    size = len(server.logs[NAME][0])
    monkeypatch.setattr("jelly_spark.stores.rdf_delta._LARGEST_PATCH", size - 1)
    with pytest.raises(StoreRequestError, match=f"answer is longer than {size - 1:,} bytes"):
        pull(source(server), log)
    monkeypatch.setattr("jelly_spark.stores.rdf_delta._LARGEST_PATCH", size)
    assert pull(source(server), log).patches == 1


def test_answers_that_may_be_cut_off(server: DeltaServer, log: Log[PatchRow]) -> None:
    append(server, 1)
    size = len(server.logs[NAME][0])
    server.statuses = [206]
    with pytest.raises(StoreRequestError, match=f"{NAME}/1: 206 with a part of the answer"):
        pull(source(server), log)
    for lengths in (["abc"], ["-1"], [f"+{size}"], [f"{size}, {size}"], [str(size), "9"]):
        server.lengths = lengths
        with pytest.raises(StoreRequestError, match="200 with an invalid Content-Length, '"):
            pull(source(server), log)
    server.lengths = [str(size), str(size)]
    assert pull(source(server), log).patches == 1


def test_a_list_of_logs_that_is_too_long(
    server: DeltaServer, log: Log[PatchRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jelly_spark.stores.http._MOST_OF_ANSWER", 20)
    with pytest.raises(StoreRequestError, match="rpc: the answer is longer than 20 bytes"):
        pull(source(server), log)


def test_a_log_that_lacks_its_first_patches(
    server: DeltaServer, log: Log[PatchRow], tmp_path: Path
) -> None:
    append(server, 1, 2, 3, 4, 5)
    pull(source(server), log)
    append(server, 6, 7, 8)
    # The server has just what the log needs, and what it has.
    for first in (6, 5):
        copy = Log(tmp_path / f"log-{first}")
        shutil.copytree(tmp_path / "log", tmp_path / f"log-{first}")
        server.first = first
        assert pull(source(server), copy) == Pulled(id_of(8), 3)
        check(copy, 8)
    server.first = 7
    with pytest.raises(StoreError, match=f"is at {id_of(5)}, which is not among the versions 7 to"):
        pull(source(server), log)
    with pytest.raises(StoreError, match="no patches before version 7, so an empty log"):
        pull(source(server), Log(tmp_path / "empty"))
    check(log, 5)


def test_a_log_that_begins_in_the_middle(server: DeltaServer, tmp_path: Path) -> None:
    """Files of the server are copied and adopted, and the first of them are not there."""
    append(server, *range(1, 9))
    (tmp_path / "log").mkdir()
    for number in (4, 5, 6):
        (tmp_path / f"log/patch-{number}.rdfp").write_bytes(server.logs[NAME][number - 1])
    log = Log(tmp_path / "log")
    with pytest.raises(LogError, match="adopt"):
        pull(source(server), log)
    log.adopt()
    assert pull(source(server), log) == Pulled(id_of(8), 2)
    assert [version.id for version in log.versions()] == [id_of(n) for n in range(4, 9)]
    server.first = 7
    shutil.rmtree(tmp_path / "log/_log")
    for file in (tmp_path / "log").glob("*.jellyp"):
        file.unlink()
    log = Log(tmp_path / "log")
    log.adopt()
    assert pull(source(server), log) == Pulled(id_of(8), 2)


def test_another_log_that_begins_in_the_middle(server: DeltaServer, tmp_path: Path) -> None:
    """The position is searched with few requests, and no more than there can be."""
    append(server, *range(1, 31))
    for first, last, count in ((13, 20, 5), (1, 20, 1), (20, 20, 12), (2, 28, 3)):
        folder = tmp_path / f"log-{first}"
        folder.mkdir()
        for number in range(first, last + 1):
            (folder / f"{number}.rdfp").write_bytes(server.logs[NAME][number - 1])
        log = Log(folder)
        log.adopt()
        server.requests.clear()
        assert pull(source(server), log) == Pulled(id_of(30), 30 - last)
        assert len(server.requests) <= 1 + count + (30 - last)
    # 18 patches, of which the server has none.
    copy = Log(tmp_path / "log-13")
    server.logs[NAME] = [text.replace(b"016f", b"116f") for text in server.logs[NAME]]
    server.requests.clear()
    with pytest.raises(StoreError, match="another log"):
        pull(source(server), copy)
    assert len(server.requests) <= 5
    # RDF Delta's versions begin with 1, even if a server says 0.
    (tmp_path / "other").mkdir()
    (tmp_path / "other/7.rdfp").write_bytes(b"".join(server.logs[NAME][6:7]))
    other = Log(tmp_path / "other")
    other.adopt()
    del server.logs[NAME][6:]
    server.first = 0
    with pytest.raises(StoreError, match=r"not among the versions 1 to 6 of .* another log"):
        pull(source(server), other)


def test_ids_that_come_again(server: DeltaServer, tmp_path: Path) -> None:
    again = [PatchRow("H", name="id", value=id_of(1)), PatchRow("H", name="prev", value="")]
    for before in (1, 2):
        server.logs[NAME] = []
        append(server, *range(1, before + 1))
        server.append(NAME, [again[0], again[1]._replace(value=id_of(before))])
        log = Log(tmp_path / f"log-{before}")
        message = f"{NAME}/{before + 1}: the patch has the id of an earlier one, {id_of(1)}"
        for _ in range(2):
            with pytest.raises(StoreError, match=message):
                pull(source(server), log)
            check(log, before)


def test_expired_patches(server: DeltaServer, log: Log[PatchRow]) -> None:
    append(server, 1, 2, 3)
    pull(source(server), log)
    log.expire(id_of(3))
    append(server, 4)
    server.requests.clear()
    assert pull(source(server), log) == Pulled(id_of(4), 1)
    assert len(server.requests) == 3


def test_another_log(server: DeltaServer, log: Log[PatchRow], tmp_path: Path) -> None:
    log.append([PatchRow("H", name="id", value="<urn:x:mine>")])
    with pytest.raises(StoreError, match=r"<urn:x:mine>, which is not among the versions 0 to 0"):
        pull(source(server), log)
    append(server, 1, 2)
    with pytest.raises(StoreError, match=r"is at <urn:x:mine>, .* versions 1 to 2 .* another log"):
        pull(source(server), log)
    copy = Log(tmp_path / "copy")
    pull(source(server), copy)
    own = [PatchRow("H", name="prev", value=id_of(2)), PatchRow("H", name="id", value="<urn:x:3>")]
    copy.append(own)
    append(server, 3)
    with pytest.raises(StoreError, match="one of the two has patches of its own"):
        pull(source(server), copy)
    # The log on the server was removed, and made again.
    server.logs[NAME] = server.logs[NAME][:1]
    with pytest.raises(StoreError, match="versions 1 to 1 of"):
        pull(source(server), copy)


def test_a_broken_chain(server: DeltaServer, log: Log[PatchRow]) -> None:
    append(server, 1, 3)
    with pytest.raises(StoreError, match=f"{NAME}/2: the patch follows {id_of(2)}, not {id_of(1)}"):
        pull(source(server), log)
    check(log, 1)
    server.logs[NAME][1:] = [b"TX .\nTC .\n"]
    with pytest.raises(StoreError, match=f"{NAME}/2: the patch has no header id"):
        pull(source(server), log)
    server.logs[NAME] = []
    append(server, 2)
    with pytest.raises(StoreError, match=f"{NAME}/1: the patch follows {id_of(1)}, not no other"):
        pull(source(server), Log("unused"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"A <urn:s> <urn:p> oops .\n", f"{NAME}/1: line 2.*'oops"),
        (b"TX .\nA <urn:s> <urn:p> <urn:o> .\n", f"{NAME}/1: .*closed by TC or TA"),
        (b"Z .\nH id <urn:x:2> .\n", f"{NAME}/1: there is more than one patch"),
        (b"\xff", f"{NAME}/1: line 2"),
    ],
)
def test_malformed_patches(
    server: DeltaServer, log: Log[PatchRow], text: bytes, message: str
) -> None:
    server.logs[NAME] = [f"H id {id_of(1)} .\n".encode() + text]
    with pytest.raises((MalformedInputError, StoreError), match=message):
        pull(source(server), log)
    assert log.head() is None


def test_pulls_at_a_time(server: DeltaServer, tmp_path: Path) -> None:
    append(server, *range(1, 31))
    errors: list[BaseException] = []

    def run() -> None:
        try:
            pull(source(server), Log(tmp_path / "log"))
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=run) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert errors == []
    check(Log(tmp_path / "log"), 30)


def test_a_pull_that_is_overtaken(server: DeltaServer, log: Log[PatchRow], tmp_path: Path) -> None:
    """Another program appends the same patch, but not byte for byte."""
    append(server, 1, 2, 3)

    def overtake(done: Pulled) -> None:
        if done.patches == 1:
            rows = [*patch(2)[:-1], PatchRow("TC"), PatchRow("END")]
            Log(tmp_path / "log").append(rows)

            append(server, 4)
            Log(tmp_path / "log").append_all([patch(3), patch(4)])

    assert pull(source(server), log, on_progress=overtake) == Pulled(id_of(4), 1)
    assert [version.id for version in log.versions()] == [id_of(n) for n in (1, 2, 3, 4)]


def test_a_conflict(server: DeltaServer, log: Log[PatchRow], tmp_path: Path) -> None:
    append(server, 1, 2, 3)
    other = [*headers(2)[1:], PatchRow("H", name="id", value="<urn:x:other>")]

    def overtake(done: Pulled) -> None:
        if done.patches == 1:
            Log(tmp_path / "log").append(other)

    with pytest.raises((LogConflictError, StoreError), match="<urn:x:other>"):
        pull(source(server), log, on_progress=overtake)


def test_killed_pulls(server: DeltaServer, tmp_path: Path) -> None:
    append(server, *range(1, 301))
    url, folder = f"{server.url}/{NAME}", tmp_path / "log"
    command = [sys.executable, "-m", "jelly_spark.cli", "pull", url, str(folder)]
    killed = 0
    for seed in range(2):
        before = len(server.requests)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None and len(server.requests) < before + 10:
            time.sleep(0.005)
        time.sleep(random.Random(seed).uniform(0, 0.1))
        killed += process.poll() is None
        process.kill()
        process.wait()
    assert killed
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"The log is at {id_of(300)}.\n")
    check(Log(folder), 300)


@pytest.mark.parametrize(
    "url",
    [
        "http://localhost:1066",
        "http://localhost:1066/",
        "http://localhost:1066/shop?token=1",
        "ftp://localhost/shop",
        "http://ann:secret@localhost/shop",
    ],
)
def test_wrong_urls(url: str) -> None:
    with pytest.raises(OptionError, match="URL"):
        RdfDeltaLog(url)


def test_wrong_servers(server: DeltaServer, log: Log[PatchRow]) -> None:
    with pytest.raises(StoreError, match="has no log 'other': its logs are 'shop'"):
        pull(source(server, "other"), log)
    server.logs = {f"log{n}": [] for n in range(12)}
    with pytest.raises(StoreError, match="'log7', …"):
        pull(source(server), log)
    listings: list[object] = [
        [],
        {},
        {"array": 1},
        {"array": [1]},
        {"array": [{"name": NAME}]},
        {"array": [{"name": NAME, "min_version": "1", "max_version": 1}]},
        {"array": [{"name": NAME, "min_version": 2, "max_version": 1}]},
    ]
    for listing in listings:
        server.listing = listing
        with pytest.raises(StoreError, match="did not describe its logs as an RDF Delta server"):
            pull(source(server), log)


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["pull", *arguments])


def test_command(server: DeltaServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url, folder = f"{server.url}/{NAME}", str(tmp_path / "log")
    assert run(url, folder).output == "The log on the server is empty.\n"
    append(server, 1, 2)
    monkeypatch.setenv("JELLY_SPARK_STORE_TOKEN", "secret")
    assert run(url, folder).output == f"Patches appended: 2. The log is at {id_of(2)}.\n"
    assert server.authorizations[-1] == "Bearer secret"
    assert run(url, folder).output == f"The log is at {id_of(2)} already.\n"
    append(server, 3)
    assert json.loads(run(url, folder, "--json").output) == {
        "log": folder,
        "version": id_of(3),
        "patches": 1,
    }
    server.statuses = [503]
    assert "503 Service Unavailable: as it was told: trying again in 1 s" in run(url, folder).output
    assert run(server.url, folder).exit_code == 2
    assert run(f"{server.url}/other", folder).exit_code == 1
    server.statuses = [403]
    assert run(url, folder).exit_code == 3


def test_the_state_of_a_pulled_log(server: DeltaServer, log: Log[PatchRow]) -> None:
    append(server, 1, 2, 3)
    pull(source(server), log)
    assert [statement.subject for statement in log.state_at()] == ["<urn:x:s3>"]
    assert log.prefixes_at() == {(None, "x"): "<urn:x:3:>"}
