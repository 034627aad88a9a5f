"""Resolving a relative IRI against another one (RFC 3986, section 5.2)."""

from __future__ import annotations

import re
from typing import NamedTuple

# RFC 3986, appendix B.
_PARTS = re.compile(r"(?:([A-Za-z][A-Za-z0-9+.\-]*):)?(?://([^/?#]*))?([^?#]*)(?:\?([^#]*))?")


class _Parts(NamedTuple):
    """The parts of an IRI without its fragment; None for those that it does not have."""

    scheme: str | None
    authority: str | None
    path: str
    query: str | None


def resolve(iri: str, base: str) -> str:
    """Return the absolute IRI, without its fragment, of an IRI that may be relative.

    Args:
        iri: the IRI.
        base: an absolute IRI; if it is empty or relative, the IRI is returned as it is.
    """
    reference = _split(iri)
    scheme, authority, path, query = _split(base)
    if reference.scheme is not None or scheme is None:
        return iri
    if reference.authority is not None:
        return _join(scheme, reference.authority, _without_dots(reference.path), reference.query)
    if not reference.path:
        return _join(scheme, authority, path, reference.query or query)
    if reference.path.startswith("/"):
        merged = reference.path
    elif authority is not None and not path:
        merged = f"/{reference.path}"
    else:
        merged = path[: path.rfind("/") + 1] + reference.path
    return _join(scheme, authority, _without_dots(merged), reference.query)


def _split(iri: str) -> _Parts:
    found = _PARTS.match(iri)
    assert found is not None  # each part may be missing
    return _Parts(found[1], found[2], found[3], found[4])


def _join(scheme: str, authority: str | None, path: str, query: str | None) -> str:
    start = "" if authority is None else f"//{authority}"
    end = "" if query is None else f"?{query}"
    return f"{scheme}:{start}{path}{end}"


def _without_dots(path: str) -> str:
    kept: list[str] = []
    segments = path.split("/")
    for segment in segments:
        if segment == "..":
            # The first segment is what comes before the first slash.
            del kept[max(len(kept) - 1, 1) :]
        elif segment != ".":
            kept.append(segment)
    if segments[-1] in (".", ".."):
        kept.append("")
    return "/".join(kept)
