"""An S3 server on this machine, moto's, that remembers what it is asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qs

from moto.moto_server.werkzeug_app import (
    DomainDispatcherApplication,
    MotoRequestHandler,
    create_backend_app,
)
from s3fs import S3FileSystem
from werkzeug.serving import make_server

BUCKET = "bucket"


@dataclass(frozen=True)
class Request:
    """What the server was asked for.

    Args:
        kind: the method, or `LIST`, `COPY`, or an operation of a multipart upload.
        key: the object.
        size: the bytes of a `GET`'s answer: those that the client asked for; of another request,
            those that the client sent.
    """

    kind: str
    key: str
    size: int


class Requests(list[Request]):
    """The requests of a time, in their order."""

    def of(self, kind: str) -> list[Request]:
        """Those of one kind."""
        return [request for request in self if request.kind == kind]

    @property
    def kinds(self) -> Counter[str]:
        """How many there are of each kind."""
        return Counter(request.kind for request in self)

    @property
    def bytes_asked(self) -> int:
        """The bytes that were asked for."""
        return sum(request.size for request in self.of("GET"))

    @property
    def bytes_sent(self) -> int:
        """The bytes that were sent to be stored."""
        return sum(request.size for request in self.of("PUT"))

    def at(self, keys: Iterable[str]) -> Requests:
        """Those for some objects."""
        return Requests(request for request in self if request.key in set(keys))

    def beside(self, keys: Iterable[str]) -> Counter[str]:
        """How many there are of each kind for other objects and for folders."""
        return Counter(request.kind for request in self if request.key not in set(keys))


class Server:
    """A running server, with an empty bucket.

    Args:
        endpoint: its address.
        requests: all requests so far.
    """

    def __init__(self, endpoint: str, requests: Requests) -> None:
        self.endpoint = endpoint
        self._requests = requests

    @property
    def environment(self) -> dict[str, str]:
        """The variables of a user's environment."""
        return {
            "AWS_ENDPOINT_URL": self.endpoint,
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_DEFAULT_REGION": "us-east-1",
        }

    @contextmanager
    def watched(self) -> Iterator[Requests]:
        """Collect the requests of the block, which are complete at its end."""
        begin = len(self._requests)
        found = Requests()
        yield found
        found.extend(self._requests[begin:])


@contextmanager
def s3_server() -> Iterator[Server]:
    """Run a server on a free port of the loopback interface.

    fsspec keeps its file systems for the next URL of their kind; those of this server go with it.
    """
    requests = Requests()
    app = _Recorder(DomainDispatcherApplication(create_backend_app), requests)
    server = make_server("127.0.0.1", 0, app, threaded=True, request_handler=_Handler)
    thread = Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield Server(f"http://127.0.0.1:{server.server_port}", requests)
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
        S3FileSystem.clear_instance_cache()


class _Handler(MotoRequestHandler):
    """Logs no requests."""

    def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
        pass


class _Recorder:
    """A WSGI application that records the requests to another.

    It passes on one conditional request at a time. S3 decides in one step whether an object is
    there and makes it; moto looks first, and of requests at the same time it may let several pass.
    """

    def __init__(self, app: Any, requests: Requests) -> None:
        self._app = app
        self._requests = requests
        self._conditional = Lock()

    def __call__(
        self, environ: dict[str, Any], start_response: Callable[..., Any]
    ) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *more: Any) -> Any:
            answered = int(dict(headers).get("Content-Length", 0)) if status[0] == "2" else 0
            size = answered or int(environ.get("CONTENT_LENGTH") or 0)
            key = environ["PATH_INFO"].removeprefix(f"/{BUCKET}").lstrip("/")
            self._requests.append(Request(_kind(environ), key, size))
            return start_response(status, headers, *more)

        with self._conditional if "HTTP_IF_NONE_MATCH" in environ else nullcontext():
            found: Iterable[bytes] = self._app(environ, start)
        return found


def _kind(environ: dict[str, Any]) -> str:
    method: str = environ["REQUEST_METHOD"]
    query = parse_qs(environ["QUERY_STRING"], keep_blank_values=True)
    if method == "GET" and "list-type" in query:
        return "LIST"
    if "uploads" in query and method == "POST":
        return "START UPLOAD"
    if "uploadId" in query:
        return {"PUT": "PUT PART", "POST": "COMPLETE UPLOAD", "DELETE": "ABORT UPLOAD"}[method]
    if "HTTP_X_AMZ_COPY_SOURCE" in environ:
        return "COPY"
    return f"{method} {next(iter(query))}" if query and method != "GET" else method
