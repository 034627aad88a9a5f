"""A scanner for the tokens of N-Triples and N-Quads (N-Triples, "Grammar")."""

from __future__ import annotations

import re

from jelly_spark.core.malformed_input import Violation
from jelly_spark.core.term_patterns import BASE_DIRECTION
from jelly_spark.core.terms import IRI_CHAR, NAME_REST, NAME_START
from jelly_spark.core.text.scanner import TextScanner, iri_pattern, string_pattern

_BLANKS = re.compile(r"[ \t]*")
# The longest possible label. Dots at its end belong to what follows. A label has no colon, as the
# test suite requires.
_LABEL = re.compile(f"(?:[{NAME_START}_0-9][.{NAME_START}_0-9{NAME_REST}]*)?")
_STRING = string_pattern('"')


class LineScanner(TextScanner):
    """Scans the tokens of N-Triples and N-Quads.

    Within a statement, use `skip_blanks`. `skip_space` also skips ends of lines, so it is for use
    between statements.
    """

    space = re.compile(r"[ \t\r\n]*")
    iri_text = iri_pattern(IRI_CHAR)

    def skip_blanks(self) -> str:
        """Skip spaces and tabs; return the next character, or `""` at the end of the text."""
        return self.skip(_BLANKS)

    def end_line(self) -> None:
        """Consume the end of the line, with blanks and a comment before it."""
        character = self.skip_blanks()
        if character == "#":
            self.skip_comment()
        elif character and character not in "\r\n":
            raise self.wrong_token("the end of the line")
        self.take("\r")
        self.take("\n")

    def label(self) -> str:
        """Consume and return a blank node label, after its `_:`."""
        label = self.name(_LABEL)
        if not label:
            raise self.wrong_character("a blank node label", self._source.at)
        self._source.at += len(label)
        return label

    def literal_text(self) -> str:
        """Consume a string after its opening quote, and return its text with the escapes in it."""
        return self.string_text(_STRING, '"')

    def rdf11_language_tag(self) -> str:
        """Consume and return a language tag after its `@`; a base direction is an error."""
        tag = self.language_tag()
        if BASE_DIRECTION in tag:
            raise Violation("a language tag", "'-'")
        return tag
