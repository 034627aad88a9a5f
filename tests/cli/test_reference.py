"""The reference of the command line says what the commands are."""

import click
import pytest

from jelly_spark.cli.command import Status
from tests.cli.reference import PAGE, commands, current


def test_the_page_is_current() -> None:
    assert PAGE.read_text("utf-8") == current(), "run `python -m tests.cli.reference`"


def test_all_statuses_are_documented() -> None:
    text = PAGE.read_text("utf-8")
    assert [status for status in Status if f"| {status.value} |" not in text] == []


@pytest.mark.parametrize(("name", "command"), [*commands()])
def test_every_command_has_json_debug_and_help(name: str, command: click.Command) -> None:
    options = {option for param in command.params for option in param.opts}
    assert {"--json", "--debug"} <= options
    assert command.help
    for param in command.params:
        assert isinstance(param, click.Argument) or (isinstance(param, click.Option) and param.help)
