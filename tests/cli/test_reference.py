"""What the reference of the command line is made from, and what it says about exit statuses."""

from collections.abc import Iterator

import click
import pytest

from jelly_spark.cli.app import app
from jelly_spark.cli.command import Status
from tests.shared import ROOT


def _commands(group: click.Group, path: str = "") -> Iterator[tuple[str, click.Command]]:
    for name, command in group.commands.items():
        if isinstance(command, click.Group):
            yield from _commands(command, f"{path}{name} ")
        else:
            yield f"{path}{name}", command


def test_all_statuses_are_documented() -> None:
    text = (ROOT / "docs/reference/command-line.md").read_text("utf-8")
    assert [status for status in Status if f"| {status.value} |" not in text] == []


@pytest.mark.parametrize(("name", "command"), [*_commands(app)])
def test_every_command_has_json_debug_and_help(name: str, command: click.Command) -> None:
    options = {option for param in command.params for option in param.opts}
    assert {"--json", "--debug"} <= options
    assert command.help
    for param in command.params:
        assert isinstance(param, click.Argument) or (isinstance(param, click.Option) and param.help)
