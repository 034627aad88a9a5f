"""The names that other programs give the formats, for errors about unknown names."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import NamedTuple

from jelly_spark.core.format import WrittenFormat


class RightName(NamedTuple):
    """What a user means by an unknown name of a format.

    Attributes:
        format: the short name.
        syntax: the value of the option `syntax` of the format `rdf`; None for other formats.
    """

    format: str
    syntax: str | None = None


_SYNTAXES = {
    "turtle": ("turtle", "ttl", "longturtle"),
    "trig": ("trig",),
    "n3": ("n3", "notation3"),
    "rdfxml": ("rdfxml", "owl", "rdfs", "xml", "prettyxml"),
    "jsonld": ("jsonld", "json", "ldjson"),
}
"""The names of the syntaxes of the format `rdf`, by the values of its option `syntax`."""

_OTHERS = {
    **{"jellyrdfpatch": RightName("jelly_patch"), "patch": RightName("rdf_patch")},
    **{"thrift": RightName("rdf_patch_thrift"), "sparql": RightName("sparql_update")},
    **{"nt11": RightName("ntriples"), "ntriple": RightName("ntriples")},
    **{"nquad": RightName("nquads"), "rdf": RightName("rdf")},
    **{name: RightName("rdf", syntax) for syntax, names in _SYNTAXES.items() for name in names},
}
"""Names that are neither extensions nor short names, such as those of media types and of rdflib."""

TABLES = ("arrow", "avro", "csv", "delta", "feather", "orc", "parquet", "tsv")
"""Formats of tables, which hold no RDF."""

_MEDIA_TYPE = re.compile(r"^(?:application|text)/(?:x-)?")
_SEPARATORS = re.compile(r"[^a-z0-9]")


def right_name(name: str, formats: Mapping[str, WrittenFormat]) -> RightName | None:
    """Return what a user means by a name that is no format's; None if it is not known.

    Args:
        name: the name, such as `turtle`, `.nt`, `application/n-quads` or `Jelly-Patch`.
        formats: all formats, by short name.
    """
    known = dict(_OTHERS)
    for format, found in formats.items():
        if format != "rdf":
            for text in (format, *found.extensions):
                known[_key(text)] = RightName(format)
    key = _key(name)
    # Short names that differ by a letter, such as TriX and TriG, are different formats.
    near = get_close_matches(key, known, n=1, cutoff=0.82) if len(key) > 4 else [key]
    return known.get(near[0]) if near else None


def is_table(name: str) -> bool:
    """Return whether this is the name of a format of tables, which hold no RDF."""
    return _key(name) in TABLES


def _key(name: str) -> str:
    return _SEPARATORS.sub("", _MEDIA_TYPE.sub("", name.strip().lower()))
