"""`jelly-spark diff`, `apply`, `squash`, `invert` and `concat`: patch algebra on files."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TypeVar, get_args

import click
from click.exceptions import Exit

from jelly_spark import patches
from jelly_spark.cli.arguments.files import (
    STANDARD,
    Output,
    Source,
    Target,
    check_stdin,
    find_source,
    find_sources,
    find_target,
    output_option,
)
from jelly_spark.cli.arguments.reading import Reading, from_option, read_options, strict_options
from jelly_spark.cli.command import Command, Status, is_given
from jelly_spark.cli.terminal.output import report_json
from jelly_spark.cli.terminal.progress import ProgressBar
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.core.columns import Columns
from jelly_spark.core.terms import format_term, parse_term
from jelly_spark.core.terms.patterns import SCHEME
from jelly_spark.errors import InvalidTermError
from jelly_spark.patches import BlankNodes, LanguageTags, Statement
from jelly_spark.patches.differences import MANY_CHANGES, difference, replaces_blank_nodes
from jelly_spark.patches.log_rows import OnOpen
from jelly_spark.patches.statements import Prefixes, PrefixKey, statements_of

_C = TypeVar("_C", bound=Callable[..., object])

_ON_OPEN = click.option(
    "--ignore-open",
    "on_open",
    flag_value="ignore",
    default="error",
    help="Leave out transactions that are neither committed nor aborted; else they are errors.",
)


_NO_STATE = "none"
"""What stands for a state without statements, in place of a file."""


def blank_nodes_option(labels: str) -> Callable[[_C], _C]:
    """Return a decorator that adds the option `--blank-nodes`.

    Args:
        labels: which labels a patch has after matching, for the help.
    """
    return click.option(
        "--blank-nodes",
        type=click.Choice(get_args(BlankNodes)),
        default="label",
        show_default=True,
        help="Compare blank nodes by their labels, or match them by what is said of them: then the "
        f"patch has {labels}. A hint names this option if a patch has at least {MANY_CHANGES} "
        "changes, and most of them concern blank nodes.",
    )


no_prefixes_option = click.option(
    "--no-prefixes", is_flag=True, help="Leave changes of prefixes out of the patch."
)

skolem_option = click.option(
    "--skolem-base",
    metavar="IRI",
    default="",
    help="Read IRIs that begin with this one as the blank nodes that push replaced with them.",
)

language_tags_option = click.option(
    "--language-tags",
    type=click.Choice(get_args(LanguageTags)),
    default="exact",
    show_default=True,
    help="Compare language tags as they are written, or without regard to case, as RDF 1.2 does: "
    "then deletes have the tags of the state.",
)


@click.command(
    cls=Command,
    epilog="""\b
Example:
  jelly-spark diff monday.nq.gz tuesday.nq.gz -o changes.jellyp --id urn:uuid:2 --prev urn:uuid:1
  jelly-spark diff 1.4.nt 1.5.nt -o changes.rdfp --blank-nodes match
  jelly-spark diff none 1.4.nt -o first.rdfp
  jelly-spark diff --frames sensor.jelly -o log.jellyp --id urn:x:sensor:
