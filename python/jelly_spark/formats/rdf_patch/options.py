"""The options for writing RDF Patch text."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from jelly_spark.core.options import WriteOptions, check_member


class Style(Enum):
    """The two syntaxes for writing. The reader accepts both, without an option."""

    JENA = "jena"
    """The current syntax of RDF Patch, as Apache Jena writes it."""
    V1 = "v1"
    """The first version of RDF Patch: only `A` and `D` rows, with `@prefix`, and `R` for repeated
    terms."""


@dataclass(frozen=True)
class RdfPatchOptions(WriteOptions):
    """Options for writing RDF Patch text.

        RdfPatchOptions(style=Style.V1)

    Attributes:
        style: the syntax to write.

    Raises:
        OptionError: `style` is not a `Style`.
    """

    format: ClassVar[str] = "rdf_patch"

    style: Style = Style.JENA

    def __post_init__(self) -> None:
        check_member("style", self.style, Style)
