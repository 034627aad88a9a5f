"""The index of a log: what its files hold, so that a later look opens only files that are new.

It says nothing that the files do not, but for the digests and times of when it was written. So it
may be lost, or come from a writer that did not know of another one's file.
"""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from typing import Any, NamedTuple

from jelly_spark.log.chain import Headers, Summary
from jelly_spark.log.files import OWN, FileInfo

NAME = f"{OWN}/index.json"
"""The index's file."""

_VERSION = 2


class Entry(NamedTuple):
    """What the index says of a file.

    Attributes:
        info: the file as it was listed when it was opened, but with the time of the first look.
        sha256: the digest of its bytes.
        patches: what its patches hold, in their order.
    """

    info: FileInfo
    sha256: str
    patches: tuple[Summary, ...]


def dump(entries: dict[str, Entry]) -> bytes:
    """Return the index's file, for entries by the names of their files."""
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
    """Return the entries of an index's file; none where it is damaged, or of another version."""
    try:
        content = json.loads(data)
        files = content["files"]
        if content["version"] != _VERSION or content["sha256"] != _digest(files):
            return {}
        return {name: _entry(**values) for name, values in files.items()}
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError):
        return {}


def _entry(
    size: int,
    tag: str,
    time: str,
    sha256: str,
    patches: list[tuple[str | None, str | None, bool, bool, bool]],
) -> Entry:
    info = FileInfo(size, tag, datetime.fromisoformat(time))
    found = (Summary(Headers(id, prev), *flags) for id, prev, *flags in patches)
    return Entry(info, sha256, tuple(found))


def _digest(files: dict[str, Any]) -> str:
    return hashlib.sha256(_json(files)).hexdigest()


def _json(value: Any) -> bytes:
    # Escapes, as a header may hold a lone surrogate.
    return json.dumps(value, separators=(",", ":")).encode("ascii")
