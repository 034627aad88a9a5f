"""A server with RDF Delta's HTTP API, as far as reading logs needs it, which fails as it is told.

RDF Delta's own HTTP server is in no package registry. What this one says about its logs is what the
server's engine, `rdf-delta-server-local` 0.7.0, says.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from io import BytesIO
from typing import Any

from jelly_spark import codec
from jelly_spark.core.rows import PatchRow
from tests.stores.loopback import QuietHandler, serving


class DeltaServer:
    """A server.

    Attributes:
        url: the URL of the server.
        logs: the patches of each log, as text, by its name.
        first: the version of the first patch that is still there.
        statuses: how the next requests for patches are answered; 0 breaks the connection in the
            middle of the answer, and 206 returns half a patch. Later ones are answered well.
        requests: the methods and paths that were received.
        authorizations: the credentials of all requests.
        listing: what the request for all logs is answered with, instead of the list.
        lengths: what patches are said to have as their length, instead of it.
    """

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self.logs: dict[str, list[bytes]] = {}
        self.first = 1
        self.statuses: list[int] = []
        self.requests: list[str] = []
        self.authorizations: list[str | None] = []
        self.listing: Any = None
        self.lengths: list[str] = []

    def append(self, name: str, rows: Iterable[PatchRow]) -> None:
        """Add a patch to a log."""
        text = BytesIO()
        codec.write(text, rows, format="rdf_patch")
        self.logs.setdefault(name, []).append(text.getvalue())

    def descriptions(self) -> Any:
        """Return what the server says about its logs."""
        if self.listing is not None:
            return self.listing
        return {
            "array": [
                {
                    "id": f"id:00000000-0000-4000-8000-{place:012}",
                    "name": name,
                    "uri": f"delta:{name}",
                    "min_version": self.first if patches else 0,
                    "max_version": len(patches),
                    "latest": "",
                }
                for place, (name, patches) in enumerate(self.logs.items())
            ]
        }

    def patch(self, path: str) -> bytes | None:
        """Return the patch at a path, `/NAME/VERSION`; None if there is none."""
        _, name, version = path.split("/")
        patches = self.logs.get(name, [])
        number = int(version)
        return patches[number - 1] if self.first <= number <= len(patches) else None


@contextmanager
def delta_server() -> Iterator[DeltaServer]:
    """A server that serves until the end of the block."""

    class Handler(QuietHandler):
        def do_POST(self) -> None:
            self._note()
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            # The server refuses requests without one of these.
            assert (body["operation"], body["opid"], body["arg"]) == ("list_log_info", "", {})
            assert self.path == "/$/rpc"
            self._answer(200, json.dumps(server.descriptions()).encode(), "application/json")

        def do_GET(self) -> None:
            self._note()
            status = server.statuses.pop(0) if server.statuses else 200
            patch = server.patch(self.path)
            if status in (0, 206):
                assert patch is not None
                half = patch[: len(patch) // 2]
                length = len(half if status else patch)
                self._answer(status or 200, half, "application/rdf-patch", length)
            elif status != 200:
                self._answer(status, b"as it was told", "text/plain")
            elif patch is None:
                self._answer(404, b"Patch not found", "text/plain")
            else:
                self._answer(200, patch, "application/rdf-patch")

        def _note(self) -> None:
            server.requests.append(f"{self.command} {self.path}")
            server.authorizations.append(self.headers["Authorization"])

        def _answer(self, status: int, body: bytes, media_type: str, length: int = -1) -> None:
            self.send_response(status)
            self.send_header("Content-Type", media_type)
            is_patch = media_type == "application/rdf-patch"
            for each in (is_patch and server.lengths) or [str(len(body) if length < 0 else length)]:
                self.send_header("Content-Length", each)
            self.end_headers()
            self.wfile.write(body)

    with serving(Handler) as port:
        server = DeltaServer(port)
        yield server
