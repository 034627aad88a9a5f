"""Events of Wikidata's query service as patches."""

from __future__ import annotations

import gzip
import io
import json
import os
import random
import threading
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from typing import Any

import pytest

from jelly_spark import codec
from jelly_spark.core.rows import PatchRow
from jelly_spark.errors import InvalidTermError, MalformedInputError, OptionError
from jelly_spark.integrations import wikidata
from jelly_spark.integrations.wikidata.entities import Entities
from jelly_spark.log import Log
from jelly_spark.patches import Statement, apply, check_canonical, concat, state, validate

EVENTS = Path(__file__).parent / "events.jsonl"
"""Written by hand, as the schema of the events says: an item that is made, changed and deleted."""

LINES = EVENTS.read_bytes().splitlines(keepends=True)
IMPORT_AND_DIFF = LINES[:4]

MILL = "<http://www.wikidata.org/entity/Q900001>"
ARTICLE = "<https://en.wikipedia.org/wiki/Blue_Mill>"
ABOUT = "<http://schema.org/about>"


def id_of(number: int) -> str:
    """The id of the patch of an event."""
    return f"<urn:uuid:5f0c2f0a-6a3e-4a5e-9d1f-{number:012}>"


def event(operation: str = "diff", number: int = 1, **changes: Any) -> dict[str, Any]:
    """An event; `changes` are Turtle, or other fields."""
    found: dict[str, Any] = {
        "$schema": "/mediawiki/wikibase/entity/rdf_change/2.0.0",
        "dt": "2026-03-01T08:00:00Z",
        "entity_id": "Q1",
        "meta": {"domain": "www.wikidata.org", "id": id_of(number)[10:-1], "stream": "x"},
        "operation": operation,
        "rev_id": 1,
        "sequence": 0,
        "sequence_length": 1,
    }
    for name, value in changes.items():
        if name in ("added", "deleted", "linked_shared", "unlinked_shared"):
            found[f"rdf_{name}_data"] = {"data": value, "mime_type": "text/turtle"}
        else:
            found[name] = value
    return found


def lines(*events: dict[str, Any]) -> list[str]:
    return [f"{json.dumps(each)}\n" for each in events]


def changes(rows: Iterable[PatchRow]) -> list[str]:
    """The changes of patches in short."""
    return [
        " ".join((row.op, *(each.split("/")[-1].strip("<>") for each in row[1:4] if each)))
        for row in rows
        if row.op in ("A", "D")
    ]


def check(found: Iterable[list[PatchRow]]) -> list[list[PatchRow]]:
    """Check that patches can be validated, and return them."""
    patches = list(found)
    findings = [each for each in validate(chain.from_iterable(patches)) if each.severity == "error"]
    assert findings == []
    return patches


def test_import_and_diff() -> None:
    first, second = check(wikidata.patches(IMPORT_AND_DIFF, prev="<urn:x:before>"))
    assert [(row.name, row.value) for row in first if row.op == "H"] == [
        ("id", id_of(1)),
        ("prev", "<urn:x:before>"),
        ("time", '"2026-03-01T08:00:01.250Z"^^<http://www.w3.org/2001/XMLSchema#dateTime>'),
    ]
    assert [row.value for row in second if row.op == "H"][:2] == [id_of(3), id_of(1)]
    # Both chunks, and the shared reference.
    assert len(changes(first)) == 14
    assert "A 9a24f7c0 P854 blue" in changes(first)
    # The reference that is no longer linked stays.
    assert changes(second) == [
        "D Q900001 version XMLSchema#integer",
        "D Q900001-2c5f0e1a prov#wasDerivedFrom 9a24f7c0",
        "A Q900001 version XMLSchema#integer",
        "A Q900001-2c5f0e1a prov#wasDerivedFrom 77b1d2e4",
        "A 77b1d2e4 P854 index",
    ]