""",
)
@click.argument("before", metavar="BEFORE", required=False)
@click.argument("after", metavar="AFTER", required=False)
@click.option(
    "--frames",
    metavar="STREAM",
    help="Instead of BEFORE and AFTER: write the patches between the frames of a stream, which is "
    "grouped Jelly-RDF, or N-Triples or N-Quads with messages. The first patch adds all statements "
    "of the first frame. Only two frames are held in memory.",
)
@click.option(
    "--id",
    metavar="IRI",
    help="The header id of the patch. With --frames, the beginning of all ids: the number of the "
    "frame, from 0 on, follows.",
)
@click.option(
    "--prev", metavar="IRI", help="The header prev of the patch, the id of the one before."
)
@blank_nodes_option("the labels of BEFORE, and labels that neither file has for new blank nodes")
@language_tags_option
@skolem_option
@no_prefixes_option
@click.option(
    "--exit-code",
    is_flag=True,
    help="Exit with status 1 if there are changes, and 0 if there are none, as git diff does.",
)
@from_option(
    "formats", " Given twice, the first is for BEFORE and the second for AFTER.", multiple=True
)
@strict_options
@output_option
def diff(
    before: str | None,
    after: str | None,
    frames: str | None,
    id: str | None,
    prev: str | None,
    blank_nodes: BlankNodes,
    language_tags: LanguageTags,
    skolem_base: str,
    no_prefixes: bool,
    exit_code: bool,
    formats: tuple[str, ...],
    reading: Reading,
    output: Output,
) -> None:
    """Write the patch that turns one RDF file into another.

    The patch is minimal and sorted. Blank nodes are equal if their labels are, unless --blank-nodes
    says otherwise. The prefixes of two files that can have some are compared, too, unless
    --no-prefixes is given. Both files are held in memory. A log stands for the statements of its
    last version, and none for no statements: the patch from none adds all. Standard output is RDF
    Patch by default.
    """
    if len(formats) > (2 if frames is None else 1):
        raise click.UsageError("--from is given more often than there are files")
    readings = [replace(reading, format=each) for each in formats or (None,)]
    if frames is not None:
        if before is not None:
            raise click.UsageError("give either --frames STREAM, or BEFORE and AFTER")
        for option, is_set in (
            ("--blank-nodes", blank_nodes != "label"),
            ("--language-tags", language_tags != "exact"),
            ("--skolem-base", skolem_base),
        ):
            if is_set:
                raise click.UsageError(f"{option} needs BEFORE and AFTER, not --frames")
        changes = _diff_frames(frames, id, prev, readings[0], output)
    elif before is None or after is None:
        raise click.UsageError(f"Missing argument '{'BEFORE' if before is None else 'AFTER'}'.")
    else:
        check_stdin([before, after])
        sources = [
            None if name == _NO_STATE else find_source(name, each, "statements")
            for name, each in ((before, readings[0]), (after, readings[-1]))
        ]
        changes = _diff_states(
            sources, id, prev, blank_nodes, language_tags, skolem_base, no_prefixes, output
        )
    if exit_code and changes:
        raise Exit(Status.FINDINGS)


def _diff_states(
    sources: Sequence[Source | None],
    id: str | None,
    prev: str | None,
    blank_nodes: BlankNodes,
    language_tags: LanguageTags,
    skolem_base: str,
    no_prefixes: bool,
    output: Output,
) -> int:
    """Write the patch between two states, and return how many changes it has."""
    files = [source for source in sources if source is not None]
    target = find_target(output, files, content="patches")
    with ProgressBar() as progress:
        before, after = sources
        old, before_names = read_state(before, progress)
        new, after_names = read_state(after, progress, old)
        # A format that cannot hold prefixes does not say that there are none.
        both = all(source.has_namespaces for source in files) and not no_prefixes
        prefixes = (before_names, after_names) if both else None
        found = difference(
            old,
            new,
            id=to_iri(id),
            prev=to_iri(prev),
            prefixes=prefixes,
            blank_nodes=blank_nodes,
            language_tags=language_tags,
            skolem_base=skolem_base,
        )
    if blank_nodes == "label" and replaces_blank_nodes(found):
        advise_matching()
    return write_patch(target, found)


def _diff_frames(
    stream: str, id: str | None, prev: str | None, reading: Reading, output: Output
) -> int:
    """Write the patches between the frames of a stream, and return how many changes they have."""
    source = find_source(stream, reading, "statements")
    target = find_target(output, [source], content="patches")
    start = to_iri(id)
    if start is not None and not start.endswith(">"):
        raise click.UsageError(f"{id!r} is not an IRI")

    def id_of(frame: int) -> str:
        return f"{(start or '')[:-1]}{frame}>"

    with ProgressBar() as progress:
        rows = progress.read(source)
        found = patches.diff_frames(rows, id=None if start is None else id_of, prev=to_iri(prev))
        return write_patch(target, found)


@click.command(
    cls=Command,
    epilog="""\b
Example:
  jelly-spark apply monday.nq.gz changes.jellyp more.jellyp -o wednesday.nq.gz
