"""The releases of the schema.org vocabulary, and a log that leads from each to the next."""

import gzip
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from jelly_spark.codec import JellyPatchOptions, PatchRow, StatementType
from jelly_spark.core.terms import TripleTerm, format_term, parse_term
from tests.numbering import numbered

Statement = tuple[str, str, str, str | None]

COMMENTS = "<urn:x-schemaorg:comments>"
"""Of the quads, the graph of those that describe a term to people; the others are in the default
graph."""


@dataclass(frozen=True)
class Log:
    """The releases, oldest first, and the patches that lead from each to the next."""

    options: JellyPatchOptions
    releases: dict[str, set[Statement]]
    rows: list[PatchRow]


def read_releases(folder: Path) -> dict[str, set[Statement]]:
    """Return the triples of each release, oldest first."""
    files = sorted(folder.glob("*.nt.gz"), key=_version)
    return {file.name.removesuffix(".nt.gz"): _read_triples(file) for file in files}


def as_quads(releases: dict[str, set[Statement]]) -> dict[str, set[Statement]]:
    """Return the releases with some of their triples in a named graph."""
    return {name: {_as_quad(triple) for triple in releases[name]} for name in releases}


def log_of(triples: dict[str, set[Statement]], statement_type: StatementType) -> Log:
    """Return the log of the releases, as triples or as quads."""
    releases = as_quads(triples) if statement_type is StatementType.QUADS else triples
    return Log(
        JellyPatchOptions(statement_type=statement_type), releases, numbered(_patches(releases))
    )


def _version(file: Path) -> tuple[int, ...]:
    return tuple(int(number) for number in file.name.removesuffix(".nt.gz").split("."))


def _read_triples(file: Path) -> set[Statement]:
    triples: set[Statement] = set()
    with gzip.open(file, "rt", encoding="utf-8", newline="\n") as lines:
        for line in lines:
            text = line.rstrip()
            if text:
                triple = parse_term(f"<<( {text.removesuffix('.')} )>>")
                assert isinstance(triple, TripleTerm)
                subject, predicate, obj = triple.subject, triple.predicate, triple.object
                triples.add((format_term(subject), format_term(predicate), format_term(obj), None))
    return triples


def _as_quad(triple: Statement) -> Statement:
    subject, predicate, obj, _ = triple
    return subject, predicate, obj, COMMENTS if predicate.endswith("#comment>") else None


def _patches(releases: dict[str, set[Statement]]) -> Iterator[PatchRow]:
    before: set[Statement] = set()
    previous = None
    for name, after in releases.items():
        own = f"<{uuid5(NAMESPACE_URL, f'https://schema.org/version/{name}').urn}>"
        yield PatchRow("H", name="id", value=own)
        if previous is not None:
            yield PatchRow("H", name="prev", value=previous)
        yield PatchRow("TX")
        for statement in sorted(before - after, key=_by_terms):
            yield PatchRow("D", *statement)
        for statement in sorted(after - before, key=_by_terms):
            yield PatchRow("A", *statement)
        yield PatchRow("TC")
        yield PatchRow("END")
        before, previous = after, own


def _by_terms(statement: Statement) -> tuple[str, str, str]:
    return statement[:3]
