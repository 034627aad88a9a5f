"""The options of RDF Patch in Thrift, which has none."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from jelly_spark.core.options import WriteOptions


@dataclass(frozen=True)
class RdfPatchThriftOptions(WriteOptions):
    """Options for writing RDF Patch in Thrift; there are none."""

    format: ClassVar[str] = "rdf_patch_thrift"
