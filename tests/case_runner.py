"""Runs cases with all codecs, for the tools `tests.parity` and `tests.conformance`."""

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

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


Exceptions: TypeAlias = Mapping[tuple[str, str], Mapping[str, str]]
"""By codec and what is checked: why a codec fails cases, by the ends of their paths."""


@dataclass(frozen=True)
class Suite:
    """A folder of cases.

    Attributes:
        title: what the cases are about.
        folder: the folder, which need not exist.
        exceptions: the cases that a codec fails, each with the reason.
    """

    title: str
    folder: Path
    exceptions: Exceptions


def main(
    tool: str, find_cases: Callable[[Path], Iterable[Case]], suites: Sequence[Suite] = ()
) -> int:
    """Run the cases of the folder that the command line names; without one, those of the suites.

    The exceptions of the suites hold for any folder, because it may have the same cases.

    Returns:
        The exit status: 0 if all cases passed, 1 if one failed, 2 if there are no cases.
    """
    if len(sys.argv) > 2 or (len(sys.argv) == 1 and not suites):
        print(f"usage: python -m {tool} {'[DIR]' if suites else 'DIR'}", file=sys.stderr)
        return 2
    if len(sys.argv) == 2:
        folder = Path(sys.argv[1])
        suites = [Suite("", folder, _all_exceptions(suites))]
    runs = []
    for suite in suites:
        cases = list(find_cases(suite.folder))
        if cases:
            runs.append((suite, cases))
        elif suite.title and not suite.folder.is_dir():
            print(f"{suite.title}: skipped, no folder {suite.folder}; set JELLY_SPARK_SHARED")
        else:
            print(f"no cases in {suite.folder}", file=sys.stderr)
            return 2
    # Imported here because tests of this module run without PySpark.
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.jars", str(JENA_JAR))
    spark = jelly_spark.configure(builder).getOrCreate()
    codecs = [PythonCodec(), JvmCodec(spark), JellyJvmCodec(spark)]
    status = 0
    for suite, cases in runs:
        if suite.title:
            print(f"{suite.title}:")
        status = max(status, run(suite.folder, cases, codecs, suite.exceptions))
    spark.stop()
    return status


def _all_exceptions(suites: Iterable[Suite]) -> Exceptions:
    every: dict[tuple[str, str], dict[str, str]] = {}
    for suite in suites:
        for place, reasons in suite.exceptions.items():
            every.setdefault(place, {}).update(reasons)
    return every


def run(
    folder: Path,
    cases: Iterable[Case],
    codecs: Sequence[Codec],
    exceptions: Exceptions | None = None,
) -> int:
    """Run each case with each codec that has its format, and print what fails and the counts.

    A failure that is an exception is printed as such; a case that passes although it is one has
    failed. Returns 1 if a case has failed, else 0.
    """
    passed = failed = 0
    other = dict.fromkeys((codec.name for codec in codecs), 0)
    expected = dict(other)
    for case in cases:
        for codec in codecs:
            if not codec.has(case.format):
                other[codec.name] += 1
                continue
            reason = _reason(exceptions or {}, codec, case)
            message = _failure(case, codec)
            if message is None and reason is not None:
                reason, message = None, f"passed, but is an exception: {reason}"
            name = f"{case.path.relative_to(folder)} ({case.what}, {codec.name})"
            if message is None:
                passed += 1
            elif reason is None:
                failed += 1
                print(f"FAILED {name}: {message}")
            else:
                expected[codec.name] += 1
                print(f"EXCEPTION {name}: {reason}: {message}")
    for codec in codecs:
        if other[codec.name]:
            print(f"{codec.name}: {other[codec.name]} cases are of a format that it does not have")
        if expected[codec.name]:
            print(f"{codec.name}: {expected[codec.name]} exceptions")
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


def _failure(case: Case, codec: Codec) -> str | None:
    """Return why a codec fails a case, in one line; None if it passes."""
    try:
        case.check(codec)
    # A case that fails in any way does not keep the others from running.
    except Exception as error:
        kind = "" if isinstance(error, Failed) else f"{type(error).__name__}: "
        return " ".join(f"{kind}{error}".split())
    return None


def _reason(exceptions: Exceptions, codec: Codec, case: Case) -> str | None:
    """Return why a codec may fail a case; None if it must pass."""
    reasons = exceptions.get((codec.name, case.what), {})
    path = case.path.as_posix()
    return next((reason for end, reason in reasons.items() if path.endswith(end)), None)
