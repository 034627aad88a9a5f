"""IRIs that replace blank nodes: "Skolemization" in RDF 1.1 Concepts."""

from __future__ import annotations

import re
from urllib.parse import quote, unquote_to_bytes

from jelly_spark.core.options import check_text
from jelly_spark.core.show import show
from jelly_spark.core.terms import IRI_CHAR
from jelly_spark.core.terms.patterns import SCHEME
from jelly_spark.errors import OptionError

_IRI = re.compile(f"{SCHEME.pattern}{IRI_CHAR}*")

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


def check_skolem_base(base: str) -> None:
    """Check the beginning of skolem IRIs, which is empty if blank nodes are not replaced.

    Raises:
        OptionError: it is neither empty nor an absolute IRI.
    """
    check_text("skolem_base", base)
    if base and not _IRI.fullmatch(base):
        raise OptionError(f"skolem_base must be an absolute IRI, not {show(base)}")


def skolem_iri(base: str, label: str) -> str:
    """Return the IRI that replaces the blank node with a label: always the same one.

    Args:
        base: the beginning of the IRI.
        label: the label, without `_:`.
    """
    return base + _ENCODED_IN_LABEL.sub(_percent_encode, label)


def skolemized_label(base: str, iri: str) -> str | None:
    """Return the label of the blank node that `skolem_iri` replaces with an IRI.

    Args:
        base: the beginning of the IRI.
        iri: any IRI.

    Returns:
        None if it replaces no blank node with this IRI. The base itself stays an IRI: in text, no
        blank node has an empty label.
    """
    if not iri.startswith(base) or iri == base:
        return None
    label = unquote_to_bytes(iri[len(base) :]).decode("utf-8", "replace")
    return label if skolem_iri(base, label) == iri else None


def _percent_encode(match: re.Match[str]) -> str:
    return quote(match[0], safe="")
