"""`jelly-spark log`: keep a log of patches in a folder, and query its versions."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from datetime import datetime, timedelta
from typing import Any

import click
from click.exceptions import Exit

from jelly_spark.cli.arguments.files import (
    Output,
    Source,
    find_source,
    find_sources,
    find_target,
    output_option,
    refuse_inside,
)
from jelly_spark.cli.arguments.reading import Reading, read_options
from jelly_spark.cli.command import Group, Status, is_given
from jelly_spark.cli.commands.algebra import (
    advise_matching,
    blank_nodes_option,
    language_tags_option,
    no_prefixes_option,
    read_state,
    skolem_option,
    to_term,
    write_patch,
    write_statements,
)
from jelly_spark.cli.commands.versions import TimeType, version_of
from jelly_spark.cli.spark.loading import loaded_state
from jelly_spark.cli.spark.session import conf_option, job_errors
from jelly_spark.cli.terminal.output import (
    is_terminal,
    print_findings,
    print_json,
    print_json_lines,
    print_line,
    print_table,
)
from jelly_spark.cli.terminal.progress import ProgressBar
from jelly_spark.cli.terminal.short_iris import ShortIris
from jelly_spark.core.files.paths import is_url
from jelly_spark.core.rows import PatchRow
from jelly_spark.core.text.visible import visible
from jelly_spark.errors import JellySparkError, LogError
from jelly_spark.log import Commit, Log, LogFinding, Version
from jelly_spark.log.log import keep_states, materialize
from jelly_spark.patches import BlankNodes, LanguageTags
from jelly_spark.patches.log_rows import group_patches
from jelly_spark.patches.statements import Statement
from jelly_spark.report.tables import text_of

_LOG = click.argument("log", metavar="LOG")
_AT = click.option(
    "--at", metavar="VERSION", help="An id, a position or a time; by default, the last patch."
)

_DRY_RUN = click.option(
    "--dry-run", is_flag=True, help="Change nothing, and say what would be done."
)


@click.group("log", cls=Group)
def logs() -> None:
    """Keep a log of patches in a folder, and query its versions.

    LOG is a folder or a URL. A version is the id of a patch, such as urn:uuid:1; its position, such
    as 0 for the first patch or -1 for the last one; or a time, such as 2026-11-23 or
    2026-11-23T07:00+01:00, which selects the last patch up to then. A date is its first moment, and
    a time without a zone is local. A time before the first patch stands for the empty state before
    it. A version that has expired is an error.
    """


@logs.command("append")
@_LOG
@click.argument("patch", metavar="PATCH...", nargs=-1, required=True)
@click.option(
    "--canonical",
    is_flag=True,
    help="Refuse a patch unless each of its rows is a change, and record that.",
)
@click.option(
    "--assign-ids",
    is_flag=True,
    help="Give a patch that has no header id a new one, a urn:uuid, and one that has no header "
    "prev the id of the last patch.",
)
@read_options
def append(
    log: str, patch: tuple[str, ...], canonical: bool, assign_ids: bool, reading: Reading
) -> None:
    """Append patches to a log, in order; the first one creates it.

    Each patch needs a header id, and a header prev with the id of the patch before it: --assign-ids
    adds the headers that are missing. A patch that the log already has is not appended again; one
    without an id is always new. If one patch cannot be appended, those before it are in the log,
    and standard error says at which file the command stopped, and how many it has appended.

    With --json, appended is false for a patch that was there.
    """
    sources = find_sources(patch, reading, "patches")
    opened, count, title = Log(log), 0, sources[0].title

    def patches() -> Iterator[Iterator[PatchRow]]:
        nonlocal title
        for source in sources:
            title = source.title
            with source.open() as reader:
                for _, group in group_patches(reader):
                    # Without their ordinals, which count from the first patch of the file.
                    yield (row._replace(patch=None, tx=None, seq=None) for row in group)

    def report(version: Version) -> None:
        nonlocal count
        is_new = opened.metrics.appends > count
        count += is_new
        if is_given("--json"):
            print_json({**_as_json(version), "appended": is_new})
        elif is_new:
            print_line(f"{version.id} is patch {version.log_seq} of the log")
        else:
            print_line(f"{version.id} is already there: patch {version.log_seq} of the log")

    try:
        found = opened.append_all(
            patches(), canonical=canonical, assign_ids=assign_ids, on_append=report
        )
    except (JellySparkError, OSError):
        if len(sources) > 1 or count:
            reached = f"Stopped at {title}. Patches appended before: {count:,}."
            click.echo(visible(reached), err=True)
        raise
    if not found and not is_given("--json"):
        print_line("No patches.")


@logs.command(
    "commit",
    epilog="""\b
