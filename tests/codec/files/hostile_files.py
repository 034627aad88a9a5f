"""Files of at most 2 MB that stand for far more: they say much with little, or repeat it often.

Run as a program, it writes them to a folder.
"""

import gzip
import sys
from collections.abc import Callable, Iterable
from pathlib import Path

from jelly_spark._proto.rdf_pb2 import RdfTriple

MOST = 2_000_000
"""The most bytes of a file here."""


def varint(number: int) -> bytes:
    """Return a number as a varint."""
    out = b""
    while number > 127:
        out += bytes((number & 127 | 128,))
        number >>= 7
    return out + bytes((number,))


def sized(data: bytes) -> bytes:
    """Return bytes after their length."""
    return varint(len(data)) + data


def field(number: int, data: bytes) -> bytes:
    """Return a field of Protobuf that has bytes."""
    return varint(number << 3 | 2) + sized(data)


def _entry(number: int, text: bytes, entry: int = 0) -> bytes:
    return field(number, (b"\x08" + varint(entry) if entry else b"") + field(2, text))


_OPTIONS = field(1, b"\x08\x02\x10\x03\x18\x01\x20\x01\x48\xa0\x1f\x50\x96\x01\x58\x20\x78\x01")


def name(text: bytes, entry: int = 0) -> bytes:
    """Return the row of a name's entry."""
    return _entry(11, text, entry)


def prefix(text: bytes, entry: int = 0) -> bytes:
    """Return the row of a prefix's entry."""
    return _entry(12, text, entry)


def datatype(text: bytes, entry: int = 0) -> bytes:
    """Return the row of a datatype's entry."""
    return _entry(13, text, entry)


def patch_file(rows: Iterable[bytes]) -> bytes:
    """Return a file of Jelly-Patch with one frame."""
    return sized(b"".join(field(1, row) for row in (_OPTIONS, *rows)))


def add(*terms: bytes) -> bytes:
    """Return the row of an `A`, given the fields of its terms."""
    return field(2, b"".join(terms))


def iri(number: int, prefix_id: int = 0, name_id: int = 0) -> bytes:
    """Return the field of a term that is an IRI."""
    prefix_field = b"\x08" + varint(prefix_id) if prefix_id else b""
    return field(number, prefix_field + (b"\x10" + varint(name_id) if name_id else b""))


# Numbers of fields that hold an IRI.
S, P, OBJECT, G = 1, 5, 9, 13


def _names_under_prefix() -> bytes:
    names = [name(b"%x" % number) for number in range(1200)]
    rows = [add(iri(S, 1), iri(P), iri(OBJECT)) for _ in range(400)]
    return patch_file([prefix(b"a" * 400_000), *names, *rows])


def _literals_of_datatype() -> bytes:
    rows = [
        add(iri(S, 1, 1), iri(P, 1, 1), field(11, field(1, b"%d" % number) + b"\x18\x01"))
        for number in range(3000)
    ]
    return patch_file([prefix(b"a"), name(b"b"), datatype(b"d" * 400_000), *rows])


def _nested(depth: int) -> bytes:
    triple = RdfTriple()
    at = triple
    for _ in range(depth):
        at.s_iri.SetInParent()
        at.s_iri.name_id = 1
        at.p_iri.SetInParent()
        at.p_iri.name_id = 1
        at = at.o_triple_term
    at.s_iri.prefix_id = 1
    at.s_iri.name_id = 1
    at.p_iri.name_id = 1
    at.o_iri.name_id = 1
    return triple.SerializeToString()


def _quoted_40_deep() -> bytes:
    nested = _nested(40)
    quad = add(field(4, nested), iri(P, 1, 1), field(12, nested))
    count = (MOST - 20_000) // len(quad) - 200
    return patch_file([prefix(b"a" * 10_000), name(b"b"), *([quad] * min(count, 1500))])


def _bushy_triple(depth: int) -> bytes:
    """Return the field of a triple term with 3 to the power of `depth` IRIs of two bytes each."""
    iris_and_triples = ((1, 4), (5, 8), (9, 12))
    inner = b"".join(iri(number, 1, 1) for number, _ in iris_and_triples)
    for _ in range(depth - 1):
        inner = b"".join(field(number, inner) for _, number in iris_and_triples)
    return field(4, inner)


def _many_iris_in_one_row(prefix_size: int) -> bytes:
    return patch_file(
        [
            prefix(b"a" * prefix_size),
            name(b"b"),
            add(_bushy_triple(11), iri(P, 1, 1), iri(OBJECT, 1, 1)),
        ]
    )


