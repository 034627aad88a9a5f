"""What the errors of wrong options say."""

import pytest

from jelly_spark.codec import JellyPatchOptions
from jelly_spark.errors import OptionError


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
