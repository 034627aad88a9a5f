"""Requests to servers: timeouts, credentials, errors that say what to do, and limited retries.

This uses `urllib.request` of the standard library: it needs no package, takes proxies and
certificates from the environment, and repeats nothing by itself. Redirects are not followed,
because they would turn a POST into a GET, and carry credentials to another host.
"""

from __future__ import annotations

import re
import socket
import ssl
from collections.abc import Callable
from datetime import datetime, timezone
from email.message import Message
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPResponse, IncompleteRead
from time import sleep
from typing import TypeVar
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, Request, build_opener

from jelly_spark._version import __version__
from jelly_spark.core.options import check_size
from jelly_spark.core.show import quoted, show
from jelly_spark.errors import OptionError, StoreRequestError
from jelly_spark.stores import credentials
from jelly_spark.stores.deadline import Deadline

T = TypeVar("T")

_LONGEST_PAUSE = 60
"""The longest pause before a retry, in seconds, unless the server asks for a longer one."""

_LONGEST_RETRY_AFTER = 600
"""The longest pause that a server may ask for, in seconds."""

_MOST_OF_ANSWER = 16 << 20
"""The most bytes of the answer to a POST that are read: results of queries, lists of logs."""

_MOST_OF_ERROR = 300

_LENGTH = re.compile("[0-9]+")

_ADVICE = {
    401: f"set {credentials.TOKEN}, or {credentials.USER} and {credentials.PASSWORD}, or write a "
    "netrc file",
    403: "the credentials do not allow this",
    404: "check the URL",
    405: "check the URL: this is not a service that takes such requests",
    413: "raise the server's limit for the size of requests",
    415: "check the URL: this service takes something else",
}


class _Unfollowed(HTTPRedirectHandler):
    """Leaves redirects to be reported as errors."""

    def redirect_request(self, *_: object) -> None:
        """Return None: there is no other request to make."""


class HttpClient:
    """Sends requests to a server.

    Args:
        timeout: how long a request and its answer may take, in seconds, from 1 to 86400.
        retries: how often a request is repeated after a transient error, from 0 to 100.

    Attributes:
        on_retry: called before each pause, with the error and the length of the pause in seconds.
        refuses_pages: whether an answer in HTML is an error, even if its status says success.

    Raises:
        OptionError: a number is out of range.
    """

    def __init__(self, timeout: int, retries: int) -> None:
        check_size("timeout", timeout, 1, 86_400)
        check_size("retries", retries, 0, 100)
        self._timeout = timeout
        self._retries = retries
        self.on_retry: Callable[[StoreRequestError, float], None] = lambda *_: None
        self.refuses_pages = False

    def post(self, url: str, body: bytes, media_type: str, accept: str = "*/*") -> bytes:
        """Send a request once, and return the body of the answer, or the beginning of a long one.

        Raises:
            StoreRequestError: the server cannot be reached, or answered with an error. Unless it
                refused the request, it may have carried it out.
        """
        return self._send(_post(url, body, media_type, accept), _MOST_OF_ANSWER)

    def get(self, url: str, accept: str, limit: int) -> bytes:
        """Return what is at a URL, with retries.

        Args:
            url: the URL.
            accept: the media type to ask for.
            limit: the largest size of the answer in bytes.

        Raises:
            StoreRequestError: the server cannot be reached, or answered with an error, also after
                retries; or the answer is too long.
        """
        return self._whole(Request(url, headers={"Accept": accept}), limit)

    def _whole(self, request: Request, limit: int) -> bytes:
        """Send a request with retries, and return the body of the answer."""
        url = request.full_url
        found: list[bytes] = []
        self.retry(lambda: found.append(self._send(request, limit + 1)))
        if len(found[0]) > limit:
            text = f"{url}: the answer is longer than {limit:,} bytes"
            raise StoreRequestError(text, url, None, False, None)
        return found[0]

    def _send(self, request: Request, most: int) -> bytes:
        """Send a request once, and return the body of the answer, at most so many bytes of it."""
        url = request.full_url
        request.add_header("User-Agent", f"jelly-spark/{__version__}")
        authorization = credentials.authorization(urlsplit(url).hostname or "")
        if authorization is not None:
            request.add_header("Authorization", authorization)
        with Deadline(self._timeout) as deadline:
            try:
                opener = build_opener(_Unfollowed, *deadline.handlers())
                with opener.open(request, timeout=self._timeout) as answer:
                    found = _read(answer, most)
                deadline.check()
            except HTTPError as error:
                with error:
                    raise _refused(url, error) from None
            except (OSError, HTTPException) as error:
                raise _unreachable(url, TimeoutError() if deadline.is_over else error) from error
        reason = self._unusable(answer)
        if reason is not None:
            text = f"{url}: {answer.status} {reason}"
            raise StoreRequestError(text, url, answer.status, False, None)
        return found

    def _unusable(self, answer: HTTPResponse) -> str | None:
        """Return why an answer is an error though its status says success; None if it is not."""
        if self.refuses_pages and answer.headers.get_content_type() == "text/html":
            return "with a page in HTML: is this the URL of a service?"
        if answer.status == 206:
            return "with a part of the answer, which was not asked for"
        lengths = {length.strip() for length in answer.headers.get_all("Content-Length", ())}
        if not answer.chunked and not (
            len(lengths) <= 1 and all(_LENGTH.fullmatch(length) for length in lengths)
        ):
            shown = quoted(", ".join(sorted(lengths)))
            return f"with an invalid Content-Length, {shown}, so the answer may be cut off"
        return None

    def retry(self, action: Callable[[], T], is_done: Callable[[], bool] = lambda: False) -> None:
        """Call a function until it succeeds, with pauses that double, as often as is allowed.

        Args:
            action: what to do.
            is_done: asked before the action is repeated. True if the action was carried out
                although there was an error, such as a lost answer.

        Raises:
            StoreRequestError: the last error, or the first one that is not transient.
        """
        for attempt in range(self._retries + 1):
            try:
                action()
                return
            except StoreRequestError as error:
                if not error.is_transient or attempt == self._retries:
                    raise
                pause = error.retry_after or min(2.0**attempt, _LONGEST_PAUSE)
                self.on_retry(error, pause)
                sleep(pause)
            if is_done():
                return

    def ask(self, url: str, body: bytes, media_type: str, accept: str) -> bytes:
        """Send a request that changes nothing, with retries, and return the answer's body.

        Raises:
            StoreRequestError: as in `get`.
        """
        return self._whole(_post(url, body, media_type, accept), _MOST_OF_ANSWER)


