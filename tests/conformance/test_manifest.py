"""Manifests to entries."""

from pathlib import Path

import pytest

from tests.conformance.manifest import (
    FROM_JELLY,
    NEGATIVE,
    POSITIVE,
    TO_JELLY,
    Entry,
    Unusable,
    read_manifest,
)

HEAD = """
PREFIX jellyt: <https://w3id.org/jelly/dev/tests/vocab#>
PREFIX mf: <http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#>
BASE <https://e.example/suite/>
<manifest> a mf:Manifest ; mf:entries ( <a/1> ) .
"""
PLAIN = "<a/1> a jellyt:TestNegative, jellyt:TestRdfFromJelly ; mf:action <a/1/in.jelly> ."


def read(folder: Path, text: str) -> list[Entry | Unusable]:
    path = folder / "manifest.ttl"
    path.write_text(text, encoding="utf-8")
    return list(read_manifest(path))


def test_one_file_and_lists_of_files(tmp_path: Path) -> None:
    entries = read(
        tmp_path,
        HEAD.replace("<a/1>", "<b/2> <a/1>")
        + PLAIN
        + """
        <b/2> a jellyt:TestPositive, jellyt:TestRdfToJelly ; mf:notable jellyt:featureNonDelimited ;
            mf:action ( <b/2/stream_options.jelly> <b/2/in_000.nt> ) ; mf:result <b/2/out.jelly> .
        """,
    )
    assert entries == [
        Entry(
            tmp_path / "b/2",
            frozenset({POSITIVE, TO_JELLY}),
            (tmp_path / "b/2/stream_options.jelly", tmp_path / "b/2/in_000.nt"),
            (tmp_path / "b/2/out.jelly",),
            delimited=False,
            base="https://e.example/suite/b/2/stream_options.jelly",
        ),
        Entry(
            tmp_path / "a/1",
            frozenset({NEGATIVE, FROM_JELLY}),
            (tmp_path / "a/1/in.jelly",),
            None,
            delimited=True,
            base="https://e.example/suite/a/1/in.jelly",
        ),
    ]


def test_an_empty_result_is_not_a_missing_result(tmp_path: Path) -> None:
    text = HEAD + PLAIN.removesuffix(".") + "; mf:result () ."
    (entry,) = read(tmp_path, text)
    assert isinstance(entry, Entry)
    assert entry.result == ()


def test_names_with_odd_characters(tmp_path: Path) -> None:
    (entry,) = read(tmp_path, HEAD + PLAIN.replace("in.jelly", "in%20%C3%A9.jelly"))
    assert isinstance(entry, Entry)
    assert entry.action == (tmp_path / "a/1/in é.jelly",)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("<a> <b>", "no Turtle"),
        ("", "0 resources of class mf:Manifest"),
        (HEAD.replace("mf:entries", "mf:action"), "no mf:entries"),
        (HEAD, "no mf:action"),
        (HEAD + PLAIN + "<a/1> mf:action <a/1/other.jelly> .", "more than one mf:action"),
        (HEAD + PLAIN.replace("<a/1/in.jelly>", "<../in.jelly>"), "is no IRI below"),
        (HEAD + PLAIN.replace("<a/1/in.jelly>", '"in.jelly"'), "is no IRI below"),
    ],
)
def test_incomplete_manifests(tmp_path: Path, text: str, reason: str) -> None:
    (found,) = read(tmp_path, text)
    assert isinstance(found, Unusable)
    assert reason in found.reason


def test_a_manifest_of_manifests_has_no_entries(tmp_path: Path) -> None:
    assert read(tmp_path, HEAD.replace("mf:entries", "mf:include")) == []


def test_a_manifest_whose_iri_is_elsewhere(tmp_path: Path) -> None:
    text = """
    PREFIX : <https://e.example/suite/syntax#>
    PREFIX mf: <http://www.w3.org/2001/sw/DataAccess/tests/test-manifest#>
    PREFIX rdft: <http://www.w3.org/ns/rdftest#>
    :manifest a mf:Manifest ; mf:entries ( :bad-1 ) .
    :bad-1 a rdft:TestNTriplesNegativeSyntax ; mf:action <bad-1.nt> .
    """
    for folder in (tmp_path, tmp_path / "folder" / ".."):
        (tmp_path / "folder").mkdir(exist_ok=True)
        (entry,) = read(folder, text)
        assert isinstance(entry, Entry)
        assert entry.path == folder / "manifest.ttl#bad-1"
        assert entry.action == (folder / "bad-1.nt",)


def test_an_unusable_entry_leaves_the_others(tmp_path: Path) -> None:
    found = read(tmp_path, HEAD.replace("<a/1>", "<b/2> <a/1>") + PLAIN)
    assert [type(item) for item in found] == [Unusable, Entry]
