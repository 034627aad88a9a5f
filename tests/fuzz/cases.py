"""Mutated files, how each is read, and the files of them that go to the JVM."""

import gzip
import struct
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

import zstandard

from jelly_spark.core.rows import ORDINALS
from jelly_spark.errors import MalformedInputError
from jelly_spark.formats import FORMATS
from jelly_spark.jelly.options import TERM_COLUMNS
from tests.codec.files.restart_files import points_of
from tests.differential.mutations import OF_BYTES
from tests.fuzz.corpus import Corpus
from tests.fuzz.mutations import mutate

LINES = ("ntriples", "nquads")
"""The formats whose files are cut at lines, without a look at what is before them."""

_JELLY = ("jelly_patch", "jelly_rdf")
_COMPRESSED = 0.08
_CUT = 0.3


class Case(NamedTuple):
    """A mutated file, and how it is read.

    Attributes:
        format: short name of the format that it is read as.
        data: its bytes.
        strict: whether it is read strictly.
        extension: of the codec that compresses the file, with the dot; empty for none.
        parts: the offsets at which it is cut for reading in parts, ascending.
        seed: of the choices that are made on the JVM only.
        where: the column and the value of the rows that are looked for; empty to look for none.
        original: the file before it was mutated, which has such rows.
    """

    format: str
    data: bytes
    strict: bool
    extension: str
    parts: tuple[int, ...]
    seed: int
    where: dict[str, str | int] = {}  # noqa: RUF012 (never changed)
    original: bytes = b""

    @property
    def options(self) -> dict[str, bool]:
        """The options of the format's reader."""
        options = {"strict": self.strict}
        return {**options, "namespaces": True} if self.format == "jelly_rdf" else options


def make_cases(corpus: Corpus, size: int, random: Random) -> list[Case]:
    """Return so many mutated files."""
    formats = list(FORMATS)
    return [_make_case(corpus, random.choice(formats), random) for _ in range(size)]


def _make_case(corpus: Corpus, format: str, random: Random) -> Case:
    original = random.choice(corpus[format])
    data = mutate(format, original, corpus[format], random)
    where = _random_where(format, original, random)
    if random.random() < 0.01:
        # The format of another file: its bytes, or its name, are wrong.
        format = random.choice(list(FORMATS))
        where = {}
    extension = ""
    parts: tuple[int, ...] = ()
    if random.random() < _COMPRESSED:
        extension = random.choice((".gz", ".zst"))
        data = _compress(data, extension)
        where = {}
        if random.random() < 0.7:
            # Spark does not open files without bytes.
            data = random.choice(OF_BYTES)(data, [data], random) or data
    elif format in (*_JELLY, *LINES, "rdf_patch") and (
        random.random() < _CUT or (format in _JELLY and points_of(data))
    ):
        parts = tuple(
            sorted(random.randrange(len(data) + 2) for _ in range(random.choice((0, 1, 3))))
        )
        parts = parts or (len(data),)
    strict = random.random() < 0.3
    seed = random.getrandbits(62)
    return Case(format, data, strict, extension, parts, seed, where, original if where else b"")


def _random_where(format: str, data: bytes, random: Random) -> dict[str, str | int]:
    """Return a value of a row, if readers could skip ranges of the file for it."""
    if format not in _JELLY or not points_of(data):
        return {}
    try:
        rows = list(FORMATS[format].reader(data))
    except MalformedInputError:
        return {}
    values = random.choice(rows)._asdict()
    names = [name for name in (*TERM_COLUMNS, *sorted(ORDINALS)) if values.get(name) is not None]
    name = random.choice(names)
    return {name: values[name]}


def _compress(data: bytes, extension: str) -> bytes:
    if extension == ".gz":
        return gzip.compress(data, mtime=0)
    return zstandard.ZstdCompressor(write_checksum=True).compress(data)


def write_cases(path: Path, cases: Sequence[Case]) -> None:
    """Write what `FuzzCase.read` of the JVM's tests reads."""
    with path.open("wb") as out:
        out.write(struct.pack(">i", len(cases)))
        for case in cases:
            for text in (case.format, _words(case.options.items()), case.extension):
                out.write(struct.pack(">H", len(text)) + text.encode())
            out.write(struct.pack(f">i{len(case.parts)}q", len(case.parts), *case.parts))
            where = "\n".join(f"{name}={value}" for name, value in case.where.items()).encode()
            out.write(struct.pack(">qH", case.seed, len(where)) + where)
            out.write(struct.pack(">i", len(case.data)) + case.data)


def _words(options: Iterable[tuple[str, bool]]) -> str:
    return " ".join(f"{name}={str(value).lower()}" for name, value in options)
