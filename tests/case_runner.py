"""Runs cases with both codecs, for the tools `tests.parity` and `tests.conformance`."""

import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import jelly_spark
from tests.codecs import Codec, JvmCodec, PythonCodec


class Failed(Exception):
    """A codec did not do what a case expects."""


@dataclass(frozen=True)
class Case:
    """One check, to be run with each codec.

    Attributes:
        path: the file or folder of the case.
        what: what is checked, in one word.
    """

    path: Path
    what: str

    def check(self, codec: Codec) -> None:
        """Raise `Failed`, or another exception, if the codec fails the case."""
        raise NotImplementedError


def main(tool: str, find_cases: Callable[[Path], Iterable[Case]]) -> int:
    """Run the cases of the folder that the command line names.

    Returns:
        The exit status: 0 if all cases passed, 1 if one failed, 2 if there are no cases.
    """
    if len(sys.argv) != 2:
        print(f"usage: python -m {tool} DIR", file=sys.stderr)
        return 2
    folder = Path(sys.argv[1])
    cases = list(find_cases(folder))
    if not cases:
        print(f"no cases in {folder}", file=sys.stderr)
        return 2
    # Imported here because tests of this module run without PySpark.
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = jelly_spark.configure(builder).getOrCreate()
    status = run(folder, cases, [PythonCodec(), JvmCodec(spark)])
    spark.stop()
    return status


def run(folder: Path, cases: Iterable[Case], codecs: Sequence[Codec]) -> int:
    """Run each case with each codec, print each failure and the counts, and return 1 or 0."""
    passed = failed = 0
    for case in cases:
        for codec in codecs:
            try:
                case.check(codec)
                passed += 1
            # A case that fails in any way does not keep the others from running.
            except Exception as error:
                failed += 1
                name = case.path.relative_to(folder)
                kind = "" if isinstance(error, Failed) else f"{type(error).__name__}: "
                # One line for each failure, even if its text has several.
                message = " ".join(f"{kind}{error}".split())
                print(f"FAILED {name} ({case.what}, {codec.name}): {message}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0
