"""What a push does when the store, or the way to it, fails."""

from __future__ import annotations

import base64
import pickle
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
from json import dumps, loads
from pathlib import Path

import pytest

from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import OptionError, StoreError, StoreRequestError
from jelly_spark.log import Log
from jelly_spark.stores import PositionFile, Progress, Pushed, SparqlStore, push, pushing
from tests.stores.failing_store import Answer, FailingStore, failing_store


@pytest.fixture
def server() -> Iterator[FailingStore]:
    """A store that serves."""
    with failing_store() as found:
        yield found


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The pauses before retries, which are not made."""
    found: list[float] = []
    monkeypatch.setattr("jelly_spark.stores.http.sleep", found.append)
    return found


@pytest.fixture(autouse=True)
def _no_credentials(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("NETRC", str(tmp_path / "netrc"))


@pytest.fixture
def log(tmp_path: Path) -> Log[PatchRow]:
    """A log of three patches."""
    log = Log(tmp_path / "log")
    for number in range(3):
        append(log, number)
    return log


def append(log: Log[PatchRow], number: int) -> None:
    log.append(
        [
            PatchRow("H", name="id", value=f"<urn:x:{number}>"),
            *([PatchRow("H", name="prev", value=f"<urn:x:{number - 1}>")] if number else []),
            PatchRow("A", f"<urn:x:s{number}>", "<urn:x:p>", '"1"'),
        ]
    )


def statements_in(updates: list[str]) -> list[str]:
    """Return the subjects of the log that are in each update."""
    return ["".join(str(n) for n in range(9) if f"<urn:x:s{n}>" in each) for each in updates]


def test_pauses_grow(server: FailingStore, log: Log[PatchRow], pauses: list[float]) -> None:
    server.answers = [Answer(503, is_applied=False)] * 3
    assert push(log, SparqlStore(server.url)) == Pushed("<urn:x:2>", 0, 3)
    assert pauses == [1, 2, 4]


def test_retries_have_a_limit(
    server: FailingStore, log: Log[PatchRow], pauses: list[float]
) -> None:
    server.answers = [Answer(502, is_applied=False)] * 9
    with pytest.raises(StoreRequestError, match=r": 502 Bad Gateway") as found:
        push(log, SparqlStore(server.url, retries=2))
    assert (found.value.status, found.value.is_transient, len(pauses)) == (502, True, 2)
    assert str(pickle.loads(pickle.dumps(found.value))) == str(found.value)


def test_retry_after(server: FailingStore, log: Log[PatchRow], pauses: list[float]) -> None:
    date = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=90), usegmt=True)
    server.answers = [
        Answer(429, {"Retry-After": "7"}, is_applied=False),
        Answer(503, {"Retry-After": date}, is_applied=False),
        Answer(503, {"Retry-After": "soon"}, is_applied=False),
    ]
    push(log, SparqlStore(server.url))
    assert pauses[0] == 7
    assert 80 < pauses[1] <= 90
    assert pauses[2] == 4
    append(log, 3)
    server.answers = [Answer(503, {"Retry-After": "86400"}, is_applied=False)]
    with pytest.raises(StoreRequestError, match="asks to wait 86400 seconds: try again then"):
        push(log, SparqlStore(server.url))


@pytest.mark.usefixtures("pauses")
@pytest.mark.parametrize("status", [0, 500, 504])
def test_a_lost_answer(server: FailingStore, log: Log[PatchRow], status: int) -> None:
    """Each patch is applied once, whether or not the store did so before the connection broke."""
    push(log, SparqlStore(server.url))
    server.updates.clear()
    append(log, 3)
    append(log, 4)
    server.answers = [Answer(status), Answer(status, is_applied=False)]
    assert push(log, SparqlStore(server.url)).patches == 2
    assert statements_in(server.updates) == ["3", "4", "4"]


@pytest.mark.usefixtures("pauses")
def test_a_lost_answer_with_a_position_file(
    server: FailingStore, log: Log[PatchRow], tmp_path: Path
) -> None:
    """A patch that may have been applied is sent again, before the next one."""
    file = PositionFile(tmp_path / "position.json")
    push(log, SparqlStore(server.url), position_file=file)
    server.updates.clear()
    append(log, 3)
    append(log, 4)
    server.answers = [Answer(0)]
    push(log, SparqlStore(server.url), position_file=file)
    assert statements_in(server.updates) == ["3", "3", "4"]


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"version": 5}, "is not a position file"),
        ({"version": None}, "is not a position file"),
        ({"skolem_base": None}, "is not a position file"),
        ({"store": ["x"]}, "is not a position file"),
        ({"store": "http://ann:secret@example.org/"}, "has the position of …@example.org/"),
        ({"loaded": True}, "is not a position file"),
        ({"loaded": -1}, "is not a position file"),
        ({"loaded": "1"}, "is not a position file"),
        ({"loaded": 4}, "says that 4 statements of <urn:x:2> are loaded, which has 3"),
    ],
)
def test_malformed_position_files(
    server: FailingStore, log: Log[PatchRow], tmp_path: Path, changed: object, message: str
) -> None:
    path = tmp_path / "position.json"
    push(log, SparqlStore(server.url), position_file=PositionFile(path))
    path.write_text(dumps({**loads(path.read_text()), **changed}))  # type: ignore[dict-item]
    with pytest.raises(StoreError, match=f"position.json {message}"):
        push(log, SparqlStore(server.url), position_file=PositionFile(path))


@pytest.mark.parametrize("text", ["{}", "[" * 100_000, ""], ids=["empty", "deep", "cut"])
def test_not_a_position_file(
    server: FailingStore, log: Log[PatchRow], tmp_path: Path, text: str
) -> None:
    path = tmp_path / "position.json"
    path.write_text(text)
    with pytest.raises(StoreError, match=r"position\.json is not a position file"):
        push(log, SparqlStore(server.url), position_file=PositionFile(path))


def test_a_malformed_number_in_the_store(server: FailingStore, log: Log[PatchRow]) -> None:
    for count, message in (("-1", "has '-1' as the number"), ("4", "says that 4 statements")):
        server.position = {("loading", "<urn:x:2>"), ("loaded", count)}
        with pytest.raises(StoreError, match=message):
            push(log, SparqlStore(server.url))


def test_a_late_request_of_the_first_load(
    server: FailingStore, log: Log[PatchRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it adds is deleted again: the patches after the first load are sent once more."""
    monkeypatch.setattr(pushing, "LOAD_SIZE", 2)
    store = SparqlStore(server.url)
    push(log, store)
    append(log, 3)
    push(log, store)
    server.update(server.updates[1])
    server.updates.clear()
    assert push(log, store) == Pushed("<urn:x:3>", 1, 3)
    assert statements_in(server.updates) == ["", "2", "", "3"]
    assert server.position == {("version", "<urn:x:3>")}
    # In the middle of the load.
    server.position.clear()
    server.updates.clear()

    def repeat(_: Progress) -> None:
        server.update(server.updates[1])

    push(log, store, on_progress=repeat)
    assert server.position == {("version", "<urn:x:3>")}


