"""XML documents as pyoxigraph's parser of RDF/XML can read them."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import NamedTuple
from xml.parsers import expat

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.row_size import text_size
from jelly_spark.core.terms.base_direction import join_tag, split_tag
from jelly_spark.core.terms.text import is_canonical_label
from jelly_spark.formats.rdf.blank_nodes import GIVEN
from jelly_spark.formats.rdf.xml_attributes import RDF_NAMESPACE as _RDF
from jelly_spark.formats.rdf.xml_attributes import check_attributes
from jelly_spark.formats.rdf.xml_base import resolve
from jelly_spark.formats.rdf.xml_encodings import parser_for
from jelly_spark.formats.rdf.xml_literals import XML_NAMESPACE, XmlLiteral, XmlName

OWN_PREFIXES = {"-": _RDF}
"""Prefixes for the parser that are not in the document: XML does not allow their names."""

_MAX_LEVELS = 1000
# expat's stack overflows if too many entities are in each other.
_MAX_ENTITIES = 5000
# The most bytes to write, if the document has a DTD, for XML literals and for bases: however short
# the file is, and for each of its bytes.
_LEAST_SIZE = 8 << 20
_MOST_GROWTH = 20
# How many names are remembered, and how many characters of one: entities can make them long.
_MAX_NAMES = 4096
_MAX_NAME = 1024
# How many bytes are counted before the parts are joined: many short ones take much memory.
_MAX_PARTS = 1 << 20

_SEPARATOR = "\x1f"
"""Between the parts of a name that expat returns: XML cannot have this character."""

_AMPLIFICATION = 43
"""The code of expat's error about entities, which has no name in Python 3.10."""

_SPECIAL_IN_ATTRIBUTE = re.compile('[&<"\t\n\r]')
_IN_TEXT = str.maketrans({mark: f"&#{ord(mark)};" for mark in "&<>\r"})
_IN_ATTRIBUTE = str.maketrans({mark: f"&#{ord(mark)};" for mark in '&<"\t\n\r'})
# Attributes of RDF/XML that old files have without a prefix (RDF 1.1 XML Syntax, section 6.1.4).
_UNQUALIFIED = ("about", "ID", "resource", "parseType", "type")
# The element of a whole document.
_DOCUMENT = (_RDF, "RDF")
# The attributes that say what the object of a property element is.
_OBJECTS = {(_RDF, "resource"), (_RDF, "nodeID")}
# The values of rdf:parseType for something else than a literal.
_PARSE_TYPES = ("Resource", "Collection", "Triple")


class _Start(NamedTuple):
    """How to write the start of an element with certain attributes.

    Attributes:
        template: the tag, with `%s` for the value of each attribute.
        converters: what makes of each value what is written.
    """

    template: str
    converters: tuple[Callable[[str], str], ...]


class _Scope(NamedTuple):
    """What the elements in an element get from it.

    Attributes:
        level: the level of the element.
        base: the base.
        nodes: 0 if node elements have even levels, and property elements odd ones; otherwise 1.
    """

    level: int
    base: str
    nodes: int


