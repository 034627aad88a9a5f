"""XML literals of RDF/XML, in canonical form."""

from __future__ import annotations

from collections.abc import Sequence
from io import StringIO
from typing import NamedTuple

from jelly_spark.core.row_size import text_size

XML_NAMESPACE = "http://www.w3.org/XML/1998/namespace"

_IN_TEXT = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;", "\r": "&#xD;"})
_IN_ATTRIBUTE = str.maketrans(
    {
        "&": "&amp;",
        "<": "&lt;",
        '"': "&quot;",
        "\t": "&#x9;",
        "\n": "&#xA;",
        "\r": "&#xD;",
    }
)


class XmlName(NamedTuple):
    """The name of an element or an attribute.

    Attributes:
        uri: the namespace; empty if there is none.
        local: the name without its prefix.
        qualified: the name as written.
    """

    uri: str
    local: str
    qualified: str

    @property
    def prefix(self) -> str:
        """The prefix; empty if there is none."""
        return self.qualified.removesuffix(self.local).removesuffix(":")


class XmlLiteral:
    """Builds the lexical form of an XML literal: exclusive canonical XML, with comments.

    Elements have the namespaces that they and their attributes use, unless an element around them
    in the literal has them already.
    """

    def __init__(self) -> None:
        # Not a list: many short strings take much memory.
        self._text = StringIO(newline="")
        # By prefix, the namespaces that the innermost open element sees in the literal.
        self._namespaces: dict[str, str | None] = {"": "", "xml": XML_NAMESPACE}
        # For each open element, those that it hides; None if there was none. Memory must not grow
        # with both the levels and the prefixes.
        self._hidden: list[dict[str, str | None]] = []
        self._names: list[str] = []

    @property
    def levels(self) -> int:
        """The number of elements that have not ended."""
        return len(self._names)

    def text(self) -> str:
        """Return the lexical form."""
        return self._text.getvalue()

    def start(self, name: XmlName, attributes: Sequence[tuple[XmlName, str]]) -> int:
        """Add the start of an element; like the other methods, return its size in bytes."""
        seen = self._namespaces
        used = {name.prefix: name.uri}
        used.update((key.prefix, key.uri) for key, _ in attributes if key.uri)
        new = {prefix: uri for prefix, uri in used.items() if seen.get(prefix) != uri}
        self._hidden.append({prefix: seen.get(prefix) for prefix in new})
        seen.update(new)
        self._names.append(name.qualified)
        pairs = [(f"xmlns:{prefix}" if prefix else "xmlns", uri) for prefix, uri in new.items()]
        pairs.sort()
        pairs += [(key.qualified, value) for key, value in sorted(attributes)]
        written = [f' {key}="{value.translate(_IN_ATTRIBUTE)}"' for key, value in pairs]
        return self._add(f"<{name.qualified}{''.join(written)}>")

    def end(self) -> int:
        """Add the end of the innermost element."""
        self._namespaces.update(self._hidden.pop())
        return self._add(f"</{self._names.pop()}>")

    def add_text(self, text: str) -> int:
        """Add text."""
        return self._add(text.translate(_IN_TEXT))

    def add_comment(self, text: str) -> int:
        """Add a comment."""
        return self._add(f"<!--{text}-->")

    def add_instruction(self, target: str, data: str) -> int:
        """Add a processing instruction."""
        return self._add(f"<?{target} {data}?>" if data else f"<?{target}?>")

    def _add(self, text: str) -> int:
        self._text.write(text)
        return text_size(text)
