"""The syntaxes of the format `rdf`, and how to find the one of a file."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jelly_spark.core.files.compression import COMPRESSIONS
from jelly_spark.core.files.paths import name_of
from jelly_spark.core.options import check_text, choose
from jelly_spark.errors import OptionError

if TYPE_CHECKING:
    import pyoxigraph as ox

# Binary files of RDF data that users may try to read. The error says what to do.
_HDT = ".hdt"


class Syntax(NamedTuple):
    """A syntax of RDF data.

    Attributes:
        title: its name in messages.
        member: its name in `pyoxigraph.RdfFormat`.
        extensions: the extensions of its files, with the dot.
    """

    title: str
    member: str
    extensions: tuple[str, ...]

    def parser_format(self) -> ox.RdfFormat:
        """Return the syntax as pyoxigraph has it."""
        import pyoxigraph as ox

        found: ox.RdfFormat = getattr(ox.RdfFormat, self.member)
        return found


SYNTAXES: dict[str, Syntax] = {
    "turtle": Syntax("Turtle", "TURTLE", (".ttl", ".turtle")),
    "trig": Syntax("TriG", "TRIG", (".trig",)),
    "n3": Syntax("N3", "N3", (".n3",)),
    "rdfxml": Syntax("RDF/XML", "RDF_XML", (".rdf", ".owl", ".rdfs", ".xml")),
    "jsonld": Syntax("JSON-LD", "JSON_LD", (".jsonld", ".json")),
}
"""The syntaxes, by the values of the option `syntax`."""

EXTENSIONS = (*(end for syntax in SYNTAXES.values() for end in syntax.extensions), _HDT)
"""The extensions of all syntaxes, and of HDT, so that reading it fails with advice."""


def find_syntax(file: object, name: str) -> str:
    """Return the name of a file's syntax, a key of `SYNTAXES`.

    Args:
        file: path, URL, bytes, or stream of bytes.
        name: the option `syntax`; if it is empty, the extension of the file counts.

    Raises:
        OptionError: there is no such syntax, the extension does not tell it, or the file is HDT.
    """
    check_text("syntax", name)
    if name:
        return choose("syntax", name, {known: known for known in SYNTAXES})
    path = name_of(file) or ""
    for compression in COMPRESSIONS:
        path = path.removesuffix(compression.extension)
    if path.endswith(_HDT):
        raise OptionError(
            f"{name_of(file)}: HDT cannot be read: convert it to N-Triples first, for example with "
            "hdt2rdf of hdt-cpp or hdt2rdf.sh of hdt-java"
        )
    for known, syntax in SYNTAXES.items():
        if path.endswith(syntax.extensions):
            return known
    what = repr(path) if path else "bytes or a stream without a name"
    raise OptionError(
        f"the extension of {what} does not tell the syntax: give the option syntax, "
        f"one of: {', '.join(SYNTAXES)}"
    )
