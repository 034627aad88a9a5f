"""What reading and writing share of Jena's schema, `BinaryRDF.thrift`, but for ids of fields."""

from __future__ import annotations

from jelly_spark.core.rows import RowOp

TRANSACTION_OPS: tuple[RowOp, ...] = ("TX", "TC", "TA", "END")
"""The rows that hold nothing else, by their codes in PatchTxn; there an `END` is a segment."""

RDF_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
"""The datatype of literals with a language tag; it need not be written with the tag."""
