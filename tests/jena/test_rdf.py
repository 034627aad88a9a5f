"""The data source `rdf` with Jena's parsers, and the reader in plain Python, on the same files."""

from __future__ import annotations

import gzip
import json
import os
from pathlib import Path
from typing import Any

import pyspark
import pytest

from jelly_spark import codec, patches
from jelly_spark.codec import RdfRow
from jelly_spark.errors import MalformedInputError
from tests.codec.rdf import xml_cases
from tests.codec.rdf.test_reading import EXTENSIONS, SAME, XML
from tests.shared import JENA_CLASSPATH, JENA_JAR, SHARED
from tests.spark.programs import TIMEOUT, run

BASE = "http://x/"
PREFIXED = "@prefix : <http://x/> .\n"
SPARK = tuple(map(int, pyspark.__version__.split(".")[:2]))
OWN = {
    "terms.ttl": f"{PREFIXED}:a :p 8.50, 01, true, 'T'@de-AT, 'x'@ar--rtl, _:b.1, '\\u00e9'^^:t .",
    "triples.ttl": f"{PREFIXED}:a :p <<( :a :p <<( :b :p _:x )>> )>> . << :a :p 1 >> :q 2 .",
    "nodes.ttl": f"{PREFIXED}:a :p [ :p [ :q 1 ] ], ( 1 ( 2 ) ) .",
    "node.ttl": f"{PREFIXED}:a :p [] .",
    "graphs.trig": f"{PREFIXED}:a :p :b . :g {{ :a :p [] }} _:g {{ :a :p :b }}",
    "relative.rdf": XML.format(object="b") + "</rdf:RDF>",
    "directions.jsonld": '{"@id": "http://x/a", "http://x/p": {"@value": "T", "@language": '
    '"ar-EG", "@direction": "rtl"}, "other": {"http://x/p": 1}}',
    "tags.ttl": f"{PREFIXED}:a :p 'x'@abcdefghi, 'x'@EN-gb, 'x'@De--ltr .",
    "iris.ttl": f"{PREFIXED}:a :p <a:b#[c]#d>, <http://[x/%zz>, <a:\\u0020>, <[]>, <../../%> .",
    "iris.rdf": XML.format(object="http://[x/%zz|#a b#") + "</rdf:RDF>",
    "iris.jsonld": '{"@id": "http://x/a", "http://x/p": {"@id": "http://[x/%zz|#a b#"}}',
    "odd-iris.rdf": XML.format(object="http://[::1]:x/\x7f\u0085\ue000\U000e0001") + "</rdf:RDF>",
    "odd-iris.jsonld": '{"@id": "urn:", "a:\xa0": [{"@id": "http://[::1]:x/\x7f\x85"}, '
    '{"@id": "a_b:c"}, {"@id": "\xe9:c"}]}',
    "references.jsonld": '{"@context": {"@base": "http://b/c%20/d/e?q#f"}, "@id": "", '
    '"http://x/p": [{"@id": "a%20b"}, {"@id": "caf%C3%A9/a%2Fb?c%3Dd#e%23"}, '
    '{"@context": {"@base": "../y"}, "@id": "#g", "http://x/p": 1}]}',
    "vocabulary.jsonld": '{"@context": {"@vocab": "#", "ex": "x/"}, "@id": "_:x", '
    '"Foo.bar": {"@id": "?y"}, "ex:p": {"@value": "1", "@type": "T"}}',
    "references.rdf": XML.format(object="http://x/a/../b")
    + '<rdf:Description xml:base="y/" rdf:about="../z" rdf:type="urn:a/../b"/></rdf:RDF>',
    "base.rdf": f'<RDF xmlns="{xml_cases.RDF}" xml:base="y/"><Description about="z"><li '
    'parseType="Resource"><li>1</li></li><li>2</li></Description></RDF>',
    "bad-base.jsonld": '{"@context": {"@base": null}, "@id": "b", "http://x/p": 1}',
    "bad-tag.jsonld": '{"http://x/p": {"@value": "v", "@language": "1a"}}',
    "bad-empty-tag.jsonld": '{"http://x/p": {"@value": "v", "@language": ""}}',
    "bad-iri.ttl": "<http://x/a> <http://x/p> <a:b|c> .",
    "bad-text.ttl": "<http://x/a> <http://x/p> '\udcff' .",
    "bad-xml.rdf": XML.format(object="b"),
    "bad-entity.rdf": XML.format(object="&e;") + "</rdf:RDF>",
    "remote.jsonld": '{"@context": "http://127.0.0.1:9/"}',
}

LONG_PREFIX = f"@prefix : <http://x/{'x' * 1_000_000}> .\n"
MANY = 600
"""Statements with IRIs of a megabyte: rows that wait for the task must not fill the heap."""

