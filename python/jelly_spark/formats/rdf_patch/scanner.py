"""The scanner of RDF Patch's tokens: names, strings, IRIs and numbers."""

from __future__ import annotations

import re

from jelly_spark.core.terms import STRING_ESCAPE, SURROGATES
from jelly_spark.core.terms.patterns import NAME_CHARACTERS
from jelly_spark.core.text.scanner import TextScanner, iri_pattern, run_pattern, string_pattern
from jelly_spark.formats.rdf_patch.token_patterns import (
    LABEL,
    LOCAL_NAME_CHAR,
    LOCAL_NAME_ESCAPE,
    LOCAL_NAME_START,
    NAME,
)


def _long_string(quote: str) -> re.Pattern[str]:
    return run_pattern(rf"[^{quote}\\{SURROGATES}]", f"{quote}(?!{quote}{quote})|{STRING_ESCAPE}")


_SPACE_IN_LINE = re.compile(r"[ \t\f]*")
_LOCAL_NAME = run_pattern(LOCAL_NAME_CHAR, LOCAL_NAME_ESCAPE)
# The patterns of strings without their quotes, by these quotes.
_STRINGS = {
    '"': string_pattern('"'),
    "'": string_pattern("'"),
    '"""': _long_string('"'),
    "'''": _long_string("'"),
}
# The dot of `1.e5` belongs to the number, the dot of `1.` does not. The pattern also matches an
# exponent without digits, so that `number` can report it.
_NUMBER = re.compile(r"(?:[+-]?(?:[0-9]+(?:\.(?:[0-9]+|(?=[eE])))?|\.[0-9]+)(?:[eE][+-]?[0-9]*)?)?")
_NO_END_OF_NUMBER = re.compile(f"[:+{NAME_CHARACTERS}]")
_HEX_DIGITS = re.compile("[0-9A-Fa-f]*")
_NAME_ESCAPE = re.compile(r"\\(.)")


class Scanner(TextScanner):
    """Scans the tokens of RDF Patch; see `TextScanner`."""

    space = re.compile(r"[ \t\r\n\f]*")
    iri_text = iri_pattern(rf"[^ \t\r\n<>\\{SURROGATES}]")
    label_text = LABEL

    def skip_line(self) -> bool:
        """Skip white space and a comment, up to the end of the line; return whether it is there."""
        character = self.skip(_SPACE_IN_LINE)
        if character == "#":
            self.skip_comment()
            return True
        return character in ("", "\r", "\n")

    def word(self) -> str:
        """Return the next word without taking it; `""` if there is none."""
        name = self.name(NAME)
        return "" if self.peek(len(name) + 1).endswith(":") else name

    def prefix_before_colon(self) -> str | None:
        """Take a prefix, which may be empty, and its colon; return the prefix without the colon.

        Returns:
            None if the next token is not a prefix with a colon; it is not taken then.
        """
        name = self.name(NAME)
        if not self.peek(len(name) + 1).endswith(":"):
            return None
        self._source.at += len(name) + 1
        return name

    def local_name(self) -> str:
        """Take the local name of a prefixed name, from after its colon; return it unescaped."""
        source = self._source
        begins = LOCAL_NAME_START.match(self.peek(1))
        end = self.end(_LOCAL_NAME, repeated=True) if begins else source.at
        if source.text.startswith("%", end):
            digits = _HEX_DIGITS.match(source.text, end + 1, end + 3)
            at = digits.end() if digits else end
            raise self.wrong_character("2 hexadecimal digits", at)
        if source.text.startswith("\\", end):
            raise self.wrong_character("an escape of a name", end)
        name = source.text[source.at : end].rstrip(".")
        # The dot of an escape `\.` is part of the name.
        if name.endswith("\\"):
            name += "."
        source.at += len(name)
        return _NAME_ESCAPE.sub(r"\1", name)

    def string(self) -> str | None:
        """Take a string; return its text without quotes, with its escapes.

        Returns:
            None if the next token is not a string; it is not taken then.
        """
        start = self.peek(3)
        quote = start[:1]
        if not quote or quote not in "\"'":
            return None
        if start == quote * 3:
            quote = start
        self._source.at += len(quote)
        return self.string_text(_STRINGS[quote], quote)

    def number(self) -> str:
        """Return the text of the next number without taking it; `""` if there is none."""
        source = self._source
        end = self.end(_NUMBER)
        number = source.text[source.at : end]
        if number.endswith(("e", "E", "+", "-")):
            raise self.wrong_character("the digits of an exponent", end)
        if number and _NO_END_OF_NUMBER.match(source.text, end):
            source.at = end
            raise self.wrong_token("the end of the number")
        return number
