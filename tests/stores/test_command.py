"""The command `jelly-spark push`: what it prints, and its exit statuses."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from jelly_spark.cli.app import app
from jelly_spark.core.rows import PatchRow
from jelly_spark.log import Log
from tests.stores.failing_store import Answer, FailingStore, failing_store


@pytest.fixture
def server() -> Iterator[FailingStore]:
    """A store that serves."""
    with failing_store() as found:
        yield found


@pytest.fixture
def log(tmp_path: Path) -> str:
    """A log of one patch."""
    id_row = PatchRow("H", name="id", value="<urn:x:0>")
    Log(tmp_path / "log").append([id_row, PatchRow("A", "<urn:x:s>", "<urn:x:p>", '"1"')])
    return str(tmp_path / "log")


def run(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["push", *arguments])


def test_push(server: FailingStore, log: str) -> None:
    found = run(log, server.url)
    assert found.output == "Statements loaded: 1. The store is at <urn:x:0>.\n"
    assert run(log, server.url).output == "The store is at <urn:x:0> already.\n"


def test_json(server: FailingStore, log: str, tmp_path: Path) -> None:
    found = run(log, server.url, "--json", "--position", str(tmp_path / "position"))
    assert json.loads(found.output) == {
        "log": log,
        "version": "<urn:x:0>",
        "patches": 0,
        "loaded": 1,
    }


def test_holds(server: FailingStore, log: str) -> None:
    found = run(log, server.url, "--holds", "urn:x:0")
    assert found.output == "The store is at <urn:x:0> already.\n"
    assert run(log, server.url, "--holds", "urn:x:0").exit_code == 1


def test_empty_log(server: FailingStore, tmp_path: Path) -> None:
    assert run(str(tmp_path), server.url).output == "The log is empty.\n"


def test_retries(server: FailingStore, log: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each is said on standard error, but not to programs."""
    monkeypatch.setattr("jelly_spark.stores.http.sleep", lambda _: None)
    line = f"{server.url}: 503 Service Unavailable: trying again in 1 s\n"
    server.answers = [Answer(503, is_applied=False)]
    assert run(log, server.url).output.startswith(line)
    server.position.clear()
    server.answers = [Answer(503, is_applied=False)]
    assert "503" not in run(log, server.url, "--json").output


def test_exit_statuses(server: FailingStore, log: str) -> None:
    server.answers = [Answer(404, is_applied=False)]
    found = run(log, server.url)
    assert (found.exit_code, found.output) == (
        3,
        f"Error: {server.url}: 404 Not Found: check the URL\n",
    )
    assert run("missing", server.url).exit_code == 3
    assert run(log, "http://ann:secret@example.org/").exit_code == 2
    found = run(log, server.url, "--service", "fuseki", "--skolem-base", "urn:x:")
    assert (found.exit_code, found.output) == (
        2,
        "Error: --graph-store and --skolem-base are for --service sparql\n",
    )
    server.result = "<html>"
    assert run(log, server.url).exit_code == 1