""",
)
@click.argument("state", metavar="STATE")
@click.argument("patch", metavar="PATCH...", nargs=-1, required=True)
@_ON_OPEN
@language_tags_option
@read_options
@output_option
def apply(
    state: str,
    patch: tuple[str, ...],
    on_open: OnOpen,
    language_tags: LanguageTags,
    reading: Reading,
    output: Output,
) -> None:
    """Apply patches to an RDF file.

    The statements after the patches are written, sorted. The prefixes after them are written, too,
    to Turtle and TriG, and as namespaces to Jelly-RDF with --option namespaces=true. All statements
    are held in memory. Standard output is N-Quads by default. The option --from is for the patches:
    the format of STATE is that of its extension. A STATE of none has no statements.
    """
    before = None if state == _NO_STATE else find_state(state, reading)
    sources = find_sources(patch, reading, "patches")
    target = find_target(output, [*([before] if before else []), *sources], content="statements")
    with ProgressBar() as progress:
        old, prefixes = read_state(before, progress)
        statements, prefixes = patches.apply(
            old,
            _patch_rows(sources, progress),
            prefixes=prefixes,
            on_open=on_open,
            language_tags=language_tags,
        )
    write_statements(target, statements, prefixes)


@click.command(cls=Command)
@click.argument("patch", metavar="PATCH...", nargs=-1, required=True)
@click.option(
    "--state",
    metavar="STATE",
    help="A file of the statements before the patches; changes without effect on them are left "
    "out.",
)
@click.option(
    "--id",
    metavar="IRI",
    help="The header id of the patch; by default, that of the last patch, if it has one.",
)
@_ON_OPEN
@language_tags_option
@read_options
@output_option
def squash(
    patch: tuple[str, ...],
    state: str | None,
    id: str | None,
    on_open: OnOpen,
    language_tags: LanguageTags,
    reading: Reading,
    output: Output,
) -> None:
    """Write one patch with the net effect of several patches.

    It has the last change of each statement and prefix, the id of the last patch, unless --id gives
    another one, and the prev of the first. The changes are held in memory. Standard output is RDF
    Patch by default.
    """
    sources = find_sources(patch, reading, "patches")
    before = None if state is None else find_state(state, reading)
    target = find_target(output, [*sources, *([before] if before else [])], content="patches")
    with ProgressBar() as progress:
        statements = None if before is None else progress.read(before)
        found = patches.squash(
            _patch_rows(sources, progress),
            statements,
            on_open=on_open,
            language_tags=language_tags,
            id=to_iri(id),
        )
    write_patch(target, found)


@click.command(cls=Command)
@click.argument("patch", metavar="PATCH")
@click.option(
    "--id",
    metavar="IRI",
    help="The header id of the inverse, for a log; by default, the prev of the patch.",
)
@read_options
@output_option
def invert(patch: str, id: str | None, reading: Reading, output: Output) -> None:
    """Write the patch that undoes a patch.

    The inverse is exact if every change of the patch has an effect, as in patches made by diff.
    Its prev is the id of the patch, so with --id, a log can have it after the patch. The patch is
    held in memory. Standard output is RDF Patch by default.
    """
    source = find_source(patch, reading, "patches")
    target = find_target(output, [source], content="patches")
    header = None if id is None else PatchRow("H", name="id", value=to_iri(id))
    with ProgressBar() as progress:
        found = patches.invert(progress.read(source))
    if header is not None:
        rest = (row for row in found if (row.op, row.name) != ("H", "id"))
        found = [header, *(row._replace(patch=None, tx=None, seq=None) for row in rest)]
    write_patch(target, found)


@click.command(cls=Command)
@click.argument("patch", metavar="PATCH...", nargs=-1, required=True)
@read_options
@output_option
def concat(patch: tuple[str, ...], reading: Reading, output: Output) -> None:
    """Write the patches of several files, in order, to one file.

    The formats of the files can differ. Standard output is RDF Patch by default.
    """
    sources = find_sources(patch, reading, "patches")
    target = find_target(output, sources, content="patches")
    with ProgressBar() as progress:
        write_patch(target, patches.concat(*map(progress.read, sources)))


def find_state(name: str, reading: Reading) -> Source:
    """Return the file of a state.

    Raises:
        UsageError: its name does not tell its format, or it does not hold statements.
    """
    if name == STANDARD:
        raise click.UsageError("a state cannot be read from standard input: name a file")
    return find_source(name, replace(reading, format=None), "statements")


def to_term(text: str) -> str:
    """Return the canonical term for an argument, which may lack the brackets of an IRI.

    Raises:
        UsageError: it is no term.
    """
    is_term = text.startswith(("<", "_:", '"'))
    if not is_term and SCHEME.match(text) is None:
        raise click.UsageError(
            f"{text!r} is neither an absolute IRI nor an RDF term in N-Triples syntax, such as "
            """'"9.20"'"""
        )
    term = text if is_term else f"<{text}>"
    try:
        return format_term(parse_term(term))
    except InvalidTermError as error:
        raise click.UsageError(f"{text!r} is not an RDF term: {error}") from None


def to_iri(text: str | None) -> str | None:
    """Return the IRI for an argument, which may lack its brackets; None for None.

    Raises:
        UsageError: it is no IRI, and no blank node, which headers may have, too.
    """
    if text is None:
        return None
    if text.startswith(("_:", "<")) or SCHEME.match(text):
        term = to_term(text)
        if not term.startswith("<<") and term != "<>":
            return term
    raise click.UsageError(
        f"{text!r} is not an absolute IRI: write one such as urn:uuid:1 or <urn:uuid:1>, or a "
        "blank node such as _:b1"
    )


def advise_matching() -> None:
    """Name the option `--blank-nodes match` on standard error, unless `--json` is given."""
    if not is_given("--json"):
        click.echo(
            "Most changes concern blank nodes: if only their labels are new, "
            "--blank-nodes match leaves them out.",
            err=True,
        )


def write_patch(target: Target, rows: Iterable[PatchRow]) -> int:
    """Write patches to a file, and report how many changes they have.

    Returns:
        The number of changes of statements and prefixes.
    """
    changes = Counter[str]()

    def counted() -> Iterator[PatchRow]:
        for row in rows:
            changes[row.op] += 1
            yield row

    count = target.write(counted())
    report = {"output": target.name, "to": target.format.name, "rows": count}
    report |= {"adds": changes["A"], "deletes": changes["D"]}
    report_json(report, to_stdout=not target.is_stdout)
    return sum(changes[op] for op in ("A", "D", "PA", "PD"))


def write_statements(target: Target, statements: Iterable[Statement], prefixes: Prefixes) -> None:
    """Write a state to a file, sorted by graph first, and report its number of rows.

    The prefixes are written first if the file can hold them. Those of a named graph are left out,
    because no format of statements has such prefixes.
    """
    ordered = sorted(statements, key=lambda statement: (statement[3] or "", *statement[:3]))
    namespaces: list[RdfRow] = []
    if target.has_namespaces:
        named = sorted((name, iri) for (graph, name), iri in prefixes.items() if graph is None)
        namespaces = [RdfRow(name=name, value=iri) for name, iri in named]
    count = target.write(chain(namespaces, (RdfRow(*statement) for statement in ordered)))
    report = {"output": target.name, "to": target.format.name, "rows": count}
    report_json(report, to_stdout=not target.is_stdout)


def read_state(
    source: Source | None, progress: ProgressBar, known: Collection[Statement] = ()
) -> tuple[set[Statement], dict[PrefixKey, str]]:
    """Return the statements of a file, and its namespaces as prefixes; nothing for no file.

    Args:
        source: the file, if there is one.
        progress: shows how far it is read.
        known: statements of which the file may have many.
    """
    prefixes: dict[PrefixKey, str] = {}
    if source is None:
        return set(), prefixes

    def statements() -> Iterator[RdfRow | Columns]:
        for item in progress.items(source, known, namespaces=True):
            if type(item) in (tuple, list) or item.name is None:
                yield item
            else:
                prefixes[None, item.name] = item.value

    return set(statements_of(statements())), prefixes


def _patch_rows(sources: Sequence[Source], progress: ProgressBar) -> Iterator[PatchRow]:
    return chain.from_iterable(map(progress.read, sources))
