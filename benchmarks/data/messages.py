"""Messages of ten rows in a column, and the codecs for them in Spark."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from json import dumps

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.avro.functions import from_avro, to_avro
from pyspark.sql.types import ArrayType

import jelly_spark
from jelly_spark.codec import read_jelly_patch
from jelly_spark.functions import from_jelly_patch, to_jelly_patch

ROWS = 10
"""The number of rows in a message."""

_SCHEMA = ArrayType(jelly_spark.schema("jelly_patch"), containsNull=False)

_AVRO_TYPES = {"string": "string", "bigint": "long"}

_AVRO_SCHEMA = dumps(
    {
        "type": "array",
        "items": {
            "type": "record",
            "name": "row",
            "fields": [
                {"name": field.name, "type": ["null", _AVRO_TYPES[field.dataType.simpleString()]]}
                for field in jelly_spark.schema("jelly_patch")
            ],
        },
    }
)


@dataclass(frozen=True)
class MessageCodec:
    """A codec for messages.

    Attributes:
        encode: a function from a column of arrays of structs to a column of messages.
        decode: a function from a column of messages to a column of arrays of structs.
    """

    encode: Callable[[str], Column]
    decode: Callable[[str], Column]


def _encode(rows: str) -> Column:
    return to_jelly_patch(rows, {"statementType": "TRIPLES"})


_decode_in_python = F.udf(lambda message: list(read_jelly_patch(bytes(message))), _SCHEMA)

CODECS = {
    "jelly_patch": MessageCodec(_encode, from_jelly_patch),
    "python": MessageCodec(_encode, _decode_in_python),
    "json": MessageCodec(F.to_json, lambda message: F.from_json(message, _SCHEMA)),
    "avro": MessageCodec(
        lambda rows: to_avro(rows, _AVRO_SCHEMA),
        lambda message: from_avro(message, _AVRO_SCHEMA),
    ),
}


def rows_of(statements: DataFrame, count: int) -> DataFrame:
    """Return the rows of this many messages, as sorted arrays in a column, in one partition."""
    null = F.lit(None).cast("string")
    row = F.struct(
        F.lit("A").alias("op"),
        *("subject", "predicate", "object", "graph"),
        null.alias("name"),
        null.alias("value"),
        F.lit(0).cast("bigint").alias("patch"),
        null.cast("bigint").alias("tx"),
        (F.col("seq") % ROWS).alias("seq"),
    )
    chosen = statements.where(F.col("seq") < ROWS * count)
    message = F.floor(F.col("seq") / ROWS)
    groups = chosen.groupBy(message).agg(F.array_sort(F.collect_list(row)).alias("rows"))
    return groups.select("rows").coalesce(1)
