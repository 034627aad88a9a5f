"""Labels for blank nodes that have none in the file, such as `[ ]` in Turtle."""

from __future__ import annotations

import re
from hashlib import sha256

# pyoxigraph gives a blank node without a label a random number of 128 bits in hexadecimal, without
# zeros in front, whose first digit is a letter. One with fewer than 20 digits is as good as
# impossible.
_RANDOM = re.compile(r"[a-f][0-9a-f]{19,31}")
# A label of this form that the file itself has, as files do that Oxigraph wrote.
_WRITTEN = re.compile(rb"_:([a-f][0-9a-f]{19,31})(?![0-9a-f])")
# The longest text that the pattern matches, for common white space.
_LONGEST = 64

GIVEN = "_-"
"""What labels of RDF/XML begin with for pyoxigraph, which refuses some that begin otherwise."""


class BlankNodeLabels:
    """Labels of the blank nodes of a file.

    Labels in the file are kept. A node without a label gets one, such as `anon-FILE-7`, that
    depends only on what identifies the file and on how many such nodes come before it. So a file
    that is read twice, as Spark does when it repeats a task, has the same labels each time, and two
    files have different ones. The labels need memory for each node without a label.

    Args:
        file: what identifies the file; by default, the first bytes that are watched.
    """

    def __init__(self, file: bytes | None) -> None:
        self._prefix = "" if file is None else _prefix_of(file)
        # The end of what was read before, in which a label may begin.
        self._end = b""
        self._written: set[str] = set()
        self._labels: dict[str, str] = {}

    def watch(self, data: bytes) -> None:
        """Note which labels the next bytes of the file have that look like pyoxigraph's own."""
        self._prefix = self._prefix or _prefix_of(data)
        text = self._end + data
        self._written.update(label.decode() for label in _WRITTEN.findall(text))
        self._end = text[-_LONGEST:]

    def label(self, label: str) -> str:
        """Return the label of a node, given the one that pyoxigraph has for it."""
        if _RANDOM.fullmatch(label) and label not in self._written:
            return self._labels.get(label) or self._numbered(label)
        return self._given(label)

    def _numbered(self, label: str) -> str:
        found = self._labels[label] = f"{self._prefix}{len(self._labels)}"
        return found

    def _given(self, label: str) -> str:
        if label.startswith(self._prefix):
            # The file has labels that were made here. The underscore keeps them apart from those
            # that are made now.
            return f"{self._prefix}_{label.removeprefix(self._prefix)}"
        return label


class XmlBlankNodeLabels(BlankNodeLabels):
    """Labels of the blank nodes of a file of RDF/XML, in which those of the file have a prefix."""

    def watch(self, data: bytes) -> None:
        """Take the first bytes for the file, unless something else identifies it."""
        self._prefix = self._prefix or _prefix_of(data)

    def label(self, label: str) -> str:
        """Return the label of a node, given the one that pyoxigraph has for it."""
        if label.startswith(GIVEN):
            return self._given(label.removeprefix(GIVEN))
        return self._labels.get(label) or self._numbered(label)


def _prefix_of(file: bytes) -> str:
    return f"anon-{sha256(file).hexdigest()[:16]}-"
