"""`python -m tests.conformance DIR`."""

import sys
from collections.abc import Iterable
from pathlib import Path

from pyspark.sql import SparkSession

import jelly_spark
from tests.conformance.cases import Case, Failed, find_cases
from tests.conformance.codecs import Codec, JvmCodec, PythonCodec


def main(folder: Path) -> int:
    cases = list(find_cases(folder))
    if not cases:
        print(f"no cases in {folder}", file=sys.stderr)
        return 2
    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    spark = jelly_spark.configure(builder).getOrCreate()
    status = run(folder, cases, [PythonCodec(), JvmCodec(spark)])
    spark.stop()
    return status


def run(folder: Path, cases: Iterable[Case], codecs: Iterable[Codec]) -> int:
    """Run each case with each codec, print what fails, and return the tool's exit status."""
    codecs = list(codecs)
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
                message = f"{kind}{error}".replace("\n", " ")
                print(f"FAILED {name} ({case.what}, {codec.name}): {message}")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tests.conformance DIR")
    sys.exit(main(Path(sys.argv[1])))
