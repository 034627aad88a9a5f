"""A patch log on an RDF Delta server, by its HTTP API."""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any, NamedTuple
from urllib.parse import unquote

from jelly_spark import codec
from jelly_spark.core.rows import PatchRow
from jelly_spark.core.show import quoted, show
from jelly_spark.errors import OptionError, StoreError
from jelly_spark.stores.http import HttpClient, check_url

_RPC = "$/rpc"

_LIST = b'{"operation": "list_log_info", "opid": "", "arg": {}}'
"""The request for the descriptions of all logs: the one that RDF Delta's own clients poll with."""

_PATCH = "application/rdf-patch"

_LARGEST_PATCH = 1 << 30
"""The largest size of a patch in bytes, as text."""

_MOST_NAMES = 10
"""How many names of logs an error lists."""


class DeltaVersions(NamedTuple):
    """The versions of a log on an RDF Delta server, which count the patches from 1.

    Attributes:
        first: the number of the first patch that the server has; 0 if there is none.
        last: the number of the last patch; 0 if there is none.
    """

    first: int
    last: int


class RdfDeltaLog:
    """A patch log on an RDF Delta server.

        source = RdfDeltaLog("http://localhost:1066/shop")
        source.versions()  # DeltaVersions(first=1, last=3)
        source.patch(3)

    Args:
        url: the URL of the log: that of the server, and the name of the log.
        timeout: how long a request and its answer may take, in seconds.
        retries: how often a request is repeated after a transient error.

    Attributes:
        url: the URL of the log, without a slash at its end.
        http: sends the requests.

    Raises:
        OptionError: the URL is not valid, has credentials or a query, or has no name of a log; or a
            number is out of range.
    """

    url: str
    http: HttpClient

    def __init__(self, url: str, *, timeout: int = 120, retries: int = 5) -> None:
        self.url = check_url(url).rstrip("/")
        self._server, slash, name = self.url.rpartition("/")
        if "?" in url or not slash or self._server.endswith("/") or not name:
            raise OptionError(
                "expected the URL of a log on an RDF Delta server, such as "
                f"http://localhost:1066/NAME, not {show(url)}"
            )
        self._name = unquote(name)
        self.http = HttpClient(timeout, retries)
        self.http.refuses_pages = True

    def versions(self) -> DeltaVersions:
        """Return which versions the server has now.

        Raises:
            StoreError: the server has no such log, or is no RDF Delta server.
            StoreRequestError: the server cannot be reached, or answered with an error.
        """
        logs = self._logs()
        found = next((log for log in logs if log.get("name") == self._name), None)
        if found is None:
            names = sorted(str(log.get("name")) for log in logs)
            listed = ", ".join(map(quoted, names[:_MOST_NAMES])) or "none"
            more = ", …" if len(names) > _MOST_NAMES else ""
            raise StoreError(
                f"{self._server} has no log {quoted(self._name)}: its logs are {listed}{more}"
            )
        first, last = found.get("min_version"), found.get("max_version")
        if type(first) is not int or type(last) is not int or first > last:
            raise self._not_delta()
        # A log without patches has the versions 0 or -1.
        return DeltaVersions(max(first, 1), last) if last > 0 else DeltaVersions(0, 0)

    def patch(self, version: int) -> list[PatchRow]:
        """Return the rows of a patch, without ordinals.

        Raises:
            MalformedInputError: the patch is malformed.
            StoreRequestError: the server cannot be reached, or has no such patch.
        """
        url = f"{self.url}/{version}"
        stream = BytesIO(self.http.get(url, _PATCH, _LARGEST_PATCH))
        stream.name = url  # which errors then say
        rows = codec.read_rdf_patch(stream)
        return [row._replace(patch=None, tx=None, seq=None) for row in rows]

    def _logs(self) -> list[dict[str, Any]]:
        """Return the descriptions of all logs of the server."""
        url = f"{self._server}/{_RPC}"
        answer = self.http.ask(url, _LIST, "application/json", "application/json")
        try:
            found = json.loads(answer)["array"]
        except (KeyError, TypeError, ValueError, RecursionError):
            raise self._not_delta() from None
        if not isinstance(found, list) or not all(isinstance(log, dict) for log in found):
            raise self._not_delta()
        return found

    def _not_delta(self) -> StoreError:
        return StoreError(
            f"{self._server} did not describe its logs as an RDF Delta server does: give the URL "
            "of the server and the name of the log"
        )