def test_operations_that_need_the_state() -> None:
    before = [Statement("<urn:x:s>", "<urn:x:p>", '"1"')]
    patches = check(wikidata.patches(EVENTS, state=before))
    assert [len(changes(patch)) for patch in patches] == [14, 5, 10, 3]
    for patch in patches:
        check_canonical(patch, before)
        before = sorted(apply(before, patch)[0])
    # References stay, and so does what is not about the entity.
    assert {each.subject.split("/")[-1] for each in before} == {
        *("<urn:x:s>", "77b1d2e4>", "9a24f7c0>")
    }
    reconciled = state(chain.from_iterable(patches[:3]))[0]
    assert {each.predicate for each in reconciled if each.subject == MILL} == {
        "<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>",
        "<http://www.w3.org/2000/01/rdf-schema#label>",
        "<http://schema.org/version>",
    }


def test_without_the_state() -> None:
    found = wikidata.patches(EVENTS)
    assert [next(found)[0].value, next(found)[0].value] == [id_of(1), id_of(3)]
    with pytest.raises(
        MalformedInputError, match=r"events\.jsonl: line 5: .*reconcile of Q900001, .*`state`"
    ):
        next(found)
    with pytest.raises(MalformedInputError, match=r"line 1: .*delete of Q1, "):
        list(wikidata.patches(lines(event("delete"))))


def test_a_log_that_goes_on(tmp_path: Path) -> None:
    """Events that were read before are skipped."""
    log = Log(tmp_path / "log")
    log.append_all(wikidata.patches(LINES[:4]), canonical=True)
    for _ in range(2):
        known = {version.id for version in log.versions()}
        found = wikidata.patches(EVENTS, prev=log.head(), skip=known, state=log.state_at())
        log.append_all(found, canonical=True)
    assert [version.id for version in log.versions()] == [id_of(n) for n in (1, 3, 4, 5)]
    assert len(log.state_at()) == 2


def test_events_that_come_again(tmp_path: Path) -> None:
    """Of recordings that overlap, also if one begins or ends in the middle of an event."""
    expected = list(wikidata.patches(EVENTS, state=()))
    for first, second in ((4, 0), (4, 2), (4, 3), (2, 0), (2, 1), (len(LINES), 0)):
        stream = [*LINES[:first], *LINES[second:]]
        assert list(wikidata.patches(stream, state=())) == expected
    log = Log(tmp_path / "log")
    log.append_all(wikidata.patches([*LINES, *LINES], state=()), canonical=True)
    assert len(log.versions()) == 4


def test_a_limited_number_of_events_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jelly_spark.integrations.wikidata.events._REMEMBERED", 2)
    numbers = [1, 2, 1, 2, 3, 2, 3, 1]
    found = wikidata.patches(lines(*(event(number=number) for number in numbers)))
    assert [patch[0].value for patch in found] == [id_of(number) for number in (1, 2, 3, 1)]


def test_skipped_events_are_not_parsed() -> None:
    bad, good = event(added="oops", meta={"id": id_of(1)[10:-1], "dt": "oops"}), event(number=2)
    (patch,) = wikidata.patches(lines(bad, good), skip={id_of(1)})
    assert patch[0].value == id_of(2)


def test_canaries() -> None:
    canary = {"meta": {"domain": "canary"}}
    assert len(list(wikidata.patches(lines(canary, event(), canary)))) == 1


def test_a_byte_order_mark() -> None:
    for line in (b"\xef\xbb\xbf" + LINES[0], f"\ufeff{LINES[0].decode()}"):
        assert list(wikidata.patches([line, *LINES[1:4]])) == list(wikidata.patches(LINES[:4]))
    with pytest.raises(MalformedInputError, match="line 2: expected an event as JSON"):
        list(wikidata.patches(["\n", "\ufeff{}"]))


def test_a_file_of_patches(tmp_path: Path) -> None:
    codec.write(tmp_path / "changes.jellyp", concat(*wikidata.patches(EVENTS, state=())))
    rows = codec.read_jelly_patch(tmp_path / "changes.jellyp")
    assert {row.patch for row in rows} == {0, 1, 2, 3}


