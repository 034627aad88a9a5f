"""The options of an RDF Patch text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from jelly_spark.core.options import WriteOptions, check_member


class Style(Enum):
    """The two forms of the text. Reading needs no style: one reader takes both."""

    JENA = "jena"
    """RDF Patch of today, as Apache Jena writes it."""
    V1 = "v1"
    """RDF Patch's first version: `A` and `D` only, with `@prefix` and `R` for repeated terms."""


@dataclass(frozen=True)
class RdfPatchOptions(WriteOptions):
    """How a text is written.

        RdfPatchOptions(style=Style.V1)

    Raises:
        OptionError: a value is not valid.
    """

    format: ClassVar[str] = "rdf_patch"

    style: Style = Style.JENA

    def __post_init__(self) -> None:
        check_member("style", self.style, Style)
