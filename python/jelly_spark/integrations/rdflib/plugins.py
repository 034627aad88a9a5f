"""The parser and the serializer that rdflib finds by the format `jelly-patch`."""

from __future__ import annotations

from typing import IO, Any
from uuid import uuid4

from rdflib import Dataset, Graph
from rdflib.parser import InputSource, Parser
from rdflib.serializer import Serializer

from jelly_spark import patches
from jelly_spark.core.rows import RdfRow
from jelly_spark.core.terms import Iri, format_term
from jelly_spark.errors import OptionError
from jelly_spark.formats import jelly_patch
from jelly_spark.formats.jelly_patch.options import JellyPatchOptions
from jelly_spark.formats.jelly_patch.reader import JellyPatchReader
from jelly_spark.integrations.rdflib.applying import apply_patch
from jelly_spark.integrations.rdflib.statements import DEFAULT_GRAPH, rows


class JellyPatchParser(Parser):
    """Applies a Jelly-Patch file to a dataset or graph; see `apply_patch`.

    dataset.parse("changes.jellyp", format="jelly-patch")
    """

    def parse(self, source: InputSource, sink: Graph, *, strict: bool = False, **_: Any) -> None:
        """Apply the patches of a file.

        Args:
            source: a stream of bytes.
            sink: what to change: a dataset's default graph stands for the dataset.
            strict: see `JellyPatchReader`.

        Raises:
            MalformedInputError: the file breaks the format. Nothing is changed.
            OptionError: the source has no stream of bytes, or `strict` is not a bool.
            PatchError: see `apply_patch`. Nothing is changed.
            UnwritableRowError: see `apply_patch`. Nothing is changed.
        """
        stream = source.getByteStream()
        if stream is None:
            raise OptionError("jelly-patch is a binary format: parse a stream of bytes")
        target = sink
        # A dataset passes its default graph to parsers.
        if sink.identifier == DEFAULT_GRAPH and not isinstance(sink, Dataset):
            target = Dataset(store=sink.store)
            target.namespace_manager = sink.namespace_manager
        with JellyPatchReader(stream, strict=strict) as reader:
            apply_patch(target, reader)


class JellyPatchSerializer(Serializer):
    """Writes a dataset or graph as a Jelly-Patch file with one patch.

    dataset.serialize("patch.jellyp", format="jelly-patch", header_id="urn:uuid:1")
    """

    def serialize(
        self,
        stream: IO[bytes],
        base: str | None = None,
        encoding: str | None = None,
        *,
        operation: str | None = None,
        target: Graph | None = None,
        header_id: str | None = None,
        header_prev: str | None = None,
        options: JellyPatchOptions = JellyPatchOptions(),
        **_: Any,
    ) -> None:
        """Write the patch. The arguments are those of rdflib's format `patch`.

        The patch is canonical: the same statements give the same bytes, if `header_id` is given. It
        has no prefixes.

        Args:
            stream: where to write.
            base: has no effect.
            encoding: has no effect; `Graph.serialize` returns bytes if it is given.
            operation: `add`, the default, for a patch that adds all statements; `remove` for one
                that deletes them.
            target: instead of `operation`, the dataset or graph into which the patch turns this
                one.
            header_id: the IRI of the header `id`; by default, `urn:uuid:` and a random UUID.
            header_prev: the IRI of the header `prev`; by default, there is none.
            options: how to write.

        Raises:
            InvalidTermError: a statement has something that is not an RDF term.
            OptionError: an argument is not valid, or both `operation` and `target` are given.
            UnwritableRowError: a statement cannot be written with these options.
        """
        if operation is not None and target is not None:
            raise OptionError("give operation or target, not both")
        if operation not in (None, "add", "remove"):
            raise OptionError(f"operation must be one of: add, remove; not {operation!r}")
        here = list(rows(self.store))
        there: list[RdfRow] = [] if target is None else list(rows(target))
        adds = operation == "add" or (operation is None and target is None)
        before, after = (there, here) if adds else (here, there)
        patch = patches.diff(
            before,
            after,
            id=_iri(header_id or f"urn:uuid:{uuid4()}"),
            prev=_iri(header_prev) if header_prev else None,
        )
        jelly_patch.FORMAT.write(stream, patch, options)


def _iri(text: str) -> str:
    return format_term(Iri(str(text)))
