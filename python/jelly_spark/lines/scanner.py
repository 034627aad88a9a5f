"""The tokens of N-Triples and N-Quads (N-Triples, "Grammar")."""

from __future__ import annotations

import re

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.term_patterns import BASE_DIRECTION
from jelly_spark.core.terms import IRI_CHAR, NAME_REST, NAME_START
from jelly_spark.core.text_scanner import TextScanner, iri_pattern, string_pattern

_BLANKS = re.compile(r"[ \t]*")
# As far as a label may reach, with dots at the end, which belong to what follows. The test suite
# allows no colon in it.
_LABEL = re.compile(f"(?:[{NAME_START}_0-9][.{NAME_START}_0-9{NAME_REST}]*)?")
_STRING = string_pattern('"')


class LineScanner(TextScanner):
    """Scans the tokens of N-Triples and N-Quads.

    `skip_space` also skips ends of lines: it is for between statements.
    """

    space = re.compile(r"[ \t\r\n]*")
    iri_text = iri_pattern(IRI_CHAR)

    def skip_blanks(self) -> str:
        """Skip spaces and tabs; return the character that follows, `""` at the end."""
        return self.skip(_BLANKS)

    def end_line(self) -> None:
        """Take the end of the line, with blanks and a comment before it."""
        character = self.skip_blanks()
        if character == "#":
            self.skip_comment()
        elif character and character not in "\r\n":
            raise self.wrong_token("the end of the line")
        self.take("\r")
        self.take("\n")

    def label(self) -> str:
        """Take and return the label of a blank node, after `_:`."""
        label = self.name(_LABEL)
        if not label:
            raise self.wrong_character("a blank node label", self._source.at)
        self._source.at += len(label)
        return label

    def literal_text(self) -> str:
        """Take a string, after its opening quote; return its text with its escapes."""
        return self.string_text(_STRING, '"')

    def rdf11_language_tag(self) -> str:
        """Take and return a language tag, after its `@`, that has no base direction."""
        tag = self.language_tag()
        if BASE_DIRECTION in tag:
            raise Violation("a language tag", "'-'")
        return tag
