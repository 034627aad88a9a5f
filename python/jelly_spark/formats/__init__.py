"""The formats, a package each, named by the short name that Spark knows it by.

No format knows another. To add one, put its package here, with a `FORMAT`, and its name below.
"""

from __future__ import annotations

from importlib import import_module

from jelly_spark.core.format import Format
from jelly_spark.core.show import show
from jelly_spark.errors import OptionError

FORMATS: dict[str, Format] = {
    name: import_module(f"{__name__}.{name}").FORMAT
    for name in (
        "jelly_patch",
        "jelly_rdf",
        "rdf_patch",
        "rdf_patch_thrift",
    )
}
"""All formats, by short name."""


def find_format(name: str) -> Format:
    """Return the format with this short name.

    Raises:
        OptionError: no format has this name; the message lists the valid names.
    """
    known = FORMATS.get(name) if isinstance(name, str) else None
    if known is None:
        raise OptionError(f"format must be one of: {', '.join(FORMATS)}; not {show(name)}")
    return known
