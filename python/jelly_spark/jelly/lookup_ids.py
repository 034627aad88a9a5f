"""Encoded ids of lookup entries (Jelly-RDF, "Lookup entries" and "IRIs").

An encoded id is 0 or the id of the entry, which is at least 1. In a lookup entry and in the name of
an IRI, 0 means the previous id plus one. In the prefix of an IRI, 0 means the previous id.
"""

from __future__ import annotations

from typing import Final

BEFORE_FIRST: Final = 0
"""The previous id at the start of a stream, where an encoded id of 0 means 1."""

UNKNOWN: Final = 1 << 32
"""A sentinel for the previous id after a restart point, where no id may depend on earlier rows.

Neither it nor the next number is a valid id, because ids have 32 bits. So an encoder writes the
next id explicitly, and a decoder rejects an encoded id of 0. No list is so long that it has such an
index.
"""
