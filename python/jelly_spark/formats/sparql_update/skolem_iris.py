"""IRIs that replace blank nodes: "Skolemization" in RDF 1.1 Concepts."""

from __future__ import annotations

import re
from urllib.parse import quote

# All characters except `iunreserved` (RFC 3987). The percent sign is encoded too, so different
# labels have different IRIs.
_ENCODED_IN_LABEL = re.compile(
    r"[^A-Za-z0-9._~\-\xa0-\ud7ff\uf900-\ufdcf\ufdf0-\uffef"
    + "".join(
        f"\\U{plane:04X}{first}-\\U{plane:04X}FFFD"
        for plane, first in [*((plane, "0000") for plane in range(1, 14)), (14, "1000")]
    )
    + "]+"
)


def skolem_iri(base: str, label: str) -> str:
    """Return the IRI that replaces the blank node with a label: always the same one.

    Args:
        base: the beginning of the IRI.
        label: the label, without `_:`.
    """
    return base + _ENCODED_IN_LABEL.sub(_percent_encode, label)


def _percent_encode(match: re.Match[str]) -> str:
    return quote(match[0], safe="")
