"""An object store, and a Spark session with S3A. The session runs in a process of its own: S3A must
be on the class path when a JVM starts, and a process can have but one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import ParamSpec, TypeVar

import boto3
import pytest

from tests.objectstore import jobs
from tests.objectstore.server import BUCKET, Server, s3_server
from tests.shared import ROOT

CLASSPATH = ROOT / "tests/objectstore/target/s3a.classpath"

PART = 5 << 20
"""The bytes of a part of an upload."""

P = ParamSpec("P")
T = TypeVar("T")


class Store:
    """The bucket, and Spark's session.

    Args:
        server: the server.
        pool: the process of the session.
    """

    def __init__(self, server: Server, pool: ProcessPoolExecutor) -> None:
        self.watched = server.watched
        self._pool = pool
        self._client = boto3.client(
            "s3",
            endpoint_url=server.endpoint,
            region_name="us-east-1",
            aws_access_key_id="test",
            aws_secret_access_key="test",
        )
        self._client.create_bucket(Bucket=BUCKET)

    def run(self, job: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function of `jobs` beside the session."""
        return self._pool.submit(job, *args, **kwargs).result()

    def files(self, folder: str) -> dict[str, int]:
        """The data files in a folder, with their sizes."""
        found = self._client.list_objects_v2(Bucket=BUCKET, Prefix=f"{folder}/part-")
        return {entry["Key"]: entry["Size"] for entry in found.get("Contents", [])}

    def replace(self, key: str, by: str) -> None:
        """Replace an object by a copy of another."""
        self._client.copy_object(Bucket=BUCKET, Key=key, CopySource=f"{BUCKET}/{by}")


def settings_of(server: Server) -> dict[str, str]:
    """The settings of a session with S3A; tests are skipped where it is not."""
    if not CLASSPATH.exists():
        pytest.skip("S3A is not here: run `make test`, which fetches it")
    return {
        "spark.ui.enabled": "false",
        "spark.driver.extraClassPath": CLASSPATH.read_text(),
        "spark.hadoop.fs.s3a.endpoint": server.endpoint,
        "spark.hadoop.fs.s3a.endpoint.region": "us-east-1",
        "spark.hadoop.fs.s3a.path.style.access": "true",
        "spark.hadoop.fs.s3a.access.key": "test",
        "spark.hadoop.fs.s3a.secret.key": "test",
        "spark.hadoop.fs.s3a.multipart.size": str(PART),
        # It asks for what it is told to read; the other types read ahead.
        "spark.hadoop.fs.s3a.input.stream.type": "classic",
    }


@pytest.fixture(scope="session")
def store() -> Iterator[Store]:
    with s3_server() as server:
        # Not a fork, as the process of the tests may have threads and a JVM.
        arguments = settings_of(server), server.environment
        with ProcessPoolExecutor(1, get_context("spawn"), jobs.start, arguments) as pool:
            yield Store(server, pool)
            pool.submit(jobs.stop).result()
