"""What is in the source distribution. `make wheel` builds the wheel from it."""

import tarfile
from zipfile import ZipFile

import pytest

from tests.packaging.dist import NAME, SDIST, WHEEL, built
from tests.shared import ROOT

pytestmark = pytest.mark.long

JAR = "jelly_spark/jars/jelly-spark.jar"

MODULES = ("jelly_spark/", "pyspark_")
"""How the paths of what is imported begin: `pyspark_*` is what Spark finds the data sources by."""


@pytest.fixture(scope="module")
def contents() -> dict[str, bytes]:
    """The files of the archive, by their paths in it."""
    with tarfile.open(built(SDIST)) as archive:
        assert all(member.isfile() for member in archive), "links and folders are not portable"
        return {
            member.name.removeprefix(f"{NAME}/"): archive.extractfile(member).read()  # type: ignore[union-attr]
            for member in archive
        }


def test_it_has_the_schemas_in_place_of_the_generated_classes(contents: dict[str, bytes]) -> None:
    for schema in (ROOT / "proto").glob("*.proto"):
        assert contents[f"proto/{schema.name}"] == schema.read_bytes()
    assert not [name for name in contents if "_pb2" in name]


def test_it_has_what_its_wheel_has(contents: dict[str, bytes]) -> None:
    wheel = ZipFile(built(WHEEL))
    generated = {name for name in wheel.namelist() if "_pb2." in name}
    packed = {name for name in wheel.namelist() if name.startswith(MODULES)}
    assert packed - generated == {name for name in contents if name.startswith(MODULES)}
    assert contents[JAR] == wheel.read(JAR)


def test_nothing_else_is_in_it(contents: dict[str, bytes]) -> None:
    rest = {name for name in contents if not name.startswith((*MODULES, "proto/"))}
    assert rest == {
        *("pyproject.toml", "hatch_build.py", "PKG-INFO", "LICENSE"),
        *(".gitignore", "sboms/jelly-spark.cdx.json"),
    }
