"""What hatchling has no setting for: Protobuf classes, the README's links, the bill of materials.

The build of a checkout and that of the source distribution are the same: both have the schemas in
`proto`, a link in a checkout, and what `make` put into `jelly_spark/jars` and `sboms`.
"""

import re
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PACKAGE = "jelly_spark/_proto"


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Generates the modules of `jelly_spark._proto` beside the sources, before each build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run protoc for wheels and editable installs, and name the bill of materials."""
        if self.target_name == "wheel":
            root = Path(self.root)
            generate_protobuf_classes(root)
            boms = sorted((root / "sboms").glob("*.json")) if version != "editable" else []
            build_data["sbom_files"] = [str(bom.relative_to(root)) for bom in boms]


class MetadataHook(MetadataHookInterface):
    """Sets the description that a package index shows."""

    def update(self, metadata: dict[str, Any]) -> None:
        """Set `readme`, which pyproject.toml declares as dynamic."""
        readme = (Path(self.root) / "README.md").read_text(encoding="utf-8")
        source = metadata.get("urls", {}).get("Source")
        text = make_links_absolute(readme, source)
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


def generate_protobuf_classes(root: Path) -> None:
    """Generate the classes of `root/proto` in `root/jelly_spark/_proto`, and remove older ones.

    Raises:
        SystemExit: there are no schemas, or protoc failed.
    """
    # Imported here, since only a build's own environment has it.
    from grpc_tools import protoc

    proto = root / "proto"
    schemas = sorted(proto.glob("*.proto"))
    if not schemas:
        raise SystemExit(f"no schemas in {proto}: build jelly-spark from a full checkout")
    for stale in (root / PACKAGE).glob("*_pb2.py*"):
        stale.unlink()
    # The virtual path makes the generated modules import each other by the package's name.
    status = protoc.main(
        ["protoc", f"-I{PACKAGE}={proto}", f"--python_out={root}", f"--pyi_out={root}"]
        + [f"{PACKAGE}/{schema.name}" for schema in schemas]
    )
    if status != 0:
        raise SystemExit(f"protoc failed with status {status}")


def make_links_absolute(readme: str, source: str | None) -> str:
    """Return the README as a package index can show it, without relative links.

    They become absolute where pyproject.toml names the repository: `Source` in `[project.urls]`,
    the one place for it. Otherwise links become their texts, and images are left out.
    """

    def replace(link: re.Match[str]) -> str:
        image, text, target = link.groups()
        if source is None:
            return "" if image else text
        kind = "raw" if image else "blob"
        return f"{image}[{text}]({source}/{kind}/main/{target})"

    return re.sub(r"(!?)\[([^\]]+)\]\((?!https?://|#)([^)]+)\)", replace, readme)
