"""Options: defaults, values, names as strings."""

from typing import Any

import pytest

from jelly_spark.codec import JellyPatchOptions, ReadLimits, StatementType, StreamType
from jelly_spark.errors import OptionError


def test_strings_name_every_option_in_any_case() -> None:
    options = JellyPatchOptions.from_strings(
        {
            "streamType": "flat",
            "STATEMENTTYPE": "Triples",
            "maxNameTableSize": "8",
            "maxprefixtablesize": "0",
            "maxDatatypeTableSize": "1",
            "frameSize": "3",
            "rdfStar": "FALSE",
            "generalized": "false",
            "delimited": "False",
        }
    )
    assert options == JellyPatchOptions(
        stream_type=StreamType.FLAT,
        statement_type=StatementType.TRIPLES,
        max_name_table_size=8,
        max_prefix_table_size=0,
        max_datatype_table_size=1,
        frame_size=3,
        rdf_star=False,
        generalized=False,
        delimited=False,
    )
    assert JellyPatchOptions.from_strings({}) == JellyPatchOptions()


@pytest.mark.parametrize(
    ("strings", "message"),
    [
        ({"streamType": "X"}, "streamType must be one of: FRAME, FLAT, PUNCTUATED; not 'X'"),
        ({"statementType": ""}, "statementType must be one of: TRIPLES, QUADS; not ''"),
        ({"rdfStar": "1"}, "rdfStar must be one of: true, false; not '1'"),
        (
            {"maxNameTableSize": "7"},
            "maxNameTableSize must be a whole number from 8 to 1048576, not 7",
        ),
        ({"frameSize": "0"}, "frameSize must be a whole number from 1 to 2147483647, not 0"),
        ({"frameSize": "-1"}, "frameSize must be a whole number from 1 to 2147483647, not '-1'"),
        ({"frameSize": "٣"}, "frameSize must be a whole number"),
        (
            {"maxPrefixTableSize": "2147483648"},
            "maxPrefixTableSize must be a whole number from 0 to 1048576, not 2147483648",
        ),
        ({"framesize": "1", "frameSize": "1"}, "option frameSize is given twice"),
        (
            {"x": "1"},
            "unknown option 'x'; the options are: streamType, statementType, maxNameTableSize, "
            "maxPrefixTableSize, maxDatatypeTableSize, frameSize, rdfStar, generalized, delimited",
        ),
    ],
)
def test_a_wrong_string_names_the_valid_ones(strings: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as error:
        JellyPatchOptions.from_strings(strings)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    "values",
    [
        {"stream_type": 1},
        {"statement_type": "QUADS"},
        {"max_name_table_size": 7},
        {"max_datatype_table_size": -1},
        {"frame_size": True},
        {"rdf_star": 1},
    ],
)
def test_a_wrong_value_is_an_error(values: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        JellyPatchOptions(**values)


def test_limits_are_checked() -> None:
    with pytest.raises(OptionError):
        ReadLimits(max_name_table_size=7)
