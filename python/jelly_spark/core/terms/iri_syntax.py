"""The syntax of IRIs in RFC 3987, which is narrower than the grammars of RDF's syntaxes."""

from __future__ import annotations

import re
from typing import Final

# Character classes; `ucschar` and `iprivate` of the RFC. The characters themselves, not escapes,
# because Java has others.
_UCS: Final = "\u00a0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef" + "".join(
    f"{chr(0xE1000 if plane == 0xE else plane << 16)}-{chr((plane << 16) + 0xFFFD)}"
    for plane in range(1, 0xF)
)
_PRIVATE: Final = "\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd"
_NAME: Final = f"A-Za-z0-9._~!$&'()*+,;=%{_UCS}-"
_PATH: Final = f"{_NAME}:@/"

_HEX: Final = "[0-9A-Fa-f]"
_H16: Final = f"{_HEX}{{1,4}}"
_BYTE: Final = "(?:25[0-5]|2[0-4][0-9]|1[0-9][0-9]|[1-9]?[0-9])"
_LS32: Final = rf"(?:{_H16}:{_H16}|{_BYTE}(?:\.{_BYTE}){{3}})"
# The groups of 16 bits before and after `::`, in the order of the RFC.
_IPV6: Final = "|".join(
    (
        f"(?:{_H16}:){{6}}{_LS32}",
        f"::(?:{_H16}:){{5}}{_LS32}",
        f"(?:{_H16})?::(?:{_H16}:){{4}}{_LS32}",
        *(
            f"(?:(?:{_H16}:){{0,{before}}}{_H16})?::(?:{_H16}:){{{3 - before}}}{_LS32}"
            for before in range(1, 4)
        ),
        f"(?:(?:{_H16}:){{0,4}}{_H16})?::{_LS32}",
        f"(?:(?:{_H16}:){{0,5}}{_H16})?::{_H16}",
        f"(?:(?:{_H16}:){{0,6}}{_H16})?::",
    )
)
_HOST: Final = rf"(?:\[(?:{_IPV6}|[vV]{_HEX}+\.[A-Za-z0-9._~!$&'()*+,;=:-]+)\]|[{_NAME}]*)"

IRI_SYNTAX: Final = (
    rf'(?![^<>"]*%(?!{_HEX}{{2}}))[A-Za-z][A-Za-z0-9+.-]*:'
    rf"(?://(?:[{_NAME}:]*@)?{_HOST}(?::[0-9]*)?(?![^/?#>])|(?!//))"
    rf"[{_PATH}]*(?:\?[{_PATH}?{_PRIVATE}]*)?(?:#[{_PATH}?]*)?"
)
"""The pattern of an absolute IRI, for use in other patterns: a `>` or the end must follow.

It means the same to Python's `re` and to Java. Nothing in it repeats a group without a limit, for
which Java would need the stack.
"""

_IRI: Final = re.compile(IRI_SYNTAX)


def is_iri(text: str) -> bool:
    """Return whether a text is an absolute IRI of RFC 3987."""
    return _IRI.fullmatch(text) is not None
