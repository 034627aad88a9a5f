"""The bills of materials: what the wheel and the jars hold, and whose licences that brings."""

import hashlib
import json
from typing import Any
from zipfile import ZipFile

import pytest
from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

from jelly_spark._version import __version__
from tests.packaging.dist import JARS, NAME, WHEEL, built, published

pytestmark = pytest.mark.long

WHEELS_BOM = f"{NAME}.dist-info/sboms/jelly-spark.cdx.json"


@pytest.fixture(scope="module")
def boms() -> dict[str, dict[str, Any]]:
    """Each bill of materials, by what it describes."""
    texts = {jar: published(jar, "-cyclonedx.json").read_bytes() for jar in JARS}
    texts["wheel"] = ZipFile(built(WHEEL)).read(WHEELS_BOM)
    return {whole: json.loads(text) for whole, text in texts.items()}


def purls(bom: dict[str, Any]) -> set[str]:
    return {component["purl"] for component in bom.get("components", [])}


@pytest.mark.parametrize("whole", ["wheel", *JARS])
def test_they_are_valid(boms: dict[str, dict[str, Any]], whole: str) -> None:
    text = json.dumps(boms[whole])
    assert JsonStrictValidator(SchemaVersion.V1_6).validate_str(text) is None
    assert boms[whole]["metadata"]["component"]["version"] == __version__


def test_the_wheel_holds_the_jar(boms: dict[str, dict[str, Any]]) -> None:
    (jar,) = boms["wheel"]["components"]
    assert jar["purl"] == f"pkg:maven/org.jellyspark/{JARS[0]}@{__version__}"
    packed = ZipFile(built(WHEEL)).read("jelly_spark/jars/jelly-spark.jar")
    assert jar["hashes"] == [{"alg": "SHA-256", "content": hashlib.sha256(packed).hexdigest()}]


def test_the_jar_holds_no_library(boms: dict[str, dict[str, Any]]) -> None:
    assert purls(boms[JARS[0]]) == set()


def test_the_second_jar_holds_jelly_jvm_and_protobuf(boms: dict[str, dict[str, Any]]) -> None:
    names = {purl.partition("@")[0] for purl in purls(boms[JARS[1]])}
    assert {
        "pkg:maven/com.google.protobuf/protobuf-java",
        "pkg:maven/eu.neverblink.jelly/jelly-core",
        "pkg:maven/eu.neverblink.jelly/jelly-jena",
    } <= names


def test_every_library_has_a_licence_and_a_notice(boms: dict[str, dict[str, Any]]) -> None:
    """A library that an update brings must be named in the jar's NOTICE, with its licence."""
    notice = ZipFile(published(JARS[1], ".jar")).read("META-INF/NOTICE").decode()
    for library in boms[JARS[1]]["components"]:
        assert library["licenses"], library["name"]
        assert library["name"] in notice
        (license,) = library["licenses"]
        if license.get("license", {}).get("id") != "Apache-2.0":
            assert f"{library['name']}, which is licensed under the BSD 3-Clause" in notice
