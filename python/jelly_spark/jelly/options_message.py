"""The fields that the options messages of both Jelly formats share."""

from __future__ import annotations

from typing import Any

from jelly_spark.jelly.options import JellyOptions


def common_fields(options: JellyOptions) -> dict[str, Any]:
    """Return the shared fields of the options message for these options, by name."""
    return {
        "generalized_statements": options.generalized,
        "rdf_star": options.rdf_star,
        "max_name_table_size": options.max_name_table_size,
        "max_prefix_table_size": options.max_prefix_table_size,
        "max_datatype_table_size": options.max_datatype_table_size,
    }


def common_options(message: Any) -> dict[str, Any]:
    """Return the shared options in an options message, by name."""
    return {
        "generalized": message.generalized_statements,
        "rdf_star": message.rdf_star,
        "max_name_table_size": message.max_name_table_size,
        "max_prefix_table_size": message.max_prefix_table_size,
        "max_datatype_table_size": message.max_datatype_table_size,
    }
