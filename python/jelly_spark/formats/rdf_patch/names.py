"""What names and escapes look like: as in Turtle, as Apache Jena reads them."""

from __future__ import annotations

import re

from jelly_spark.core.terms import NAME_REST, NAME_START

NO_UTF_8 = "\ud800-\udfff"
"""What bytes that are no UTF-8 are decoded to, for use in a class of characters."""

# PN_CHARS_BASE, and all characters beyond the first plane, as Jena has it.
_START = NAME_START + "\U000f0000-\U0010ffff"
NAME_CHARACTERS = f"{_START}_0-9{NAME_REST}"
"""For use in a class of characters."""

_LOCAL_CHARACTER = f"[:.{NAME_CHARACTERS}]"
_LOCAL_START = f"[:{_START}_0-9]"

# What takes all of a name that it can, dots at the end too: where it ends something else begins.
NAME = re.compile(f"(?:[{_START}][.{NAME_CHARACTERS}]*)?")
LABEL = re.compile(f"(?:{_LOCAL_START}{_LOCAL_CHARACTER}*)?")

LOCAL_NAME_START = re.compile(rf"{_LOCAL_START}|[%\\]")
LOCAL_NAME_CHARACTER = _LOCAL_CHARACTER
LOCAL_NAME_ESCAPE = r"""%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"""

WORD = re.compile(f"[{_START}](?:[.{NAME_CHARACTERS}]*[{NAME_CHARACTERS}])?")
"""A whole word: the key of a header, a prefix."""

PLAIN_LOCAL_NAME = re.compile(f"(?:{_LOCAL_START}(?:{_LOCAL_CHARACTER}*[:{NAME_CHARACTERS}])?)?")
"""A whole local name without escapes."""

PLAIN_LABEL = f"[{NAME_START}_0-9](?:[.{NAME_START}_0-9{NAME_REST}]*[{NAME_START}_0-9{NAME_REST}])?"
"""A label of a blank node whose canonical string is `_:label`."""

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
"""What an absolute IRI begins with."""

PLAIN_TAG = "[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8}){0,8}"
"""A language tag as most are."""

_FIRST_SUBTAG = re.compile("[A-Za-z]*")


def wrong_in_tag(tag: str) -> int | None:
    """Return where a language tag goes wrong, None if it does not.

    It is one of Turtle's, maybe with the base direction that RDF 1.2 adds to it.

    Args:
        tag: ASCII letters, digits and hyphens.
    """
    subtags, has_direction, direction = tag.partition("--")
    match = _FIRST_SUBTAG.match(subtags)
    end = match.end() if match else 0
    if end == 0 or (not subtags.startswith("-", end) and end < len(subtags)):
        return end
    if has_direction:
        return None if direction in ("ltr", "rtl") else len(subtags) + 2
    return len(tag) if subtags.endswith("-") else None
