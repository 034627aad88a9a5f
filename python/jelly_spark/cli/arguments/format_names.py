"""The values of `--from` and `--to`: the short names of formats."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

import click

from jelly_spark.core.format import WrittenFormat
from jelly_spark.formats import READ, WRITTEN
from jelly_spark.formats.names import is_table, right_name
from jelly_spark.formats.rdf.syntaxes import WRITTEN as WRITTEN_SYNTAXES


class FormatName(click.Choice[str]):
    """The type of an option whose value is the short name of a format.

    Args:
        option: the option.
        formats: the formats that it can name.
    """

    def __init__(
        self,
        option: Literal["--from", "--to"],
        formats: Mapping[str, WrittenFormat],
    ) -> None:
        super().__init__([*formats], case_sensitive=False)
        self._option = option

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """Return the error for another value, with the right name if the value tells it."""
        message = super().get_invalid_choice_message(value, ctx)
        if is_table(str(value)):
            return f"{message} In Python, jelly_spark.integrations.arrow makes rows of tables."
        meant = right_name(str(value), WRITTEN)
        if meant is None:
            return message
        if meant.format not in self.choices:
            verb = "read" if meant.format in READ else "written"
            return f"{message} The format {meant.format} is only {verb}."
        advice = f"{self._option} {meant.format}"
        if meant.syntax is not None:
            if self._option == "--to" and meant.syntax not in WRITTEN_SYNTAXES:
                return f"{message} The syntax {meant.syntax} is only read."
            option = "--read-option" if self._option == "--from" else "--option"
            advice += f" {option} syntax={meant.syntax}"
        return f"{message} Give {advice}."