class PlainXml:
    """Writes an XML document anew: in UTF-8, and without a DTD, comments and instructions.

    References to entities are replaced, and the defaults of attributes are added. XML literals
    become literals with a datatype, in canonical form. Where the parser would change or refuse
    something, there is something else: a language tag becomes `x-N`, and the label of a blank node
    begins with `GIVEN`.

    Args:
        base: the IRI against which a relative base of the document is resolved; may be empty.

    Attributes:
        place: the line and the column of the error that `add` raised; None if there was none.
    """

    def __init__(self, base: str) -> None:
        self.place: tuple[int, int] | None = None
        # Set when the first bytes come.
        self._parser: expat.XMLParserType | None = None
        self._to_input: Callable[[bytes, bool], bytes] | None = None
        # What stands for a language tag of the document, and the reverse.
        self._placeholders: dict[str, str] = {}
        self._languages: dict[str, str] = {}
        self._parts: list[str] = []
        # What comes before the parts.
        self._joined: list[bytes] = []
        self._size_joined = 0
        # The most bytes to write for those that have come, and how many are counted.
        self._limit = _LEAST_SIZE
        self._size = 0
        self._levels = 0
        self._entities = 0
        # Whether all that is written counts: the DTD has entities, or defaults of attributes. The
        # limits of expat are for entities only, and too high.
        self._counts = False
        # The namespaces that the next element declares; first those that are not in the document.
        self._declared = [f' xmlns:{prefix}="{uri}"' for prefix, uri in OWN_PREFIXES.items()]
        # Of node and of property elements, by the names of the element and its attributes.
        self._starts: tuple[dict[str | tuple[str, ...], _Start], ...] = ({}, {})
        self._ends: dict[str, str] = {}
        # Whether the document says that it has a version, such as RDF 1.2.
        self._has_version = False
        # Those of the elements that have not ended and have a base or rdf:parseType="Resource".
        self._scopes = [_Scope(0, base, 0)]
        # How many blank nodes have got a label here.
        self._labels = 0
        # Whether the element that has just begun has an XML literal.
        self._is_literal = False

    @property
    def line(self) -> int:
        """The number of the line up to which the document has been read, from 1."""
        return 1 if self._parser is None else self._parser.CurrentLineNumber

    def add(self, data: bytes) -> bytes:
        """Return what the next bytes of the document become; empty bytes end it.

        Raises:
            Violation: the document is malformed, needs other documents, or exceeds a limit.
        """
        if self._parser is None or self._to_input is None:
            self._parser, self._to_input = self._open(data)
        self._limit += len(data) * _MOST_GROWTH
        try:
            self._parser.Parse(self._to_input(data, not data), not data)
        except expat.ExpatError as error:
            self.place = (error.lineno, error.offset + 1)
            if error.code == _AMPLIFICATION:
                raise _too_large() from None
            raise Violation(
                "well-formed XML", f"an error: {expat.ErrorString(error.code)}"
            ) from None
        except Violation:
            self.place = (self._parser.CurrentLineNumber, self._parser.CurrentColumnNumber + 1)
            raise
        self._join()
        written = b"".join(self._joined)
        self._joined.clear()
        return written

    def tag(self, written: str) -> str:
        """Return the tag of the document for that of the parser, such as `x-0--rtl`.

        It is empty if the document says that there is no language.
        """
        placeholder, direction = split_tag(written)
        language = self._languages[placeholder]
        return join_tag(language, direction) if language else ""

    def _open(self, first: bytes) -> tuple[expat.XMLParserType, Callable[[bytes, bool], bytes]]:
        parser, to_input = parser_for(first, _SEPARATOR)
        parser.namespace_prefixes = True
        parser.ordered_attributes = True
        parser.buffer_text = True
        # Those in the document itself: the handlers raise errors for all others.
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_ALWAYS)
        parser.StartDoctypeDeclHandler = self._start_doctype
        parser.EntityDeclHandler = self._declare_entity
        parser.AttlistDeclHandler = self._declare_attribute
        parser.SkippedEntityHandler = self._skip_entity
        parser.StartNamespaceDeclHandler = self._declare_namespace
        self._handle_rdf(parser)
        parser.StartElementHandler = partial(self._start_root, parser)
        return parser, to_input

    def _handle_rdf(self, parser: expat.XMLParserType) -> None:
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._add_text
        parser.CommentHandler = None
        parser.ProcessingInstructionHandler = None

    def _start_doctype(
        self, _name: str, system_id: str | None, public_id: str | None, _has_subset: bool
    ) -> None:
        if system_id is not None or public_id is not None:
            raise _external()

    def _declare_entity(
        self,
        _name: str,
        _is_parameter: bool,
        value: str | None,
        _base: str | None,
        _system_id: str,
        _public_id: str | None,
        notation: str | None,
    ) -> None:
        if value is None and notation is None:
            raise _external()
        self._counts = True
        self._entities += 1
        if self._entities > _MAX_ENTITIES:
            raise Violation(f"XML with at most {_MAX_ENTITIES} entities", "more of them")

    def _declare_attribute(
        self, _element: str, _name: str, _type: str, default: str | None, _is_required: bool
    ) -> None:
        self._counts = self._counts or default is not None

    def _skip_entity(self, name: str, is_parameter: bool) -> None:
        # The declarations of a parameter entity that is not declared may not be needed.
        if not is_parameter:
            raise Violation("well-formed XML", f"an error: undefined entity {name}")

    def _declare_namespace(self, prefix: str | None, uri: str | None) -> None:
        attribute = f"xmlns:{prefix}" if prefix else "xmlns"
        self._declared.append(f' {attribute}="{_escape(uri or "")}"')

    def _start_root(self, parser: expat.XMLParserType, name: str, attributes: list[str]) -> None:
        if _split(name)[:2] != _DOCUMENT:
            # The root is a node element.
            self._scopes = [self._scopes[0]._replace(nodes=1)]
        parser.StartElementHandler = self._start
        self._start(name, attributes)

    def _start(self, name: str, attributes: list[str]) -> None:
        self._levels += 1
        if self._levels > _MAX_LEVELS:
            raise _too_deep()
        # Node elements and property elements alternate, but for rdf:parseType="Resource".
        kind = (self._levels ^ self._scopes[-1][2]) & 1
        starts = self._starts[kind]
        key = (name, *attributes[::2]) if attributes else name
        start = starts.get(key)
        if start is None:
            start = self._make_start(name, attributes[::2], is_node=kind == 0)
            if len(starts) == _MAX_NAMES:
                starts.clear()
            if len(name) + sum(map(len, attributes[::2])) <= _MAX_NAME:
                starts[key] = start
        text, converters = start
        # Most elements have one attribute or none.
        if len(converters) == 1:
            text %= converters[0](attributes[1])
        elif converters:
            values = zip(converters, attributes[1::2], strict=True)
            text %= tuple([convert(value) for convert, value in values])
        if self._declared:
            text = f"{text[:-1]}{''.join(self._declared)}>"
            self._declared.clear()
        self._write(text)
        if self._is_literal and self._parser is not None:
            self._begin_literal(self._parser)

    def _make_start(self, element: str, attributes: list[str], *, is_node: bool) -> _Start:
        name = _split(element)
        if not name.uri:
            raise Violation("elements with a namespace", f"{name.qualified!r} without one")
        template = [f"<{name.qualified}"]
        converters = []
        names = list(map(_split_attribute, attributes))
        keys = {(name.uri, name.local) for name in names}
        if len(keys) < len(names):
            raise Violation("each attribute of RDF once in an element", "one with and without rdf:")
        if (name.uri, name.local) != _DOCUMENT:
            check_attributes(names, is_node=is_node)
        # The parser takes an empty property element that has only a type for one with a literal.
        needs_label = not is_node and keys.isdisjoint(_OBJECTS)
        for attribute in names:
            place, converter = self._make_attribute(attribute)
            if needs_label and attribute.uri == _RDF and attribute.local == "type":
                converter = self._labelled(attribute.prefix)
            template.append(place)
            converters.append(converter)
        return _Start("".join([*template, ">"]), tuple(converters))

    def _make_attribute(self, name: XmlName) -> tuple[str, Callable[[str], str]]:
        """Return the place of an attribute in a template, and the converter of its values."""
        if not name.uri:
            raise Violation("attributes with a namespace", f"{name.qualified!r} without one")
        if name.uri == XML_NAMESPACE:
            if name.local == "lang":
                return ' xml:lang="%s"', self._placeholder
            if name.local == "base":
                return ' xml:base="%s"', self._resolve
            # RDF/XML does not use it.
            return "%.0s", _escape
        if name.uri == _RDF and name.local == "version":
            self._has_version = True
        if name.uri == _RDF and name.local == "parseType":
            return f" {name.prefix}:%s", self._parse_type
        is_label = name.uri == _RDF and name.local in ("nodeID", "annotationNodeID")
        converter = _node_id if is_label else _escape
        return f' {name.qualified}="%s"', converter

    def _resolve(self, base: str) -> str:
        # The parser would not resolve it.
        scope = self._scopes[-1]
        resolved = resolve(base, scope.base)
        self._count(text_size(resolved))
        self._scopes.append(_Scope(self._levels, resolved, scope.nodes))
        return _escape(resolved)

    def _labelled(self, prefix: str) -> Callable[[str], str]:
        """Return a converter of types that adds a label, which the document cannot have."""

        def with_label(iri: str) -> str:
            self._labels += 1
            return f'{_escape(iri)}" {prefix}:nodeID="t{self._labels}'

        return with_label

    def _placeholder(self, language: str) -> str:
        found = self._placeholders.get(language)
        if found is None:
            found = self._placeholders[language] = f"x-{len(self._placeholders)}"
            self._languages[found] = language
        return found

    def _parse_type(self, value: str) -> str:
        if value == "Triple" and not self._has_version:
            raise Violation("rdf:version in a document with rdf:parseType='Triple'", "none")
        if value == "Resource":
            scope = self._scopes[-1]
            self._scopes.append(scope._replace(level=self._levels, nodes=1 - scope.nodes))
        # All other values stand for "Literal" (RDF 1.1 XML Syntax, section 7.2.20).
        self._is_literal = value not in _PARSE_TYPES
        return f'datatype="{_RDF}XMLLiteral"' if self._is_literal else f'parseType="{value}"'

    def _begin_literal(self, parser: expat.XMLParserType) -> None:
        self._is_literal = False
        literal = XmlLiteral()

        def start(name: str, attributes: list[str]) -> None:
            self._levels += 1
            if self._levels > _MAX_LEVELS:
                raise _too_deep()
            self._declared.clear()
            pairs = zip(map(_split, attributes[::2]), attributes[1::2], strict=True)
            self._count(literal.start(_split(name), [*pairs]))

        def end(name: str) -> None:
            if literal.levels:
                self._levels -= 1
                self._count(literal.end())
            else:
                self._handle_rdf(parser)
                self._add_text(literal.text())
                self._end(name)

        parser.StartElementHandler = start
        parser.EndElementHandler = end
        parser.CharacterDataHandler = lambda text: self._count(literal.add_text(text))
        parser.CommentHandler = lambda text: self._count(literal.add_comment(text))
        parser.ProcessingInstructionHandler = lambda target, data: self._count(
            literal.add_instruction(target, data)
        )

    def _end(self, name: str) -> None:
        while self._levels == self._scopes[-1][0]:
            self._scopes.pop()
        self._levels -= 1
        end = self._ends.get(name)
        if end is None:
            end = f"</{_split(name).qualified}>"
            if len(self._ends) == _MAX_NAMES:
                self._ends.clear()
            if len(name) <= _MAX_NAME:
                self._ends[name] = end
        self._write(end)

    def _add_text(self, text: str) -> None:
        # Faster than a regular expression.
        if "&" in text or "<" in text or ">" in text or "\r" in text:
            text = text.translate(_IN_TEXT)
        self._write(text)

    def _write(self, text: str) -> None:
        self._parts.append(text)
        if self._counts:
            self._count(text_size(text))

    def _count(self, size: int) -> None:
        self._size += size
        if self._size > self._limit:
            raise _too_large()
        if self._size - self._size_joined > _MAX_PARTS:
            self._join()

    def _join(self) -> None:
        self._joined.append("".join(self._parts).encode())
        self._parts.clear()
        self._size_joined = self._size


