"""The log of a folder that a stream writes to, as Spark's own file sink has it.

Spark's file sink lists the files of each batch in `_spark_metadata`, and its readers read only
files that the log lists. The data sources here read and write the same log. So the files of a batch
appear at once, and a batch that is written again after a restart replaces nothing.

The log of batch 7 is the file `7`: a line with the version, then a line of JSON for each file. The
log of every tenth batch, `9.compact` the first, lists the files of all batches so far.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, unquote

from jelly_spark.core.files.paths import is_url
from jelly_spark.core.files.storage import Storage
from jelly_spark.datasource.paths import FoundFile, absolute
from jelly_spark.errors import OptionError

FOLDER = "_spark_metadata"
"""The name of the folder of the log."""

_VERSION = "v1"
_COMPACT = ".compact"
_INTERVAL = 10
_SAFE = "/:!$&'()*+,;=@~"


def logged_files(storage: Storage, root: str) -> list[FoundFile] | None:
    """Return the files that the log of a folder lists; None if the folder has no log.

    Raises:
        OptionError: the log cannot be read.
    """
    logs = _logs(storage, root)
    if not logs:
        return None
    entries = _entries(storage, logs, max(logs))
    return [
        FoundFile(_path(entry["path"]), entry["size"], entry["modificationTime"])
        for entry in entries
    ]


def last_batch(storage: Storage, root: str) -> int:
    """Return the number of the last batch in the log of a folder; -1 if it has none."""
    return max(_logs(storage, root), default=-1)


def log_batch(storage: Storage, root: str, batch: int, files: Iterable[FoundFile]) -> None:
    """Add a batch to the log of a folder, after which its files can be read."""
    entries = [
        {
            "path": _uri(file.path),
            "size": file.size,
            "isDir": False,
            "modificationTime": file.modified,
            "blockReplication": 1,
            "blockSize": 1 << 27,
            "action": "add",
        }
        for file in files
    ]
    is_compact = (batch + 1) % _INTERVAL == 0
    if is_compact:
        entries = [*_entries(storage, _logs(storage, root), batch - 1), *entries]
    text = "\n".join([_VERSION, *(json.dumps(entry) for entry in entries)])
    name = f"{root}/{FOLDER}/{batch}{_COMPACT if is_compact else ''}"
    storage.make_folder(f"{root}/{FOLDER}")
    storage.replace(name, text.encode())


def _logs(storage: Storage, root: str) -> dict[int, str]:
    """Return the paths of the logs of batches, by the numbers of the batches."""
    logs = {}
    for name in storage.files(f"{root}/{FOLDER}"):
        number = name.removesuffix(_COMPACT)
        if number.isdigit():
            logs[int(number)] = f"{root}/{FOLDER}/{name}"
    return logs


def _entries(storage: Storage, logs: dict[int, str], last: int) -> list[dict[str, Any]]:
    """Return the entries of all batches up to one, from the last compact log on."""
    compact = [number for number in logs if number <= last and logs[number].endswith(_COMPACT)]
    first = max(compact, default=0)
    entries: list[dict[str, Any]] = []
    for number in range(first, last + 1):
        if number not in logs:
            continue
        version, *lines = storage.read(logs[number]).decode().split("\n")
        if version != _VERSION:
            raise OptionError(f"{logs[number]}: expected the version {_VERSION}, found {version!r}")
        entries += [json.loads(line) for line in lines if line]
    return entries


def _uri(path: str) -> str:
    return path if is_url(path) else "file://" + quote(path, safe=_SAFE)


def _path(uri: str) -> str:
    return absolute(unquote(uri) if uri.startswith("file:") else uri)
