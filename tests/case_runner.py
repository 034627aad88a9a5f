"""Runs cases with both codecs, for the tools `tests.parity` and `tests.conformance`."""

import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Protocol

import jelly_spark
from tests.codecs import Codec, JvmCodec, PythonCodec


class Failed(Exception):
    """What a codec made of a case is not what it must make of it."""


class Case(Protocol):
    """One check of something in a file or a folder, to be run with each codec."""

    @property
    def path(self) -> Path:
        """The file or folder."""

    @property
    def what(self) -> str:
        """What is checked, in a word."""

    def check(self, codec: Codec) -> None:
        """Raise `Failed` if the codec fails the case."""


def main(tool: str, find_cases: Callable[[Path], Iterable[Case]]) -> int:
    """Run the cases of the folder that the command line names, and return the exit status.

    That is 1 where a case failed, 2 where there is none.
    """
    if len(sys.argv) != 2:
        print(f"usage: python -m {tool} DIR", file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    cases = list(find_cases(folder))
    if not cases:
        print(f"no cases in {folder}", file=sys.stderr)
        return 2
    # The tests of cases with the Python codec run where PySpark is not installed.
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = jelly_spark.configure(builder).getOrCreate()
    status = run(folder, cases, [PythonCodec(), JvmCodec(spark)])
    spark.stop()
    return status


def run(folder: Path, cases: Iterable[Case], codecs: Sequence[Codec]) -> int:
    """Run each case with each codec, print what fails and how many, and return the exit status."""
    passed = failed = 0
    for case in cases:
        for codec in codecs:
            try:
                case.check(codec)
                passed += 1
            # Whatever one case makes fail, the others are run.
            except Exception as error:
                failed += 1
                name = case.path.relative_to(folder)
                kind = "" if isinstance(error, Failed) else f"{type(error).__name__}: "
                # A line a failure, whatever the error's text.
                message = " ".join(f"{kind}{error}".split())
                print(f"FAILED {name} ({case.what}, {codec.name}): {message}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