def _split(name: str) -> XmlName:
    """Split a name as expat returns it."""
    parts = name.split(_SEPARATOR)
    if len(parts) == 1:
        return XmlName("", name, name)
    uri, local, *prefix = parts
    return XmlName(uri, local, ":".join([*prefix, local]))


def _split_attribute(name: str) -> XmlName:
    """Split the name of an attribute, which is RDF's if it may be without a prefix."""
    return XmlName(_RDF, name, f"-:{name}") if name in _UNQUALIFIED else _split(name)


def _escape(value: str) -> str:
    return value.translate(_IN_ATTRIBUTE) if _SPECIAL_IN_ATTRIBUTE.search(value) else value


def _node_id(label: str) -> str:
    if not is_canonical_label(label):
        raise Violation("a valid blank node label", repr(label))
    return f"{GIVEN}{label}"


def _external() -> Violation:
    return Violation(
        "XML with its entities in the file, because they are not fetched",
        "an external DTD or entity: put its declarations in its place, or remove it",
    )


def _too_deep() -> Violation:
    return Violation(f"elements nested at most {_MAX_LEVELS} deep", "deeper ones")


def _too_large() -> Violation:
    return Violation(
        "XML whose entities do not multiply its size",
        "entities, defaults of attributes or bases that expand to much more than the file",
    )
