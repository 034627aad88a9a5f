"""Physical and logical types that fit each other, and what the errors of wrong options say."""

import pytest

from jelly_spark.codec import JellyRdfOptions, LogicalType, PhysicalType
from jelly_spark.errors import OptionError


@pytest.mark.parametrize(
    ("physical", "logical"),
    [("TRIPLES", "FLAT_TRIPLES"), ("QUADS", "FLAT_QUADS"), ("GRAPHS", "FLAT_QUADS")],
)
def test_the_logical_type_is_flat_by_default(physical: str, logical: str) -> None:
    options = JellyRdfOptions(physical_type=PhysicalType[physical])
    assert options.logical_type is LogicalType[logical]
    assert options == JellyRdfOptions.from_strings(
        {"physicalType": physical, "logicalType": logical}
    )


def test_types_that_fit() -> None:
    """The table in "Consistency with physical stream types"."""
    fitting = {
        physical.name: {logical.name for logical in LogicalType if logical.fits(physical)}
        for physical in PhysicalType
    }
    datasets = {"FLAT_QUADS", "DATASETS", "NAMED_GRAPHS", "TIMESTAMPED_NAMED_GRAPHS", "UNSPECIFIED"}
    assert fitting == {
        "TRIPLES": {"FLAT_TRIPLES", "GRAPHS", "SUBJECT_GRAPHS", "UNSPECIFIED"},
        "QUADS": datasets,
        "GRAPHS": datasets,
    }


@pytest.mark.parametrize(
    ("strings", "message"),
    [
        ({"physicalType": "X"}, "physicalType must be one of: TRIPLES, QUADS, GRAPHS; not 'X'"),
        (
            {"logicalType": "3"},
            "logicalType must be one of: UNSPECIFIED, FLAT_TRIPLES, FLAT_QUADS, GRAPHS, DATASETS, "
            "SUBJECT_GRAPHS, NAMED_GRAPHS, TIMESTAMPED_NAMED_GRAPHS; not '3'",
        ),
        (
            {"physicalType": "TRIPLES", "logicalType": "DATASETS"},
            "logicalType for physicalType TRIPLES must be one of: UNSPECIFIED, FLAT_TRIPLES, "
            "GRAPHS, "
            "SUBJECT_GRAPHS; not 'DATASETS'",
        ),
        (
            {"logicalType": "FLAT_TRIPLES"},
            "logicalType for physicalType QUADS must be one of: UNSPECIFIED, FLAT_QUADS, "
            "DATASETS, NAMED_GRAPHS, "
            "TIMESTAMPED_NAMED_GRAPHS; not 'FLAT_TRIPLES'",
        ),
        ({"streamName": "\ud800"}, "streamName must not hold a lone surrogate, not '\\ud800'"),
        (
            {"frameSize": "9" * 5000},
            "frameSize must be a whole number from 1 to 2147483647, not '99",
        ),
        ({"namespaces": "1"}, "namespaces must be one of: true, false; not '1'"),
        ({"x": "1"}, "unknown option 'x'; the options are: physicalType, logicalType, streamName"),
    ],
)
def test_a_wrong_string_names_the_valid_ones(strings: dict[str, str], message: str) -> None:
    with pytest.raises(OptionError) as error:
        JellyRdfOptions.from_strings(strings)
    assert str(error.value).startswith(message)
