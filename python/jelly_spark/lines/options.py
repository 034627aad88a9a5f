"""The options for writing N-Triples and N-Quads."""

from __future__ import annotations

from dataclasses import dataclass

from jelly_spark.core.options import WriteOptions, check_bool, check_text, choose
from jelly_spark.errors import OptionError
from jelly_spark.lines.versions import VERSIONS


@dataclass(frozen=True)
class LineOptions(WriteOptions):
    """Options for writing N-Triples and N-Quads.

    Args and attributes:
        version: the version to announce in the first line: `1.1`, `1.2`, `1.2-basic`, or
            `1.2-messages` for a stream of messages; empty for none.
        canonical: whether to write terms in the canonical form of RDF 1.2.

    Raises:
        OptionError: a value is not valid, or there is a version in canonical form.
    """

    version: str = ""
    canonical: bool = False

    def __post_init__(self) -> None:
        check_text("version", self.version)
        check_bool("canonical", self.canonical)
        version = self.version.strip()
        if version:
            version = choose("version", version, {known: known for known in VERSIONS})
            if self.canonical:
                raise OptionError(
                    "canonical files have no VERSION: set only one of canonical and version"
                )
        # The options are frozen. The writer compares the version, whose case and spaces are free.
        object.__setattr__(self, "version", version)
