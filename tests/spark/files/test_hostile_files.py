"""Small files that stand for much more text, read by Spark with a heap of 512 MB."""

import gzip
from pathlib import Path

from tests import jvm_options
from tests.spark.programs import run

LIMIT = 67108864
TOO_LONG = f"a row of at most {LIMIT} bytes (option maxRowSize), found a longer one"
TOO_MANY = (
    f"lookup entries of at most {LIMIT // 2} bytes together (half of option maxRowSize), "
    "found longer ones"
)

PROGRAM = """
import json
from pyspark.sql import Observation, functions as F
import jelly_spark

path, master, *names = sys.argv[1:]
configured = jelly_spark.configure(builder().config("spark.driver.memory", "512m"))
spark = configured.master(master).getOrCreate()
texts = ["subject", "predicate", "object", "graph"]
for name in names:
    for terms in ["string", "struct"]:
        reader = spark.read.format(name.split(".")[1]).option("terms", terms)
        frame = reader.load(f"{path}/{name}")
        parts = texts if terms == "string" else [f"{text}.value" for text in texts]
        try:
            sizes = [F.sum(F.octet_length(part)).alias(part) for part in parts]
            found = Observation()
            observed = frame.observe(found, F.count("*").alias("rows"), *sizes)
            observed.write.format("noop").mode("overwrite").save()
            print(name, terms, found.get["rows"])
        except Exception as error:
            reason = str(error).split(": expected ")
            print(name, terms, reason[1].splitlines()[0] if len(reason) > 1 else error)
"""


def varint(number: int) -> bytes:
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def number(field: int, value: int) -> bytes:
    return varint(field << 3) + varint(value)


def sized(field: int, *parts: bytes) -> bytes:
    content = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(content)) + content


def jelly(*rows: bytes) -> bytes:
    """One undelimited frame of Jelly-RDF, of triples."""
    sizes = number(9, 4096) + number(10, 1024) + number(11, 256)
    options = sized(1, number(2, 1), number(4, 1), sizes, number(15, 1))
    return b"".join(sized(1, row) for row in (options, *rows))


def triple(*terms: bytes) -> bytes:
    return sized(2, *terms)


def name_entry(value: bytes) -> bytes:
    return sized(9, sized(2, value))


def prefix_entry(value: bytes) -> bytes:
    return sized(10, sized(2, value))


def datatype_entry(value: bytes) -> bytes:
    return sized(11, sized(2, value))


def iri(position: int, name: int) -> bytes:
    return sized(position, number(1, 1), number(2, name))


P_O = sized(6, b"p") + sized(10, b"o")


def long_prefix(prefix: bytes, names: int) -> bytes:
    entries = (name_entry(b"%d" % i) for i in range(names))
    return jelly(
        prefix_entry(prefix), *entries, *(triple(iri(1, 1 + i), P_O) for i in range(names))
    )


def long_datatype() -> bytes:
    literals = (sized(11, sized(1, b"%d" % i), number(3, 1)) for i in range(300))
    return jelly(
        datatype_entry(b"d" * 400_000),
        *(triple(sized(2, b"s"), sized(6, b"p"), literal) for literal in literals),
    )


def nested(depth: int) -> bytes:
    term = iri(1, 1)
    for level in range(depth):
        term = sized(4, term, iri(5, 1 + level), iri(9, 2))
    return term


def deep_triples() -> bytes:
    names = (name_entry(b"%d" % i) for i in range(64))
    return jelly(prefix_entry(b"x" * 10_000), *names, *[triple(nested(40), P_O)] * 500)


def wide_triple() -> bytes:
    def tree(depth: int, position: int) -> bytes:
        if depth == 0:
            return iri(position, 1)
        return sized(position + 3, *(tree(depth - 1, p) for p in (1, 5, 9)))

    return jelly(prefix_entry(b"x" * 400_000), name_entry(b"n"), triple(tree(10, 1), P_O))


def text(*rows: str) -> bytes:
    return "".join(f"{row} .\n" for row in rows).encode()


