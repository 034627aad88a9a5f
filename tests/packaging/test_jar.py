"""What is in the jar, and what must not be."""

from zipfile import ZipFile

import pytest

from jelly_spark._version import __version__
from tests.shared import ROOT

JAR = ROOT / "python/jelly_spark/jars/jelly-spark.jar"


@pytest.fixture(scope="module")
def jar() -> ZipFile:
    if not JAR.is_file():
        pytest.skip("no jar: run `make jar`")
    return ZipFile(JAR)


def test_everything_is_in_our_own_packages(jar: ZipFile) -> None:
    outside = {
        name
        for name in jar.namelist()
        if not name.startswith(("org/jellyspark/", "META-INF/")) and name != "org/"
    }
    assert outside == set()


def test_it_needs_no_other_jar(jar: ZipFile) -> None:
    needs_another = [
        name
        for name in jar.namelist()
        if name.endswith(".class")
        and (b"com/google/protobuf" in jar.read(name) or b"eu/neverblink" in jar.read(name))
    ]
    assert needs_another == []


def test_the_version_is_pythons(jar: ZipFile) -> None:
    properties = jar.read("org/jellyspark/version.properties").decode()
    assert properties == f"version={__version__}\n"


def test_the_licence(jar: ZipFile) -> None:
    assert jar.read("META-INF/LICENSE") == (ROOT / "LICENSE").read_bytes()
