"""Logs in an object store: a patch is created by a conditional request."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import boto3
import pytest
import s3fs
from botocore.exceptions import ClientError
from s3fs.errors import translate_boto_error

from jelly_spark import codec
from jelly_spark.core.files.remote import RemoteStorage
from jelly_spark.errors import LogConflictError, OptionError
from jelly_spark.log import Log
from jelly_spark.log.entries.files import Files
from jelly_spark.log.index.block import block_of, file_of
from jelly_spark.log.index.index_files import TAIL
from jelly_spark.log.index.index_writer import create
from tests.log.jobs import append
from tests.log.patches import id_of, made_up, patch
from tests.log.races.racing import ALL_WRITERS, HOUSEKEEPING, OnSpark, race
from tests.objectstore import jobs
from tests.objectstore.conftest import Store, settings_of
from tests.objectstore.server import BUCKET, Server, s3_server
from tests.shared import ROOT

TIMEOUT = 300
WRITERS = 8


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    """A server, for which the variables of a user's environment are set."""
    with s3_server() as server, pytest.MonkeyPatch.context() as environment:
        for name, value in server.environment.items():
            environment.setenv(name, value)
        boto3.client("s3").create_bucket(Bucket=BUCKET)
        yield server


def url(folder: str) -> str:
    return f"s3://{BUCKET}/{folder}"


def test_a_log(server: Server) -> None:
    log = Log(url("log"))
    assert log.head() is None and log.state_at() == set() and log.verify() == []
    for number in range(5):
        log.append(patch(number, number - 1 if number else None, add=[number]))
        if number == 2:
            log.compact()
    again = Log(url("log"))
    assert [version.id for version in again.versions()] == [id_of(number) for number in range(5)]
    assert {found.object for found in again.state_at()} == {f'"{number}"' for number in range(5)}
    assert again.verify() == []
    with pytest.raises(LogConflictError) as error:
        again.append(patch(5, 3))
    assert error.value.winner == id_of(4)
    assert log.versions() == again.versions()
    names = s3fs.S3FileSystem(use_listings_cache=False).find(f"{BUCKET}/log")
    assert len(names) == 5 + len(["format", "tail", "description", "state.jelly"])


@pytest.mark.parametrize("count", [20_000, pytest.param(1_000_000, marks=pytest.mark.long)])
def test_the_requests_of_a_long_log(server: Server, count: int) -> None:
    """Nothing is listed, and few bytes are sent and received, whatever the number of patches."""
    path = url(f"long/{count}")
    create(Files(path), block_of(made_up(count)))
    log = Log(path)
    with server.watched() as requests:
        assert log.head() == id_of(count - 1)
    assert [request.key.rpartition("/")[2] for request in requests.of("GET")] == [
        "tail.jsonl.gz",
        "0000000001.json",
        file_of(count),
    ]
    assert requests.kinds["LIST"] == requests.kinds["HEAD"] == 0
    for each in (log, Log(path)):
        with server.watched() as requests:
            each.append(patch(count, count - 1))
        count += 1
        assert requests.kinds["LIST"] == requests.kinds["HEAD"] == 0
        assert [request.key.rpartition("/")[2] for request in requests.of("PUT")] == [
            file_of(count - 1),
            "tail.jsonl.gz",
        ]
        assert requests.kinds["GET"] <= 2
    with server.watched() as requests:
        versions = Log(path).versions()
    assert len(versions) == count and versions[-1].id == id_of(count - 1)
    assert sum(requests.kinds.values()) <= 10 and requests.kinds["LIST"] == 0


def test_the_same_patch_again(server: Server) -> None:
    """As where the answer to a request is lost, and the request is repeated."""
    log = Log(url("again"))
    first = log.append(patch(1, add=["a"]))
    assert Log(url("again")).append(patch(1, add=["a"])) == first


@pytest.mark.long
def test_a_log_on_spark(store: Store) -> None:
    found = store.run(jobs.fill_log, f"s3a://{BUCKET}/spark")
    assert found["ids"] == [id_of(number) for number in range(3)]
    assert found["states"] == [['"a"', '"b"'], ['"b"', '"c"', '"d"']]
    assert found["verify"] == []
    with store.watched() as requests:
        view = store.run(jobs.view_log, f"s3a://{BUCKET}/spark")
    names = dict.fromkeys(re.findall(r"\d{20}\.jellyp", view))
    assert [*names] == [file_of(number) for number in range(3)]
    assert f"Some(Snapshot(1,{id_of(1)},List(s3a://{BUCKET}/spark/_log/snapshots/" in view
    # Where there is no file, S3A also looks for a folder.
    assert len(requests) <= 10
    with store.watched() as requests:
        assert store.run(jobs.refresh_view) == 3
    assert requests.kinds == {"HEAD": 2, "LIST": 2}
    # Spark knows S3 by another name than Python.
    assert store.run(jobs.error_of_log, f"s3://{BUCKET}/spark") == (
        f"Spark has no file system for s3://{BUCKET}/spark: open the log by a URL that both Spark "
        "and fsspec know, such as s3a://…"
    )


