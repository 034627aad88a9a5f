"""The files that are mutated: what our own writers make, and the cases of the other tests."""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from hypothesis import HealthCheck, given, settings

from jelly_spark.formats import FORMATS
from tests.codec.files.restart_files import all_options, rows_for
from tests.codecs import PythonCodec
from tests.differential.comparison import written
from tests.differential.test_formats import STRATEGIES
from tests.shared import ROOT, SHARED

Corpus = dict[str, list[bytes]]
"""The files of each format."""

LONGEST = 2000
"""Bytes of a file: longer ones find no more, and take longer to read."""

_CODEC = PythonCodec()
_FOLDERS = (ROOT / "tests", SHARED / "parity", SHARED / "conformance/w3c")


def make_corpus(examples: int = 80) -> Corpus:
    """Return the files of each format, none of them empty, each once, the same in every run.

    Args:
        examples: how many random files of each format to take.
    """
    return {
        format: list(
            dict.fromkeys(
                data
                for files in (
                    _of_other_tests(format),
                    _random(format, examples),
                    _with_restart_points(format),
                )
                for data in files
                if 0 < len(data) <= LONGEST
            )
        )
        for format in FORMATS
    }


def _of_other_tests(format: str) -> Iterator[bytes]:
    """Yield the cases in folders, good and bad, and those in lists of malformed files."""
    extension = FORMATS[format].extension
    for folder in _FOLDERS:
        for path in sorted(folder.rglob(f"*{extension}")):
            if path.is_file() and path.stat().st_size <= LONGEST:
                yield path.read_bytes()
    match format:
        case "rdf_patch":
            for line in (ROOT / "tests/cases_text/malformed.jsonl").open(encoding="utf-8"):
                case = json.loads(line)
                yield case["text"].encode() if "text" in case else bytes.fromhex(case["hex"])
        case "rdf_patch_thrift":
            for line in (ROOT / "tests/cases_thrift/malformed.jsonl").open(encoding="utf-8"):
                yield bytes.fromhex(json.loads(line)[1])


def _random(format: str, examples: int) -> list[bytes]:
    """Return files of the random rows and options of the differential tests."""
    files: list[bytes] = []

    @settings(
        max_examples=examples,
        derandomize=True,
        database=None,
        deadline=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(STRATEGIES[format])
    def collect(example: tuple[list[Any], Any]) -> None:
        data = written(_CODEC, *example)
        if data:
            files.append(data)

    collect()
    return files


def _with_restart_points(format: str) -> Iterator[bytes]:
    """Yield Jelly files of every kind of stream, also with filters, or without frames' lengths."""
    for interval in (0, 150):
        for options in all_options(interval):
            if options.format == format:
                rows = rows_for(options, size=40)
                yield _CODEC.encode(rows, options)
                # Refused where the rows are of several frames.
                bare = written(_CODEC, rows[:8], replace(options, delimited=False))
                yield bare or b""
                yield _CODEC.encode(rows[:25], replace(options, index_columns="subject,graph"))
