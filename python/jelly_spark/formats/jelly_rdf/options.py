"""The options of a Jelly-RDF stream."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from enum import IntEnum
from typing import ClassVar

from jelly_spark.core.options import check_bool, check_member, check_text
from jelly_spark.errors import OptionError
from jelly_spark.jelly.options import JellyOptions

VERSION = 1
"""Jelly-RDF, "Versioning": the version tag of streams without namespaces."""

NAMESPACES_VERSION = 2
"""The version tag of streams with namespaces, and the highest one read."""


class PhysicalType(IntEnum):
    """What the rows of a stream are, by its number (Jelly-RDF, "Physical stream types")."""

    TRIPLES = 1
    QUADS = 2
    GRAPHS = 3
    """Triples between the start and the end of their graph."""


class LogicalType(IntEnum):
    """What the frames of a stream are, by its number (Jelly-RDF, "Logical stream types")."""

    UNSPECIFIED = 0
    FLAT_TRIPLES = 1
    FLAT_QUADS = 2
    GRAPHS = 3
    DATASETS = 4
    SUBJECT_GRAPHS = 13
    NAMED_GRAPHS = 14
    TIMESTAMPED_NAMED_GRAPHS = 114

    @property
    def base(self) -> LogicalType:
        """The base type: the one of the last digit."""
        return LogicalType(self % 10)

    @property
    def grouped(self) -> bool:
        """Whether each frame is an element of the stream, a graph or a dataset."""
        return self.base in (LogicalType.GRAPHS, LogicalType.DATASETS)

    def fits(self, physical: PhysicalType) -> bool:
        """Whether a stream of this physical type can be of this one."""
        if physical is PhysicalType.TRIPLES:
            return self.base not in (LogicalType.FLAT_QUADS, LogicalType.DATASETS)
        return self.base not in (LogicalType.FLAT_TRIPLES, LogicalType.GRAPHS)


@dataclass(frozen=True)
class JellyRdfOptions(JellyOptions):
    """How a stream is written; the defaults are those of the reference implementation for Jena.

        JellyRdfOptions(physical_type=PhysicalType.TRIPLES, logical_type=LogicalType.GRAPHS)
        dataclasses.replace(JellyRdfOptions(), physical_type=PhysicalType.TRIPLES)

    A logical type that was not given follows the physical type in `dataclasses.replace` too. One
    that is given there counts as not given where it is the one that was derived before, since
    `replace` passes on both alike: so give both types to the constructor where they must fit.

    `frame_size` counts where frames carry no meaning: in `UNSPECIFIED`, `FLAT_TRIPLES` and
    `FLAT_QUADS`. In the other logical types a frame ends with its element.

    Raises:
        OptionError: a value is not valid, or the logical type does not fit the
            physical type.
    """

    format: ClassVar[str] = "jelly_rdf"

    physical_type: PhysicalType = PhysicalType.QUADS
    # None, which it never is, stands for the default, which depends on the physical type.
    logical_type: LogicalType = None  # type: ignore[assignment]
    """By default `FLAT_TRIPLES` in `TRIPLES`, `FLAT_QUADS` in `QUADS` and `GRAPHS`."""
    stream_name: str = ""
    frame_size: int = 256
    namespaces: bool = False
    """Whether the stream may hold namespaces, which needs version 2 of the format."""

    # What `dataclasses.replace` passes on from the options that it copies: the logical type that
    # was derived there from the physical type; None where it was given. Without a type argument,
    # which `get_type_hints` of Python 3.10 cannot evaluate here.
    _derived: InitVar = None  # type: ignore[type-arg]

    def __post_init__(self, _derived: LogicalType | None) -> None:
        check_member("physical_type", self.physical_type, PhysicalType)
        derived = None
        if self.logical_type is None or self.logical_type is _derived:
            triples = self.physical_type is PhysicalType.TRIPLES
            derived = LogicalType.FLAT_TRIPLES if triples else LogicalType.FLAT_QUADS
            object.__setattr__(self, "logical_type", derived)
        object.__setattr__(self, "_derived", derived)
        check_member("logical_type", self.logical_type, LogicalType)
        if not self.logical_type.fits(self.physical_type):
            fitting = ", ".join(kind.name for kind in LogicalType if kind.fits(self.physical_type))
            raise OptionError(
                f"logicalType for physicalType {self.physical_type.name} must be one of: "
                f"{fitting}; not "
                f"'{self.logical_type.name}'"
            )
        check_text("stream_name", self.stream_name)
        check_bool("namespaces", self.namespaces)
        super().__post_init__()