def _many_parts_of_a_row() -> bytes:
    # A row whose statement comes in 300,000 parts of the same field.
    part = field(2, iri(S, 1, 1))
    return patch_file([prefix(b"a"), name(b"b"), part * (1_800_000 // len(part))])


def _many_unknown_fields() -> bytes:
    return patch_file([prefix(b"a"), name(b"b"), add(b"\xa8\x01\x00" * 600_000)])


def _many_rows() -> bytes:
    return patch_file([field(15, b"")] * 200_000)


def _escaped(make: Callable[[bytes], bytes], character: bytes) -> bytes:
    return patch_file(
        [prefix(b"a"), name(b"b"), add(iri(S, 1, 1), iri(P, 1, 1), make(character * 1_900_000))]
    )


def _escaped_prefix() -> bytes:
    rows = [
        add(iri(S, 1, number % 100 + 1), iri(P, 1, 1), iri(OBJECT, 1, 1)) for number in range(100)
    ]
    names = [name(b"%d" % number) for number in range(100)]
    return patch_file([prefix(b"\x01" * 1_900_000), *names, *rows])


def _wide_prefix() -> bytes:
    text = "a" * 400_000 + "\U0001f600"
    names = [name(b"%d" % number) for number in range(1200)]
    rows = [add(iri(S, 1), iri(P), iri(OBJECT)) for _ in range(400)]
    return patch_file([prefix(text.encode()), *names, *rows])


def _wide_quoted() -> bytes:
    text = "a" * 700_000 + "\U0001f600"
    return patch_file(
        [prefix(text.encode()), name(b"b"), add(_bushy_triple(4), iri(P, 1, 1), iri(OBJECT, 1, 1))]
    )


def _just_below_limit() -> bytes:
    """Rows of almost 64 MiB each, with nothing that repeats."""
    text = b"a" * 800_000
    rows = []
    for _ in range(8):
        rows.append(add(_bushy_triple(4), iri(P, 1, 1), iri(OBJECT, 1, 1)))
    return patch_file([prefix(text), name(b"b"), *rows])


def _graph_and_statement() -> bytes:
    """Long held terms of a statement, a long graph of a namespace, then a long statement."""
    text = b"a" * 700_000
    big = _bushy_triple(4)
    namespace = field(4, field(1, b"p") + field(2, b"\x10\x01") + field(3, b"\x10\x01"))
    rows = [add(big, iri(P, 1, 1), iri(OBJECT, 1, 1), iri(G, 1, 1)), namespace] * 3
    return patch_file([prefix(text), name(b"b"), *rows])


def _text(lines: Iterable[str]) -> bytes:
    return "".join(lines).encode()


def _text_prefixed_names() -> bytes:
    return _text(
        (
            f"@prefix p: <http://{'a' * 400_000}> .\n",
            *(f"A p:{number} p:x{number} p:y{number} .\n" for number in range(500)),
        )
    )


def _text_many_prefixes() -> bytes:
    return _text(
        (
            *(f"@prefix p{number}: <http://{'a' * 90_000}> .\n" for number in range(20)),
            *(f"A p{number % 20}:{number} p0:x p1:y .\n" for number in range(3000)),
        )
    )


def _text_repeats() -> bytes:
    return _text(
        (
            f"@prefix p: <http://{'a' * 400_000}> .\n",
            "A p:s p:p p:o p:g .\n",
            *("A R R R R .\n" for _ in range(120_000)),
        )
    )


def _text_quoted(depth: int, rows: int, size: int) -> bytes:
    term = "p:o"
    for _ in range(depth):
        term = f"<<( p:s p:p {term} )>>"
    return _text(
        (
            f"@prefix p: <http://{'a' * size}> .\n",
            *(f"A {term} p:p {term} .\n" for _ in range(rows)),
        )
    )


def _text_bushy() -> bytes:
    term = "p:"
    for _ in range(10):
        term = f"<<{term} {term} {term}>>"
    return _text((f"@prefix p: <http://{'a' * 100_000}> .\n", f"A {term} p: p: .\n"))


def _text_escapes(escape: str, quote: str = '"') -> bytes:
    count = 1_900_000 // len(escape)
    return _text((f"A <urn:s> <urn:p> {quote}{escape * count}{quote} .\n",))


def _text_datatype() -> bytes:
    return _text(
        (
            f"@prefix p: <http://{'a' * 400_000}> .\n",
            *(f'A <urn:s> <urn:p> "{number}"^^p:d .\n' for number in range(1000)),
        )
    )


def _thrift_text(text: bytes) -> bytes:
    return sized(text)


def _thrift_iri(text: bytes) -> bytes:
    return b"\x1c\x18" + _thrift_text(text) + b"\x00\x00"


def _thrift_row(*terms: bytes) -> bytes:
    return b"\x2c" + b"".join(b"\x1c" + term for term in terms) + b"\x00\x00"


def _thrift_nested(depth: int, text: bytes) -> bytes:
    term = _thrift_iri(text)
    for _ in range(depth):
        # Field 9, the triple term: S, P and O.
        term = (
            b"\x9c"
            + b"".join(b"\x1c" + t for t in (_thrift_iri(b"s"), _thrift_iri(b"p"), term))
            + b"\x00\x00"
        )
    return term


def _thrift_bushy() -> bytes:
    term = _thrift_iri(b"")
    for _ in range(11):
        term = b"\x9c" + (b"\x1c" + term) * 3 + b"\x00\x00"
    return _thrift_row(term, _thrift_iri(b"p"), _thrift_iri(b"o"))


def _thrift_escapes() -> bytes:
    literal = b"\x3c\x18" + _thrift_text(b'"' * 1_900_000) + b"\x00\x00"
    return _thrift_row(_thrift_iri(b"s"), _thrift_iri(b"p"), literal)


def _thrift_iri_escapes() -> bytes:
    return _thrift_row(_thrift_iri(b"s"), _thrift_iri(b"p"), _thrift_iri(b"\x01" * 1_900_000))


def _compress(data: bytes) -> bytes:
    return gzip.compress(data, 3)


def _gzip_bomb() -> bytes:
    row = _thrift_row(_thrift_iri(b"s"), _thrift_iri(b"p"), _thrift_iri(b"o"))
    return _compress(row * 100_000)


def _gzip_long_row(size: int) -> bytes:
    literal = field(11, field(1, b"a" * size))
    row = add(iri(S, 1, 1), iri(P, 1, 1), literal)
    return _compress(patch_file([prefix(b"a"), name(b"b"), *([row] * 2)]))


def _gzip_table(size: int, count: int) -> bytes:
    names = [name(b"a" * size) for _ in range(count)]
    return _compress(
        patch_file([prefix(b"a"), *names, add(iri(S, 1, 1), iri(P, 1, 1), iri(OBJECT, 1, 1))])
    )


def _gzip_long_text(size: int) -> bytes:
    return _compress(_text(f'A <urn:s> <urn:p> "{"a" * size}" .\n' for _ in range(2)))


def _gzip_long_thrift(size: int) -> bytes:
    literal = b"\x3c\x18" + _thrift_text(b"a" * size) + b"\x00\x00"
    return _compress(_thrift_row(_thrift_iri(b"s"), _thrift_iri(b"p"), literal) * 2)


def _gzip_spaces(size: int) -> bytes:
    return _compress(b" " * size + b"TX .\nTC .\n")


def _gzip_row(part: bytes, size: int) -> bytes:
    """Return a file with one row of so many bytes, of the same fields again and again."""
    row = part * (size // len(part))
    return _compress(patch_file([prefix(b"a"), name(b"b"), row]))


def _gzip_statement(part: bytes, size: int) -> bytes:
    row = add(part * (size // len(part)))
    return _gzip_row(row, len(row))


def _gzip_bushy_triple(depth: int, prefix_size: int) -> bytes:
    row = add(_bushy_triple(depth), iri(P, 1, 1), iri(OBJECT, 1, 1))
    return _compress(patch_file([prefix(b"a" * prefix_size), name(b""), *([row] * 2)]))


def _gzip_text_bushy(depth: int) -> bytes:
    term = "<a>"
    for _ in range(depth):
        term = f"<<{term} {term} {term}>>"
    return _compress(f"A {term} <p> <o> .\n".encode())


def _gzip_thrift_bushy(depth: int) -> bytes:
    term = _thrift_iri(b"a")
    for _ in range(depth):
        term = b"\x9c" + (b"\x1c" + term) * 3 + b"\x00\x00"
    return _compress(_thrift_row(term, _thrift_iri(b"p"), _thrift_iri(b"o")))


def _gzip_wide_text(size: int) -> bytes:
    return _compress(_text(f'A <urn:s> <urn:p> "{"a" * size}\U0001f600" .\n' for _ in range(3)))


def _line(obj: str) -> bytes:
    return f"<urn:s> <urn:p> {obj} .\n".encode()


def _gzip_line_bushy(depth: int) -> bytes:
    term = "<urn:a>"
    for _ in range(depth):
        term = f"<<{term}<urn:p>{term}>>"
    return _compress(_line(term))


def _gzip_empty_frames(count: int) -> bytes:
    return _compress(patch_file([]) + b"\0" * count)


FILES: dict[str, Callable[[], bytes]] = {
    "names-under-prefix.jellyp": _names_under_prefix,
    "literals-of-datatype.jellyp": _literals_of_datatype,
    "quoted-40-deep.jellyp": _quoted_40_deep,
    "many-iris-in-one-row.jellyp": lambda: _many_iris_in_one_row(100_000),
    "many-short-iris-in-one-row.jellyp": lambda: _many_iris_in_one_row(100),
    "many-parts-of-a-row.jellyp": _many_parts_of_a_row,
    "many-unknown-fields.jellyp": _many_unknown_fields,
    "many-rows.jellyp": _many_rows,
    "escaped-literal.jellyp": lambda: _escaped(lambda text: field(11, field(1, text)), b'"'),
    "escaped-label.jellyp": lambda: _escaped(lambda text: field(10, text), b"\x01"),
    "escaped-prefix.jellyp": _escaped_prefix,
    "wide-prefix.jellyp": _wide_prefix,
    "wide-quoted.jellyp": _wide_quoted,
    "just-below-limit.jellyp": _just_below_limit,
    "graph-and-statement.jellyp": _graph_and_statement,
    "prefixed-names.rdfp": _text_prefixed_names,
    "many-prefixes.rdfp": _text_many_prefixes,
    "repeats.rdfp": _text_repeats,
    "quoted-40-deep.rdfp": lambda: _text_quoted(40, 200, 10_000),
    "quoted-just-below-limit.rdfp": lambda: _text_quoted(20, 6, 700_000),
    "bushy.rdfp": _text_bushy,
    "datatype.rdfp": _text_datatype,
    "escapes.rdfp": lambda: _text_escapes('\\"'),
    "long-escapes.rdfp": lambda: _text_escapes("\\n", '"""'),
    "bushy.trp": _thrift_bushy,
    "nested.trp": lambda: _thrift_row(
        _thrift_nested(60, b"a" * 1_000_000), _thrift_iri(b"p"), _thrift_nested(60, b"a" * 900_000)
    ),
    "escapes.trp": _thrift_escapes,
    "iri-escapes.trp": _thrift_iri_escapes,
    "bomb.trp.gz": _gzip_bomb,
    "long-row.jellyp.gz": lambda: _gzip_long_row(67_000_000),
    "too-long-row.jellyp.gz": lambda: _gzip_long_row(100_000_000),
    "table.jellyp.gz": lambda: _gzip_table(500_000, 200),
    "long-name.jellyp.gz": lambda: _gzip_table(67_000_000, 1),
    "long-text.rdfp.gz": lambda: _gzip_long_text(67_000_000),
    "too-long-text.rdfp.gz": lambda: _gzip_long_text(100_000_000),
    "long-row.trp.gz": lambda: _gzip_long_thrift(67_000_000),
    "too-long-row.trp.gz": lambda: _gzip_long_thrift(100_000_000),
    "spaces.rdfp.gz": lambda: _gzip_spaces(100_000_000),
    "replaced-triples.jellyp.gz": lambda: _gzip_statement(b"\x0a\x00\x22\x00", 30_000_000),
    "replaced-statements.jellyp.gz": lambda: _gzip_row(b"\x12\x00\x1a\x00", 4_000_000),
    "unknown-groups.jellyp.gz": lambda: _gzip_row(b"\xab\x01\xac\x01", 30_000_000),
    "quoted-14-deep.jellyp.gz": lambda: _gzip_bushy_triple(14, 1),
    "many-quoted-terms.jellyp.gz": lambda: _gzip_bushy_triple(12, 80),
    "quoted-13-deep.rdfp.gz": lambda: _gzip_text_bushy(13),
    "quoted-13-deep.trp.gz": lambda: _gzip_thrift_bushy(13),
    "wide-text.rdfp.gz": lambda: _gzip_wide_text(16_000_000),
    "escapes.nt": lambda: _line('"' + "\\n" * 900_000 + '"'),
    "iri-escapes.nq": lambda: _line("<urn:" + "\\u0020" * 300_000 + ">"),
    "long-text.nt.gz": lambda: _compress(_line(f'"{"a" * 67_000_000}"')),
    "too-long-text.nq.gz": lambda: _compress(_line(f'"{"a" * 100_000_000}"') * 2),
    "wide-text.nq.gz": lambda: _compress(_line(f'"{"a" * 16_000_000}\U0001f600"') * 3),
    "quoted-17-deep.nt.gz": lambda: _gzip_line_bushy(17),
    "comment.nq.gz": lambda: _compress(b"#" * 100_000_000 + b"\n" + _line("_:b")),
    "empty-frames.jellyp.gz": lambda: _gzip_empty_frames(100_000_000),
}
"""The files, by name."""


if __name__ == "__main__":
    for file, make in FILES.items():
        (Path(sys.argv[1]) / file).write_bytes(make())
