"""Errors name what users of the command write, also those of the library; formats by any name."""

import click
import pytest
from click.testing import CliRunner

from jelly_spark.cli.app import app
from jelly_spark.cli.python_names import in_words_of


def context(name: str) -> click.Context:
    root = click.Context(app, info_name="jelly-spark")
    return click.Context(app.commands[name], parent=root)


@pytest.mark.parametrize(
    ("command", "message", "shown"),
    [
        ("push", "give its id as `holds`", "give its id as --holds"),
        ("push", "give a `skolem_base`, such as", "give a --skolem-base, such as"),
        ("push", "service (`FusekiStore`)", "service (--service fuseki)"),
        ("squash", 'left out with on_open="ignore"; in', "left out with --ignore-open; in"),
        ("diff", 'with blank_nodes="match"', "with --blank-nodes match"),
        ("cat", "give the option syntax, one", "give --read-option syntax=VALUE, one"),
        ("cat", "the option part, the option strict", "the option part, the option strict"),
        ("diff", "skolem_base must be an", "--skolem-base must be an"),
        ("diff", "frameSize must be a", "frameSize must be a"),
        ("log", "call Log.adopt once: see Log.verify", None),
        # What the command does not have, and what only looks like a name.
        ("cat", 'with on_open="ignore"', 'with on_open="ignore"'),
        ("log", "call Log.read, `state`; log.state_at()", "call Log.read, `state`; log.state_at()"),
        ("push", "holds.nt: query", "holds.nt: query"),
    ],
)
def test_messages_of_the_library(command: str, message: str, shown: str | None) -> None:
    expected = "call jelly-spark log adopt once: see jelly-spark log verify"
    assert in_words_of(context(command), message) == (shown or expected)


@pytest.mark.parametrize(
    ("option", "name", "advice"),
    [
        ("--from", "turtle", "Give --from rdf --read-option syntax=turtle."),
        ("--from", "JSON-LD", "Give --from rdf --read-option syntax=jsonld."),
        ("--from", "nt", "Give --from ntriples."),
        ("--from", "jelly", "Give --from jelly_rdf."),
        ("--from", "sparql", "The format sparql_update is only written."),
        ("--from", "parquet", "jelly_spark.integrations.arrow makes rows of tables."),
        ("--to", "application/n-quads", "Give --to nquads."),
        ("--to", "jellyp", "Give --to jelly_patch."),
        ("--to", "oops", "'sparql_update'."),
    ],
)
def test_names_of_formats(option: str, name: str, advice: str) -> None:
    found = CliRunner().invoke(app, ["convert", "in", "out", option, name])
    assert found.exit_code == 2
    assert found.output.rstrip().endswith(advice)
