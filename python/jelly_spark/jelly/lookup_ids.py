"""Ids of lookup entries as rows encode them (Jelly-RDF, "Lookup entries" and "IRIs").

An encoded id is the entry's id, from 1 up, or 0. In a lookup entry and in the name of an IRI, 0
means the previous id plus one; in the prefix of an IRI, it means the previous id.
"""

from __future__ import annotations

BEFORE_FIRST = 0
"""The previous id at the start of a stream: the next one is 1."""

UNKNOWN = -2
"""The previous id after a restart point, which must not refer to anything before it.

No id follows from it, since neither -2 nor -2 + 1 is an id. So an encoder writes the next id
explicitly, and a decoder refuses an encoded id of 0.
"""
