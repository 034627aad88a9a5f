"""The versions of RDF that lines such as `VERSION "1.2"` announce."""

from __future__ import annotations

MESSAGES = "1.2-messages"
"""The version of the draft RDF Messages, whose streams have lines `MESSAGE`."""

VERSIONS = ("1.1", "1.2", "1.2-basic", MESSAGES)
"""The versions of RDF 1.2, and the one of RDF Messages."""

_quoted = [f'"{version}"' for version in VERSIONS]
EXPECTED_VERSION = f"VERSION {', '.join(_quoted[:-1])} or {_quoted[-1]}"
"""What a parser expects instead of a line with an unknown version."""

EXPECTED_MESSAGES = f'VERSION "{MESSAGES}" before the first statement'
"""What a parser expects instead of a line `MESSAGE` in a file that has no messages."""
