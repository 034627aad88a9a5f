"""schema.org's releases as N-Triples and N-Quads, with both codecs, and as SPARQL Updates."""

from pathlib import Path

import pyoxigraph
import pytest

from jelly_spark.codec import (
    NQuadsOptions,
    NTriplesOptions,
    RdfRow,
    SparqlUpdateOptions,
    StatementType,
)
from tests.codecs import Codec, JvmCodec, PythonCodec
from tests.real.schemaorg import Statement, as_quads, log_of

LAST = "28.0"


def test_the_releases_are_read(triples: dict[str, set[Statement]], shared: Path) -> None:
    """As `parse_term` reads their lines."""
    codec = PythonCodec()
    for name, release in triples.items():
        path = shared / f"data/schemaorg/{name}.nt.gz"
        rows = codec.decode(path, "ntriples", strict=True)
        assert {row[:4] for row in rows} == release, name
        assert codec.decode(path, "nquads") == rows


def test_a_release_comes_back(triples: dict[str, set[Statement]], codec: Codec) -> None:
    quads = [RdfRow(*s, seq=i) for i, s in enumerate(sorted(as_quads(triples)[LAST], key=str))]
    data = codec.encode(quads, NQuadsOptions())
    assert codec.decode(data, "nquads") == quads
    in_no_graph = [row._replace(graph=None) for row in quads]
    text = codec.encode(in_no_graph, NTriplesOptions())
    assert codec.decode(text, "ntriples") == codec.decode(text, "nquads") == in_no_graph


@pytest.mark.parametrize("format", ["ntriples", "nquads"])
def test_both_codecs_agree(
    triples: dict[str, set[Statement]], shared: Path, jvm: JvmCodec, format: str
) -> None:
    path = shared / f"data/schemaorg/{LAST}.nt.gz"
    assert jvm.decode(path, format) == PythonCodec().decode(path, format)
    rows = [RdfRow(*statement) for statement in sorted(triples[LAST], key=str)]
    options = NTriplesOptions() if format == "ntriples" else NQuadsOptions()
    assert jvm.encode(rows, options) == PythonCodec().encode(rows, options)


def test_updates_lead_from_release_to_release(
    triples: dict[str, set[Statement]], jvm: JvmCodec
) -> None:
    log = log_of(triples, StatementType.QUADS)
    options = SparqlUpdateOptions()
    update = PythonCodec().encode(log.rows, options)
    assert jvm.encode(log.rows, options) == update
    store = pyoxigraph.Store()
    store.update(update.decode())
    last = list(log.releases.values())[-1]
    rows = [RdfRow(*statement) for statement in last]
    text = PythonCodec().encode(rows, NQuadsOptions())
    expected = pyoxigraph.Store()
    expected.load(text, format=pyoxigraph.RdfFormat.N_QUADS)
    assert set(store) == set(expected)
