"""What hatchling has no setting for: generated code, the README, the bill of materials.

The build of a checkout and that of the source distribution are the same: both have the schemas in
`proto`, a link in a checkout, and what `make` put into `jelly_spark/jars` and `sboms`.
"""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PACKAGE = "jelly_spark/_proto"

COMPILE = "JELLY_SPARK_COMPILE"
"""The environment variable that, if it is `1`, makes the build of a wheel compile `COMPILED`."""

COMPILED = (
    "core/bounded_cache.py",
    "core/compiled.py",
    "core/malformed_input.py",
    "core/row_size.py",
    "core/terms/text.py",
    "core/transactions.py",
    "core/varint.py",
    "formats/jelly_patch/decoder.py",
    "formats/jelly_patch/encoder.py",
    "formats/jelly_rdf/decoder.py",
    "formats/jelly_rdf/encoder.py",
    "jelly/decoding/*.py",
    "jelly/encoding/*.py",
    "jelly/frames/frame_reader.py",
    "jelly/frames/frame_writer.py",
    "jelly/lookup_ids.py",
    "jelly/wire.py",
)
"""The modules that run for each row, below `jelly_spark`. Readers and writers are not among them:
users extend them, and they inherit from several classes. Nor is `core/rows`, which describes
columns of wrong types in errors."""

# Pinned like setuptools in pyproject.toml, as later versions can compile the same code to something
# else.
_COMPILERS = ["mypy==2.4.1", "types-protobuf==7.35.1.20260906"]

# Run in a process of its own, because setuptools changes the one that it runs in.
_EXTENSIONS = """
import sys
from mypyc.build import mypycify
from setuptools import setup

flags = ["--ignore-missing-imports", "--follow-imports=silent", "--no-error-summary"]
arguments = [*flags, *sys.argv[2:]]
modules = mypycify(arguments, opt_level="2", debug_level="0", group_name="jelly_spark")
setup(
    name="jelly-spark",
    packages=[],
    ext_modules=modules,
    script_args=["build_ext", "--build-lib", sys.argv[1]],
)
"""


class BuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Generates the modules of `jelly_spark._proto` beside the sources, before each build."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run protoc for wheels and editable installs, and name the bill of materials."""
        if self.target_name == "wheel":
            root = Path(self.root)
            generate_protobuf_classes(root)
            boms = sorted((root / "sboms").glob("*.json")) if version != "editable" else []
            build_data["sbom_files"] = [str(bom.relative_to(root)) for bom in boms]
            if _compiles() and version != "editable":
                self._libraries = tempfile.TemporaryDirectory()
                libraries = Path(self._libraries.name)
                compile_modules(root, libraries)
                for library in sorted(libraries.rglob("*.*")):
                    name = str(library.relative_to(libraries))
                    build_data["force_include"][str(library)] = name
                build_data["pure_python"] = False
                build_data["infer_tag"] = True

    def dependencies(self) -> list[str]:
        """Return what a build needs besides `requires` in pyproject.toml."""
        return _COMPILERS if self.target_name == "wheel" and _compiles() else []


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


def _compiles() -> bool:
    return os.environ.get(COMPILE) == "1"


def compile_modules(root: Path, to: Path) -> None:
    """Compile the modules `COMPILED` of `root/jelly_spark` with mypyc to libraries in a folder.

    Raises:
        SystemExit: there is no C compiler, or compiling failed.
    """
    compiler = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "").split()
    if compiler and shutil.which(compiler[0]) is None:
        raise SystemExit(
            f"{COMPILE}=1 needs a C compiler, and there is no {compiler[0]}: install one, or build "
            f"without {COMPILE}"
        )
    package = root / "jelly_spark"
    modules = sorted(path for name in COMPILED for path in package.glob(name))
    with tempfile.TemporaryDirectory() as folder:
        # mypyc writes its C files to the current folder. It names modules by their path below it.
        shutil.copytree(package, Path(folder, package.name), ignore=shutil.ignore_patterns("jars"))
        names = [str(path.relative_to(root)) for path in modules]
        done = subprocess.run(
            [sys.executable, "-c", _EXTENSIONS, str(to), *names],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
    if done.returncode != 0:
        raise SystemExit(f"compiling jelly-spark failed:\n{done.stdout}")


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
