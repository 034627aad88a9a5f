"""The classes of all commands: the options that they share, and what happens to their errors."""

from __future__ import annotations

from typing import Any

import click

from jelly_spark.cli.exits import debug_option, exit_with_status


class Command(click.Command):
    """A command with the options `--json` (the argument `as_json`) and `--debug`."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.params += [
            click.Option(
                ["--json", "as_json"], is_flag=True, help="Print the result as JSON, for programs."
            ),
            debug_option(),
        ]


class Group(click.Group):
    """A group of commands, whose errors become one line and an exit status."""

    command_class = Command
    group_class = type

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.params.append(debug_option())

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,
    ) -> click.Context:
        """Parse the arguments; printing the help can fail, too."""
        with exit_with_status(parent):
            return super().make_context(info_name, args, parent, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        with exit_with_status(ctx):
            return super().invoke(ctx)
