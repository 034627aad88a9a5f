"""Mutations that know a format: of Protobuf's fields, of a text's tokens, of an index."""

import re
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

from jelly_spark.core.varint import encode_varint
from jelly_spark.jelly.frames.restart_index import RestartPoint
from jelly_spark.jelly.wire import (
    BYTES,
    END_GROUP,
    FIXED32,
    FIXED64,
    START_GROUP,
    VARINT,
    sized,
)
from tests.codec.files.restart_files import points_of, with_index, without_index
from tests.differential.mutations import OF_BYTES, Mutation, splice
from tests.frames import frame_places

LONGEST = 8000
"""Bytes of a mutated file."""

EDGES = (0, 1, 127, 128, 2**14, 2**28, 2**31 - 1, 2**31, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64)
"""Numbers at which some reader may overflow, the first too big for a varint of Protobuf's."""

_TOKEN = re.compile(rb'<<|>>|<[^<>\s]*>|"[^"\n]*"|[\w@:^-]+|\s+|.', re.DOTALL)
_TOKENS = (
    *b"H TX TC TA PA PD A D Z R U X END @prefix @base PREFIX . , ; # << >> <> < > : ::".split(b" "),
    *rb"_: _:b <_:b> ex:a ex:a\-b true 1 -1.5e300 1e 0x \u0041 \uD800 \uDC00 \U0001F600".split(
        b" "
    ),
    *rb"\U00110000 \U0000D800 <\u0020> <_:\u00e9> \ \u \U @en @ ^^ ^^<urn:t> 'a' ''' ''".split(
        b" "
    ),
    *rb'"" "a" """ "\n" "\q" " <<( )>> @ar--rtl --ltr'.split(b" "),
    *(b"\0", b"\t", b"\r", b"\n", b"\r\n", b" .\n", b"\xef\xbb\xbf", b"\xc3", b"\xff"),
    *("é\u0301😀\u2028\x85\ufffd".encode(), b"\xed\xa0\x80", b"\xf4\x90\x80\x80"),
)
_DEEP = (2, 30, 70, 300, 2000)


