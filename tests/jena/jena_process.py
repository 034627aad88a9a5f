"""Jena in a process of its own: Jena 6 needs a newer Java than Spark does."""

from __future__ import annotations

import base64
import json
import os
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, TypeAlias

from jelly_spark.core.rows import PatchRow
from jelly_spark.core.terms import (
    RDF_LANG_STRING,
    BlankNode,
    Iri,
    Literal,
    Term,
    TripleTerm,
    parse_term,
)
from jelly_spark.core.terms.text import XSD_STRING

_PROGRAM = Path(__file__).parent / "java" / "JenaCodec.java"
_OPTIONS = ("-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")

_RDF_DIR_LANG_STRING = RDF_LANG_STRING.replace("langString", "dirLangString")

Row: TypeAlias = tuple[Any, ...]
"""A row with terms instead of strings: the first seven columns of a patch's, or a statement."""


class JenaError(Exception):
    """Jena reported an error."""


class JenaProcess:
    """The process, which runs `JenaCodec.java`. A context manager.

    Args:
        java: the command of Java.
        jars: those of Jena.
    """

    def __init__(self, java: Path, jars: list[str]) -> None:
        self._process = subprocess.Popen(
            [str(java), *_OPTIONS, "-cp", os.pathsep.join(jars), str(_PROGRAM)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            encoding="utf-8",
        )

    def __enter__(self) -> JenaProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def read(self, data: bytes, format: str) -> list[Row]:
        """Return the rows of a file.

        Raises:
            JenaError: Jena does not read it.
        """
        rows = self._ask({"read": format, "data": base64.b64encode(data).decode()})["rows"]
        return [tuple(map(_from_json, row)) for row in rows]

    def write(self, rows: Iterable[Row], format: str) -> bytes:
        """Return the bytes that Jena writes.

        Raises:
            JenaError: Jena does not write the rows.
        """
        request = {"write": format, "rows": [[*map(_to_json, row)] for row in rows]}
        return base64.b64decode(self._ask(request)["data"])

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        assert line, "Jena's process has ended"
        answer: dict[str, Any] = json.loads(line)
        if "error" in answer:
            raise JenaError(answer["error"])
        return answer


def with_terms(rows: Iterable[PatchRow]) -> list[Row]:
    """Return rows of a patch with terms, and without the columns that number them."""
    return [(row.op, *map(_term, row[1:5]), row.name, _term(row.value)) for row in rows]


def _term(text: str | None) -> Term | None:
    return None if text is None else parse_term(text)


def as_in_jena(rows: Sequence[Row]) -> list[Row]:
    """Return rows with language tags in lower case: Jena changes their case."""
    return [tuple(map(_lower, row)) for row in rows]


def _lower(cell: Any) -> Any:
    if isinstance(cell, TripleTerm):
        return TripleTerm(*map(_lower, (cell.subject, cell.predicate, cell.object)))
    if isinstance(cell, Literal) and cell.language is not None:
        return Literal(cell.lexical, cell.language.lower(), None, cell.direction)
    return cell


def _to_json(cell: object) -> Any:
    if isinstance(cell, Iri):
        return ["iri", cell.value]
    if isinstance(cell, BlankNode):
        return ["bnode", cell.label]
    if isinstance(cell, TripleTerm):
        return ["triple", *map(_to_json, (cell.subject, cell.predicate, cell.object))]
    if isinstance(cell, Literal):
        if cell.language is None:
            return ["literal", cell.lexical, None, None, cell.datatype or XSD_STRING]
        return ["literal", cell.lexical, cell.language, cell.direction, None]
    return cell


def _from_json(cell: Any) -> Any:
    if not isinstance(cell, list):
        return cell
    kind, *parts = cell
    if kind == "iri":
        return Iri(*parts)
    if kind == "bnode":
        return BlankNode(*parts)
    if kind == "triple":
        return TripleTerm(*map(_from_json, parts))
    lexical, language, direction, datatype = parts
    if language is None:
        return Literal(lexical, None, None if datatype == XSD_STRING else datatype)
    assert datatype == (RDF_LANG_STRING if direction is None else _RDF_DIR_LANG_STRING)
    return Literal(lexical, language, None, direction)