Examples:
  jelly-spark log commit shop tonight.nq.gz --message "nightly dump"
  zcat tonight.nt.gz | jelly-spark log commit shop - --blank-nodes match --dry-run
  jelly-spark log commit shop 2025.nq.gz --time 2025-12-31T23:00+01:00
""",
)
@_LOG
@click.argument("dump", metavar="DUMP")
@click.option("--message", metavar="TEXT", help="The value of a header message of the patch.")
@click.option(
    "--time",
    type=TimeType(),
    help="The time of the version, for dumps of earlier times, such as 2026-11-23 or "
    "2026-11-23T07:00+01:00; by default, now. It must not be before that of the last version.",
)
@blank_nodes_option("the labels of the log, and labels that neither has for new blank nodes")
@language_tags_option
@skolem_option
@no_prefixes_option
@_DRY_RUN
@read_options
@click.option("--spark", "on_spark", is_flag=True, help="Use Spark, for big dumps.")
@conf_option
def commit(
    log: str,
    dump: str,
    message: str | None,
    time: datetime | None,
    blank_nodes: BlankNodes,
    language_tags: LanguageTags,
    skolem_base: str,
    no_prefixes: bool,
    dry_run: bool,
    reading: Reading,
    on_spark: bool,
    conf: tuple[str, ...],
) -> None:
    """Append the patch from the last version of a log to a dump; the first one creates the log.

    DUMP is an RDF file with all statements of the new version. The patch is minimal and gets a new
    id, a urn:uuid. If nothing has changed, nothing is appended, and the exit status is 4. Prefixes
    are those of the namespaces in DUMP; without any, in named graphs, and with --no-prefixes, they
    stay the same. The statements of both versions are held in memory, unless Spark compares them. A
    snapshot is saved if it is due, as by compact --if-due. A DUMP without statements is refused
    unless the log has none: it is mostly the result of a failed download.
    """
    source = find_source(dump, reading, "statements")
    arguments: dict[str, Any] = {
        "message": message,
        "blank_nodes": blank_nodes,
        "language_tags": language_tags,
        "skolem_base": skolem_base,
        "time": time,
        "dry_run": dry_run,
    }
    if on_spark:
        if skolem_base:
            raise click.UsageError("--skolem-base is not for --spark")
        with loaded_state(source, conf) as (spark, rows, prefixes):
            if not no_prefixes:
                arguments["prefixes"] = prefixes
            _commit(Log(log, spark), source, rows, arguments)
        return
    if conf:
        raise click.UsageError("--conf is for --spark")
    opened = Log(log)
    known = keep_states(opened)
    with ProgressBar() as progress:
        statements, prefixes = read_state(source, progress, known)
    if not no_prefixes:
        arguments["prefixes"] = prefixes
    _commit(opened, source, statements, arguments)


def _commit(opened: Log[Any], source: Source, state: Any, arguments: dict[str, Any]) -> None:
    """Commit the statements of a file, and save a snapshot if it is due."""
    if _is_empty(state) and not _is_empty(opened.state_at()):
        raise LogError(
            f"{source.title} has no statements, and is not taken for a new version: if all "
            "statements are to be deleted, make the patch with diff, and append it"
        )
    found = opened.commit(state, **arguments)
    _report_commit(opened, found)
    if found is None:
        raise Exit(Status.UNCHANGED)
    if found.replaces_blank_nodes and arguments["blank_nodes"] == "label":
        advise_matching()
    if found.version is not None:
        try:
            with nullcontext() if isinstance(state, set) else job_errors(source.title):
                opened.compact(if_due=True)
        except (JellySparkError, OSError) as error:
            # The patch is in the log: a failure would make callers try again.
            click.echo(f"Warning: the snapshot that is due was not saved: {error}", err=True)


def _is_empty(state: Any) -> bool:
    if isinstance(state, set):
        return not state
    empty: bool = state.where("subject IS NOT NULL").isEmpty()
    return empty


def _report_commit(log: Log[Any], found: Commit | None) -> None:
    if is_given("--json"):
        version = None if found is None or found.version is None else _as_json(found.version)
        counts = (0, 0, 0) if found is None else (found.adds, found.deletes, found.prefixes)
        adds, deletes, prefixes = counts
        print_json({"version": version, "adds": adds, "deletes": deletes, "prefixes": prefixes})
    elif found is None:
        head = log.head()
        print_line("Nothing to commit." if head is None else f"Nothing has changed since {head}.")
    else:
        changed = f"statements added: {found.adds:,}, deleted: {found.deletes:,}"
        if found.prefixes:
            changed += f"; changes of prefixes: {found.prefixes:,}"
        if found.version is None:
            print_line(f"A patch would be appended: {changed}")
        else:
            print_line(f"{found.id} is patch {found.version.log_seq} of the log: {changed}")


@logs.command("list")
@_LOG
def list_versions(log: str) -> None:
    """List the patches of a log, in order."""
    found = existing_log(log).versions()
    if is_given("--json"):
        print_json_lines(map(_as_json, found))
        return
    rows = (
        (
            *(version.log_seq, version.id, version.prev, _time(version.time)),
            *(None if version.message is None else text_of(version.message), version.file),
        )
        for version in found
    )
    print_table(log, ["patch", "id", "prev", "time", "message", "file"], rows)


@logs.command("head")
@_LOG
def head(log: str) -> None:
    """Print the id of the last patch of a log; nothing if the log is empty."""
    found = existing_log(log).head()
    if is_given("--json"):
        print_json({"head": found})
    elif found is not None:
        print_line(found)


@logs.command("state")
@_LOG
@_AT
@language_tags_option
@output_option
def state(log: str, at: str | None, language_tags: LanguageTags, output: Output) -> None:
    """Write the statements of a version, sorted.

    Standard output is N-Quads by default. Turtle and TriG get the prefixes, too, and so does
    Jelly-RDF with --option namespaces=true.
    """
    refuse_inside(output.name, log)
    target = find_target(output, content="statements")
    opened, version = existing_log(log), None if at is None else version_of(at)
    if target.has_namespaces:
        write_statements(target, *materialize(opened, version, language_tags))
    else:
        write_statements(target, opened.state_at(version, language_tags=language_tags), {})


@logs.command("between", context_settings={"ignore_unknown_options": True})
@_LOG
@click.argument("a", metavar="A")
@click.argument("b", metavar="B")
@output_option
def between(log: str, a: str, b: str, output: Output) -> None:
    """Write the patch that leads from version A to version B, which may be the older one.

    Standard output is RDF Patch by default.
    """
    refuse_inside(output.name, log)
    target = find_target(output, content="patches")
    found = existing_log(log).between(version_of(a), version_of(b))
    write_patch(target, found)


@logs.command("history")
@_LOG
@click.option("--subject", metavar="TERM", help="Only statements with this subject.")
@click.option("--predicate", metavar="TERM", help="Only statements with this predicate.")
@click.option("--object", "obj", metavar="TERM", help="Only statements with this object.")
@click.option("--graph", metavar="TERM", help="Only statements in this graph.")
def history(
    log: str,
    subject: str | None,
    predicate: str | None,
    obj: str | None,
    graph: str | None,
) -> None:
    """Print when statements were added and removed: a row for each interval.

    A TERM is in N-Triples syntax; an IRI needs no brackets, and can begin with a prefix of the log,
    such as ex:cup. Who added a statement that is older than the first patch is not known after
    expire: a terminal shows (before 12), where 12 is the position of the first patch. In a pipe, it
    is empty, and with --json, added_by and added_log_seq are null.
    """
    opened = existing_log(log)
    iris = ShortIris(opened)
    wanted = {
        place: to_term(iris.expand(term))
        for place, term in enumerate((subject, predicate, obj, graph))
        if term is not None
    }

    def matches(statement: Statement) -> bool:
        return all(statement[place] == term for place, term in wanted.items())

    found = opened.history(matches if wanted else None, subject=wanted.get(0))
    if is_given("--json"):
        print_json_lines(interval._asdict() for interval in found)
        return
    if is_terminal() and any(interval.added_by is None for interval in found):
        before = f"(before {opened.versions()[0].log_seq})"
        found = [each._replace(added_by=each.added_by or before) for each in found]
    _print_table(iris, "Intervals", [*Statement._fields, "added_by", "removed_by"], found)


@logs.command("changes", context_settings={"ignore_unknown_options": True})
@_LOG
@click.option("--after", metavar="VERSION", help="The version before; by default, the beginning.")
@click.option("--to", metavar="VERSION", help="The last version; by default, the last patch.")
def changes(log: str, after: str | None, to: str | None) -> None:
    """Print the statements that each patch really added and removed.

    Rows without effect are left out: an added statement that was there, or a deleted one that was
    not.
    """
    first, last = (None if version is None else version_of(version) for version in (after, to))
    opened = existing_log(log)
    found = opened.changes(first, last)
    if is_given("--json"):
        print_json_lines(change._asdict() for change in found)
        return
    _print_table(ShortIris(opened), "Changes", ["change", *Statement._fields, "patch_id"], found)


def _print_table(iris: ShortIris, title: str, columns: Sequence[str], found: Sequence[Any]) -> None:
    """Print a table of objects with these attributes."""
    # The ids of patches name versions, which short names would not.
    terms = {*Statement._fields}
    rows = (
        [
            iris.shorten(getattr(each, column)) if column in terms else getattr(each, column)
            for column in columns
        ]
        for each in found
    )
    headings = [column.replace("_", " ") for column in columns]
    print_table(f"{title}: {len(found):,}.", headings, rows)


@logs.command("verify")
@_LOG
def verify(log: str) -> None:
    """Check all files of a log; the exit status is 1 if there are findings."""
    found = existing_log(log).verify()
    print_findings(found, f"Findings: {len(found):,}.", LogFinding._fields)


@logs.command("compact")
@_LOG
@_AT
@click.option(
    "--if-due",
    is_flag=True,
    help="Do nothing unless the patches after the last snapshot are more than twice as large.",
)
def compact(log: str, at: str | None, if_due: bool) -> None:
    """Save the state of a version as a snapshot, which makes later queries faster."""
    opened = existing_log(log)
    is_made = opened.compact(None if at is None else version_of(at), if_due=if_due)
    if is_given("--json"):
        print_json({"log": log, "at": at or opened.head(), "compacted": is_made})
        return
    if is_made:
        print_line(f"Saved a snapshot of {at or opened.head()}.")
    else:
        print_line("No snapshot is due." if if_due else "There is no patch up to that version.")


@logs.command("optimize")
@_LOG
@click.option(
    "--size",
    metavar="MB",
    type=click.IntRange(min=1, max=1_000_000),
    default=128,
    show_default=True,
    help="How large the files may be that are packed together.",
)
@click.option(
    "--compression",
    type=click.Choice(["gzip", "zstd"]),
    help="Makes packs smaller, but they are always read from their beginning.",
)
@_DRY_RUN
def optimize(log: str, size: int, compression: str | None, dry_run: bool) -> None:
    """Pack the small files of a log into larger ones, which are faster to read.

    The patches stay the same. `vacuum` removes the original files later.
    """
    found = existing_log(log).optimize(
        target_size=size << 20, compression=compression, dry_run=dry_run
    )
    if is_given("--json"):
        print_json_lines({"first": each.start, "last": each.stop - 1} for each in found)
        return
    for each in found:
        place = f"patches {each.start} to {each.stop - 1}"
        print_line(f"{place} {'would be' if dry_run else 'are'} in one file")
    if not found:
        print_line("There is nothing to pack.")


@logs.command(
    "expire",
    context_settings={"ignore_unknown_options": True},
    epilog="""\b
