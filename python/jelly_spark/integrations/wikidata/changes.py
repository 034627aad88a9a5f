"""Events as patches."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from jelly_spark.core.rows import PatchRow
from jelly_spark.core.terms import Literal, format_term
from jelly_spark.integrations.wikidata.entities import ABOUT, IS_PART_OF, Entities, articles
from jelly_spark.integrations.wikidata.events import Event, EventReader, Lines
from jelly_spark.patches import Statement
from jelly_spark.patches.canonical import PrefixChanges, canonical_rows, check_headers, number_rows
from jelly_spark.patches.statements import Statements, read_statements

_DATE_TIME = "http://www.w3.org/2001/XMLSchema#dateTime"


def patches(
    events: Lines,
    *,
    prev: str | None = None,
    skip: Container[str] = (),
    state: Statements | None = None,
) -> Iterator[list[PatchRow]]:
    """Yield a patch for each event of a stream of Wikidata's query service, as it is read.

        log = Log("wikidata")
        known = {version.id for version in log.versions()}
        log.append_all(wikidata.patches("events.jsonl.gz", prev=log.head(), skip=known))

    Each patch has the headers `id`, made of the event's own id, `prev` and `time`, when the stream
    got the event, and one transaction, if there are changes:

    | operation | the patch |
    | --- | --- |
    | `import` | adds the added statements, and the linked shared ones |
    | `diff` | deletes the deleted statements, and adds the added and the linked shared ones |
    | `delete` | deletes the statements of the entity, which only `state` has |
    | `reconcile` | replaces the statements of the entity, which only `state` has, with the added |

    Shared statements are those of references and values, which several entities can refer to.
    Unlinked ones are not deleted, because others may still refer to them; nor are they by
    Wikidata's own updater. If nothing refers to them, they remain without use. The same is true of
    a sitelink's article that an entity loses, because another entity may have got it in an event
    before: only its `schema:about` is deleted, unless the event has another article of the same
    site, or `state` shows that no other entity has it.

    Chunks of one event make one patch. Events that only test the stream, with the domain `canary`,
    are left out, and so are chunks that come again within the next 100,000.

    Args:
        events: the path or URL of a file of events, which may be compressed; or an iterable of
            lines, such as a stream of bytes. A line is an event as JSON, or of server-sent events.
            The first event must be whole.
        prev: the id of the patch that the first one follows; None for the first patches of a log.
        skip: the ids of patches that are left out, such as those that a log has. The RDF of their
            events is not parsed.
        state: the statements before the first event that is not skipped, as in
            `jelly_spark.patches.diff`; an empty one if the events are all there is. It is copied,
            kept up to date and held in memory. With it, patches have only the statements that
            change it. Without it, `delete` and `reconcile` are errors.

    Yields:
        The rows of a patch, in canonical order.

    Raises:
        InvalidTermError: `prev` is not a term.
        MalformedInputError: while iterating: a line is not an event, an event lacks chunks, or it
            needs `state`. The patches before are complete.
        MissingPackageError: while iterating: pyoxigraph is not installed.
        OptionError: an argument has a wrong type.
        OSError: while iterating: the file cannot be read.
    """
    check_headers(prev=prev)
    entities = None if state is None else Entities(read_statements(state))
    return _patches(EventReader(events, skip), prev, entities)


def _patches(
    events: EventReader, prev: str | None, entities: Entities | None
) -> Iterator[list[PatchRow]]:
    for event in events:
        needs_state = event.operation in ("delete", "reconcile")
        if needs_state and not event.domain:
            raise events.error("a domain in meta, with which the IRI of the entity begins", "none")
        if entities is not None:
            deleted, added = _effect(event, entities)
            entities.remove(deleted)
            entities.add(added)
        elif needs_state:
            raise events.error(
                "operations that need no state, which import and diff do not",
                f"{event.operation} of {event.entity}, whose statements are not in the event: give "
                "the statements before the first event as `state`",
            )
        else:
            deleted, added = _changes(event)
        yield _patch(event, prev, deleted, added)
        prev = event.id


def _effect(event: Event, entities: Entities) -> tuple[set[Statement], set[Statement]]:
    """Return the statements that an event deletes from a state, and those that it adds."""
    deleted, added = _changes(event, entities)
    if event.operation in ("delete", "reconcile"):
        deleted = entities.statements_of(event.domain, event.entity) - added
    return (
        {each for each in deleted if each in entities},
        {each for each in added if each not in entities},
    )


def _changes(
    event: Event, entities: Entities | None = None
) -> tuple[set[Statement], set[Statement]]:
    """Return the statements to delete, and those to add; no statement is both."""
    added = {*event.added, *event.linked_shared}
    sites = _sites(event.added, articles(event.added)).values()
    kept = {
        article
        for article, site in _sites(event.deleted, articles(event.deleted)).items()
        if (
            site not in sites
            if entities is None
            else entities.other_subjects(article, event.deleted)
        )
    }
    deleted = {
        each for each in event.deleted if each.subject not in kept or each.predicate == ABOUT
    }
    return deleted - added, added


def _sites(statements: Sequence[Statement], found: set[str]) -> dict[str, str | None]:
    """Return the site of each article."""
    sites: dict[str, str | None] = dict.fromkeys(found)
    for each in statements:
        if each.subject in found and each.predicate == IS_PART_OF:
            sites[each.subject] = each.object
    return sites


def _patch(
    event: Event, prev: str | None, deleted: set[Statement], added: set[Statement]
) -> list[PatchRow]:
    headers = {}
    if event.time is not None:
        headers["time"] = format_term(Literal(event.time, None, _DATE_TIME))
    return number_rows(
        canonical_rows(event.id, prev, PrefixChanges({}, {}), deleted, added, headers)
    )
