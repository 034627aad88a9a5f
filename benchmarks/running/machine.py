"""The description of the machine, and the versions of the software."""

from __future__ import annotations

import os
import platform
import re
import subprocess
from importlib.metadata import version
from pathlib import Path

import jelly_spark
from benchmarks.running.participants import java, peers_classpath

_PYTHON_PACKAGES = ("pyjelly", "rdflib", "protobuf")
_JVM_PACKAGES = ("jelly-core", "jelly-jena", "jena-arq", "jena-rdfpatch")


def machine() -> dict[str, str]:
    """Return the properties of the machine that matter for the results, by name."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "cores": str(os.cpu_count()),
        "processor": _processor(),
        "memory": f"{memory / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
    }


def versions() -> dict[str, str]:
    """Return the versions of the software that is measured or used, by name."""
    jars = peers_classpath()
    return {
        **versions_without_peers(),
        **{name: version(name) for name in _PYTHON_PACKAGES},
        **{name: _jar_version(name, jars) for name in _JVM_PACKAGES},
    }


def versions_without_peers() -> dict[str, str]:
    """Return the versions of this project and of what it runs on, by name."""
    return {
        "jelly-spark": jelly_spark.__version__,
        "java": _java(),
        "python": platform.python_version(),
        "pyspark": version("pyspark"),
    }


def _processor() -> str:
    path = Path("/proc/cpuinfo")
    names = path.read_text(encoding="utf-8") if path.is_file() else ""
    found = re.search(r"^model name\s*:\s*(.+)$", names, re.MULTILINE)
    return found[1] if found else platform.processor()


def _java() -> str:
    shown = subprocess.run([java(), "-version"], capture_output=True, text=True, check=True)
    return shown.stderr.splitlines()[0]


def _jar_version(name: str, jars: str) -> str:
    found = re.search(rf"{re.escape(name)}-([0-9][^/\\]*)\.jar", jars)
    return found[1] if found else "unknown"
