"""The folders of managed logs, into which only a log writes.

On the JVM, `ManagedFolders` and `RefuseWrites` have the same rules.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from jelly_spark.core.files.local import LocalStorage
from jelly_spark.core.files.storage import Storage, find_storage
from jelly_spark.errors import LogError

OWN = "_log"
"""The name of the folder, inside a log's folder, for all files that are not patches."""

MARKS = (f"{OWN}/format/0000000000.json", f"{OWN}/tail.jsonl.gz")
"""The files of which each makes a folder a managed log: its first settings, and the tail of its
index."""


def check_write(path: str, override: str, *, is_overwrite: bool = False) -> None:
    """Check that a write damages no managed log.

    It makes one request for each folder of the path. If the folder is overwritten, it also lists
    it, and makes one request for each folder in it, except for those of partitions, `NAME=VALUE`,
    because there can be many.

    Args:
        path: the path or URL of the file or folder to write.
        override: what to do to write there all the same, for the message.
        is_overwrite: whether the write removes what is in the folder.

    Raises:
        LogError: the path is in the folder of a log, or the folder to overwrite has one.
    """
    storage, name = find_storage(path)
    advice = (
        "append a patch with Log.append or Log.commit, or write to another folder "
        f"({override} writes there all the same, and can destroy the log)"
    )
    for folder in _folders(storage, name):
        if _is_log(storage, folder):
            raise LogError(
                f"{path} is in the folder of the log {storage.url(folder)}, where only the log "
                f"writes: {advice}"
            )
    if is_overwrite:
        for each in storage.names(name):
            if "=" not in each and _is_log(storage, f"{name}/{each}"):
                raise LogError(
                    f"overwriting {path} would remove the log {storage.url(f'{name}/{each}')}: "
                    f"{advice}"
                )


def _folders(storage: Storage, path: str) -> Iterator[str]:
    """Yield a path, and the folders that it is in; of a local one, also where links lead."""
    if isinstance(storage, LocalStorage):
        for each in dict.fromkeys((os.path.abspath(path), os.path.realpath(path))):
            yield each
            yield from map(str, Path(each).parents)
    else:
        path = path.rstrip("/")
        while path:
            yield path
            path = path.rpartition("/")[0]


def _is_log(storage: Storage, folder: str) -> bool:
    # The folders above one that may be written need not be readable.
    with suppress(PermissionError):
        return storage.exists(f"{folder}/{OWN}") and any(
            storage.has(f"{folder}/{mark}") for mark in MARKS
        )
    return False
