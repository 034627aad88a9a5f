"""The formats, each in a package or a module with its short name in Spark.

They do not import each other. To add a format, add its package here, with a constant `FORMAT`, and
add its name below.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import import_module
from itertools import chain
from typing import TypeVar, cast

from jelly_spark.core.files import hints
from jelly_spark.core.format import Format, WrittenFormat
from jelly_spark.core.show import show
from jelly_spark.errors import OptionError

_F = TypeVar("_F", bound=WrittenFormat)


class _Formats(Mapping[str, _F]):
    """Formats by short name, each imported on its first use: importing all of them takes time."""

    def __init__(self, *names: str) -> None:
        self._names = names

    def __getitem__(self, name: str) -> _F:
        if name not in self._names:
            raise KeyError(name)
        return cast(_F, import_module(f"{__name__}.{name}").FORMAT)

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


FORMATS: Mapping[str, Format] = _Formats(
    "jelly_patch", "jelly_rdf", "rdf_patch", "rdf_patch_thrift", "ntriples", "nquads"
)
"""All formats that Spark and plain Python can read and write, by short name."""

READ: Mapping[str, Format] = _Formats(*FORMATS, "rdf")
"""All formats that can be read, by short name."""

hints.register(lambda: chain.from_iterable(each.reader_class.beginnings for each in READ.values()))

WRITTEN: Mapping[str, WrittenFormat] = _Formats(*READ, "sparql_update")
"""All formats that can be written, by short name; `rdf` in plain Python only, not by Spark."""


def find_format(name: str) -> Format:
    """Return a format that Spark and plain Python can read and write, by its short name.

    Raises:
        OptionError: no such format has this name; the message lists the valid names, or says that
            the format can only be written.
    """
    return _find(FORMATS, name)


def find_read(name: str) -> Format:
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
    advice = _advice(formats, name) if isinstance(name, str) else ""
    raise OptionError(f"format must be one of: {', '.join(formats)}; not {show(name)}{advice}")


def _advice(formats: Mapping[str, _F], name: str) -> str:
    """Return the end of the error for an unknown name: what to give instead, if that is known."""
    from jelly_spark.formats.names import is_table, right_name

    if is_table(name):
        return (
            ": tables are read with other libraries, such as pyarrow, and made rows with "
            "jelly_spark.integrations.arrow.from_arrow"
        )
    meant = right_name(name, WRITTEN)
    if meant is None:
        return ""
    if meant.format not in formats:
        return f": {meant.format} can only be {'read' if meant.format in READ else 'written'}"
    return f": give format={meant.format!r}" + (
        f", syntax={meant.syntax!r}" if meant.syntax else ""
    )
