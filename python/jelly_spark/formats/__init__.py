"""The formats, each in a package or a module with its short name in Spark.

They do not import each other. To add a format, add its package here, with a constant `FORMAT`, and
add its name below. `rdf`, which has more syntaxes than can be written, also has a `WRITTEN_FORMAT`.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TypeVar

from jelly_spark.core.format import Format, ReadFormat, WrittenFormat
from jelly_spark.core.show import show
from jelly_spark.errors import OptionError

_F = TypeVar("_F", bound=ReadFormat | WrittenFormat)

FORMATS: dict[str, Format] = {
    name: import_module(f"{__name__}.{name}").FORMAT
    for name in (
        "jelly_patch",
        "jelly_rdf",
        "rdf_patch",
        "rdf_patch_thrift",
        "ntriples",
        "nquads",
    )
}
"""All formats that Spark and plain Python can read and write, by short name."""

READ: dict[str, ReadFormat] = {
    **FORMATS,
    **{name: import_module(f"{__name__}.{name}").FORMAT for name in ("rdf",)},
}
"""All formats that can be read, by short name."""

WRITTEN: dict[str, WrittenFormat] = {
    **FORMATS,
    "rdf": import_module(f"{__name__}.rdf").WRITTEN_FORMAT,
    "sparql_update": import_module(f"{__name__}.sparql_update").FORMAT,
}
"""All formats that can be written, by short name; `rdf` in plain Python only, not by Spark."""


def find_format(name: str) -> Format:
    """Return a format that Spark and plain Python can read and write, by its short name.

    Raises:
        OptionError: no such format has this name; the message lists the valid names, or says that
            the format can only be written.
    """
    return _find(FORMATS, name)


def find_read(name: str) -> ReadFormat:
    """Return a format that can be read, by its short name.

    Raises:
        OptionError: no format has this name (the message lists the valid names), or the format can
            only be written.
    """
    return _find(READ, name)


def find_written(name: str) -> WrittenFormat:
    """Return a format that can be written, by its short name.

    Raises:
        OptionError: no format has this name; the message lists the valid names.
    """
    return _find(WRITTEN, name)


def _find(formats: Mapping[str, _F], name: str) -> _F:
    known = formats.get(name) if isinstance(name, str) else None
    if known is not None:
        return known
    if isinstance(name, str) and name in WRITTEN.keys() - READ.keys():
        raise OptionError(f"{name} can be written, not read")
    raise OptionError(f"format must be one of: {', '.join(formats)}; not {show(name)}")
