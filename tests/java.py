"""Where a newer Java is than that of Spark.

`python -m tests.java 25` prints the folder of a JDK 25 or later, or nothing if there is none.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

_FOR_JENA_6 = 21
"""The version of Java that Jena 6 needs."""

_SETTING = re.compile(r"JAVA_HOME(_.*)?")
"""The environment variables that name a JDK's folder, such as `JAVA_HOME_21_X64` in GitHub's CI."""

_FOLDERS = (
    "/usr/lib/jvm/*",
    "/usr/java/*",
    "/opt/java/*",
    "/Library/Java/JavaVirtualMachines/*/Contents/Home",
    "~/.sdkman/candidates/java/*",
)
"""Where packages and installers put JDKs."""

_VERSION = re.compile(r'^JAVA_VERSION="(\d+)', re.MULTILINE)


def find_java(least: int) -> Path | None:
    """Return the command `java` of the oldest JDK on this machine that has at least this version.

    It looks in the environment variables `JAVA_HOME` and `JAVA_HOME_…`, on the path, and in the
    folders where JDKs usually are. Returns None if there is none.
    """
    found = [
        (version, home / "bin/java")
        for home in _homes()
        if (version := _version_of(home)) is not None and version >= least
    ]
    return min(found)[1] if found else None


def java_for_jena_6() -> Path:
    """Return the command of a Java that can run Jena 6; skip the test without one."""
    found = find_java(_FOR_JENA_6)
    if found is None:
        setting = f"JAVA_HOME_{_FOR_JENA_6}_X64"
        pytest.skip(f"Jena 6 needs Java {_FOR_JENA_6} or later: set {setting} to its folder")
    return found


def _homes() -> Iterator[Path]:
    yield from (Path(value) for name, value in os.environ.items() if _SETTING.fullmatch(name))
    on_path = shutil.which("java")
    if on_path is not None:
        yield Path(on_path).resolve().parent.parent
    for pattern in _FOLDERS:
        path = Path(pattern).expanduser()
        # The part with the pattern begins at the first `*`.
        at = path.parts.index("*")
        yield from Path(*path.parts[:at]).glob(str(Path(*path.parts[at:])))


def _version_of(home: Path) -> int | None:
    """Return the version of the JDK in a folder, by the file that every JDK has."""
    try:
        version = _VERSION.search((home / "release").read_text("utf-8"))
    except OSError:
        return None
    return int(version[1]) if version and (home / "bin/java").is_file() else None


if __name__ == "__main__":
    java = find_java(int(sys.argv[1]))
    print("" if java is None else java.parents[1])
