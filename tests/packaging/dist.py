"""Where the tests find the packages that `make wheel maven` or `make release` built."""

import os
from pathlib import Path

import pytest

from jelly_spark._version import __version__
from tests.shared import ROOT

DIST = Path(os.environ.get("JELLY_SPARK_DIST", ROOT / "dist"))
NAME = f"jelly_spark-{__version__}"
WHEEL = DIST / f"{NAME}-py3-none-any.whl"
SDIST = DIST / f"{NAME}.tar.gz"
MAVEN = DIST / "maven"
# The names of the two jars, without the version.
JARS = ["jelly-spark_2.13", "jelly-spark-jena_2.13"]


def built(path: Path) -> Path:
    """Returns `path`, or skips the test."""
    if not path.exists():
        pytest.skip(f"no {path.name}: run `make wheel maven`")
    return path


def published(jar: str, ending: str) -> Path:
    """Returns a file of a jar in the Maven repository: `published(JARS[0], ".pom")`."""
    return built(MAVEN / "org/jellyspark" / jar / __version__ / f"{jar}-{__version__}{ending}")
