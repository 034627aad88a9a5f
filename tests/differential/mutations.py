"""Damage to files: to their bytes, and to the rows within frames of Jelly-Patch that stay whole."""

from collections.abc import Callable, Sequence
from random import Random

from jelly_spark._proto.patch_pb2 import RdfPatchFrame
from jelly_spark.jelly.wire import sized
from tests.frames import frame_places

Mutation = Callable[[bytes, Sequence[bytes], Random], bytes]


def mutate(corpus: Sequence[bytes], random: Random) -> bytes:
    """Return one of the files, which are not empty, damaged in one to three places."""
    data = random.choice(corpus)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        if data:
            data = random.choice(_MUTATIONS)(data, corpus, random)
    return data


def _range(data: bytes, random: Random) -> tuple[int, int]:
    begin = random.randrange(len(data))
    return begin, begin + random.randint(1, 40)


def _flip_bit(data: bytes, _: Sequence[bytes], random: Random) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + bytes([data[at] ^ 1 << random.randrange(8)]) + data[at + 1 :]


def _set_byte(data: bytes, _: Sequence[bytes], random: Random) -> bytes:
    at = random.randrange(len(data))
    return data[:at] + random.randbytes(1) + data[at + 1 :]


def _truncate(data: bytes, _: Sequence[bytes], random: Random) -> bytes:
    return data[: random.randrange(len(data))]


def _insert(data: bytes, _: Sequence[bytes], random: Random) -> bytes:
    at = random.randrange(len(data) + 1)
    return data[:at] + random.randbytes(random.randint(1, 4)) + data[at:]


def _delete(data: bytes, _: Sequence[bytes], random: Random) -> bytes:
    begin, end = _range(data, random)
    return data[:begin] + data[end:]


def _duplicate(data: bytes, _: Sequence[bytes], random: Random) -> bytes:
    begin, end = _range(data, random)
    return data[:end] + data[begin:]


def splice(data: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    """Return the beginning of a file with the end of another."""
    other = random.choice(corpus)
    return data[: random.randrange(len(data))] + other[random.randrange(len(other)) :]


def _damage_rows(data: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    """Shuffle, drop, repeat or damage rows; the frames keep right lengths."""
    frames = split(data)
    if not any(frames):
        return data
    rows = random.choice([frame for frame in frames if frame])
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(rows))
        match random.randrange(5):
            case 0 if len(rows) > 1:
                del rows[at]
            case 1:
                rows.insert(random.randrange(len(rows) + 1), rows[at])
            case 2:
                # Two rows in one are merged, or the later wins.
                rows[at] += random.choice(rows)
            case 3:
                foreign = [row for frame in split(random.choice(corpus)) for row in frame]
                rows.insert(at, random.choice(foreign or [b""]))
            case _ if rows[at]:
                mutation = random.choice(OF_BYTES)
                rows[at] = mutation(rows[at], rows, random)
    return b"".join(sized(b"".join(b"\x0a" + sized(row) for row in frame)) for frame in frames)


def split(data: bytes) -> list[list[bytes]]:
    """Return the rows of each frame of a delimited file, up to the first malformed frame."""
    frames = []
    for _, begin, end in frame_places(data):
        try:
            frame = RdfPatchFrame.FromString(data[begin:end])
        except Exception:  # Protobuf raises several: the file is damaged already
            break
        frames.append([row.SerializeToString() for row in frame.rows])
    return frames


OF_BYTES: tuple[Mutation, ...] = (
    _flip_bit,
    _set_byte,
    _insert,
    _delete,
    _duplicate,
    _truncate,
)
"""Damage to any bytes, whatever their format."""

_MUTATIONS: tuple[Mutation, ...] = (
    *OF_BYTES,
    splice,
    _damage_rows,
    _damage_rows,
    _damage_rows,
)
