"""What a program is that prints tables for a guide."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Table:
    """A table that is printed: the corner, and the cells by the names of rows and columns."""

    corner: str
    rows: Mapping[str, Mapping[str, object]]
    digits: int = 1


@dataclass(frozen=True)
class Guide:
    """A program.

    Attributes:
        run: measures, given the command-line options, and returns the tables.
        options: the defaults of the options, by name. The type of a default is that of the option.
        texts: the options without a default, by name, with what the help says of them.
    """

    run: Callable[[Namespace], Iterable[Table]]
    options: Mapping[str, Any]
    texts: Mapping[str, str] = field(default_factory=dict)