def test_sources(tmp_path: Path) -> None:
    expected = list(wikidata.patches(EVENTS, state=()))
    (tmp_path / "events.jsonl.gz").write_bytes(gzip.compress(EVENTS.read_bytes()))
    server_sent = "".join(
        f'event: message\nid: [{{"offset":{n}}}]\ndata: {line.decode().strip()}\n\n:heartbeat\n'
        for n, line in enumerate(LINES)
    )
    for source in (
        tmp_path / "events.jsonl.gz",
        str(EVENTS),
        io.BytesIO(EVENTS.read_bytes()),
        io.BytesIO(b"\n".join(LINES).replace(b"\n", b"\r\n")),
        [line.decode() for line in LINES],
        server_sent.splitlines(),
        # As grep leaves it.
        [line for line in server_sent.splitlines(True) if line.startswith("data")],
        server_sent.rstrip().removesuffix("\n\n:heartbeat").splitlines(keepends=True),
    ):
        assert list(wikidata.patches(source, state=())) == expected


def test_patches_come_as_events_do() -> None:
    taken = 0

    def stream() -> Iterable[bytes]:
        nonlocal taken
        for line in LINES:
            taken += 1
            yield line

    found = wikidata.patches(stream())
    next(found)
    assert taken == 3


def test_a_pipe(tmp_path: Path) -> None:
    """A patch is returned before more than its event is written."""
    os.mkfifo(tmp_path / "pipe")
    has_patch = threading.Event()
    is_early = False

    def write() -> None:
        nonlocal is_early
        with open(tmp_path / "pipe", "wb", buffering=0) as pipe:
            pipe.write(b"".join(IMPORT_AND_DIFF[:3]))
            is_early = has_patch.wait(10)
            pipe.write(IMPORT_AND_DIFF[3])

    writer = threading.Thread(target=write)
    writer.start()
    found = wikidata.patches(tmp_path / "pipe")
    next(found)
    has_patch.set()
    assert len(list(found)) == 1
    writer.join()
    assert is_early


def sitelink(entity: str, title: str) -> str:
    return (
        f"<https://en.wikipedia.org/wiki/{title}> a <http://schema.org/Article> ; "
        f"<http://schema.org/about> <http://www.wikidata.org/entity/{entity}> ; "
        f'<http://schema.org/name> "{title}"@en ; '
        "<http://schema.org/isPartOf> <https://en.wikipedia.org/> ."
    )


MOVED = [
    event("import", 1, entity_id="Q2", added=sitelink("Q2", "Mill")),
    event("diff", 2, entity_id="Q1", deleted=sitelink("Q1", "Mill")),
]
"""The events of a merge, in the order that is not expected."""

RENAMED = [event(deleted=sitelink("Q1", "Mill"), added=sitelink("Q1", "Old_Mill"))]


def test_sitelinks() -> None:
    """An article that another entity has got is not deleted."""
    _, moved = wikidata.patches(lines(*MOVED))
    assert changes(moved) == ["D Mill about Q1"]
    (renamed,) = wikidata.patches(lines(*RENAMED))
    assert len([row for row in renamed if row.op == "D"]) == 4
    (lost,) = wikidata.patches(lines(event(deleted=sitelink("Q1", "Mill"))))
    assert changes(lost) == ["D Mill about Q1"]


def test_sitelinks_with_a_state() -> None:
    (made,) = wikidata.patches(lines(event(added=sitelink("Q1", "Mill"))))
    before = state(made)[0]
    _, moved = wikidata.patches(lines(*MOVED), state=before)
    assert changes(moved) == ["D Mill about Q1"]
    (lost,) = wikidata.patches(lines(event(deleted=sitelink("Q1", "Mill"))), state=before)
    assert len(changes(lost)) == 4
    # A deleted entity, whose article another one has got.
    delete = event("delete", 3)
    for events, count in (([delete], 4), ([MOVED[0], delete], 1)):
        *_, deleted = wikidata.patches(lines(*events), state=before)
        assert len(changes(deleted)) == count