def mutate(format: str, data: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    """Return a file of the corpus, mutated in one to three places, and at most `LONGEST`."""
    for _ in range(random.choice((1, 1, 1, 1, 2, 2, 3))):
        if data:
            data = random.choice(_MUTATIONS[format])(data, corpus, random)
    return data[:LONGEST]


class Field(NamedTuple):
    """A field of a message.

    Attributes:
        number: its number.
        wire_type: how its value is written.
        value: the value's bytes, without the length of a field that has one.
    """

    number: int
    wire_type: int
    value: bytes

    def encode(self) -> bytes:
        """Return the field with its tag."""
        value = sized(self.value) if self.wire_type == BYTES else self.value
        return encode_varint(self.number << 3 | self.wire_type) + value


def fields_of(data: bytes) -> list[Field] | None:
    """Return the fields of a message, those of groups among them; None if it is not a message."""
    fields = []
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        number, wire_type = tag >> 3, tag & 7
        begin = at
        match wire_type:
            case 0:
                _, at = _varint(data, at)
            case 1 | 5:
                at += 8 if wire_type == FIXED64 else 4
            case 2:
                size, begin = _varint(data, at)
                at = begin + size
            case 3 | 4:
                pass
            case _:
                return None
        if not number or at > len(data):
            return None
        fields.append(Field(number, wire_type, data[begin:at]))
    return fields


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a varint and where it ends: behind the data, where it is cut off."""
    number = shift = 0
    while at < len(data):
        number |= (data[at] & 127) << shift
        shift += 7
        at += 1
        if data[at - 1] < 128:
            return number, at
    return number, len(data) + 1


def mutate_message(data: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    """Mutate a field of a message, or of one of the messages in it; all lengths stay right."""
    fields = fields_of(data)
    if not fields:
        return random.choice(OF_BYTES)(data, corpus, random) if data else data
    messages = [at for at, field in enumerate(fields) if field.wire_type == BYTES and field.value]
    if messages and random.random() < 0.7:
        at = random.choice(messages)
        inner = mutate_message(fields[at].value, corpus, random)
        fields[at] = fields[at]._replace(value=inner)
    else:
        random.choice(_OF_FIELDS)(fields, random)
    return b"".join(field.encode() for field in fields)


def _swap(fields: list[Field], random: Random) -> None:
    one, other = random.randrange(len(fields)), random.randrange(len(fields))
    fields[one], fields[other] = fields[other], fields[one]


def _repeat(fields: list[Field], random: Random) -> None:
    field = random.choice(fields)
    times = random.choice((1, 1, 1, 2, 100))
    at = random.randrange(len(fields) + 1)
    fields[at:at] = [field] * times


def _drop(fields: list[Field], random: Random) -> None:
    del fields[random.randrange(len(fields))]


def _split(fields: list[Field], random: Random) -> None:
    """Write a message in two parts, which readers must merge."""
    at = random.randrange(len(fields))
    inner = fields_of(fields[at].value) if fields[at].wire_type == BYTES else None
    if inner:
        cut = random.randrange(len(inner) + 1)
        halves = inner[:cut], inner[cut:]
        fields[at : at + 1] = [
            fields[at]._replace(value=b"".join(field.encode() for field in half)) for half in halves
        ]


def _set_number(fields: list[Field], random: Random) -> None:
    at = random.randrange(len(fields))
    number = random.choice((*range(1, 17), 100, 2**29 - 1, 2**29))
    fields[at] = fields[at]._replace(number=number)


def _set_value(fields: list[Field], random: Random) -> None:
    """Write an edge, or the same number in more bytes than it needs."""
    at = random.randrange(len(fields))
    value = fields[at].value
    if fields[at].wire_type == VARINT and random.random() < 0.3:
        padding = random.choice((1, 4, 8, 9, 10))
        value = bytes(byte | 128 for byte in value) + b"\x80" * (padding - 1) + b"\0"
        fields[at] = fields[at]._replace(value=value)
    else:
        fields[at] = Field(fields[at].number, VARINT, encode_varint(random.choice(EDGES)))


def _add_unknown(fields: list[Field], random: Random) -> None:
    number = random.choice((5, 12, 15, 99, 2**29 - 1))
    unknown = random.choice(
        [
            [Field(number, VARINT, encode_varint(random.choice(EDGES)))],
            [Field(number, FIXED32, b"\0\1\2\3")],
            [Field(number, FIXED64, bytes(8))],
            [Field(number, BYTES, random.randbytes(3))],
            [Field(number, START_GROUP, b""), Field(number, END_GROUP, b"")],
            [Field(number, START_GROUP, b""), random.choice(fields), Field(number, END_GROUP, b"")],
            [Field(number, START_GROUP, b""), Field(number + 1, END_GROUP, b"")],
            [Field(number, random.choice((START_GROUP, END_GROUP)), b"")] * random.choice(_DEEP),
        ]
    )
    at = random.randrange(len(fields) + 1)
    fields[at:at] = unknown


def _nest(fields: list[Field], random: Random) -> None:
    """Put a field into itself many times."""
    at = random.randrange(len(fields))
    field = fields[at]
    if field.wire_type == BYTES:
        for _ in range(random.choice(_DEEP)):
            field = field._replace(value=field.encode())
        fields[at] = field


_OF_FIELDS: tuple[Callable[[list[Field], Random], None], ...] = (
    _swap,
    _repeat,
    _drop,
    _split,
    _split,
    _set_number,
    _set_value,
    _add_unknown,
    _nest,
)


def _mutate_frame(data: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    """Mutate the message in one frame, or the file as one message if it has no such frames."""
    places = list(frame_places(data))
    if places[-1][2] != len(data):
        return mutate_message(data, corpus, random)
    start, begin, end = random.choice(places)
    return data[:start] + sized(mutate_message(data[begin:end], corpus, random)) + data[end:]


def _set_varint(data: bytes, _: Sequence[bytes], random: Random) -> bytes:
    """Write an edge over some byte, mostly over the length of a frame."""
    starts = [start for start, _, _ in frame_places(data)]
    at = random.choice((random.choice(starts), random.randrange(len(data))))
    return data[:at] + encode_varint(random.choice(EDGES)) + data[at + 1 :]


def _stutter(data: bytes, _: Sequence[bytes], random: Random) -> bytes:
    """Repeat a few bytes, up to thousands of times: what nests, nests deep."""
    at = random.randrange(len(data))
    end = at + random.choice((1, 1, 2, 3, 4, 8))
    return data[:at] + data[at:end] * random.choice(_DEEP) + data[at:]


def _damage_end(data: bytes, _: Sequence[bytes], random: Random) -> bytes:
    """Change a byte of the index, or of the filters before it."""
    at = max(0, len(data) - random.randrange(1, 500))
    return data[:at] + random.randbytes(1) + data[at + 1 :]


def _forge_index(data: bytes, _: Sequence[bytes], random: Random) -> bytes:
    """Change the restart points of a file, or add some; the index itself stays well formed."""
    points = points_of(data)
    places = list(frame_places(data))
    if points:
        bare = without_index(data)
    else:
        bare = data
        points = [
            RestartPoint(
                offset=random.choice(places)[0],
                frames=random.randrange(4),
                rows=random.randrange(40),
                patches=random.randrange(3),
            )
        ]
    at = random.randrange(len(points))
    match random.randrange(6):
        case 0:
            del points[at]
        case 1:
            points.insert(at, random.choice(points))
        case 2:
            points[at] = points[at]._replace(offset=random.choice(places)[0])
        case 3:
            points[at] = points[at]._replace(in_transaction=not points[at].in_transaction)
        case 4:
            change = random.choice((-1, 1, 2**31, 2**62))
            column = random.choice(RestartPoint._fields[:-1])
            number = abs(getattr(points[at], column) + change) % 2**63
            points[at] = points[at]._replace(**{column: number})
        case _:
            # A point that the file does not have, with the numbers of another.
            start = random.choice(places)[0]
            points = sorted([*points, points[at]._replace(offset=start)])
    return with_index(bare, points) if points else bare


def _mutate_tokens(data: bytes, corpus: Sequence[bytes], random: Random) -> bytes:
    """Swap, drop, repeat or replace tokens of a text."""
    tokens = _TOKEN.findall(data)
    for _ in range(random.randint(1, 3)):
        if not tokens:
            break
        at = random.randrange(len(tokens))
        match random.randrange(7):
            case 0:
                other = random.randrange(len(tokens))
                tokens[at], tokens[other] = tokens[other], tokens[at]
            case 1:
                del tokens[at]
            case 2:
                tokens[at:at] = [tokens[at]] * random.choice((1, 1, 2, *_DEEP))
            case 3:
                tokens[at] = random.choice(_TOKENS)
            case 4:
                tokens.insert(at, random.choice(_TOKENS))
            case 5:
                tokens[at] += random.choice(_TOKENS)
            case _:
                foreign = _TOKEN.findall(random.choice(corpus))
                tokens[at:at] = foreign[random.randrange(len(foreign)) :][: random.randint(1, 12)]
    return b"".join(tokens)


_OF_ANY: tuple[Mutation, ...] = (*OF_BYTES, _set_varint, _stutter, splice)
_OF_JELLY = (*_OF_ANY, *[_mutate_frame] * 8, *[_forge_index] * 2, _damage_end)
_OF_TEXT: tuple[Mutation, ...] = (*_OF_ANY, *[_mutate_tokens] * 9)
_MUTATIONS: dict[str, tuple[Mutation, ...]] = {
    "jelly_patch": _OF_JELLY,
    "jelly_rdf": _OF_JELLY,
    "rdf_patch": _OF_TEXT,
    "rdf_patch_thrift": _OF_ANY,
    "ntriples": _OF_TEXT,
    "nquads": _OF_TEXT,
}
