"""The plugins, as rdflib finds them."""

import io
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import rdflib
from hypothesis import given
from rdflib.parser import InputSource

from jelly_spark import codec, patches
from jelly_spark.codec import JellyPatchOptions, PatchRow, StatementType
from jelly_spark.errors import JellySparkError, MalformedInputError, OptionError, UnwritableRowError
from jelly_spark.integrations.rdflib import apply_patch, rows
from jelly_spark.integrations.rdflib.plugins import JellyPatchParser, JellyPatchSerializer
from jelly_spark.patches import Statement
from tests.integrations.strategies import patches as some_patches
from tests.shared import ROOT

S, P, OBJ = (rdflib.URIRef(f"urn:x:{name}") for name in "spo")


@pytest.fixture(scope="module", autouse=True)
def registered() -> None:
    """Without an installed package: only `test_entry_points` is about how rdflib finds them."""
    package = "jelly_spark.integrations.rdflib.plugins"
    rdflib.plugin.register("jelly-patch", rdflib.parser.Parser, package, "JellyPatchParser")
    rdflib.plugin.register(
        "jelly-patch", rdflib.serializer.Serializer, package, "JellyPatchSerializer"
    )


def statements(target: rdflib.Graph) -> set[Statement]:
    return {Statement(*row[:4]) for row in rows(target)}  # type: ignore[arg-type]


def encoded(changes: list[PatchRow]) -> bytes:
    buffer = io.BytesIO()
    codec.write(buffer, changes, format="jelly_patch")
    return buffer.getvalue()


def decoded(data: bytes) -> list[str]:
    found = codec.read(data, format="jelly_patch")
    return [" ".join(filter(None, row[:7])) for row in found]


@given(some_patches(), some_patches())
def test_parse(first: list[PatchRow], second: list[PatchRow]) -> None:
    dataset = rdflib.Dataset()
    for changes in (first, second):
        dataset.parse(data=encoded(changes), format="jelly-patch")
    assert statements(dataset) == patches.apply(patches.state(first)[0], second)[0]


@given(some_patches())
def test_serialize(changes: list[PatchRow]) -> None:
    dataset = rdflib.Dataset()
    apply_patch(dataset, changes)
    adds = dataset.serialize(format="jelly-patch", encoding="utf-8", header_id="urn:uuid:1")
    expected = patches.diff((), statements(dataset), id="<urn:uuid:1>")
    assert adds == encoded(expected)
    removes = dataset.serialize(format="jelly-patch", encoding="utf-8", operation="remove")
    dataset.parse(data=removes, format="jelly-patch")
    assert len(dataset) == 0


@given(some_patches(), some_patches())
def test_target(first: list[PatchRow], second: list[PatchRow]) -> None:
    one, other = rdflib.Dataset(), rdflib.Dataset()
    apply_patch(one, first)
    apply_patch(other, second)
    one.parse(
        data=one.serialize(format="jelly-patch", encoding="utf-8", target=other),
        format="jelly-patch",
    )
    assert statements(one) == statements(other)


def test_graphs(tmp_path: Path) -> None:
    graph = rdflib.Graph().add((S, P, OBJ))
    path = tmp_path / "patch.jellyp"
    options = JellyPatchOptions(statement_type=StatementType.TRIPLES)
    graph.serialize(path, format="jelly-patch", options=options, header_prev="urn:uuid:0")
    header, prev, *others = decoded(path.read_bytes())
    assert header.startswith("H id <urn:uuid:")
    assert prev == "H prev <urn:uuid:0>"
    assert others == ["TX", "A <urn:x:s> <urn:x:p> <urn:x:o>", "TC"]
    assert set(rdflib.Graph().parse(path, format="jelly-patch")) == {(S, P, OBJ)}
    dataset = rdflib.Dataset()
    dataset.graph("urn:x:g").parse(path, format="jelly-patch")
    assert {statement.graph for statement in statements(dataset)} == {"<urn:x:g>"}


