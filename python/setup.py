"""What setuptools has no setting for: Protobuf classes from ../proto, and the README's links."""

import re
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).resolve().parent
SCHEMAS = HERE.parent / "proto"
PACKAGE = "jelly_spark/_proto"


class BuildWithProtobuf(build_py):
    """Generates the modules of `jelly_spark._proto` beside the sources, then builds as usual."""

    def run(self) -> None:
        """Run protoc, then the usual build; a failure of protoc also ends an editable build."""
        self._generate()
        super().run()

    def _generate(self) -> None:
        # Imported here, since only the build's own environment has it.
        from grpc_tools import protoc

        schemas = sorted(SCHEMAS.glob("*.proto"))
        # SystemExit, because an editable build of setuptools turns an Exception into a warning.
        if not schemas:
            raise SystemExit(f"no schemas in {SCHEMAS}: build jelly-spark from a full checkout")
        for stale in (HERE / PACKAGE).glob("*_pb2.py*"):
            stale.unlink()
        # The virtual path makes the generated modules import each other by the package's name.
        status = protoc.main(
            ["protoc", f"-I{PACKAGE}={SCHEMAS}", f"--python_out={HERE}", f"--pyi_out={HERE}"]
            + [f"{PACKAGE}/{schema.name}" for schema in schemas]
        )
        if status != 0:
            raise SystemExit(f"protoc failed with status {status}")


def describe_package() -> str:
    """Return the README as a package index can show it, without relative links.

    They become absolute where pyproject.toml names the repository: `Source` in `[project.urls]`,
    the one place for it. Otherwise links become their texts, and images are left out.
    """
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    settings = (HERE / "pyproject.toml").read_text(encoding="utf-8")
    source = re.search(r'^Source = "([^"]+)"$', settings, re.MULTILINE)

    def replace(link: re.Match[str]) -> str:
        image, text, target = link.groups()
        if source is None:
            return "" if image else text
        kind = "raw" if image else "blob"
        return f"{image}[{text}]({source[1]}/{kind}/main/{target})"

    return re.sub(r"(!?)\[([^\]]+)\]\((?!https?://|#)([^)]+)\)", replace, readme)


setup(
    cmdclass={"build_py": BuildWithProtobuf},
    long_description=describe_package(),
    long_description_content_type="text/markdown",
)
