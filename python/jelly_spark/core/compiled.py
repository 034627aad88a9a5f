"""Whether this installation has the compiled codec."""

from __future__ import annotations

IS_COMPILED = not __file__.endswith(".py")
"""Whether the codec is compiled code, as in the wheels for a platform, or plain Python."""
