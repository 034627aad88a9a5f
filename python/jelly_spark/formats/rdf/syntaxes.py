"""The syntaxes of the format `rdf`, and how to find the one of a file."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from jelly_spark.core.files.compression import COMPRESSIONS
from jelly_spark.core.files.paths import name_of
from jelly_spark.core.options import check_text, choose
from jelly_spark.errors import OptionError
from jelly_spark.formats.rdf.beginnings import JSON_LD, RDF_XML, TURTLE

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
        start: a pattern for the beginning of its files.
        is_written: whether it can be written.
        has_graphs: whether its statements can have graphs.
    """

    title: str
    member: str
    extensions: tuple[str, ...]
    start: bytes
    is_written: bool = False
    has_graphs: bool = True

    def parser_format(self) -> ox.RdfFormat:
        """Return the syntax as pyoxigraph has it."""
        import pyoxigraph as ox

        found: ox.RdfFormat = getattr(ox.RdfFormat, self.member)
        return found


SYNTAXES: dict[str, Syntax] = {
    "turtle": Syntax(
        "Turtle", "TURTLE", (".ttl", ".turtle"), TURTLE, is_written=True, has_graphs=False
    ),
    "trig": Syntax("TriG", "TRIG", (".trig",), TURTLE, is_written=True),
    "n3": Syntax("N3", "N3", (".n3",), TURTLE),
    "rdfxml": Syntax(
        "RDF/XML", "RDF_XML", (".rdf", ".owl", ".rdfs", ".xml"), RDF_XML, has_graphs=False
    ),
    "jsonld": Syntax("JSON-LD", "JSON_LD", (".jsonld", ".json"), JSON_LD),
}
"""The syntaxes, by the values of the option `syntax`."""

WRITTEN = {name: syntax for name, syntax in SYNTAXES.items() if syntax.is_written}
"""The syntaxes that can be written."""

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
    path = _uncompressed(file)
    if path.endswith(_HDT):
        raise OptionError(
            f"{name_of(file)}: HDT cannot be read: convert it to N-Triples first, for example with "
            "hdt2rdf of hdt-cpp or hdt2rdf.sh of hdt-java"
        )
    return _by_extension(path) or _unknown(path, "option", SYNTAXES)


def find_written_syntax(file: object, name: str) -> str:
    """Return the name of the syntax of a file to write, a key of `WRITTEN`.

    Args:
        file: path, URL, or stream of bytes.
        name: the option `syntax`, one of these keys; if it is empty, the extension of the file
            counts.

    Raises:
        OptionError: the extension does not tell the syntax, or it cannot be written.
    """
    if name:
        return name
    path = _uncompressed(file)
    found = _by_extension(path) or _unknown(path, "write option", WRITTEN)
    if found not in WRITTEN:
        raise OptionError(
            f"{name_of(file)}: {SYNTAXES[found].title} can be read, not written: write "
            f"{' or '.join(syntax.title for syntax in WRITTEN.values())}"
        )
    return found


def _uncompressed(file: object) -> str:
    """Return the name of a file without the extension of a compression; empty for no name."""
    path = name_of(file) or ""
    for compression in COMPRESSIONS:
        path = path.removesuffix(compression.extension)
    return path


def _by_extension(path: str) -> str | None:
    for known, syntax in SYNTAXES.items():
        if path.endswith(syntax.extensions):
            return known
    return None


def _unknown(path: str, kind: str, syntaxes: Iterable[str]) -> NoReturn:
    what = repr(path) if path else "bytes or a stream without a name"
    raise OptionError(
        f"the extension of {what} does not tell the syntax: give the {kind} syntax, "
        f"one of: {', '.join(syntaxes)}"
    )
