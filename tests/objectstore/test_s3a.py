"""Files in an object store: what is asked of it, compared with Spark's own formats."""

from __future__ import annotations

from hashlib import sha1

import pytest

from tests.objectstore import jobs
from tests.objectstore.conftest import PART, Store
from tests.objectstore.server import BUCKET, Requests

Digest = tuple[int, int]

FORMATS = ["jelly_patch", "jelly_rdf", "rdf_patch", "rdf_patch_thrift"]
JELLY = FORMATS[:2]

ROWS = 80_000
"""The rows of a file of some 5 MB, with restart points every 100 kB."""

LAST = f'"{sha1(b"%d" % (ROWS - 1)).hexdigest()}"'
"""The object of the last of these rows."""

SPLITS = 8


def url(folder: str) -> str:
    return f"s3a://{BUCKET}/{folder}"


def written(store: Store, folder: str, format: str, rows: int, **options: str) -> int:
    """Write one file, unless it is there, and return its size."""
    if not store.files(folder):
        store.run(jobs.write, format, url(folder), rows, **options)
    (size,) = store.files(folder).values()
    return size


def big(store: Store, format: str) -> tuple[str, int]:
    """A folder with a file that has restart points, and the file's size."""
    folder = f"big-{format}"
    return folder, written(store, folder, format, ROWS, restartInterval="100000")


def reading(store: Store, format: str, folder: str, split: int) -> tuple[Requests, Digest]:
    """Read the files of a folder. Return the requests for them, and a digest of their rows.

    Beside those, what Spark asks for is the same as where it reads the folder as text.
    """
    files = store.files(folder)
    with store.watched() as text:
        store.run(jobs.read, "text", url(folder), split)
    with store.watched() as requests:
        digest = store.run(jobs.read, format, url(folder), split)
    assert requests.beside(files) == text.beside(files)
    return requests.at(files), digest


@pytest.mark.parametrize("format", JELLY)
def test_tasks_share_a_file(store: Store, format: str) -> None:
    folder, size = big(store, format)
    requests, digest = reading(store, format, folder, -(-size // SPLITS))
    assert digest == store.run(jobs.expected, format, ROWS)
    # One for each split, and the file's tail once.
    assert requests.kinds == {"GET": SPLITS + 1}
    assert requests.bytes_asked <= 1.1 * size


@pytest.mark.parametrize("format", FORMATS)
def test_one_task_reads_a_file_in_one_request(store: Store, format: str) -> None:
    requests, size = read_whole(store, format, "none")
    assert requests.kinds == {"GET": 1}
    assert requests.bytes_asked == size


@pytest.mark.parametrize("format", ["jelly_rdf", "rdf_patch"])
def test_a_compressed_file(store: Store, format: str) -> None:
    requests, size = read_whole(store, format, "gzip")
    assert requests.kinds == {"GET": 1}
    assert requests.bytes_asked == size


def read_whole(store: Store, format: str, compression: str) -> tuple[Requests, int]:
    """Read a file with one task, and return its size."""
    folder = f"small-{format}-{compression}"
    size = written(store, folder, format, 1000, compression=compression)
    requests, digest = reading(store, format, folder, size)
    assert digest == store.run(jobs.expected, format, 1000)
    return requests, size


def test_text_is_read_from_the_start_to_the_end_of_a_split(store: Store) -> None:
    folder = "text"
    size = written(store, folder, "rdf_patch", 10_000)
    requests, digest = reading(store, "rdf_patch", folder, -(-size // SPLITS))
    assert digest == store.run(jobs.expected, "rdf_patch", 10_000)
    # The splits are read as four parts, each from the start of the file.
    assert requests.kinds == {"GET": 4}
    assert requests.bytes_asked <= 3.3 * size + 4 * (1 << 17)


@pytest.mark.parametrize("format", JELLY)
def test_ranges_that_a_filter_rules_out_are_not_requested(store: Store, format: str) -> None:
    folder = f"indexed-{format}"
    size = written(store, folder, format, ROWS, restartInterval="100000", indexColumns="object")
    conditions = ("seq BETWEEN 500 AND 510", f"object = '{LAST}'")
    for condition, most in zip(conditions, (0.1, 0.25), strict=True):
        with store.watched() as requests:
            found = store.run(jobs.select, format, url(folder), -(-size // SPLITS), condition)
        assert found == (11 if "seq" in condition else 1)
        assert requests.at(store.files(folder)).bytes_asked <= most * size


def test_an_options_row_that_is_longer_than_expected(store: Store) -> None:
    folder = "long-options"
    size = written(
        store, folder, "jelly_rdf", 10_000, restartInterval="50000", streamName="x" * 10_000
    )
    requests, digest = reading(store, "jelly_rdf", folder, -(-size // 4))
    assert digest == store.run(jobs.expected, "jelly_rdf", 10_000)
    # The end of each split but the last is read with a request of its own.
    assert requests.kinds == {"GET": 1 + 4 + 3}


def test_a_replaced_file_is_an_error_and_not_wrong_rows(store: Store) -> None:
    folder, size = big(store, "jelly_patch")
    (old,) = store.files(folder)
    written(store, "other", "jelly_patch", ROWS + 1, restartInterval="90000")
    (new,) = store.files("other")
    store.replace("replaced/part-0", by=old)
    assert store.run(jobs.keep, "jelly_patch", url("replaced"), -(-size // SPLITS)) == ROWS
    store.replace("replaced/part-0", by=new)
    # The plan knows the old length, and its tasks the old index.
    assert "replaced/part-0: frame at byte" in str(store.run(jobs.repeat))


@pytest.mark.parametrize("committer", ["magic", "file"])
@pytest.mark.parametrize("format", FORMATS)
def test_writing_takes_the_requests_of_sparks_own_formats(
    store: Store, format: str, committer: str
) -> None:
    folder = url(f"{committer}-{format}")
    with store.watched() as requests:
        store.run(jobs.write, format, folder, 1000, committer=committer)
    with store.watched() as text:
        store.run(jobs.write, "text", f"{folder}-as-text", 1000, committer=committer)
    assert requests.kinds == text.kinds
    # The magic committer uploads a file to where it will be. The other one renames it.
    assert bool(requests.of("COPY")) == (committer == "file")


def test_a_long_file_is_one_upload(store: Store) -> None:
    with store.watched() as requests:
        size = written(store, "long", "rdf_patch", ROWS)
    assert len(requests.of("START UPLOAD")) == 1
    assert len(requests.of("PUT PART")) == -(-size // PART) > 1
