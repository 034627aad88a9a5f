"""What a Maven repository gets of both jars."""

from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZipFile

import pytest

from jelly_spark._version import __version__
from tests.packaging.dist import JARS, WHEEL, built, published

pytestmark = pytest.mark.long

NAMESPACE = {"": "http://maven.apache.org/POM/4.0.0"}


def pom(jar: str) -> ElementTree.Element:
    return ElementTree.parse(published(jar, ".pom")).getroot()


def dependencies(jar: str) -> dict[str, str | None]:
    """The scope of each dependency in the POM, by its name."""
    scopes = {}
    for found in pom(jar).iterfind("dependencies/dependency", NAMESPACE):
        names = [found.findtext(part, "", NAMESPACE) for part in ("groupId", "artifactId")]
        scopes[":".join(names)] = found.findtext("scope", None, NAMESPACE)
    return scopes


@pytest.mark.parametrize("jar", JARS)
def test_coordinates_and_licence(jar: str) -> None:
    root = pom(jar)
    assert root.findtext("groupId", None, NAMESPACE) == "org.jellyspark"
    assert root.findtext("artifactId", None, NAMESPACE) == jar
    assert root.findtext("version", None, NAMESPACE) == __version__
    assert root.findtext("licenses/license/name", None, NAMESPACE) == "Apache-2.0"
    assert root.findtext("description", None, NAMESPACE)


def test_dependencies() -> None:
    """What is in a jar is not in its POM, and what Spark has is not fetched again."""
    spark = {"org.apache.spark:spark-sql_2.13": "provided"}
    assert dependencies(JARS[0]) == spark
    assert dependencies(JARS[1]) == {
        **spark,
        "org.jellyspark:jelly-spark_2.13": None,
        "org.apache.jena:jena-arq": "provided",
        "org.apache.jena:jena-rdfpatch": "provided",
    }


@pytest.mark.parametrize("jar", JARS)
def test_sources_and_documentation(jar: str) -> None:
    classes = set(ZipFile(published(jar, ".jar")).namelist())
    sources = [name for name in ZipFile(published(jar, "-sources.jar")).namelist()]
    scala = [name for name in sources if name.endswith(".scala")]
    assert len(scala) > 5
    assert all(name.startswith("org/jellyspark/") for name in scala)
    assert {name.rpartition("/")[0] for name in scala} <= {
        name.rpartition("/")[0] for name in classes
    }
    assert "index.html" in ZipFile(published(jar, "-javadoc.jar")).namelist()


def test_the_wheel_has_the_same_jar() -> None:
    packed = ZipFile(built(WHEEL)).read("jelly_spark/jars/jelly-spark.jar")
    assert published(JARS[0], ".jar").read_bytes() == packed


@pytest.mark.parametrize("jar", JARS)
@pytest.mark.parametrize("kind", [".jar", "-sources.jar", "-javadoc.jar"])
def test_no_path_of_the_machine_is_in_it(jar: str, kind: str) -> None:
    """Two builds in different folders would differ."""
    archive = ZipFile(published(jar, kind))
    home = str(Path.cwd()).encode()
    assert not [name for name in archive.namelist() if home in archive.read(name)]
