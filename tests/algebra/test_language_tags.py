"""Language tags are compared as written, or without regard to case."""

from __future__ import annotations

from typing import Any

import pytest

from jelly_spark import patches
from jelly_spark.errors import OptionError
from jelly_spark.patches import LanguageTags
from tests.algebra.engines import Engine, Log, State
from tests.algebra.texts import log, state
from tests.algebra.together import (
    canonical,
    each_case,
    log_after_log,
    state_of_cases,
)

IGNORED: LanguageTags = "ignore-case"

SAME = {
    "a tag": ('"a"@en-GB', '"a"@EN-gb'),
    "a tag with a base direction": ('"a"@AR--rtl', '"a"@ar--rtl'),
    "a quote before the tag": (r'"\""@EN', r'"\""@en'),
    "a backslash before the tag": (r'"\\"@EN', r'"\\"@en'),
    "in a triple term": (
        r'<<( <S> <P> "\"@EN"@EN )>>',
        r'<<( <S> <P> "\"@EN"@en )>>',
    ),
    "in a nested triple term": (
        '<<( <S> <P> <<( <S> <P> "@A"@EN-Latn--ltr )>> )>>',
        '<<( <S> <P> <<( <S> <P> "@A"@en-latn--ltr )>> )>>',
    ),
}
"""Terms that are equal without regard to the case of tags."""

OTHERS = {
    "another lexical form": ('"a"@EN', '"A"@en'),
    "another base direction": ('"a"@EN--ltr', '"a"@en--rtl'),
    "no base direction": ('"a"@EN--ltr', '"a"@en'),
    "a tag in a lexical form": (r'"\"@EN"', r'"\"@en"'),
    "a tag in a lexical form of a triple term": (
        '<<( <S> <P> "@EN" )>>',
        '<<( <S> <P> "@en" )>>',
    ),
    "after another literal": (
        '<<( "a" <P> "@EN" )>>',
        '<<( "a" <P> "@en" )>>',
    ),
    "a datatype": ('"a"^^<EN>', '"a"^^<en>'),
    "a datatype with an at sign": ('"a"^^<b@EN>', '"a"^^<b@en>'),
    "an IRI": ("<x@EN>", "<x@en>"),
}
"""Terms that are not."""


def _state(*terms: str) -> State:
    return state("\n".join(f"<s> <p> {term}" for term in terms))


def _log(*changes: str) -> Log:
    return log(" ".join(f"{change[0]} <s> <p> {change[2:]} ." for change in changes))


_differences: dict[str, tuple[State, State, Log]] = {
    **{name: (_state(old), _state(new), _log()) for name, (old, new) in SAME.items()},
    **{
        name: (_state(old), _state(new), _log(f"D {old}", f"A {new}"))
        for name, (old, new) in OTHERS.items()
    },
    "a delete has the tag of the state before": (
        _state('"a"@EN'),
        _state(),
        _log('D "a"@EN'),
    ),
    "a delete removes all forms": (
        _state('"a"@EN', '"a"@en'),
        _state(),
        _log('D "a"@EN', 'D "a"@en'),
    ),
    "one of several forms is enough": (_state('"a"@EN', '"a"@en'), _state('"a"@eN'), _log()),
    "an add keeps its tag": (_state('"b"@en'), _state('"b"@EN', '"a"@EN'), _log('A "a"@EN')),
    "the first of several forms is added": (_state(), _state('"a"@en', '"a"@EN'), _log('A "a"@EN')),
}
_old, _new, _rows = zip(*_differences.values(), strict=True)


@each_case(
    "before after patch",
    {name: (old, new, canonical(rows)) for name, (old, new, rows) in _differences.items()},
    (state_of_cases(_old), state_of_cases(_new), canonical(log_after_log(_rows))),
)
def test_differences(engine: Engine, before: State, after: State, patch: Log) -> None:
    assert engine.diff(before, after, language_tags=IGNORED) == patch
    # Stores that compare exactly get the state that diff has compared.
    applied = engine.apply(before, patch)
    assert applied == engine.apply(before, patch, language_tags=IGNORED)
    assert engine.diff(applied.statements, after, language_tags=IGNORED) == []


