"""Credentials for servers: from the environment, or from the netrc file. Never from a URL."""

from __future__ import annotations

import base64
import os
from netrc import NetrcParseError, netrc

from jelly_spark.errors import OptionError

TOKEN = "JELLY_SPARK_STORE_TOKEN"
"""The environment variable with a bearer token."""

USER = "JELLY_SPARK_STORE_USER"
"""The environment variable with the user name for basic authentication."""

PASSWORD = "JELLY_SPARK_STORE_PASSWORD"
"""The environment variable with the password for basic authentication."""


def authorization(host: str) -> str | None:
    """Return the value of the header `Authorization` for a host; None without credentials.

    Args:
        host: the name of the host, without the port.

    Raises:
        OptionError: only the user or only the password is given, or the netrc file is malformed.
    """
    token, user, password = (os.environ.get(name) for name in (TOKEN, USER, PASSWORD))
    if token:
        return _checked(f"Bearer {token}", TOKEN)
    if user or password:
        if not user or password is None:
            raise OptionError(f"{USER} and {PASSWORD} must both be set, or neither")
        return _basic(user, password)
    return _from_netrc(host)


def _from_netrc(host: str) -> str | None:
    file = os.environ.get("NETRC")
    try:
        found = netrc(file).authenticators(host)
    except FileNotFoundError:
        return None
    except NetrcParseError as error:
        # Its message may have a password.
        place = f"{error.filename}: line {error.lineno}: " if error.lineno else ""
        raise OptionError(
            f"the netrc file cannot be used: {place}expected its format, and that only the owner "
            "of the file may read it"
        ) from None
    except UnicodeDecodeError:
        raise OptionError("the netrc file cannot be used: it is not text in UTF-8") from None
    return None if found is None else _basic(found[0], found[2] or "")


def _basic(user: str, password: str) -> str:
    try:
        text = f"{user}:{password}".encode()
    except UnicodeEncodeError:
        raise OptionError("the user and the password for a store must be UTF-8") from None
    if ":" in user:
        raise OptionError("the user for a store must not have a colon")
    return f"Basic {base64.b64encode(text).decode()}"


def _checked(value: str, name: str) -> str:
    # A header is one line of printable ASCII.
    if not value.isascii() or not value.isprintable():
        raise OptionError(f"{name} must be a token of printable ASCII characters")
    return value
