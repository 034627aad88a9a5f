"""HTTP servers on this machine for tests."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class QuietHandler(BaseHTTPRequestHandler):
    """Handles requests without printing them."""

    def log_message(self, *_: Any) -> None:
        pass


@contextmanager
def serving(handler: type[QuietHandler]) -> Iterator[int]:
    """Serve until the end of the block, on the port that is returned."""
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}).start()
        try:
            yield server.server_port
        finally:
            server.shutdown()