def test_deleted_entities_with_parts() -> None:
    """Forms and senses of lexemes, in a Wikibase with https, go with them; others do not."""
    base = "https://words.example/entity/"
    turtle = f"""
    @prefix wd: <{base}> . @prefix s: <{base}statement/> .
    wd:L1 <urn:x:form> wd:L1-F1 ; <urn:x:sense> wd:L1-S1 ; <urn:x:p> s:L1-aa , wd:L10 .
    wd:L1-F1 <urn:x:p> s:L1-F1-bb . wd:L1-S1 <urn:x:p> "sense" .
    s:L1-aa <urn:x:p> <urn:x:value> . s:L1-F1-bb <urn:x:p> wd:L10 . <urn:x:value> <urn:x:p> 1 .
    wd:L10 <urn:x:p> wd:L1 , s:L10-cc . s:L10-cc <urn:x:p> 1 .
    """
    meta = {"domain": "words.example", "stream": "x"}
    made = event("import", entity_id="L1", added=turtle, meta=meta)
    deleted = event("delete", entity_id="L1", meta=meta)
    first, second = wikidata.patches(lines(made, deleted), state=())
    assert len(changes(first)) == 12
    assert sorted(state([*first, *second])[0]) == [
        Statement(f"<{base}L10>", "<urn:x:p>", f"<{base}L1>"),
        Statement(f"<{base}L10>", "<urn:x:p>", f"<{base}statement/L10-cc>"),
        Statement(
            f"<{base}statement/L10-cc>",
            "<urn:x:p>",
            '"1"^^<http://www.w3.org/2001/XMLSchema#integer>',
        ),
        Statement("<urn:x:value>", "<urn:x:p>", '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'),
    ]


def test_statement_nodes_of_other_entities() -> None:
    """A statement node that is only a value of the deleted entity stays."""
    turtle = """
    @prefix wd: <http://www.wikidata.org/entity/> .
    @prefix s: <http://www.wikidata.org/entity/statement/> .
    wd:{0} <urn:x:p> s:{0}-aa , s:{1}-bb .
    s:{0}-aa <urn:x:ps> s:Q2-aa . s:{1}-bb <urn:x:ps> s:Q10-aa .
    """
    made = [
        event("import", number, entity_id=entity, added=turtle.format(entity, entity.lower()))
        for number, entity in enumerate(("Q1", "Q2", "Q10"))
    ]
    *_, deleted = wikidata.patches(lines(*made, event("delete", 3)), state=())
    assert changes(deleted) == [
        *("D Q1 urn:x:p Q1-aa", "D Q1 urn:x:p q1-bb"),
        *("D Q1-aa urn:x:ps Q2-aa", "D q1-bb urn:x:ps Q10-aa"),
    ]


def test_an_emptied_state_uses_no_memory() -> None:
    entities = Entities([])
    statements = [Statement(ARTICLE, ABOUT, MILL), Statement(MILL, "<urn:x:p>", MILL)]
    entities.add(statements)
    entities.remove(statements)
    assert (entities._by_subject, entities._articles) == ({}, {})


def test_events_without_ids_or_changes() -> None:
    """The id is made of the event, and is the same each time."""
    meta = {"domain": "www.wikidata.org", "stream": "x"}
    events = lines(*(event(rev_id=n, meta=meta, unlinked_shared="<a:s> <a:p> 1 .") for n in (1, 2)))
    first, second = wikidata.patches(events)
    assert [row.op for row in first] == ["H"]
    assert first[0].value != second[0].value
    assert second[1].value == first[0].value
    assert [*wikidata.patches(events)] == [first, second]