def check_url(url: str) -> str:
    """Return a URL of a service.

    Raises:
        OptionError: it is not a URL of HTTP, or it has credentials or a fragment.
    """
    try:
        parts = urlsplit(url)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        (parts.hostname or "").encode("idna")  # raises an error for what is not a host
    except (ValueError, AttributeError, TypeError):
        is_valid = False
    shown = show(without_user(url) if isinstance(url, str) else url)
    if not is_valid or not url.isascii() or not url.isprintable() or " " in url:
        raise OptionError(f"expected a URL that begins with http:// or https://, not {shown}")
    if "@" in parts.netloc:
        raise OptionError(
            "a URL must not have a user or a password, which others could see: set "
            f"{credentials.USER} and {credentials.PASSWORD}, or write a netrc file"
        )
    if "#" in url:
        raise OptionError(f"the URL of a service must not have a fragment, as {shown} has")
    return url


def without_user(url: str) -> str:
    """Return a URL for a message: without its user and password, even if it is not valid."""
    _, at, rest = url.rpartition("@")
    return f"…@{rest}" if at else url


def _post(url: str, body: bytes, media_type: str, accept: str) -> Request:
    headers = {"Content-Type": media_type, "Accept": accept}
    return Request(url, body, headers, method="POST")


def _read(answer: HTTPResponse, most: int) -> bytes:
    """Return the body of an answer, or the beginning of one with more than `most` bytes."""
    found = answer.read(most)
    if answer.length and len(found) < most:
        raise IncompleteRead(found, answer.length)
    return found


def _refused(url: str, error: HTTPError) -> StoreRequestError:
    text = f"{url}: {error.code} {error.reason}"
    location = error.headers.get("Location")
    if 300 <= error.code < 400 and location is not None:
        text += f": the service has moved: give the URL {without_user(location)}"
    else:
        detail, advice = _detail(error), _ADVICE.get(error.code)
        text += "".join(f": {part}" for part in (detail, advice) if part)
    retry_after = _seconds(error.headers)
    is_transient = error.code == 429 or error.code >= 500
    if retry_after is not None and retry_after > _LONGEST_RETRY_AFTER:
        text += f": the server asks to wait {retry_after:.0f} seconds: try again then"
        is_transient = False
    return StoreRequestError(text, url, error.code, is_transient, retry_after)


def _unreachable(url: str, error: Exception) -> StoreRequestError:
    reason = error.reason if isinstance(error, URLError) else error
    if isinstance(reason, TimeoutError):
        text = f"{url}: no answer in time: give a longer timeout if the server needs it"
    elif isinstance(reason, IncompleteRead):
        text = f"{url}: the connection was lost in the middle of the answer"
    elif isinstance(reason, OSError) and reason.strerror:
        text = f"{url}: {reason.strerror}"
    else:
        text = f"{url}: {type(reason).__name__}: {reason}"
    is_transient = not isinstance(reason, ssl.SSLCertVerificationError) and not (
        isinstance(reason, socket.gaierror) and reason.errno != socket.EAI_AGAIN
    )
    return StoreRequestError(text, url, None, is_transient, None)


def _detail(error: HTTPError) -> str:
    """Return the beginning of what the server says about an error, if that is plain text."""
    if error.headers.get_content_type() != "text/plain":
        return ""
    try:
        text = error.read(_MOST_OF_ERROR).decode("utf-8", "replace")
    except (OSError, HTTPException):
        return ""
    return " ".join(text.split())


def _seconds(headers: Message) -> float | None:
    """Return how long a server asks to wait, by its header `Retry-After`; None if it does not."""
    value = headers.get("Retry-After")
    if value is None:
        return None
    if value.strip().isdecimal():
        return float(value)
    try:
        time = parsedate_to_datetime(value)
    except ValueError:
        return None
    if time.tzinfo is None:
        time = time.replace(tzinfo=timezone.utc)
    return max(0.0, (time - datetime.now(timezone.utc)).total_seconds())
