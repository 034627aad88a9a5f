"""The hash function xxHash64 with the seed 0, which the filters of restart ranges use.

https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md
"""

from __future__ import annotations

from struct import Struct

_MASK = (1 << 64) - 1
_PRIME_1 = 0x9E3779B185EBCA87
_PRIME_2 = 0xC2B2AE3D27D4EB4F
_PRIME_3 = 0x165667B19E3779F9
_PRIME_4 = 0x85EBCA77C2B2AE63
_PRIME_5 = 0x27D4EB2F165667C5
_STRIPE = Struct("<4Q")


def xxhash64(data: bytes) -> int:
    """Return the hash of the bytes, an unsigned 64-bit integer."""
    size = len(data)
    at = 0
    if size >= _STRIPE.size:
        a = (_PRIME_1 + _PRIME_2) & _MASK
        b = _PRIME_2
        c = 0
        d = -_PRIME_1 & _MASK
        at = size - size % _STRIPE.size
        for lanes in _STRIPE.iter_unpack(memoryview(data)[:at]):
            a = _round(a, lanes[0])
            b = _round(b, lanes[1])
            c = _round(c, lanes[2])
            d = _round(d, lanes[3])
        mixed = _rotate(a, 1) + _rotate(b, 7) + _rotate(c, 12) + _rotate(d, 18)
        for lane in (a, b, c, d):
            mixed = ((mixed ^ _round(0, lane)) * _PRIME_1 + _PRIME_4) & _MASK
    else:
        mixed = _PRIME_5
    mixed += size
    while at + 8 <= size:
        word = int.from_bytes(data[at : at + 8], "little")
        mixed = (_rotate((mixed ^ _round(0, word)) & _MASK, 27) * _PRIME_1 + _PRIME_4) & _MASK
        at += 8
    if at + 4 <= size:
        word = int.from_bytes(data[at : at + 4], "little")
        mixed = _rotate((mixed ^ word * _PRIME_1) & _MASK, 23) * _PRIME_2 + _PRIME_3
        at += 4
    for byte in data[at:]:
        mixed = _rotate((mixed ^ byte * _PRIME_5) & _MASK, 11) * _PRIME_1
    mixed &= _MASK
    mixed = ((mixed ^ mixed >> 33) * _PRIME_2) & _MASK
    mixed = ((mixed ^ mixed >> 29) * _PRIME_3) & _MASK
    return mixed ^ mixed >> 32


def _round(lane: int, word: int) -> int:
    return _rotate((lane + word * _PRIME_2) & _MASK, 31) * _PRIME_1 & _MASK


def _rotate(word: int, bits: int) -> int:
    return (word << bits | word >> 64 - bits) & _MASK
