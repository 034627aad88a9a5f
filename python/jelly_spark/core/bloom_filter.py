"""Split-block Bloom filters, as Apache Parquet specifies them.

A filter is an array of blocks of 256 bits, each of which consists of eight 32-bit words. A value
sets one bit in each word of one block. The number of blocks need not be a power of two.

https://github.com/apache/parquet-format/blob/master/BloomFilter.md
"""

from __future__ import annotations

from collections.abc import Collection

BLOCK_SIZE = 32
"""The size of a block in bytes."""

_SALTS = (
    *(0x47B6137B, 0x44974D91, 0x8824AD5B, 0xA2B7289D),
    *(0x705495C7, 0x2DF1424B, 0x9EFC4947, 0x5C6BFB31),
)
_LOW_32_BITS = (1 << 32) - 1


def block_count(values: int, bits: int) -> int:
    """Return the number of blocks for a number of values, with so many bits for each."""
    return -(-values * bits // (8 * BLOCK_SIZE))


def build_filter(hashes: Collection[int], bits: int) -> bytearray:
    """Return the blocks of a filter.

    Args:
        hashes: the 64-bit hashes of the values, each once.
        bits: the number of bits for each value.
    """
    count = block_count(len(hashes), bits)
    blocks = bytearray(count * BLOCK_SIZE)
    for value in hashes:
        begin = _block_of(value, count)
        low = value & _LOW_32_BITS
        for salt in _SALTS:
            # The highest 5 bits of the product are the number of a bit in the word.
            bit = (low * salt & _LOW_32_BITS) >> 27
            blocks[begin + (bit >> 3)] |= 1 << (bit & 7)
            begin += 4
    return blocks


def may_contain(blocks: bytes | bytearray, value: int) -> bool:
    """Return whether a filter may contain the value with a hash; if not, it does not."""
    if not blocks:
        return False
    begin = _block_of(value, len(blocks) // BLOCK_SIZE)
    low = value & _LOW_32_BITS
    for salt in _SALTS:
        bit = (low * salt & _LOW_32_BITS) >> 27
        if not blocks[begin + (bit >> 3)] >> (bit & 7) & 1:
            return False
        begin += 4
    return True


def _block_of(value: int, count: int) -> int:
    """Return the byte offset of the block of a hash, in a filter with so many blocks."""
    return ((value >> 32) * count >> 32) * BLOCK_SIZE