@pytest.mark.long
def test_a_log_that_the_jvm_writes(store: Store) -> None:
    url = f"s3a://{BUCKET}/written"
    with store.watched() as requests:
        assert store.run(jobs.write_log, url) == [True, False, True, False, True]
    tails = [request for request in requests.of("PUT") if request.key.endswith(TAIL)]
    assert len(tails) == len(["the empty log", "a patch", "another one"])
    found = store.run(jobs.view_log, url)
    assert [*dict.fromkeys(re.findall(r"\d{20}\.jellyp", found))] == [file_of(0), file_of(1)]
    assert store.run(jobs.verify_log, url) == []


def test_foreign_and_damaged_files(server: Server) -> None:
    log = Log(url("foreign"))
    codec.write(url("foreign/b.rdfp.gz"), patch(2, 1))
    codec.write(url("foreign/c.jellyp"), patch(1))
    assert log.head() == id_of(2) and log.adopt() == 2
    log.append(patch(3, 2))
    assert len(Log(url("foreign")).versions()) == 3
    codec.write(url("foreign/c.jellyp"), patch(1, add=["x"]))
    with s3fs.S3FileSystem().open(f"{BUCKET}/foreign/notes.txt", "wb") as file:
        file.write(b"x")
    assert [(finding.rule, finding.file) for finding in log.verify()] == [
        ("changed-file", "c.jellyp"),
        ("unreferenced-file", "notes.txt"),
    ]
    s3fs.S3FileSystem().rm(f"{BUCKET}/foreign/{TAIL}")
    assert Log(url("foreign")).head() == id_of(3)


@pytest.mark.parametrize("each", [3, pytest.param(25, marks=pytest.mark.long)])
def test_many_writers_make_one_chain(server: Server, each: int) -> None:
    path = url(f"many/{each}")
    writers = [
        subprocess.Popen(
            [sys.executable, append.__file__ or "", path, str(name), str(each)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )
        for name in range(WRITERS)
    ]
    ids = [writer.communicate(timeout=TIMEOUT)[0].split() for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * WRITERS
    assert ids == [[id_of(f"{name}-{n}") for n in range(each)] for name in range(WRITERS)]
    log = Log(path)
    found = [version.id for version in log.versions()]
    assert sorted(found) == sorted(id for some in ids for id in some)
    assert log.verify() == []


@pytest.mark.long
def test_all_at_once(server: Server) -> None:
    done = race(url("race"), 90, server.environment)
    assert min(done[work] for work in ("append", *HOUSEKEEPING)) > 0


@pytest.mark.long
def test_all_at_once_with_sql_and_a_stream(server: Server, tmp_path: Path) -> None:
    settings = settings_of(server)
    on_spark = OnSpark(f"s3a://{BUCKET}/spark-race", tmp_path / "stream", settings)
    done = race(url("spark-race/log"), 180, server.environment, on_spark=on_spark)
    assert min(done[work] for work in (*ALL_WRITERS, *HOUSEKEEPING)) > 0


def test_a_store_that_does_not_name_the_condition(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    response = {
        "Error": {"Code": "PreconditionFailed", "Message": "a precondition did not hold"},
        "ResponseMetadata": {"HTTPStatusCode": 412},
    }

    def refuse(*_: object, mode: str) -> None:
        raise translate_boto_error(ClientError(response, "PutObject"))

    files = Files(url("unnamed"))
    assert isinstance(files.storage, RemoteStorage)
    monkeypatch.setattr(files.storage._files, "put_file", refuse)
    source = tmp_path / "source"
    source.touch()
    assert not files.create("name", source)


def test_a_store_without_sizes(monkeypatch: pytest.MonkeyPatch) -> None:
    files = Files("memory://nosizes")
    assert isinstance(files.storage, RemoteStorage)
    entry = {"name": "/nosizes/1.jellyp", "type": "file", "size": None}
    monkeypatch.setattr(files.storage._files, "ls", lambda *_, **__: [entry])
    with pytest.raises(OptionError, match="does not tell the sizes of files"):
        files.list()


def test_remains_are_removed_from_a_folder_with_brackets(server: Server) -> None:
    files = Files(url("a[1]*"))
    for name in ("keep", "staging/1", "staging/2"):
        files.replace(name, b"")
    files.remove("staging")
    assert list(files.list()) == ["keep"] and list(files.list("staging")) == []


def test_other_stores_cannot_be_appended_to() -> None:
    """They are read: here, a folder in memory."""
    codec.write("memory://folder/1.jellyp", patch(1, add=["a"]))
    log = Log("memory://folder")
    assert log.head() == id_of(1) and len(log.state_at()) == 1
    for each in (log.adopt, lambda: Log("memory://empty").append(patch(1))):
        with pytest.raises(OptionError, match=r"no patch can be appended at memory://.*: this"):
            each()
