"""The class paths that `build.sbt` writes for these tests."""

from __future__ import annotations

import os

import pytest

from tests.shared import ROOT

FOLDER = ROOT / "tests/services/target"


def classpath(name: str) -> str:
    """The class path of a service or of `peer`; skip the test without it."""
    file = FOLDER / f"{name}.classpath"
    if not file.exists():
        pytest.skip("the services are not here: run `make test-services`, which fetches them")
    return file.read_text()


def jars(*names: str) -> str:
    """The jars of these class paths, as Spark's setting `spark.jars` has them."""
    return ",".join(classpath(name).replace(os.pathsep, ",") for name in names)
