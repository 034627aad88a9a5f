"""The options of N-Triples, which has none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from jelly_spark.core.options import WriteOptions


@dataclass(frozen=True)
class NTriplesOptions(WriteOptions):
    """Options for writing N-Triples. There are none: the format is written in only one way."""

    format: ClassVar[str] = "ntriples"
