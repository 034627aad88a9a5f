"""Options of every format: read from strings, written to strings, and wrong values."""

from typing import Any

import pytest

from jelly_spark.codec import (
    JellyPatchOptions,
    JellyRdfOptions,
    LogicalType,
    NQuadsOptions,
    NTriplesOptions,
    PhysicalType,
    RdfOptions,
    RdfPatchOptions,
    RdfPatchThriftOptions,
    ReadLimits,
    SparqlUpdateOptions,
    StatementType,
    StreamType,
    Style,
)
from jelly_spark.core.options import WriteOptions, camel
from jelly_spark.errors import OptionError
from jelly_spark.formats import WRITTEN

JELLY_STRINGS = {
    "maxNameTableSize": "8",
    "maxprefixtablesize": "0",
    "maxDatatypeTableSize": "1",
    "frameSize": "3",
    "rdfStar": "FALSE",
    "generalized": "false",
    "delimited": "False",
    "RESTARTINTERVAL": "5",
    "indexColumns": "Graph, subject",
    "indexFilterBits": "4",
}
JELLY_VALUES: dict[str, Any] = {
    "max_name_table_size": 8,
    "max_prefix_table_size": 0,
    "max_datatype_table_size": 1,
    "frame_size": 3,
    "rdf_star": False,
    "generalized": False,
    "delimited": False,
    "restart_interval": 5,
    "index_columns": "Graph, subject",
    "index_filter_bits": 4,
}

OPTIONS: dict[str, list[tuple[dict[str, str], WriteOptions]]] = {
    "jelly_patch": [
        (
            {"streamType": "flat", "STATEMENTTYPE": "Triples", **JELLY_STRINGS},
            JellyPatchOptions(
                stream_type=StreamType.FLAT, statement_type=StatementType.TRIPLES, **JELLY_VALUES
            ),
        )
    ],
    "jelly_rdf": [
        (
            {
                "physicalType": "graphs",
                "LOGICALTYPE": "Named_Graphs",
                "streamName": " My Stream ",
                "namespaces": "true",
                **JELLY_STRINGS,
            },
            JellyRdfOptions(
                physical_type=PhysicalType.GRAPHS,
                logical_type=LogicalType.NAMED_GRAPHS,
                stream_name=" My Stream ",
                namespaces=True,
                **JELLY_VALUES,
            ),
        )
    ],
    "rdf_patch": [({"STYLE": "v1"}, RdfPatchOptions(Style.V1))],
    "rdf_patch_thrift": [({}, RdfPatchThriftOptions())],
    "ntriples": [
        ({"Version": "1.2"}, NTriplesOptions(version="1.2")),
        ({"CANONICAL": "True"}, NTriplesOptions(canonical=True)),
    ],
    "nquads": [
        ({"Version": "1.2"}, NQuadsOptions(version="1.2")),
        ({"CANONICAL": "True"}, NQuadsOptions(canonical=True)),
    ],
    "rdf": [
        (
            {"SYNTAX": " TriG", "prefixes": "=http://e/ a=urn:a:"},
            RdfOptions(syntax="trig", prefixes={"": "http://e/", "a": "urn:a:"}),
        )
    ],
    "sparql_update": [
        (
            {"BatchSize": "3", "skolembase": "http://e/Genid/"},
            SparqlUpdateOptions(batch_size=3, skolem_base="http://e/Genid/"),
        )
    ],
}
"""For each format, a string and a value for every option; none is the default. Options that exclude
each other are apart."""


@pytest.mark.parametrize("name", WRITTEN)
def test_strings_name_every_option_in_any_case(name: str) -> None:
    kind = WRITTEN[name].options
    names = {key.lower(): key for key in kind().to_strings()}
    assert {key.lower() for strings, _ in OPTIONS[name] for key in strings} == names.keys()
    for strings, options in OPTIONS[name]:
        for key in strings:
            assert (
                options.to_strings()[names[key.lower()]] != kind().to_strings()[names[key.lower()]]
            )
        assert kind.from_strings(strings) == options
        assert kind.from_strings(options.to_strings()) == options
    assert kind.from_strings({}) == kind()


@pytest.mark.parametrize(
    ("kind", "name", "value"),
    [
        (JellyPatchOptions, "stream_type", 1),
        (JellyPatchOptions, "statement_type", "QUADS"),
        (JellyPatchOptions, "max_name_table_size", 7),
        (JellyPatchOptions, "max_datatype_table_size", -1),
        (JellyPatchOptions, "frame_size", True),
        (JellyPatchOptions, "rdf_star", 1),
        (JellyRdfOptions, "physical_type", 1),
        (JellyRdfOptions, "logical_type", "GRAPHS"),
        (JellyRdfOptions, "stream_name", None),
        (JellyRdfOptions, "max_name_table_size", 7),
        (JellyRdfOptions, "frame_size", 0),
        (JellyRdfOptions, "namespaces", 1),
        (RdfPatchOptions, "style", "v1"),
        (RdfOptions, "syntax", "n3"),
        (RdfOptions, "syntax", None),
        (RdfOptions, "prefixes", "ex"),
        (SparqlUpdateOptions, "batch_size", 0),
        (SparqlUpdateOptions, "batch_size", 2**31),
        (SparqlUpdateOptions, "skolem_base", None),
        (SparqlUpdateOptions, "skolem_base", "genid/"),
        (SparqlUpdateOptions, "skolem_base", "http://e/ g"),
        (ReadLimits, "max_name_table_size", 7),
    ],
)
def test_an_error_names_the_option_whose_value_is_wrong(kind: Any, name: str, value: Any) -> None:
    with pytest.raises(OptionError, match=rf"^{name}\b"):
        kind(**{name: value})
    if kind is not ReadLimits and type(value) is int:
        with pytest.raises(OptionError, match=rf"^{camel(name)}\b"):
            kind.from_strings({camel(name): str(value)})
