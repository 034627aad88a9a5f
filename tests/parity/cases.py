"""The cases of a folder, and how a codec passes each."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from jelly_spark.codec import JellyPatchOptions, PatchRow, StatementType, StreamType
from jelly_spark.errors import MalformedInputError, UnwritableRowError
from tests.case_runner import Case, Failed
from tests.codecs import Codec
from tests.parity.oplines import canonical_op, op_from_row, read_json_lines, rows_from_ops


class PatchCase(Case):
    """A case of Jelly-Patch."""

    format = "jelly_patch"


class Writes(PatchCase):
    """Rows to bytes: equal to the reference's."""

    def check(self, codec: Codec) -> None:
        rows, options = read_input(self.path)
        found = codec.encode(rows, options)
        expected = self.path.with_suffix(".jellyp").read_bytes()
        if found != expected:
            at = next(
                (i for i, (a, b) in enumerate(zip(found, expected, strict=False)) if a != b),
                min(len(found), len(expected)),
            )
            raise Failed(
                f"{len(found)} bytes, expected {len(expected)}; the first that differs is {at}"
            )


class Reads(PatchCase):
    """Bytes to rows: equal to what the reference reads."""

    def check(self, codec: Codec) -> None:
        found = [op_from_row(row) for row in codec.decode(self.path.with_suffix(".jellyp"))]
        expected = [*map(canonical_op, read_json_lines(self.path.with_suffix(".jsonl")))]
        for i, (a, b) in enumerate(zip(found, expected, strict=False)):
            if a != b:
                raise Failed(f"row {i}: {a}, expected {b}")
        if len(found) != len(expected):
            raise Failed(f"{len(found)} rows, expected {len(expected)}")


class Refuses(PatchCase):
    """Rows that cannot be written: an error, and no file."""

    def check(self, codec: Codec) -> None:
        rows, options = read_input(self.path)
        with TemporaryDirectory() as folder:
            try:
                codec.write(rows, options, Path(folder, "patch"))
            except UnwritableRowError:
                left = os.listdir(folder)
                if left:
                    raise Failed(f"refused, but it left {left}") from None
                return
        raise Failed("written without an error")


class Rejects(PatchCase):
    """Malformed bytes: an error, always or where strict reading is asked for, or none."""

    def check(self, codec: Codec) -> None:
        verdict = self.path.read_text(encoding="utf-8").split("\n", 1)[0].strip()
        if verdict not in ("reject", "strict", "accept"):
            raise Failed(f"unknown verdict {verdict!r}")
        for strict in (False, True):
            try:
                codec.decode(self.path.with_suffix(".jellyp"), strict=strict)
                rejected = False
            except MalformedInputError:
                rejected = True
            if rejected != (verdict == "reject" or (verdict == "strict" and strict)):
                mode = "strict" if strict else "lenient"
                raise Failed(f"{mode} reading {'rejected' if rejected else 'accepted'} it")


class Misplaced(PatchCase):
    """A file that belongs to no case: something that its case needs is missing."""

    def check(self, codec: Codec) -> None:
        raise Failed("a file without the others of its case")


def find_cases(folder: Path) -> Iterator[Case]:
    """Yield the cases of a folder, by name."""
    for path in sorted(folder.glob("*.json")):
        yield Writes(path, "write")
        yield Reads(path, "read")
    for path in sorted(folder.glob("read/*.jellyp")):
        yield Reads(path, "read")
    for path in sorted(folder.glob("refused/*.json")):
        yield Refuses(path, "refuse")
    for path in sorted(folder.glob("bad/*.txt")):
        yield Rejects(path, "reject")
    for pattern, needed in (("*.jellyp", ".json"), ("bad/*.jellyp", ".txt")):
        for path in sorted(folder.glob(pattern)):
            if not path.with_suffix(needed).is_file():
                yield Misplaced(path, "find")


def read_input(path: Path) -> tuple[list[PatchRow], JellyPatchOptions]:
    """Return the rows and the options of a case's `.json`; options left out are the defaults."""
    case = json.loads(path.read_text(encoding="utf-8"))
    given: dict[str, Any] = {
        **case["options"],
        **{name: case[name] for name in ("frame_size", "delimited") if name in case},
    }
    # UNSPECIFIED is the default, too.
    for name, types in (("stream_type", StreamType), ("statement_type", StatementType)):
        value = types.__members__.get(given.pop(name, ""))
        if value is not None:
            given[name] = value
    return list(rows_from_ops(case["ops"])), JellyPatchOptions(**given)