_effects: dict[str, tuple[State, Log, State]] = {
    **{
        f"delete {name}": (_state(old), _log(f"D {new}"), _state())
        for name, (old, new) in SAME.items()
    },
    **{
        f"add {name}": (_state(old), _log(f"A {new}"), _state(old))
        for name, (old, new) in SAME.items()
    },
    **{
        f"delete {name}": (_state(old), _log(f"D {new}"), _state(old))
        for name, (old, new) in OTHERS.items()
    },
    "all forms are deleted": (_state('"a"@EN', '"a"@en'), _log('D "a"@eN'), _state()),
    "forms that do not change stay": (
        _state('"a"@EN', '"a"@en'),
        _log('A "a"@eN', 'D "b"@en'),
        _state('"a"@EN', '"a"@en'),
    ),
    "the first add counts": (_state(), _log('A "a"@EN', 'A "a"@en'), _state('"a"@EN')),
    "a new tag": (_state('"a"@EN'), _log('D "a"@en', 'A "a"@eN'), _state('"a"@eN')),
    "the tag after the last delete": (
        _state('"a"@EN'),
        _log('D "a"@en', 'A "a"@eN', 'D "a"@EN', 'A "a"@en', 'A "a"@EN'),
        _state('"a"@en'),
    ),
    "deleted again": (_state(), _log('A "a"@EN', 'D "a"@en'), _state()),
}
_before, _changes, _after = zip(*_effects.values(), strict=True)


@each_case(
    "before changes after",
    _effects,
    (state_of_cases(_before), log_after_log(_changes), state_of_cases(_after)),
)
def test_effects(engine: Engine, before: State, changes: Log, after: State) -> None:
    applied = engine.apply(before, changes, language_tags=IGNORED)
    assert applied.statements == {*after}
    net = engine.squash(changes, before, language_tags=IGNORED)
    assert engine.apply(before, net).statements == {*after}


def test_aborted_changes_say_nothing_about_tags() -> None:
    rows = log('TX . A <s> <p> "a"@EN . TA . A <s> <p> "a"@en . Z . D <s> <p> "a"@En .')
    changes = [*patches.changes(rows, language_tags=IGNORED)]
    assert [(row.change, row.object) for row in changes] == [("A", '"a"@en'), ("D", '"a"@en')]


def test_matched_blank_nodes() -> None:
    before = state('<s> <p> _:a\n_:a <p> "x"@EN\n<s> <p> _:b\n_:b <p> "y"@EN')
    after = state('<s> <p> _:c\n_:c <p> "y"@en\n<s> <p> _:d\n_:d <p> "x"@en\n_:d <p> "z"@EN')
    patch = patches.diff(before, after, blank_nodes="match", language_tags=IGNORED)
    changes = [row[:4] for row in patch if row.op in ("A", "D")]
    assert changes == [("A", "_:a", "<p>", '"z"@EN')]


def test_exact_is_the_default() -> None:
    before, after = _state('"a"@EN'), _state('"a"@en')
    patch = patches.diff(before, after)
    assert patch == patches.diff(before, after, language_tags="exact")
    assert [row.op for row in patch] == ["TX", "D", "A", "TC"]


def test_values() -> None:
    wrong: Any = "ignore"
    message = "language_tags must be one of: exact, ignore-case; not 'ignore'"
    for call in (
        lambda: patches.diff([], [], language_tags=wrong),
        lambda: patches.apply([], [], language_tags=wrong),
        lambda: patches.state([], language_tags=wrong),
        lambda: patches.squash([], language_tags=wrong),
        lambda: patches.changes([], language_tags=wrong),
        lambda: patches.changes([], assume_canonical=True, language_tags=wrong),
        lambda: patches.history([], language_tags=wrong),
    ):
        with pytest.raises(OptionError, match=message):
            call()
