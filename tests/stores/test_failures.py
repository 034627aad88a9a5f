"""What a push does when the store, or the way to it, fails."""

from __future__ import annotations

import base64
import pickle
import socket
from collections.abc import Iterator
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime
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
    (tmp_path / "position.json").write_text("{}")
    with pytest.raises(StoreError, match="is not a position file"):
        push(log, SparqlStore(server.url), position_file=file)


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


@pytest.mark.parametrize("result", ["<html>", "[]", "{}", '{"results": {"bindings": [{}]}}'])
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
    with pytest.raises(StoreError, match="which is for the position"):
        push(log, SparqlStore(server.url))


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


def test_malformed_netrc(server: FailingStore, log: Log[PatchRow], tmp_path: Path) -> None:
    (tmp_path / "netrc").write_text("machine")
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
        ("http://ann:secret@example.org/", "must not have a user or a password"),
    ],
)
def test_urls(url: str, message: str) -> None:
    with pytest.raises(OptionError, match=message) as found:
        SparqlStore(url)
    assert "secret" not in str(found.value)