Examples:
  jelly-spark log expire shop urn:uuid:1
  jelly-spark log expire shop 2026-11-01 --dry-run
  jelly-spark log expire shop "$(date --date='30 days ago' +%F)"
""",
)
@_LOG
@click.argument("before", metavar="VERSION")
@_DRY_RUN
def expire(log: str, before: str, dry_run: bool) -> None:
    """Make a version the first one of a log, so that `vacuum` can remove older patches.

    VERSION is an id, a position or a time. With a time, the version of that time stays: that of the
    last patch up to then. If the first patch is later, nothing expires. The state before the
    version is saved as a snapshot. This cannot be undone.
    """
    found = existing_log(log).expire(version_of(before), dry_run=dry_run)
    if is_given("--json"):
        print_json_lines(map(_as_json, found))
    else:
        print_line(f"Patches that {'would expire' if dry_run else 'have expired'}: {len(found):,}.")


@logs.command("vacuum")
@_LOG
@click.option(
    "--retain",
    metavar="HOURS",
    type=click.IntRange(min=0, max=1_000_000),
    default=168,
    show_default=True,
    help="How long ago the files must have become unnecessary, for programs that still use them.",
)
@_DRY_RUN
def vacuum(log: str, retain: int, dry_run: bool) -> None:
    """Remove files that a log no longer needs, and list them.

    These are the files of patches that have expired or were packed, packs that were replaced, old
    snapshots, and what killed programs left. A temporary file is removed as soon as no running
    program has locked it.
    """
    found = existing_log(log).vacuum(timedelta(hours=retain), dry_run=dry_run)
    if is_given("--json"):
        print_json_lines({"file": name} for name in found)
        return
    for name in found:
        print_line(name)
    if found:
        print_line(f"{'Would be removed' if dry_run else 'Removed'}: {len(found):,}.")
    else:
        print_line("There is nothing to remove.")
    if found.retained:
        count, name = len(found.retained), found.retained[0]
        print_line(
            f"Kept: {count:,} that the log has not needed for less than {retain:,} hours "
            f"(--retain), the first is {name}"
        )
    for name in found.maybe_written:
        print_line(f"Kept: {name}, which a running program may still write")


@logs.command("adopt")
@_LOG
def adopt(log: str) -> None:
    """Make a folder of patches from other programs a managed log, to which `append` appends.

    The files stay as they are.
    """
    count = existing_log(log).adopt()
    if is_given("--json"):
        print_json({"log": log, "patches": count})
    else:
        print_line(f"{log} is a managed log of {count:,} patches")


def existing_log(log: str) -> Log[PatchRow]:
    """Open a log that must exist: a misspelt path must not look like an empty log.

    Raises:
        OSError: the folder does not exist. A URL is not checked.
    """
    if not is_url(log) and not os.path.isdir(log):
        raise NotADirectoryError(errno.ENOTDIR, "there is no such folder", log)
    return Log(log)


def _time(time: datetime | None) -> str | None:
    """Return a time whole, because it may be given back to select the version."""
    return None if time is None else time.isoformat()


def _as_json(version: Version) -> dict[str, Any]:
    """Return a version with its position as `patch`, as other commands have it."""
    return {**version._asdict(), "time": _time(version.time), "patch": version.log_seq}
