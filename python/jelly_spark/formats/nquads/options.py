"""The options of N-Quads: there are none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from jelly_spark.core.options import WriteOptions


@dataclass(frozen=True)
class NQuadsOptions(WriteOptions):
    """How a file is written: in the one way that there is."""

    format: ClassVar[str] = "nquads"
