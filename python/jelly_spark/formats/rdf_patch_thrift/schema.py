"""Constants of Jena's schema, `BinaryRDF.thrift`, for the decoder and the encoder."""

from __future__ import annotations

from jelly_spark.core.rows import RowOp

TRANSACTION_OPS: tuple[RowOp, ...] = ("TX", "TC", "TA", "END")
"""The ops of transaction rows, by their codes in Jena's PatchTxn, where `END` is a segment."""

RDF_LANG_STRING = "http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"
"""The datatype of all literals with a language tag; a file may give it beside the tag."""
