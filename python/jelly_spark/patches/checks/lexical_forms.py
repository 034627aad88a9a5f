r"""The lexical forms that the XSD datatypes of RDF 1.1 allow, as regular expressions.

The datatypes are those of RDF 1.1 Concepts, section 5.1, with the lexical spaces of XML Schema 1.1
Part 2. Whitespace around a value is only allowed in strings: an XML processor removes it before it
validates the value, but RDF has no such step.

The patterns match lexical forms as canonical terms have them, where `\"`, `\\`, `\n` and `\r` are
escape sequences. They mean the same to Python's `re` and to Java: digits are `[0-9]`, because `\d`
differs, and only groups of fixed length repeat without limit, because Java uses stack for each
repetition of other groups.
"""

from __future__ import annotations

from jelly_spark.core.terms.base_direction import DIRECTIONS
from jelly_spark.core.terms.text import NAME_REST, NAME_START


def _at_most(bound: int) -> str:
    """Return a pattern for the decimal numbers from 0 to `bound`; leading zeros are allowed."""
    digits = str(bound)
    last = len(digits) - 1
    choices = [f"[0-9]{{1,{last}}}"]
    for at, digit in enumerate(digits):
        if digit > "0":
            choices.append(f"{digits[:at]}[0-{int(digit) - 1}][0-9]{{{last - at}}}")
    return f"0*(?:{'|'.join(choices)}|{digits})"


def _signed(bits: int) -> str:
    bound = 1 << (bits - 1)
    return rf"\+?{_at_most(bound - 1)}|-{_at_most(bound)}"


def _unsigned(bits: int) -> str:
    return rf"\+?{_at_most((1 << bits) - 1)}|-0+"


_DECIMAL = r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)"
_DOUBLE = rf"{_DECIMAL}(?:[eE][+-]?[0-9]+)?|[+-]?INF|NaN"

_YEAR = "-?(?:[1-9][0-9]{3,}|0[0-9]{3})"
_MONTH = "(?:0[1-9]|1[0-2])"
_DAY = "(?:0[1-9]|[12][0-9]|3[01])"
# All days except February 29.
_MONTH_AND_DAY = (
    "(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])"
    "|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)"
    "|02-(?:0[1-9]|1[0-9]|2[0-8]))"
)
# A year divisible by 4, but not by 100 unless also by 400. XSD 1.1 has a year 0000, a leap year.
_LEAP_YEAR = (
    "-?(?:[1-9][0-9]*)?(?:[0-9]{2}(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)"
)
_DATE = f"(?:{_YEAR}-{_MONTH_AND_DAY}|{_LEAP_YEAR}-02-29)"
_TIME = (
    r"(?:(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?"
    r"|24:00:00(?:\.0+)?)"
)
_ZONE = "(?:Z|[+-](?:(?:0[0-9]|1[0-3]):[0-5][0-9]|14:00))"

_YEARS_AND_MONTHS = "(?:[0-9]+Y)?(?:[0-9]+M)?"
_DAYS_AND_TIME = r"(?:[0-9]+D)?(?:T(?=[0-9])(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+(?:\.[0-9]+)?S)?)?"

# The characters of XML 1.1.
_ANY = r"[^\x00\uFFFE\uFFFF]*"
# An escaped LF or CR. An even number of backslashes comes before it: in `\\n`, the n is a letter.
_LINE_END = r"(?<!\\)(?:\\\\)*\\[nr]"
_NO_LINES = rf"(?!{_ANY}(?:\t|{_LINE_END}))"
# No space at the start or end, and no two spaces in a row. A quote right after a space is the one
# that ends the lexical form: all others have a backslash before them.
_NO_EXTRA_SPACES = rf'(?! )(?!{_ANY} [ "])'

_NAME_REST = f"_.{NAME_START}0-9{NAME_REST}"

