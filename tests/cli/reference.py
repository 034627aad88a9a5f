"""The part of docs/reference/command-line.md that lists the commands and their options.

It is made from the commands themselves. After a change of these:

    python -m tests.cli.reference
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

import click

from jelly_spark.cli.app import NAME, app
from tests.shared import ROOT

PAGE = ROOT / "docs/reference/command-line.md"

BEGIN, END = "<!-- commands -->\n", "<!-- end of commands -->\n"


def current() -> str:
    """Return the page with the commands as they are now."""
    before, rest = PAGE.read_text("utf-8").split(BEGIN)
    _, after = rest.split(END)
    return f"{before}{BEGIN}{''.join(_sections())}{END}{after}"


def commands() -> Iterator[tuple[str, click.Command]]:
    """Yield all commands, with their names as users type them."""
    for name, command in app.commands.items():
        if isinstance(command, click.Group):
            for inner, subcommand in command.commands.items():
                yield f"{name} {inner}", subcommand
        else:
            yield name, command


def _sections() -> Iterator[str]:
    for name, command in commands():
        context = click.Context(command, info_name=f"{NAME} {name}")
        usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
        yield f"\n### {name}\n\n`{usage}`\n\n"
        for paragraph in re.split(r"\n\s*\n", (command.help or "").strip()):
            yield f"{' '.join(paragraph.split())}\n\n"
        yield "| option | meaning |\n| --- | --- |\n"
        for option in command.params:
            if isinstance(option, click.Option):
                yield f"| {_names(option, context)} | {_meaning(option, context)} |\n"
    yield "\n"


def _names(option: click.Option, context: click.Context) -> str:
    value = "" if option.is_flag else f" {option.make_metavar(context)}"
    names = escape(f"{', '.join(option.opts)}{value}", quote=False)
    # In a table, Markdown's code cannot have the character in a way that all renderers understand.
    return f"<code>{names.replace('|', '&#124;<wbr>')}</code>"


def _meaning(option: click.Option, context: click.Context) -> str:
    default = f" Default: `{option.default}`." if option.show_default else ""
    return f"{option.help}{default}"


if __name__ == "__main__":
    PAGE.write_text(current(), encoding="utf-8")
