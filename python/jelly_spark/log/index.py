"""The index of a log: a cache of what its files hold, so that only new files need be read.

It can be rebuilt from the files, except for the digests and times recorded when files were first
seen. So it may be lost, or lack a file that another process added while it was written.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Any, NamedTuple

from jelly_spark.core.files.local import FileInfo
from jelly_spark.errors import LogError
from jelly_spark.log.chain import Summary
from jelly_spark.log.files import OWN
from jelly_spark.patches.log_rows import Headers

NAME = f"{OWN}/index.json"
"""The name of the index file."""

_VERSION = 2


class Entry(NamedTuple):
    """The entry of a file in the index.

    Attributes:
        info: the size and tag of the file when it was last read, and the time when it was first
            seen.
        sha256: the SHA-256 of the file, in hex.
        patches: the summaries of its patches, in file order.
    """

    info: FileInfo
    sha256: str
    patches: tuple[Summary, ...]


def dump(entries: dict[str, Entry]) -> bytes:
    """Return the content of the index file for entries by file name."""
    files = {
        name: {
            "size": info.size,
            "tag": info.tag,
            "time": info.time.isoformat(),
            "sha256": sha256,
            "patches": [[*headers, *flags] for headers, *flags in patches],
        }
        for name, (info, sha256, patches) in sorted(entries.items())
    }
    return _json({"version": _VERSION, "sha256": _digest(files), "files": files})


def load(data: bytes) -> dict[str, Entry]:
    """Return the entries of an index file; empty if it is damaged or of an older version.

    Raises:
        LogError: the index is of a newer version. It must not be replaced: what it knows about
            changed files would be lost.
    """
    try:
        content = json.loads(data)
        version = content["version"]
        if isinstance(version, (int, float)) and version > _VERSION:
            raise LogError(
                f"{NAME} has version {version}, and this release of jelly-spark reads version "
                f"{_VERSION}: use the release that wrote it, or a later one"
            )
        files = content["files"]
        if version != _VERSION or content["sha256"] != _digest(files):
            return {}
        return {
            name: Entry(
                FileInfo(entry["size"], entry["tag"], datetime.fromisoformat(entry["time"])),
                entry["sha256"],
                tuple(Summary(Headers(id, prev), *flags) for id, prev, *flags in entry["patches"]),
            )
            for name, entry in files.items()
        }
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return {}


def _digest(files: dict[str, Any]) -> str:
    return hashlib.sha256(_json(files)).hexdigest()


def _json(value: Any) -> bytes:
    # `json.dumps` escapes all but ASCII: a header may hold a lone surrogate, which UTF-8 cannot.
    return json.dumps(value, separators=(",", ":")).encode("ascii")
