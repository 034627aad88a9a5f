"""Files from the tests of other projects: RDF Patch, and Jelly-RDF of older protocol versions."""

from pathlib import Path

import pyoxigraph

from jelly_spark.codec import (
    JellyPatchOptions,
    PatchRow,
    RdfPatchOptions,
    RdfPatchThriftOptions,
    RdfRow,
)
from tests.codecs import JvmCodec
from tests.conformance.cases import statement_of
from tests.differential.comparison import PYTHON
from tests.interop.oxigraph import to_oxigraph


def files(folder: Path, extension: str) -> list[Path]:
    """Return the files with an extension, of which there are some."""
    found = sorted(folder.glob(f"*.{extension}"))
    assert found
    return found


def test_patches(shared: Path, jvm: JvmCodec) -> None:
    for path in files(shared / "data/patches", "rdfp"):
        rows = PYTHON.decode(path, "rdf_patch")
        for codec in (PYTHON, jvm):
            for strict in (False, True):
                assert codec.decode(path, "rdf_patch", strict=strict) == rows, path.name
        for options in (RdfPatchOptions(), RdfPatchThriftOptions(), JellyPatchOptions()):
            data = PYTHON.encode(rows, options)
            assert jvm.encode(rows, options) == data, path.name
            assert content(PYTHON.decode(data, options.format)) == content(rows), path.name


def content(rows: list[PatchRow]) -> list[PatchRow]:
    """Return the rows without what not all formats keep: the ends of patches, and ordinals."""
    return [row._replace(patch=None, tx=None, seq=None) for row in rows if row.op != "END"]


def test_jelly_of_older_protocols(shared: Path, jvm: JvmCodec) -> None:
    found = []
    for path in files(shared / "data/jelly", "jelly"):
        rows = PYTHON.decode(path, "jelly_rdf")
        for codec in (PYTHON, jvm):
            for strict in (False, True):
                assert codec.decode(path, "jelly_rdf", strict=strict) == rows, path.name
        found.append(canonical(rows))
    assert all(dataset == found[0] for dataset in found)


def canonical(rows: list[RdfRow]) -> pyoxigraph.Dataset:
    """Return the statements with canonical labels: each version has labels of its own."""
    dataset = pyoxigraph.Dataset(to_oxigraph(statement_of(row)) for row in rows)
    dataset.canonicalize(pyoxigraph.CanonicalizationAlgorithm.UNSTABLE)
    return dataset