def test_a_statement_that_is_deleted_and_added() -> None:
    (patch,) = wikidata.patches(lines(event(deleted="<a:s> <a:p> 1, 2 .", added="<a:s> <a:p> 1 .")))
    assert [(row.op, row.object) for row in patch if row.op in "AD"] == [
        ("D", '"2"^^<http://www.w3.org/2001/XMLSchema#integer>'),
        ("A", '"1"^^<http://www.w3.org/2001/XMLSchema#integer>'),
    ]


def random_event(source: random.Random, number: int) -> dict[str, Any]:
    """An event about one of a few entities, with statements of all kinds."""
    entity = f"Q{source.randrange(3)}"
    base = "http://www.wikidata.org/entity"
    subjects = [
        *(f"<{base}/{entity}>", f"<{base}/statement/{entity}-a>", f"<{base}/{entity}-F1>"),
        *("<https://en.wikipedia.org/wiki/A>", "<urn:x:reference>"),
    ]
    objects = [
        *(*subjects, "1", '"x"@en', "<http://schema.org/Article>"),
        *(f"<{base}/Q{n}>" for n in range(3)),
    ]
    predicates = ["<urn:x:p>", "a", "<http://schema.org/about>", "<http://schema.org/isPartOf>"]

    def turtle() -> str:
        parts = (subjects, predicates, objects)
        return "".join(
            " ".join(map(source.choice, parts)) + " .\n" for _ in range(source.randrange(8))
        )

    names = ("added", "deleted", "linked_shared", "unlinked_shared")
    operation = source.choice(["import", "diff", "diff", "diff", "delete", "reconcile"])
    found = {name: turtle() for name in names} if operation != "delete" else {}
    return event(operation, number, entity_id=entity, **found)


@pytest.mark.parametrize("seed", range(10))
def test_random_events(seed: int) -> None:
    """Each patch is canonical for the state before it, and what is reconciled is what is left."""
    source = random.Random(seed)
    events = [random_event(source, number) for number in range(60)]
    before: set[Statement] = set()
    for each, patch in zip(events, wikidata.patches(lines(*events), state=()), strict=True):
        check_canonical(patch, before)
        before = apply(before, patch)[0]
        entity = f"<http://www.wikidata.org/entity/{each['entity_id']}>"
        if each["operation"] == "delete":
            assert not any(each.subject == entity for each in before)
        elif each["operation"] == "reconcile":
            (added,) = wikidata.patches(lines({**each, "operation": "import"}))
            expected = state(added)[0]
            assert {each for each in before if each.subject == entity} == {
                each for each in expected if each.subject == entity
            }


RDF = {"mime_type": "text/turtle", "data": 1}


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        ('{"meta":', "an event as JSON, found an error"),
        ("oops", "an event as JSON, found 'oops'"),
        ("data: [1]\n", r"an event as JSON, found 'data: \[1\]'"),
        ("{}", "rdf_change 2, found JSON without meta"),
        (b'{"\xff"}', "an event as JSON, found an error"),
        ('{"meta": ' + "[" * 100_000, "nested too deep"),
        ('{"meta": {}}', "found no operation"),
        (event(operation="move"), "found 'move'"),
        (event(rev_id="1"), "found no rev_id, or one of another type"),
        (event(sequence=True), "found no sequence, or one of another type"),
        (event(sequence=1), "expected chunk 0 of 1 of an event, found chunk 1 of 1"),
        (event(sequence_length=0), "expected chunk 0 of 0"),
        (event(meta={"id": "x"}), "expected a UUID as the id in meta, found 'x'"),
        (event(meta={"id": 1}), "expected a UUID as the id in meta, found '1'"),
        (event("delete", meta={}), "expected a domain in meta"),
        (event(meta={"dt": "yesterday"}), "an xsd:dateTime as dt in meta, found 'yesterday'"),
        (event(meta={"dt": "\ud800"}), r"as dt in meta, found '\\ud800'"),
        (event(meta={"dt": 1}), "as dt in meta, found '1'"),
        (event(added="<a:s> <a:p> oops ."), "rdf_added_data, line 1, column 1.*: expected valid T"),
        (event(added="<a:s> <a:p> <o> ."), "rdf_added_data, .*: expected an absolute IRI"),
        (event(deleted="<a:s> <a:p> [] ."), "blank nodes in rdf_deleted_data.*a blank node"),
        (event(linked_shared="_:b <a:p> 1 ."), "blank nodes in rdf_linked_shared_data"),
        (event(added="<a:s> <a:p> <<( <a:s> <a:p> _:b )>> ."), "blank nodes in rdf_added_data"),
        (event(added="<a:s> <a:p> '\ud800' ."), "Unicode in rdf_added_data, found a lone surr"),
        (event(rdf_added_data=RDF), "expected data in rdf_added_data"),
        (event(rdf_added_data=[]), "expected data in rdf_added_data"),
        (
            event(rdf_added_data={"data": "", "mime_type": "text/n3"}),
            "as the mime_type of rdf_added",
        ),
    ],
)
def test_bad_events(bad: Any, message: str) -> None:
    good = event(number=2)
    text = bad if isinstance(bad, (str, bytes)) else json.dumps(bad)
    source = [json.dumps(good) + "\n", *(text.splitlines() if isinstance(text, str) else [text])]
    found = wikidata.patches(source)
    next(found)
    with pytest.raises(MalformedInputError, match=rf"<stream>: line 2.*{message}") as error:
        next(found)
    assert error.value.offset == len(source[0])


