"""Globs with the syntax and the meaning that they have in Hadoop, and so in Spark.

`*` and `?` stand for characters, `[ab]`, `[a-z]`, `[^a]` and `[!a]` for one of some, or of others,
`{a,b}` for alternatives, and a backslash makes the next character an ordinary one. Other than in
Python's `fnmatch`, names that begin with a dot are matched, too.
"""

from __future__ import annotations

import re
from itertools import pairwise

from jelly_spark.errors import OptionError

_SPECIAL = re.compile(r"[{}\[\]*?\\]")
_TOKEN = re.compile(r"\\.|.", re.DOTALL)
_WILDCARDS = {"*": ".*", "?": ".", "[": "[", "{": "(?:"}


def is_glob(path: str) -> bool:
    """Return whether Hadoop takes a path for a glob."""
    return _SPECIAL.search(path) is not None


def unescape(glob: str) -> str | None:
    """Return the only name that a glob matches; None if it has wildcards."""
    tokens = _TOKEN.findall(glob)
    return None if any(token in _WILDCARDS for token in tokens) else "".join(t[-1] for t in tokens)


def without_slashes_in_groups(glob: str) -> list[str]:
    """Return globs that together match what a glob matches, and have no slash in `{a,b}`."""
    depth, cuts = 0, [0]
    for token in _TOKEN.finditer(glob):
        text, at = token.group(), token.start()
        if text == "{":
            depth += 1
            if depth == 1:
                cuts = [at]
        elif text == "," and depth == 1:
            cuts.append(at)
        elif text == "}" and depth > 0:
            depth -= 1
            if depth == 0 and "/" in glob[cuts[0] : at]:
                return [
                    one
                    for start, end in pairwise([*cuts, at])
                    for one in without_slashes_in_groups(
                        glob[: cuts[0]] + glob[start + 1 : end] + glob[at + 1 :]
                    )
                ]
    return [glob]


def compile_glob(glob: str) -> re.Pattern[str]:
    """Return the regular expression that matches all of a name if a glob does.

    Raises:
        OptionError: the glob is malformed.
    """
    regex, groups, in_set = "", 0, False
    previous = ""
    for token in _TOKEN.findall(glob):
        if in_set and token in "^!" and previous == "[":
            regex += "^"
        elif in_set and token in "-]":
            regex += token
            in_set = token != "]"
        elif not in_set and token in _WILDCARDS:
            regex += _WILDCARDS[token]
            groups += token == "{"
            in_set = token == "["
        elif not in_set and groups and token in ",}":
            regex += "|" if token == "," else ")"
            groups -= token == "}"
        else:
            regex += re.escape(token[-1])
        previous = token
    try:
        if in_set or groups or previous == "\\":
            raise OptionError(f"the glob ends within a set, a group or an escape: {glob!r}")
        return re.compile(regex, re.DOTALL)
    except re.error as error:
        raise OptionError(f"the glob has a malformed set: {glob!r} ({error})") from None
