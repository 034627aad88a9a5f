"""Filters of the subjects of small patches, by which the index says what need not be opened.

A filter is the beginning of one block of a split-block Bloom filter: its first 4 words. So it has
16 bytes, which keeps the tail of the index small enough to be written by each append.
"""

from __future__ import annotations

from collections.abc import Collection

from jelly_spark.core.bloom_filter import BLOCK_SIZE, build_filter, may_contain
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.core.xxhash64 import xxhash64

MOST_SUBJECTS = 48
"""The most distinct subjects of a patch with a filter: with more, few patches could be skipped."""

SIZE = 16
"""The size of a filter in bytes."""

_WORD_SIZE = 4
_BLOCK_BITS = 8 * BLOCK_SIZE


def subject_filter(subjects: Collection[str]) -> bytes | None:
    """Return the filter of the subjects of a patch; None if there are none, or too many.

    Args:
        subjects: all of them, which need not be canonical; or too many of them.
    """
    if not 0 < len(subjects) <= MOST_SUBJECTS:
        return None
    hashes = {hash_of(format_term(parse_term(subject))) for subject in subjects}
    return bytes(build_filter(hashes, _BLOCK_BITS // len(hashes))[:SIZE])


def hash_of(subject: str) -> int:
    """Return the hash of a subject, a canonical term."""
    return xxhash64(subject.encode())


def may_have(filter: bytes, hash: int) -> bool:
    """Return whether a patch with a filter may have the subject with a hash; if not, it does not.

    Args:
        filter: the first words of a block, at least one.
        hash: the hash, see `hash_of`.
    """
    return may_contain(filter.ljust(BLOCK_SIZE, b"\xff"), hash)


def parse_filter(text: str) -> bytes:
    """Return a filter, given in hex.

    Raises:
        ValueError: it is not one.
    """
    found = bytes.fromhex(text)
    if found.hex() != text or not 0 < len(found) <= BLOCK_SIZE or len(found) % _WORD_SIZE:
        raise ValueError(text)
    return found
