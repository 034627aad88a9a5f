"""The options of a Jelly-RDF stream."""

from __future__ import annotations

from dataclasses import InitVar, dataclass
from enum import IntEnum
from typing import ClassVar

from jelly_spark.core.options import check_bool, check_member, check_text
from jelly_spark.errors import OptionError
from jelly_spark.jelly.options import JellyOptions

VERSION = 1
"""The version tag of streams without namespaces (Jelly-RDF, "Versioning")."""

NAMESPACES_VERSION = 2
"""The version tag of streams with namespaces, and the highest one that is read."""


class PhysicalType(IntEnum):
    """How a stream represents statements, by the number in the file.

    See Jelly-RDF, "Physical stream types".
    """

    TRIPLES = 1
    QUADS = 2
    GRAPHS = 3
    """Triples between the start and the end of their graph."""


class LogicalType(IntEnum):
    """The meaning of the frames of a stream, by the number in the file.

    See Jelly-RDF, "Logical stream types".
    """

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
        """The base type, whose number is the last digit of this one's."""
        return LogicalType(self % 10)

    @property
    def grouped(self) -> bool:
        """Whether each frame is one element of the stream: a graph or a dataset."""
        return self.base in (LogicalType.GRAPHS, LogicalType.DATASETS)

    def fits(self, physical: PhysicalType) -> bool:
        """Return whether a stream can have this logical type together with a physical type."""
        if physical is PhysicalType.TRIPLES:
            return self.base not in (LogicalType.FLAT_QUADS, LogicalType.DATASETS)
        return self.base not in (LogicalType.FLAT_TRIPLES, LogicalType.GRAPHS)


@dataclass(frozen=True)
class JellyRdfOptions(JellyOptions):
    """Options for writing Jelly-RDF; the defaults are those of the reference writer for Jena.

        JellyRdfOptions(physical_type=PhysicalType.TRIPLES, logical_type=LogicalType.GRAPHS)
        dataclasses.replace(JellyRdfOptions(), physical_type=PhysicalType.TRIPLES)

    By default, the logical type follows the physical type, also when `dataclasses.replace` changes
    the physical type. A `logical_type` passed to `replace` counts as not given if it is the one
    that the copied options derived, because `replace` cannot tell these cases apart. To be sure of
    both types, give them to the constructor.

    `frame_size` applies only to the logical types `UNSPECIFIED`, `FLAT_TRIPLES` and `FLAT_QUADS`,
    where frames have no meaning. In the other logical types, a frame ends with its element.

    Raises:
        OptionError: a value has a wrong type or is out of range, or the logical type does not fit
            the physical type.
    """

    format: ClassVar[str] = "jelly_rdf"

    physical_type: PhysicalType = PhysicalType.QUADS
    # None stands for the default, which depends on the physical type; `__post_init__` sets it.
    logical_type: LogicalType = None  # type: ignore[assignment]
    """The default is `FLAT_TRIPLES` for the physical type `TRIPLES`, and `FLAT_QUADS` for `QUADS`
    and `GRAPHS`."""
    stream_name: str = ""
    frame_size: int = 256
    namespaces: bool = False
    """Whether the stream may hold namespaces, which need version 2 of the format."""

    # `dataclasses.replace` passes this on from the options that it copies: the logical type that
    # was derived from the physical type, or None if the logical type was given. There is no type
    # argument, because `get_type_hints` in Python 3.10 cannot evaluate one here.
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
                f"logical_type for physical_type {self.physical_type.name} must be one of: "
                f"{fitting}; not '{self.logical_type.name}'"
            )
        check_text("stream_name", self.stream_name)
        check_bool("namespaces", self.namespaces)
        super().__post_init__()
