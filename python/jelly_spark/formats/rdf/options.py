"""The options for writing Turtle and TriG."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from jelly_spark.core.options import WriteOptions, check_text, choose
from jelly_spark.core.show import show
from jelly_spark.core.terms import IRI_CHAR
from jelly_spark.errors import OptionError, UnwritableRowError
from jelly_spark.formats.rdf.syntaxes import WRITTEN
from jelly_spark.formats.rdf.turtle_terms import check_prefix

_IRI = re.compile(f"{IRI_CHAR}*")


@dataclass(frozen=True)
class RdfOptions(WriteOptions):
    """Options for writing Turtle and TriG.

        RdfOptions(prefixes={"ex": "http://example.org/"})

    Attributes:
        syntax: `turtle` or `trig`; if it is empty, the file's extension says it.
        prefixes: the prefixes that the file begins with, and their IRIs. They take precedence over
            those of namespace rows.

    Raises:
        OptionError: a value has a wrong type, the syntax cannot be written, or Turtle cannot
            declare a prefix.
    """

    format: ClassVar[str] = "rdf"

    syntax: str = ""
    prefixes: Mapping[str, str] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        check_text("syntax", self.syntax)
        syntax = self.syntax.strip()
        if syntax:
            syntax = choose("syntax", syntax, {known: known for known in WRITTEN})
        # The options are frozen. The case and spaces of the syntax are free.
        object.__setattr__(self, "syntax", syntax)
        if not isinstance(self.prefixes, Mapping):
            raise OptionError(f"prefixes must be a mapping of strings, not {show(self.prefixes)}")
        for name, iri in self.prefixes.items():
            _check(name, iri)
        object.__setattr__(self, "prefixes", dict(self.prefixes))


def _check(name: object, iri: object) -> None:
    if not isinstance(name, str) or not isinstance(iri, str):
        raise OptionError(f"prefixes must map strings to strings, not {show(name)} to {show(iri)}")
    if not _IRI.fullmatch(iri):
        raise OptionError(f"prefixes: {show(iri)} is not an IRI: leave out brackets and spaces")
    try:
        check_prefix(name, iri)
    except UnwritableRowError as error:
        raise OptionError(f"prefixes: {error}: {show(name)} for {show(iri)}") from None
