"""What type checkers know about files: a user's program is checked, and has no `Any`."""

from pathlib import Path

from tests.type_checking import check

PROGRAM = """
from collections.abc import Iterator

from typing_extensions import assert_type

import jelly_spark
from jelly_spark import codec
from jelly_spark.codec import JellyPatchReader, PatchRow, RdfRow, RowReader, RowWriter


def any_format(path: str) -> None:
    assert_type(codec.read(path), Iterator[PatchRow | RdfRow])
    assert_type(codec.open_reader(path), RowReader[PatchRow | RdfRow])
    assert_type(codec.open_writer(path), RowWriter[PatchRow | RdfRow])
    for row in jelly_spark.codec.read(path):
        assert_type(row.subject, str | None)
        if isinstance(row, PatchRow):
            print(row.op, row.tx)
    assert_type(codec.write("copy.jellyp", codec.read(path)), int)


def patches(path: str) -> None:
    assert_type(codec.read(path, format="rdf_patch"), Iterator[PatchRow])
    assert_type(codec.open_reader(path, format="rdf_patch_thrift"), RowReader[PatchRow])
    assert_type(codec.open_writer(path, format="sparql_update"), RowWriter[PatchRow])
    assert_type(codec.read_jelly_patch(path, strict=True), Iterator[PatchRow])
    with JellyPatchReader(path) as reader:
        assert_type(next(reader), PatchRow)
    assert_type(codec.write_rdf_patch(path, codec.read_jelly_patch(path)), int)


def statements(path: str) -> None:
    assert_type(codec.read(path, format="rdf"), Iterator[RdfRow])
    assert_type(codec.open_reader(path, format="nquads"), RowReader[RdfRow])
    assert_type(codec.open_writer(path, format="jelly_rdf"), RowWriter[RdfRow])
    assert_type([row.graph for row in codec.read_ntriples(path)], list[str | None])
"""

WRONG = """
from jelly_spark import codec

for row in codec.read("changes.jellyp"):
    print(row.op)
for statement in codec.read("data", format="nquads"):
    print(statement.op)
"""


def test_a_user_program(tmp_path: Path) -> None:
    found = check(tmp_path, program=PROGRAM, wrong=WRONG)
    assert found["program"] == []
    first, second = (line for line in found["wrong"] if "has no attribute" in line)
    assert 'Item "RdfRow" of "PatchRow | RdfRow" has no attribute "op"' in first
    assert '"RdfRow" has no attribute "op"' in second
