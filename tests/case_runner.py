"""Runs cases with all codecs, for the tools `tests.parity` and `tests.conformance`."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import jelly_spark
from tests.codecs import Codec, JellyJvmCodec, JvmCodec, PythonCodec
from tests.shared import JENA_JAR


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

    format = "jelly_rdf"
    """The format that a codec must have for the case."""

    def check(self, codec: Codec) -> None:
        """Raise `Failed`, or another exception, if the codec fails the case."""
        raise NotImplementedError


Known = Mapping[tuple[str, str], Mapping[str, str]]
"""By codec and what is checked: why a codec fails cases, by the ends of their paths."""


def main(
    tool: str, find_cases: Callable[[Path], Iterable[Case]], known: Known | None = None
) -> int:
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
    builder = builder.config("spark.jars", str(JENA_JAR))
    spark = jelly_spark.configure(builder).getOrCreate()
    status = run(folder, cases, [PythonCodec(), JvmCodec(spark), JellyJvmCodec(spark)], known)
    spark.stop()
    return status


def run(
    folder: Path, cases: Iterable[Case], codecs: Sequence[Codec], known: Known | None = None
) -> int:
    """Run each case with each codec that has its format, and print what fails and the counts.

    A failure that is known is printed as such. Returns 1 if there is another one, else 0.
    """
    passed = failed = 0
    other = dict.fromkeys((codec.name for codec in codecs), 0)
    expected = dict(other)
    for case in cases:
        for codec in codecs:
            if not codec.has(case.format):
                other[codec.name] += 1
                continue
            reason = _known(known or {}, codec, case)
            try:
                case.check(codec)
                passed += 1
            # A case that fails in any way does not keep the others from running.
            except Exception as error:
                name = case.path.relative_to(folder)
                kind = "" if isinstance(error, Failed) else f"{type(error).__name__}: "
                # One line for each failure, even if its text has several.
                message = " ".join(f"{kind}{error}".split())
                if reason is None:
                    failed += 1
                    print(f"FAILED {name} ({case.what}, {codec.name}): {message}")
                else:
                    expected[codec.name] += 1
                    print(f"KNOWN {name} ({case.what}, {codec.name}): {reason}: {message}")
    for codec in codecs:
        if other[codec.name]:
            print(f"{codec.name}: {other[codec.name]} cases are of a format that it does not have")
        if expected[codec.name]:
            print(f"{codec.name}: {expected[codec.name]} known differences")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def _known(known: Known, codec: Codec, case: Case) -> str | None:
    """Return why a codec is known to fail a case, if it is."""
    reasons = known.get((codec.name, case.what), {})
    path = case.path.as_posix()
    return next((reason for end, reason in reasons.items() if path.endswith(end)), None)