def thrift_string(value: bytes) -> bytes:
    return b"\x18" + varint(len(value)) + value


def thrift_nested(depth: int) -> bytes:
    """An RDF_Term: a triple term of blank nodes and a triple."""
    node = b"\x2c" + thrift_string(b"") + b"\0\0"
    if depth == 0:
        return node
    return b"\x9c\x1c" + thrift_nested(depth - 1) + b"\x1c" + node + b"\x1c" + node + b"\0\0"


def thrift(rows: int, subject: bytes) -> bytes:
    node = b"\x2c" + thrift_string(b"n") + b"\0\0"
    return (b"\x2c\x1c" + subject + b"\x1c" + node + b"\x1c" + node + b"\0\0") * rows


def literal(value: bytes) -> bytes:
    return triple(sized(2, b"s"), sized(6, b"p"), sized(11, sized(1, value)))


LEAVES = "<<" * 60 + ' "" "" ""' + '>> "" ""' * 59 + ">>"
FILES: dict[str, tuple[bytes, int | str]] = {
    "prefix.jelly_rdf.jelly": (long_prefix(b"x" * 400_000, 300), 300),
    "escaped-prefix.jelly_rdf.jelly": (long_prefix(b" " * 400_000, 10), 10),
    "datatype.jelly_rdf.jelly": (long_datatype(), 300),
    "deep.jelly_rdf.jelly": (deep_triples(), 500),
    "wide.jelly_rdf.jelly": (wide_triple(), TOO_LONG),
    "quotes.jelly_rdf.jelly": (jelly(*[literal(b'"' * 900_000)] * 2), 2),
    "literal.jelly_rdf.jelly.gz": (jelly(literal(b"x" * 20_000_000)), 1),
    "literals.jelly_rdf.jelly.gz": (jelly(*[literal(b"x" * 5_000_000)] * 40), 40),
    "row.jelly_rdf.jelly.gz": (jelly(literal(b"x" * 70_000_000)), TOO_LONG),
    "entries.jelly_rdf.jelly.gz": (jelly(*[prefix_entry(b"x" * 1_000_000)] * 80), TOO_MANY),
    "prefix.rdf_patch.rdfp": (
        text(f"@prefix p: <x:{'x' * 400_000}>", *(f"A p:{i} <p> 1" for i in range(300))),
        300,
    ),
    "escapes.rdf_patch.rdfp": (text(f'A <s> <p> "{"u0022".join([chr(92)] * 300_000)}u0022"'), 1),
    "leaves.rdf_patch.rdfp": (text(*[f"A {LEAVES} <p> 1"] * 20), 20),
    "literal.rdf_patch.rdfp.gz": (text(f'A <s> <p> "{"x" * 20_000_000}"'), 1),
    "row.rdf_patch.rdfp.gz": (text(f'A <s> <p> "{"x" * 70_000_000}"'), TOO_LONG),
    "nested.rdf_patch_thrift.trp": (thrift(100, thrift_nested(60)), 100),
    "literal.rdf_patch_thrift.trp.gz": (
        thrift(1, b"\x2c" + thrift_string(b"x" * 20_000_000) + b"\0\0"),
        1,
    ),
    "row.rdf_patch_thrift.trp.gz": (
        thrift(1, b"\x2c" + thrift_string(b"x" * 70_000_000) + b"\0\0"),
        TOO_LONG,
    ),
}


def test_they_are_read_or_refused(tmp_path: Path) -> None:
    for name, (content, _) in FILES.items():
        path = tmp_path / name
        path.write_bytes(gzip.compress(content, 1) if name.endswith(".gz") else content)
        assert path.stat().st_size <= 2_000_000, name
    options = jvm_options.OPTIMIZING
    found = run(PROGRAM, tmp_path, "local[2]", *FILES, JDK_JAVA_OPTIONS=options)
    expected = [
        f"{name} {terms} {outcome}" for name, (_, outcome) in FILES.items() for terms in KINDS
    ]
    assert [line for line in found if line not in expected] == []
    assert len(found) == len(expected)


KINDS = ["string", "struct"]
