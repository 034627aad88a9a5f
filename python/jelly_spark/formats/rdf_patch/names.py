"""What names and escapes look like: as in Turtle, as Apache Jena reads them."""

from __future__ import annotations

import re

from jelly_spark.core.terms import _BASE, _REST, _UCHAR

UCHAR = _UCHAR

NO_UTF_8 = "\ud800-\udfff"
"""What bytes that are no UTF-8 are decoded to, for use in a class of characters."""

# PN_CHARS_BASE, and all characters beyond the first plane, as Jena has it.
_START = _BASE + "\U000f0000-\U0010ffff"
NAME_CHARACTERS = f"{_START}_0-9{_REST}"
"""For use in a class of characters."""

_LOCAL_START = f"[:{_START}_0-9]"
_LOCAL_CHARS = f"[:.{NAME_CHARACTERS}]*"
_LOCAL_ESCAPE = r"""%[0-9A-Fa-f]{2}|\\[_~.\-!$&'()*+,;=/?#@%]"""

# Each of these takes all that it can, dots at the end too: where they end something else begins.
NAME = re.compile(f"(?:[{_START}][.{NAME_CHARACTERS}]*)?")
LABEL = re.compile(f"(?:{_LOCAL_START}{_LOCAL_CHARS})?")
LOCAL_NAME = re.compile(
    f"(?:(?:{_LOCAL_START}|{_LOCAL_ESCAPE}){_LOCAL_CHARS}(?:(?:{_LOCAL_ESCAPE}){_LOCAL_CHARS})*)?"
)

WORD = re.compile(f"[{_START}](?:[.{NAME_CHARACTERS}]*[{NAME_CHARACTERS}])?")
"""A whole word: the key of a header, a prefix."""

PLAIN_LOCAL_NAME = re.compile(f"(?:{_LOCAL_START}(?:{_LOCAL_CHARS}[:{NAME_CHARACTERS}])?)?")
"""A whole local name without escapes."""

PLAIN_LABEL = f"[{_BASE}_0-9](?:[.{_BASE}_0-9{_REST}]*[{_BASE}_0-9{_REST}])?"
"""A label of a blank node whose canonical string is `_:label`."""

LANGUAGE_TAG = r"[A-Za-z]+(?:-[A-Za-z0-9]+)*(?:--(?:ltr|rtl))?"
"""A language tag, with the base direction that RDF 1.2 adds to it."""

SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
"""What an absolute IRI begins with."""