def test_prefixes_are_bound() -> None:
    dataset = rdflib.Dataset()
    changes = [PatchRow("PA", name="shop", value="<http://shop.example/>")]
    dataset.parse(data=encoded(changes), format="jelly-patch")
    iri = rdflib.URIRef("http://shop.example/cup")
    assert iri.n3(dataset.namespace_manager) == "shop:cup"


@pytest.mark.parametrize(
    ("changes", "error"),
    [
        ([PatchRow("A", "_:a", "<urn:x:p>", "<<( _:a _:a _:a )>>")], UnwritableRowError),
        ([PatchRow("TX"), PatchRow("TA")], None),
    ],
)
def test_errors_change_nothing(
    changes: list[PatchRow], error: type[JellySparkError] | None
) -> None:
    good = [PatchRow("A", "_:a", "<urn:x:p>", "_:b"), *changes]
    data = encoded(good)
    dataset = rdflib.Dataset()
    with pytest.raises(MalformedInputError):
        dataset.parse(data=data[:-1], format="jelly-patch")
    assert len(dataset) == 0
    if error is not None:
        with pytest.raises(error):
            dataset.parse(data=data, format="jelly-patch")
        assert len(dataset) == 0


def test_strict() -> None:
    data = encoded([PatchRow("TC", patch=0, seq=0)])
    dataset = rdflib.Dataset()
    dataset.parse(data=data, format="jelly-patch")
    with pytest.raises(MalformedInputError, match="a TX before a TC"):
        dataset.parse(data=data, format="jelly-patch", strict=True)


def test_wrong_arguments() -> None:
    graph = rdflib.Graph()
    with pytest.raises(MalformedInputError):
        graph.parse(data="A _:a _:b _:c .", format="jelly-patch")
    with pytest.raises(OptionError, match="parse a stream of bytes"):
        JellyPatchParser().parse(InputSource(), graph)  # type: ignore[no-untyped-call]
    serializer = JellyPatchSerializer(graph)
    with pytest.raises(OptionError, match="operation must be one of: add, remove; not 'insert'"):
        serializer.serialize(io.BytesIO(), operation="insert")
    with pytest.raises(OptionError, match="give operation or target, not both"):
        serializer.serialize(io.BytesIO(), operation="add", target=graph)
    with pytest.raises(OptionError, match="expected a Dataset or a Graph"):
        serializer.serialize(io.BytesIO(), target="graph")  # type: ignore[arg-type]


PROGRAM = """
    import rdflib

    dataset = rdflib.Dataset()
    dataset.add(tuple(rdflib.URIRef(f"urn:x:{name}") for name in "spo"))
    formats = [
        "jelly-patch", "application/x-jelly-rdf-patch", "jelly", "application/x-jelly-rdf", "patch"
    ]
    for format in formats:
        data = dataset.serialize(format=format, encoding="utf-8")
        assert isinstance(data, bytes)
        again = rdflib.Dataset().parse(data=data, format=format)
        assert set(again.quads()) == set(dataset.quads()), format
        parser = rdflib.plugin.get(format, rdflib.parser.Parser)
        print(format, parser.__module__.partition(".")[0])
"""


def test_entry_points(tmp_path: Path) -> None:
    """rdflib finds the plugins of an installed package, beside its own and pyjelly's."""
    tomllib = pytest.importorskip("tomllib")  # Python 3.11
    settings = tomllib.loads((ROOT / "python/pyproject.toml").read_text("utf-8"))
    # What an installer makes of `[project.entry-points]`.
    folder = tmp_path / "jelly_spark-0.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: jelly-spark\nVersion: 0\n")
    with (folder / "entry_points.txt").open("w") as points:
        for group, entries in settings["project"]["entry-points"].items():
            points.write(f"[{group}]\n")
            points.writelines(f"{name} = {target}\n" for name, target in entries.items())
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", textwrap.dedent(PROGRAM)],
        env={**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{ROOT / 'python'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.split("\n") == [
        "jelly-patch jelly_spark",
        "application/x-jelly-rdf-patch jelly_spark",
        "jelly pyjelly",
        "application/x-jelly-rdf pyjelly",
        "patch rdflib",
        "",
    ]
