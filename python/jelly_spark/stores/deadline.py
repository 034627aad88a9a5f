"""A deadline for a request and its answer, for `urllib.request`.

The timeouts of sockets are those of single reads, so a server could keep a request going forever,
a byte at a time.
"""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from functools import cache, partial
from http.client import HTTPConnection, HTTPResponse, HTTPSConnection
from threading import Timer
from typing import Any
from urllib.request import BaseHandler, HTTPHandler, HTTPSHandler, Request


class Deadline:
    """Ends a connection when its time is over; a context manager.

    Args:
        seconds: how long the block may take.

    Attributes:
        is_over: whether the time was over before the end of the block.
    """

    def __init__(self, seconds: float) -> None:
        self.is_over = False
        self._socket: socket.socket | None = None
        self._timer = Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> Deadline:
        self._timer.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._timer.cancel()

    def handlers(self) -> list[BaseHandler]:
        """Return handlers for an opener, whose connections end at the deadline."""
        return [_HttpHandler(self), _HttpsHandler(self)]

    def watch(self, connected: socket.socket | None) -> None:
        """Make this socket the one to end."""
        self._socket = connected
        if self.is_over:
            self._shut_down()

    def check(self) -> None:
        """Raise an error if the time is over: what was read may be cut off.

        Raises:
            TimeoutError: it is.
        """
        if self.is_over:
            raise TimeoutError

    def _end(self) -> None:
        self.is_over = True
        self._shut_down()

    def _shut_down(self) -> None:
        if self._socket is not None:
            with suppress(OSError):
                # Not the method of a TLS socket, which another thread must not call meanwhile.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class _Connection(HTTPConnection):
    def __init__(self, *args: Any, deadline: Deadline, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._deadline = deadline

    def connect(self) -> None:
        super().connect()
        self._deadline.watch(self.sock)


class _TlsConnection(_Connection, HTTPSConnection):
    pass


class _HttpHandler(HTTPHandler):
    def __init__(self, deadline: Deadline) -> None:
        super().__init__()
        self._deadline = deadline

    def http_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_Connection, deadline=self._deadline), req)


class _HttpsHandler(HTTPSHandler):
    def __init__(self, deadline: Deadline) -> None:
        super().__init__(context=_tls())
        self._deadline = deadline

    def https_open(self, req: Request) -> HTTPResponse:
        return self.do_open(partial(_TlsConnection, deadline=self._deadline, context=_tls()), req)


@cache
def _tls() -> ssl.SSLContext:
    """Return the usual settings of TLS, which take long to load."""
    found = ssl.create_default_context()
    found.set_alpn_protocols(["http/1.1"])
    return found
