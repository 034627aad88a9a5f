"""What messages of the library name for Python, in the words of the command."""

from __future__ import annotations

import re

import click

from jelly_spark._format_options import VALUE_ARGUMENTS
from jelly_spark.core.options import camel

_PYTHON = re.compile(
    r"`(?P<name>[A-Za-z_]+)`"
    r'|\b(?P<argument>[a-z_]+)="(?P<value>\w+)"'
    r"|\bthe option (?P<option>[a-z_]+)\b"
    r"|\bthe write option (?P<setting>[a-z_]+)\b"
    r"|\bLog\.(?P<method>[a-z]+)\b"
    r"|^(?P<checked>[a-z_]+)(?= must )"
)
"""How messages of the library name arguments, options of readers and writers, methods of logs."""

_OTHERS = {"FusekiStore": "--service fuseki"}
"""What is not an argument in Python, and an option in the command."""


def in_words_of(context: click.Context, message: str) -> str:
    """Return a message of the library as the command says it.

    An argument such as `holds` or `on_open="ignore"` becomes the option of the command for it, and
    `Log.adopt` the command `jelly-spark log adopt`. What the command does not have stays the same.

    Args:
        context: the context of the command that runs.
        message: the message.
    """
    options = {
        option.name: option for option in context.command.params if isinstance(option, click.Option)
    }

    def replace(match: re.Match[str]) -> str:
        found = None
        if match["method"]:
            found = _log_command(context, match["method"])
        elif match["option"]:
            if "read_settings" in options and match["option"] in VALUE_ARGUMENTS:
                found = f"--read-option {camel(match['option'])}=VALUE"
        elif match["setting"]:
            if "settings" in options:
                found = f"--option {camel(match['setting'])}=VALUE"
        else:
            name = match["name"] or match["argument"] or match["checked"]
            found = _option(options, name, match["value"])
        return match[0] if found is None else found

    return _PYTHON.sub(replace, message)


def _option(options: dict[str, click.Option], name: str, value: str | None) -> str | None:
    option = options.get(name)
    if option is None:
        return _OTHERS.get(name)
    if value is None or option.is_flag:
        return option.opts[-1]
    return f"{option.opts[-1]} {value}"


def _log_command(context: click.Context, method: str) -> str | None:
    root = context.find_root()
    logs = root.command.get_command(root, "log") if isinstance(root.command, click.Group) else None
    known = isinstance(logs, click.Group) and method in logs.commands
    return f"{root.info_name} log {method}" if known else None
