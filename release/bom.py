"""Software bills of materials (CycloneDX 1.6, JSON): what the wheel and the jars hold.

    python -m release.bom wheel    # for the build of the wheel, which packs it (PEP 770)
    python -m release.bom maven    # beside each jar in dist/maven

The same files give the same bytes: the serial number is a hash, and the time that of
`SOURCE_DATE_EPOCH`.
"""

import hashlib
import os
import runpy
import sys
from collections.abc import Iterable
from datetime import datetime, timezone
from pathlib import Path
from typing import NamedTuple
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType
from cyclonedx.model.bom import Bom
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

ROOT = Path(__file__).resolve().parent.parent
# Read, because `import jelly_spark` needs the generated classes, which a fresh clone does not have.
VERSION: str = runpy.run_path(str(ROOT / "python/jelly_spark/_version.py"))["__version__"]
GROUP = "org.jellyspark"
# The folder of a module and the name of its jar in a Maven repository.
MODULES = {"jvm": "jelly-spark_2.13", "jena": "jelly-spark-jena_2.13"}
WHEEL_BOM = ROOT / "python/sboms/jelly-spark.cdx.json"
# What hatchling takes where the variable is not set: 2020-02-02.
DEFAULT_EPOCH = 1580601600


class Library(NamedTuple):
    """A line of the table that sbt's task `bundled` writes: a library that is in a jar."""

    group: str
    name: str
    version: str
    license: str
    jar: Path


def bundled(module: str) -> list[Library]:
    """Return the libraries in the jar of `module`, `jvm` or `jena`."""
    table = (ROOT / module / "target/bundled.tsv").read_text(encoding="utf-8")
    return [_library(*line.split("\t")) for line in table.splitlines()]


def _library(group: str, name: str, version: str, license: str, jar: str) -> Library:
    return Library(group, name, version, license, Path(jar))


def describe_library(library: Library) -> Component:
    """Return `library` as a component."""
    return _component(
        PackageURL("maven", library.group, library.name, library.version),
        library.license,
        library.jar,
    )


def describe_jar(module: str, jar: Path) -> Component:
    """Return the file `jar` of `module` as a component, without what is in it."""
    return _component(PackageURL("maven", GROUP, MODULES[module], VERSION), "Apache-2.0", jar)


def describe_wheel() -> Component:
    """Return the Python package as a component; its hash is unknown, as the wheel has the BOM."""
    return _component(PackageURL("pypi", None, "jelly-spark", VERSION), "Apache-2.0", None)


def write_bom(file: Path, whole: Component, parts: Iterable[Component]) -> None:
    """Write the bill of materials of `whole`, which holds `parts`, to `file`."""
    bom = Bom(components=parts)
    bom.metadata.component = whole
    bom.register_dependency(whole, bom.components)
    epoch = int(os.environ.get("SOURCE_DATE_EPOCH", DEFAULT_EPOCH))
    bom.metadata.timestamp = datetime.fromtimestamp(epoch, timezone.utc)
    contents = [f"{part.purl} {each.content}" for part in bom.components for each in part.hashes]
    bom.serial_number = uuid5(NAMESPACE_URL, "\n".join([str(whole.purl), *sorted(contents)]))
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(JsonV1Dot6(bom).output_as_string(indent=2) + "\n", encoding="utf-8")


def _component(purl: PackageURL, license: str, file: Path | None) -> Component:
    hashes = []
    if file is not None:
        digest = hashlib.sha256(file.read_bytes()).hexdigest()
        hashes = [HashType(alg=HashAlgorithm.SHA_256, content=digest)]
    return Component(
        type=ComponentType.LIBRARY,
        group=purl.namespace,
        name=purl.name,
        version=purl.version,
        purl=purl,
        bom_ref=purl.to_string(),
        hashes=hashes,
        licenses=[LicenseFactory().make_from_string(license)] if license else [],
    )


def main(what: str) -> None:
    """Write the bill of materials of the wheel, or those of the jars in dist/maven."""
    if what == "wheel":
        jar = describe_jar("jvm", ROOT / "python/jelly_spark/jars/jelly-spark.jar")
        write_bom(WHEEL_BOM, describe_wheel(), [jar, *map(describe_library, bundled("jvm"))])
    else:
        for module, name in MODULES.items():
            folder = ROOT / "dist/maven" / GROUP.replace(".", "/") / name / VERSION
            stem = f"{name}-{VERSION}"
            whole = describe_jar(module, folder / f"{stem}.jar")
            parts = map(describe_library, bundled(module))
            write_bom(folder / f"{stem}-cyclonedx.json", whole, parts)


if __name__ == "__main__":
    main(sys.argv[1])