PROGRAM = """
import json
from collections import defaultdict
from urllib.parse import urlsplit
import jelly_spark

builder = jelly_spark.configure(builder().config("spark.jars", sys.argv[1]))
builder = builder.config("spark.driver.memory", "512m")
spark = builder.config("spark.log.level", "OFF").getOrCreate()
print(*vars(jelly_spark.engine(spark)["rdf"]).values())
lengths = spark.read.format("rdf").load(sys.argv[3]).selectExpr("length(subject) AS length")
print(lengths.where("length > 1000000").count())

def rows(paths, syntax):
    reader = spark.read.format("rdf").options(base="http://x/", syntax=syntax)
    terms = ("subject", "predicate", "object", "graph", "seq", "_metadata.file_path")
    return reader.load(paths).select(*terms).collect()

for accepted, rejected, syntax in json.loads(open(sys.argv[2]).read()):
    found = defaultdict(list)
    for *row, path in rows(accepted, syntax):
        found[urlsplit(path).path].append(row)
    print(json.dumps(found))
    for path in rejected:
        try:
            print(json.dumps([path, *rows([path], syntax)]))
        except Exception as error:
            print(json.dumps([path, str(error).splitlines()[0]]))
"""


def jars(jena: list[str]) -> str:
    """The second jar and Jena's, as Spark takes them."""
    return ",".join([str(JENA_JAR), *jena])


def test_both_readers_agree(tmp_path: Path) -> None:
    for file in (JENA_JAR, JENA_CLASSPATH):
        if not file.is_file():
            pytest.skip(f"no {file}: run `make jena-jar` and `make test`")
    check_agreement(jars(JENA_CLASSPATH.read_text("utf-8").split(os.pathsep)), tmp_path)


@pytest.mark.long
@pytest.mark.skipif(SPARK < (4, 2), reason="older versions of Spark do not start on Java 25")
def test_both_readers_agree_with_jena_6(
    newer_java: Path, jena_6: list[str], tmp_path: Path
) -> None:
    # Spark has its own slf4j.
    jena = [jar for jar in jena_6 if not Path(jar).name.startswith("slf4j")]
    check_agreement(jars(jena), tmp_path, JAVA_HOME=str(newer_java.parents[1]))


def check_agreement(jars: str, tmp_path: Path, **env: str) -> None:
    """Files of all syntaxes, and N-Triples and Turtle of the W3C's suites."""
    for syntax, text in SAME.items():
        for extension in EXTENSIONS[syntax]:
            (tmp_path / f"same-{syntax}{extension}.gz").write_bytes(gzip.compress(text.encode()))
    for name, text in OWN.items():
        (tmp_path / name).write_bytes(text.encode("utf-8", "surrogateescape"))
    xml = {**xml_cases.READ, "large": xml_cases.large(), **xml_cases.MALFORMED}
    for name, (document, _) in xml.items():
        (tmp_path / f"{name}.rdf").write_bytes(xml_cases.as_bytes(document))
    by_extension = sorted(tmp_path.iterdir())
    suites = [SHARED / "conformance/w3c/n-triples", SHARED / "conformance/rdf12"]
    turtle = [path for suite in suites for path in sorted(suite.rglob("*.[nt]t*"))]
    expected: dict[str, list[RdfRow]] = {}
    reads = []
    for paths, syntax in ((by_extension, ""), (turtle, "turtle")):
        rejected = []
        for path in paths:
            try:
                expected[str(path)] = [*codec.read_rdf(path, base=BASE, syntax=syntax)]
            except MalformedInputError:
                rejected.append(str(path))
        accepted = [str(path) for path in paths if str(path) in expected]
        reads.append((accepted, rejected, syntax))
    bad = sum(name.startswith(("bad", "remote")) for name in OWN)
    assert len(reads[0][1]) == bad + len(xml_cases.MALFORMED)
    plan = tmp_path / "plan"
    plan.write_text(json.dumps([read for read in reads if read[0]]), "utf-8")
    many = tmp_path / "many.ttl"
    many.write_text(LONG_PREFIX + "".join(f":{n} :p {n} .\n" for n in range(MANY)))
    engine, count, *lines = run(PROGRAM, jars, plan, many, timeout=TIMEOUT, **env)
    assert engine.startswith("jvm the session has jelly-spark.jar with jelly-spark-jena.jar")
    assert int(count) == MANY
    found: dict[str, list[RdfRow]] = {}
    for line in map(json.loads, lines):
        if isinstance(line, dict):
            found.update((path, _rows(rows)) for path, rows in line.items())
        else:
            name, error = line
            assert f"file://{name}: " in error, line
            says = xml_cases.MALFORMED.get(Path(name).stem, ("", ""))[1]
            assert says in error, line
    # A file without statements has no rows that name it.
    assert found.keys() == {path for path, rows in expected.items() if rows}
    for name, rows in found.items():
        assert _differences(expected[name], rows) == [], name
    named = str(tmp_path / "node.ttl")
    assert found[named] == expected[named]


def _rows(rows: list[list[Any]]) -> list[RdfRow]:
    return [RdfRow(*terms)._replace(seq=seq) for *terms, seq in rows]


def _differences(one: list[RdfRow], other: list[RdfRow]) -> list[object]:
    """What differs, in any order if there are blank nodes, whose labels do not matter.

    Nor does the order of attributes that are properties, as in `xml_cases.large`.
    """
    if "_:" not in str(one) and "<http://x/p10000>" not in str(one):
        return [pair for pair in zip(one, other, strict=True) if pair[0] != pair[1]]
    states = ([row._replace(seq=None) for row in rows] for rows in (one, other))
    return [row for row in patches.diff(*states, blank_nodes="match") if row.op in "AD"]
