"""The format of a pipe is guessed by its first bytes, however they arrive."""

from __future__ import annotations

import gzip
import io
from functools import partial

import pytest

from jelly_spark import codec
from jelly_spark.cli.arguments.pipes import guess
from jelly_spark.codec import JellyPatchOptions, JellyRdfOptions, PatchRow, RdfRow
from jelly_spark.core.files.hints import Beginning

S, P = "<urn:x:s>", "<urn:x:p>"
PATCH = [PatchRow("H", name="id", value="<urn:x:1>"), PatchRow("TX"), PatchRow("TC")]
LINE = f"{S} {P} {S} .\n".encode()
# More than the first bytes that a guess uses at least.
PREFIXES = b"".join(b"@prefix x%d: <urn:x:%d:> .\n" % (i, i) for i in range(50))


def encoded(rows: list[PatchRow] | list[RdfRow], options: codec.WriteOptions) -> bytes:
    file = io.BytesIO()
    codec.write(file, rows, options=options)
    return file.getvalue()


FILES = {
    "nquads": [
        LINE,
        b"# Made by a tool\n" + LINE,
        b"\n\n" + LINE,
        b"\n" * 5 + LINE,
        b"#\n#\n\n\n#\n" + LINE,
        b"# " + b"x" * 1000 + b"\n" + LINE,
        b'VERSION "1.2"\n' + LINE,
    ],
    "rdf_patch": [b"TX .\n" + b"A " + LINE, b"# A log\n\nTX .\n", PREFIXES + b"A " + LINE],
    "trig": [
        PREFIXES + b"x:s x:p 8.50 .\n",
        b"@base <urn:x:> .\n<s> <p> 1 .\n",
        b'VERSION "1.2"\nPREFIX x: <urn:x:>\n# The cups\nx:s\n  x:p 1 .\n',
    ],
    "rdfxml": [
        b'<?xml version="1.0"?>\n<rdf:RDF/>\n',
        b"<rdf:RDF\n  xmlns:x='urn:x:'/>\n",
        b"<!-- Cups -->\n\n<rdf:RDF/>\n",
        b'<?xml version="1.0"?>\n<!DOCTYPE rdf:RDF []>\n<rdf:RDF/>\n',
    ],
    "jsonld": [b'{"@id": "urn:x:s", "urn:x:p": 1}', b'[\n  {\n    "@graph": []\n  }\n]\n'],
    # With other names, the first byte would be another one.
    "jelly_rdf": [
        encoded([RdfRow(S, P, f'"{"x" * size}"')], JellyRdfOptions(delimited=delimited))
        for size in (1, 30, 40, 1000)
        for delimited in (True, False)
    ],
    "jelly_patch": [
        encoded(PATCH, JellyPatchOptions(delimited=delimited)) for delimited in (True, False)
    ],
}


def name_of(found: Beginning | None) -> str | None:
    """Return the short name of a format, or the syntax of the format rdf."""
    return found and (found.syntax or found.format)


class SlowStream(io.BytesIO):
    """A stream that returns few bytes at a time."""

    def __init__(self, data: bytes, most: int) -> None:
        super().__init__(data)
        self._most = most

    def read(self, size: int | None = -1) -> bytes:
        return super().read(self._most if size is None or size < 0 else min(size, self._most))


@pytest.mark.parametrize("most", [1, 2, 18, 1 << 20])
def test_formats(most: int) -> None:
    for format, files in FILES.items():
        for data in files:
            for sent in (data, gzip.compress(data)):
                found, stream = guess(SlowStream(sent, most), "<stdin>")
                assert b"".join(iter(partial(stream.read, 7), b"")) == data
                assert name_of(found) == format


def test_rows_need_not_wait_for_more() -> None:
    class Endless(io.BytesIO):
        def read(self, size: int | None = -1) -> bytes:
            found = super().read(size)
            assert found, "more was read than a line"
            return found

    assert name_of(guess(Endless(b"# A log\nTX .\n"), "<stdin>")[0]) == "rdf_patch"
    assert name_of(guess(Endless(b"PREFIX x: <urn:x:>\nx:s x:p 1 .\n"), "<stdin>")[0]) == "trig"


RDF_XMLNS = b'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'


@pytest.mark.parametrize(
    "data",
    [
        b'{"error": "not found"}',
        b'{"@type": "Error", "code": 500}',
        b'{"error": {"details": [{"@type": "x", "@id": "x"}]}}',
        b'<?xml version="1.0"?>\n<e x="1"/>',
        b"<answer %b><error>down</error></answer>" % RDF_XMLNS,
        b"<!-- %b --><sparql/>" % RDF_XMLNS,
    ],
)
def test_answers_about_errors(data: bytes) -> None:
    # Some of these are valid RDF, too.
    assert guess(io.BytesIO(data), "<stdin>")[0] is None


def test_many_prefixes() -> None:
    found, _ = guess(io.BytesIO(b"@prefix   <a> .\n" * 1000 + b"x\n"), "<stdin>")
    assert name_of(found) == "trig"


def test_nothing_but_comments() -> None:
    assert guess(io.BytesIO(b"# nothing\n"), "<stdin>")[0] is None
    assert guess(io.BytesIO(b"# nothing\n" * 10_000), "<stdin>")[0] is None
    assert guess(io.BytesIO(PREFIXES), "<stdin>")[0] is None