@pytest.mark.parametrize(
    ("second", "message"),
    [
        (None, "expected 2 chunks of an event of Q1, found the end after 1 of them"),
        ({"sequence": 0}, "expected chunk 1 of 2 of an event, found chunk 0 of 2"),
        ({"sequence": 2, "sequence_length": 3}, "expected chunk 1 of 2 of an event, found chunk 2"),
        ({"entity_id": "Q2"}, "the entity_id of the one before, Q1, found Q2"),
        ({"rev_id": 2}, "the rev_id of the one before, 1, found 2"),
        ({"operation": "import"}, "the operation of the one before, diff, found import"),
        ({"sequence_length": 3}, "the sequence_length of the one before, 2, found 3"),
        ({"meta": {"request_id": "x"}}, "the request_id of the one before, found another"),
    ],
)
def test_chunks_that_do_not_fit(second: dict[str, Any] | None, message: str) -> None:
    chunks = [event(sequence_length=2)]
    if second is not None:
        chunks.append(event(**{"number": 2, "sequence": 1, "sequence_length": 2, **second}))
    with pytest.raises(MalformedInputError, match=f"line {len(chunks)}: .*{message}"):
        list(wikidata.patches(lines(*chunks)))


def test_lines_that_are_too_long(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "jelly_spark.integrations.wikidata.events._LONGEST_LINE", max(map(len, LINES))
    )
    assert len(list(wikidata.patches(EVENTS, state=()))) == 4
    (tmp_path / "long").write_bytes(LINES[1] + LINES[2] + b" " * 1_000_000)
    for source in (tmp_path / "long", io.BytesIO((tmp_path / "long").read_bytes())):
        found = wikidata.patches(source)
        assert len(next(found)) > 10
        with pytest.raises(MalformedInputError, match="line 3: expected a line of at most"):
            next(found)


def test_wrong_arguments(tmp_path: Path) -> None:
    for source in (b"{}", io.StringIO("{}"), 1, None):
        with pytest.raises(OptionError, match="expected a path, or lines of events"):
            wikidata.patches(source)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="a line must be bytes or str, not int"):
        list(wikidata.patches([1]))  # type: ignore[list-item]
    with pytest.raises(InvalidTermError, match="prev must be a term"):
        wikidata.patches(EVENTS, prev="urn:x:1")
    with pytest.raises(OptionError, match="a state must have statements"):
        wikidata.patches(EVENTS, state=[1])
    with pytest.raises(FileNotFoundError):
        list(wikidata.patches(tmp_path / "missing"))
