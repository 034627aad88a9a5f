"""Generates Protobuf classes from `../proto` in the build; all else is in `pyproject.toml`."""

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


setup(cmdclass={"build_py": BuildWithProtobuf})
