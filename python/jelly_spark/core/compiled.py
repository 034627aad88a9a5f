"""Whether this installation has the compiled codec."""

from __future__ import annotations

from typing import Final

IS_COMPILED: Final = not __file__.endswith(".py")
"""Whether the codec is compiled code, as in the wheels for a platform, or plain Python."""