_BASE64_DIGIT = "[A-Za-z0-9+/]"
# A space is allowed between any two characters. The number of characters is checked only if there
# are no spaces: groups with optional spaces vary in length, so Java would use stack for each.
_BASE64 = (
    f"(?:{_BASE64_DIGIT}{{4}})*"
    f"(?:{_BASE64_DIGIT}{{2}}[AEIMQUYcgkosw048]=|{_BASE64_DIGIT}[AQgw]==)?"
    rf'|(?=[^ "]+ ){_NO_EXTRA_SPACES}[A-Za-z0-9+/ ]+(?:= ?)?=?'
)


def _language(after_hyphen: str) -> str:
    """Return the pattern of Turtle's language tags whose subtags have at most 8 characters.

    The second lookahead rejects a subtag after the first one that is empty or longer.

    Args:
        after_hyphen: the pattern that must match after each hyphen.
    """
    return (
        rf"[A-Za-z]{{1,8}}(?![A-Za-z0-9])(?![A-Za-z0-9-]*(?:-(?!{after_hyphen})|[A-Za-z0-9]{{9}}))"
        "[A-Za-z0-9-]*"
    )


_LANGUAGE = _language("[A-Za-z0-9]")

LANGUAGE_TAG_FORM = _language(f"[A-Za-z0-9]|-(?:{'|'.join(DIRECTIONS)})(?![A-Za-z0-9-])")
"""The pattern of language tags, which may end with a base direction."""

LEXICAL_FORMS: dict[str, str] = {
    "string": _ANY,
    "boolean": "true|false|1|0",
    "decimal": _DECIMAL,
    "integer": "[+-]?[0-9]+",
    "double": _DOUBLE,
    "float": _DOUBLE,
    "date": f"{_DATE}{_ZONE}?",
    "time": f"{_TIME}{_ZONE}?",
    "dateTime": f"{_DATE}T{_TIME}{_ZONE}?",
    "dateTimeStamp": f"{_DATE}T{_TIME}{_ZONE}",
    "gYear": f"{_YEAR}{_ZONE}?",
    "gMonth": f"--{_MONTH}{_ZONE}?",
    "gDay": f"---{_DAY}{_ZONE}?",
    "gYearMonth": f"{_YEAR}-{_MONTH}{_ZONE}?",
    "gMonthDay": f"--(?:{_MONTH_AND_DAY}|02-29){_ZONE}?",
    "duration": f"-?P(?=[0-9T]){_YEARS_AND_MONTHS}{_DAYS_AND_TIME}",
    "yearMonthDuration": f"-?P(?=[0-9]){_YEARS_AND_MONTHS}",
    "dayTimeDuration": f"-?P(?=[0-9T]){_DAYS_AND_TIME}",
    "byte": _signed(8),
    "short": _signed(16),
    "int": _signed(32),
    "long": _signed(64),
    "unsignedByte": _unsigned(8),
    "unsignedShort": _unsigned(16),
    "unsignedInt": _unsigned(32),
    "unsignedLong": _unsigned(64),
    "positiveInteger": r"\+?0*[1-9][0-9]*",
    "nonNegativeInteger": r"\+?[0-9]+|-0+",
    "negativeInteger": "-0*[1-9][0-9]*",
    "nonPositiveInteger": r"-[0-9]+|\+?0+",
    "hexBinary": "(?:[0-9A-Fa-f]{2})*",
    "base64Binary": _BASE64,
    "anyURI": _ANY,
    "language": _LANGUAGE,
    "normalizedString": f"{_NO_LINES}{_ANY}",
    "token": f"{_NO_LINES}{_NO_EXTRA_SPACES}{_ANY}",
    "NMTOKEN": f"[:{_NAME_REST}]+",
    "Name": f"[:_{NAME_START}][:{_NAME_REST}]*",
    "NCName": f"[_{NAME_START}][{_NAME_REST}]*",
}
"""The pattern that matches the whole lexical form, by the local name of the datatype's IRI.

The quote that ends the lexical form must follow a pattern, because some look ahead to it.
"""
