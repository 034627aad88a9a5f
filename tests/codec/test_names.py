"""The names that other programs give the formats: the error says the right one."""

import pytest

from jelly_spark import codec
from jelly_spark.errors import OptionError
from jelly_spark.formats import READ as FORMATS
from jelly_spark.formats.names import right_name
from jelly_spark.formats.rdf.syntaxes import SYNTAXES

READ = {
    "jelly_rdf": "jelly .jelly jelly-rdf JELLY_RDF application/x-jelly-rdf",
    "jelly_patch": "jellyp jelly-patch application/x-jelly-rdf-patch jelly_pach",
    "rdf_patch": "rdfp patch rdf-patch application/rdf-patch",
    "rdf_patch_thrift": "trp thrift application/rdf-patch+thrift",
    "ntriples": "nt nt11 N-Triples application/n-triples",
    "nquads": "nq n-quads application/n-quads",
    "rdf', syntax='turtle": "turtle ttl Turtle text/turtle longturtle turtel",
    "rdf', syntax='trig": "trig application/trig",
    "rdf', syntax='n3": "n3 text/n3 notation3",
    "rdf', syntax='rdfxml": "rdfxml rdf/xml xml pretty-xml owl application/rdf+xml",
    "rdf', syntax='jsonld": "jsonld json-ld json application/ld+json",
}


@pytest.mark.parametrize(
    ("name", "right"), [(name, right) for right, names in READ.items() for name in names.split()]
)
def test_names_for_reading(name: str, right: str) -> None:
    with pytest.raises(OptionError) as raised:
        codec.read(b"", format=name)
    assert str(raised.value).endswith(f"not {name!r}: give format='{right}'")


@pytest.mark.parametrize(
    "name", ["oops", "text", "hdt", "trix", "rdfa", "rdf-thrift", "x" * 1_000_000, ""]
)
def test_unknown_names(name: str) -> None:
    with pytest.raises(OptionError) as raised:
        codec.open_reader(b"", format=name)
    assert str(raised.value).endswith(f"not {name!r}")


def test_extensions_are_names() -> None:
    for syntax, described in SYNTAXES.items():
        for name in (syntax, *described.extensions):
            if name != ".rdf":  # the name of the format, whatever the syntax
                assert right_name(name, FORMATS) == ("rdf", syntax)


def test_names_for_writing_and_tables() -> None:
    with pytest.raises(OptionError, match=r"not 'sparql': give format='sparql_update'$"):
        codec.write("out", [], format="sparql")
    with pytest.raises(OptionError, match="not 'ru': sparql_update can only be written"):
        codec.read(b"", format="ru")
    with pytest.raises(OptionError, match=r"'parquet': .*jelly_spark\.integrations\.arrow"):
        codec.read(b"", format="parquet")