def test_success_of_something_else(
    server: FailingStore, log: Log[PatchRow], tmp_path: Path
) -> None:
    page = Answer(200, {"Content-Type": "text/html"}, is_applied=False)
    server.answers = [page] * 9
    with pytest.raises(StoreError, match=r"success, but is not at <urn:x:2>.*of the same dataset"):
        push(log, SparqlStore(server.url))
    with pytest.raises(StoreRequestError, match="200 with a page in HTML: is this the URL of a s"):
        push(log, SparqlStore(server.url), position_file=PositionFile(tmp_path / "position.json"))


@pytest.mark.parametrize(
    ("base", "term", "message"),
    [
        ("", "<http://x/a/../b>", "a segment `.` or `..`, which SPARQL removes"),
        ("urn:g:", "<http://x/.>", "a segment `.` or `..`, which SPARQL removes"),
        ("", '"1"^^<http://x/./b>', "a segment `.` or `..`, which SPARQL removes"),
        ("", "<<( <urn:x:s> <urn:x:p> <urn:x:a/..> )>>", "a segment `.` or `..`"),
        ("urn:g:", "<urn:g:b1>", "begins with the `skolem_base`"),
    ],
)
def test_terms_that_sparql_changes(
    server: FailingStore, log: Log[PatchRow], base: str, term: str, message: str
) -> None:
    headers = [PatchRow("H", name="id", value="<urn:x:3>")]
    headers.append(PatchRow("H", name="prev", value="<urn:x:2>"))
    log.append([*headers, PatchRow("A", "<urn:x:s>", "<urn:x:p>", term)])
    with pytest.raises(StoreError, match=re.escape(message)):
        push(log, SparqlStore(server.url, skolem_base=base))
    assert not server.updates


