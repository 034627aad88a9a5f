"""The options of SPARQL Update."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from jelly_spark.core.options import WriteOptions, check_size
from jelly_spark.core.terms.skolem_iris import check_skolem_base

_MOST_ROWS = 2**31 - 1


@dataclass(frozen=True)
class SparqlUpdateOptions(WriteOptions):
    """Options for writing SPARQL Update.

        SparqlUpdateOptions(skolem_base="https://example.org/.well-known/genid/")

    Attributes:
        batch_size: the largest number of statements in one operation, from 1 to 2147483647.
        skolem_base: the prefix of the IRIs that replace blank nodes, an absolute IRI. If it is
            empty, blank nodes are rejected, because `DELETE DATA` does not allow them.

    Raises:
        OptionError: a value has a wrong type or is out of range, or `skolem_base` is not an
            absolute IRI.
    """

    format: ClassVar[str] = "sparql_update"

    batch_size: int = 1000
    skolem_base: str = ""

    def __post_init__(self) -> None:
        check_size("batch_size", self.batch_size, 1, _MOST_ROWS)
        check_skolem_base(self.skolem_base)
