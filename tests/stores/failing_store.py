"""A server that knows its position in a log and no data, and fails as it is told."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from json import dumps
from typing import NamedTuple

from tests.stores.loopback import QuietHandler, serving

_OPERATION = re.compile(r"(DELETE|INSERT) DATA {\n(.*?)\n}", re.DOTALL)
_POSITION = re.compile(r'<urn:x-jelly-spark:(version|loading|loaded)> "(.*?)" \.')


class Answer(NamedTuple):
    """How an update is answered.

    Attributes:
        status: the status code; 0 to close the connection without an answer.
        headers: more headers.
        is_applied: whether the update is carried out.
        body: the text of the answer.
    """

    status: int = 204
    headers: Mapping[str, str] = {}
    is_applied: bool = True
    body: str = ""


class FailingStore:
    """A store.

    Attributes:
        url: the URL for updates and queries.
        answers: how the next updates are answered. Later ones are carried out.
        updates: the updates that were received.
        authorizations: the credentials of all requests.
        position: the predicates, without their beginnings, and objects about the position.
        result: the text that queries are answered with, instead of a result.
    """

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}/store"
        self.answers: list[Answer] = []
        self.updates: list[str] = []
        self.authorizations: list[str | None] = []
        self.result: str | None = None
        self.position: set[tuple[str, str]] = set()

    def query(self, text: str) -> str:
        """Return the answer to a query."""
        if self.result is not None:
            return self.result
        if text.startswith("ASK"):
            return dumps({"boolean": False})
        bindings = [
            {
                "predicate": {"type": "uri", "value": f"urn:x-jelly-spark:{name}"},
                "object": {"type": "literal", "value": value},
            }
            for name, value in self.position
        ]
        return dumps({"head": {"vars": ["predicate", "object"]}, "results": {"bindings": bindings}})

    def update(self, text: str) -> Answer:
        """Carry out an update or fail, and return the answer."""
        self.updates.append(text)
        answer = self.answers.pop(0) if self.answers else Answer()
        if answer.is_applied:
            for operation, body in _OPERATION.findall(text):
                found = {*_POSITION.findall(body)}
                self.position -= found
                self.position |= found if operation == "INSERT" else set()
        return answer


@contextmanager
def failing_store() -> Iterator[FailingStore]:
    """A store that serves until the end of the block."""

    class Handler(QuietHandler):
        def do_POST(self) -> None:
            text = self.rfile.read(int(self.headers["Content-Length"])).decode()
            store.authorizations.append(self.headers["Authorization"])
            if self.headers["Content-Type"] == "application/sparql-query":
                self._answer(Answer(200, body=store.query(text)))
                return
            answer = store.update(text)
            if answer.status:
                self._answer(answer)

        def _answer(self, answer: Answer) -> None:
            self.send_response(answer.status)
            for name, value in {"Content-Type": "text/plain", **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body.encode())

    with serving(Handler) as port:
        store = FailingStore(port)
        yield store