def test_dots_that_are_no_segments(server: FailingStore, log: Log[PatchRow]) -> None:
    headers = [PatchRow("H", name="id", value="<urn:x:3>")]
    headers.append(PatchRow("H", name="prev", value="<urn:x:2>"))
    objects = ["<http://x/...>", "<http://x/.a?/../b>", '"/../"', "<http://x/a#/./>"]
    log.append([*headers, *(PatchRow("A", "<urn:x:s>", "<urn:x:p>", each) for each in objects)])
    assert push(log, SparqlStore(server.url)).loaded == 7


@contextmanager
def dripping(beginning: bytes, drip: bytes) -> Iterator[str]:
    """A server that never ends its answers, or ends them at once if there is no `drip`."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with suppress(OSError), listening.accept()[0] as connection:
                connection.recv(65_536)
                connection.sendall(beginning)
                while drip:
                    connection.sendall(drip)
                    time.sleep(0.05)
                # Closing before the whole request is read would reset the connection.
                connection.shutdown(socket.SHUT_WR)
                while connection.recv(65_536):
                    pass

        server = threading.Thread(target=serve)
        server.start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}/"
        server.join()


@pytest.mark.parametrize(
    ("beginning", "drip"),
    [
        (b"HTTP/1.1 200 OK\r\nX-Header: ", b"x"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n", b" "),
        (b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    ],
    ids=["header", "body", "continue"],
)
def test_dripping_answers(log: Log[PatchRow], beginning: bytes, drip: bytes) -> None:
    """The timeout is for the whole answer."""
    with (
        dripping(beginning, drip) as url,
        pytest.raises(StoreRequestError, match="no answer in time"),
    ):
        push(log, SparqlStore(url, timeout=1, retries=0))


@pytest.mark.parametrize(
    "rest", [b"Content-Length: 500\r\n\r\n{}", b"Transfer-Encoding: chunked\r\n\r\n9\r\n{"]
)
def test_a_connection_that_is_lost_in_an_answer(log: Log[PatchRow], rest: bytes) -> None:
    with (
        dripping(b"HTTP/1.1 200 OK\r\n" + rest, b"") as url,
        pytest.raises(StoreRequestError, match="was lost in the middle of the answer") as found,
    ):
        push(log, SparqlStore(url, retries=0))
    assert found.value.is_transient


def test_first_load_continues(
    server: FailingStore, log: Log[PatchRow], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pushing, "LOAD_SIZE", 2)
    server.answers = [Answer(), Answer(), Answer(400, is_applied=False)]
    with pytest.raises(StoreRequestError, match="400"):
        push(log, SparqlStore(server.url))
    append(log, 3)
    seen: list[Progress] = []
    assert push(log, SparqlStore(server.url), on_progress=seen.append).loaded == 3
    assert statements_in(server.updates) == ["", "01", "2", "2", "", "3"]
    assert seen == [Progress(0, 3, 3), Progress(1, 3, 3)]


@pytest.mark.parametrize(
    ("answer", "message"),
    [
        (Answer(206), "206 with a part of the answer"),
        (Answer(401), "401 Unauthorized: set JELLY_SPARK_STORE_TOKEN, or JELLY_SPARK_STORE_USER"),
        (Answer(403), "403 Forbidden: the credentials do not allow this"),
        (Answer(404), "404 Not Found: check the URL"),
        (Answer(413), "413 .*: raise the server's limit"),
        (Answer(400, body="line 1:\n bad"), "400 Bad Request: line 1: bad$"),
        (Answer(400, {"Content-Type": "text/html"}, body="<html>"), "400 Bad Request$"),
        (Answer(307, {"Location": "https://example.org/"}), "give the URL https://example.org/$"),
    ],
)
def test_permanent_errors(
    server: FailingStore, log: Log[PatchRow], answer: Answer, message: str
) -> None:
    server.answers = [answer._replace(is_applied=False)]
    with pytest.raises(StoreRequestError, match=message):
        push(log, SparqlStore(server.url))
    assert len(server.updates) == 1


def test_no_server(log: Log[PatchRow], pauses: list[float]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}/"
        with pytest.raises(StoreRequestError, match="Connection refused"):
            push(log, SparqlStore(url, retries=1))
        taken.listen()
        with pytest.raises(StoreRequestError, match="no answer in time"):
            push(log, SparqlStore(url, retries=0, timeout=1))
    assert pauses == [1]


_NUMBER = dumps({"results": {"bindings": [{"predicate": {"value": "x"}, "object": {"value": 1}}]}})


@pytest.mark.parametrize(
    "result",
    ["<html>", "[]", "{}", '{"results": {"bindings": [{}]}}', _NUMBER, "[" * 100_000],
    ids=["html", "list", "object", "no object", "number", "deep"],
)
def test_not_a_query_service(server: FailingStore, log: Log[PatchRow], result: str) -> None:
    server.result = result
    with pytest.raises(StoreError, match="give the URL of the query service"):
        push(log, SparqlStore(server.url))


def test_empty_log(server: FailingStore, tmp_path: Path) -> None:
    assert push(Log(tmp_path), SparqlStore(server.url)) == Pushed(None, 0, None)


def test_statements_in_the_graph_of_the_position(server: FailingStore, log: Log[PatchRow]) -> None:
    log.append(
        [
            PatchRow("H", name="id", value="<urn:x:3>"),
            PatchRow("H", name="prev", value="<urn:x:2>"),
            PatchRow("A", "<urn:x:s>", "<urn:x:p>", '"1"', "<urn:x-jelly-spark:position>"),
        ]
    )
    for base in ("", "urn:x:genid:"):
        with pytest.raises(StoreError, match="which is for the position"):
            push(log, SparqlStore(server.url, skolem_base=base))
    assert not server.updates


def basic(text: str) -> str:
    return f"Basic {base64.b64encode(text.encode()).decode()}"


def test_credentials(
    server: FailingStore, log: Log[PatchRow], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login ann password from-netrc")
    push(log, SparqlStore(server.url))
    assert {*server.authorizations} == {basic("ann:from-netrc")}
    monkeypatch.setenv("JELLY_SPARK_STORE_USER", "ann")
    with pytest.raises(OptionError, match="must both be set"):
        push(log, SparqlStore(server.url))
    monkeypatch.setenv("JELLY_SPARK_STORE_PASSWORD", "")
    push(log, SparqlStore(server.url))
    assert server.authorizations[-1] == basic("ann:")
    monkeypatch.setenv("JELLY_SPARK_STORE_TOKEN", "abc")
    push(log, SparqlStore(server.url))
    assert server.authorizations[-1] == "Bearer abc"
    monkeypatch.setenv("JELLY_SPARK_STORE_TOKEN", "a\nb")
    with pytest.raises(OptionError, match="must be a token of printable ASCII") as found:
        push(log, SparqlStore(server.url))
    assert "a\n" not in str(found.value)
    monkeypatch.delenv("JELLY_SPARK_STORE_TOKEN")
    for user, password in (("ann", "\udcff"), ("ann:b", "c")):
        monkeypatch.setenv("JELLY_SPARK_STORE_USER", user)
        monkeypatch.setenv("JELLY_SPARK_STORE_PASSWORD", password)
        with pytest.raises(OptionError, match="the user"):
            push(log, SparqlStore(server.url))


def test_malformed_netrc(server: FailingStore, log: Log[PatchRow], tmp_path: Path) -> None:
    (tmp_path / "netrc").write_text("machine 127.0.0.1 login ann password open secret")
    with pytest.raises(OptionError, match=r"cannot be used: .*netrc: line 1: expected") as found:
        push(log, SparqlStore(server.url))
    assert "secret" not in str(found.value)
    (tmp_path / "netrc").write_bytes(b"\xff")
    with pytest.raises(OptionError, match="the netrc file cannot be used"):
        push(log, SparqlStore(server.url))


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("ftp://example.org/", "expected a URL that begins with http"),
        ("file:///etc/passwd", "expected a URL that begins with http"),
        ("http://", "expected a URL that begins with http"),
        ("http://example.org:x/", "expected a URL that begins with http"),
        ("http://example.org/a b", "expected a URL that begins with http"),
        ("http://a..b/", "expected a URL that begins with http"),
        ("http://example.org/#a", "must not have a fragment"),
        ("http://ann:secret@example.org/", "must not have a user or a password"),
        ("http://ann:secret@example.org:x/", "expected a URL that begins with http"),
        ("httpx://ann:secret@example.org/", "expected a URL that begins with http"),
    ],
)
def test_urls(url: str, message: str) -> None:
    with pytest.raises(OptionError, match=message) as found:
        SparqlStore(url)
    assert "secret" not in str(found.value)
