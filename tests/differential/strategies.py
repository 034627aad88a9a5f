"""Random options, terms, spellings of terms and rows: most are valid, some break a rule."""

from typing import Any

from hypothesis import strategies as st

from jelly_spark.codec import (
    JellyPatchOptions,
    JellyRdfOptions,
    LogicalType,
    NQuadsOptions,
    NTriplesOptions,
    PatchRow,
    PhysicalType,
    RdfPatchOptions,
    RdfPatchThriftOptions,
    RdfRow,
    SparqlUpdateOptions,
    StatementType,
    StreamType,
    Style,
)
from jelly_spark.core.rows import OPS
from jelly_spark.core.terms import (
    MAX_NESTING,
    BlankNode,
    Iri,
    Literal,
    Term,
    TripleTerm,
    format_term,
    tagged_literal,
)
from jelly_spark.core.terms.base_direction import expected_tag
from tests.codec.strategies import atoms_of, patch_rows, with_triple_terms
from tests.numbering import numbered

# Any characters but surrogates, which are no text. Some that a codec may take for something else
# come more often: the last ones are the replacement character, a BOM, a combining mark.
CHARACTERS = st.one_of(
    st.characters(codec="utf-8"),
    st.sampled_from('\0\t\n\r "\\<>{}|^`#/:._-@\x7f\x85\u2028😀\U0010ffff\ufffd\ufeff\u0301'),
)
TEXTS = st.text(CHARACTERS, max_size=12)


_MOSTLY = st.sampled_from([True] * 9 + [False])
# Of both Jelly formats; the tables are so small that they overflow.
_JELLY_OPTIONS: dict[str, st.SearchStrategy[Any]] = {
    "max_name_table_size": st.sampled_from([8, 9, 16, 4000]),
    "max_prefix_table_size": st.sampled_from([0, 1, 3, 4, 5, 8, 150]),
    "max_datatype_table_size": st.sampled_from([0, 1, *[2, 3, 4, 8, 32] * 4]),
    "frame_size": st.sampled_from([1, 2, 3, 7, 256]),
    "rdf_star": _MOSTLY,
    "generalized": _MOSTLY,
    "delimited": st.booleans(),
    "restart_interval": st.sampled_from([0, 1, 30, 100, 300, 32 << 20]),
    "index_columns": st.sampled_from(["", "subject", "graph,predicate", "object, SUBJECT, graph"]),
    "index_filter_bits": st.sampled_from([4, 10, 32]),
}


def options() -> st.SearchStrategy[JellyPatchOptions]:
    """Any options, with tables so small that they overflow."""
    return st.builds(
        JellyPatchOptions,
        stream_type=st.sampled_from(StreamType),
        statement_type=st.sampled_from([StatementType.QUADS, *StatementType]),
        **_JELLY_OPTIONS,
    )


def iris() -> st.SearchStrategy[str]:
    """IRIs that are hard to split into prefix and name."""
    part = st.one_of(st.sampled_from(["", "#", "/", "a", "b#c", "d/e", "😀", "_:"]), TEXTS)
    scheme = st.sampled_from(["", "http://a.example/", "https://", "urn:x:", "é😀😀#", "1234567"])
    return st.builds("".join, st.tuples(scheme, part, part, part))


_IRIS = iris()


_TAGS = st.sampled_from(["en", "EN-gb", "x", "ar--rtl", "EN-x--ltr"])


def _atoms(tags: st.SearchStrategy[str]) -> st.SearchStrategy[Term]:
    few_datatypes = st.sampled_from("abcdef").map("http://a.example/#".__add__)
    datatypes = st.one_of(few_datatypes, _IRIS)
    return atoms_of(iris=_IRIS, labels=TEXTS, texts=TEXTS, tags=tags, datatypes=datatypes)


def _nested(atom: Term, positions: list[str], depth: int) -> Term:
    """Quote triples in one another, in positions that take turns."""
    term = atom
    for level in range(depth):
        triple = TripleTerm(atom, atom, atom)
        match positions[level % len(positions)]:
            case "subject":
                term = TripleTerm(term, triple.predicate, triple.object)
            case "predicate":
                term = TripleTerm(triple.subject, term, triple.object)
            case _:
                term = TripleTerm(triple.subject, triple.predicate, term)
    return term


def terms(atoms: st.SearchStrategy[Term]) -> st.SearchStrategy[Term]:
    """Any term; a few quote triples as deep as is allowed, or one deeper."""
    positions = st.lists(st.sampled_from(["subject", "predicate", "object"]), min_size=1)
    depths = st.sampled_from([*[1, 2, MAX_NESTING - 1, MAX_NESTING] * 4, MAX_NESTING + 1])
    return st.one_of(
        atoms,
        atoms,
        with_triple_terms(atoms, max_leaves=7),
        st.builds(_nested, atoms, positions, depths),
    )


def _text(term: Term) -> str:
    """Write the canonical string, also of a term that nests one deeper than `format_term` takes."""
    if isinstance(term, TripleTerm):
        return f"<<( {_text(term.subject)} {_text(term.predicate)} {_text(term.object)} )>>"
    return format_term(term)


_ATOM = _atoms(
    st.one_of(_TAGS, st.text(CHARACTERS, min_size=1)).filter(lambda tag: expected_tag(tag) is None)
)
_ANY_TERM = terms(_ATOM)
# Of those that RDF Patch's text can hold, more than of others.
_TEXT_TERM = terms(_atoms(_TAGS)).filter(lambda term: "u005F" not in _text(term))


def _is_flat(term: Term) -> bool:
    return not isinstance(term, TripleTerm) or not any(
        isinstance(inner, TripleTerm) for inner in (term.subject, term.predicate, term.object)
    )


# Terms of RDF 1.1, and triple terms of them.
_ABSOLUTE_IRIS = st.builds(
    "{}{}".format, st.sampled_from(["http://a.example/", "urn:x:", "a+1.-:"]), TEXTS
).map(Iri)
_RESOURCES = st.one_of(
    _ABSOLUTE_IRIS,
    _ABSOLUTE_IRIS,
    st.sampled_from(["b", "b.c", "0", "_", "é-·"]).map(BlankNode),
)
_DATATYPES = _ABSOLUTE_IRIS.map(lambda iri: iri.value)
_LITERALS = st.one_of(
    st.builds(Literal, TEXTS),
    st.builds(tagged_literal, TEXTS, st.sampled_from(["en", "de-CH", "x-a1", "he--rtl"])),
    st.builds(Literal, TEXTS, st.none(), _DATATYPES),
    st.sampled_from([r"\u0041", r"\\U", r"\n"]).map(Literal),
)
_FLAT_TRIPLES = st.builds(TripleTerm, _RESOURCES, _ABSOLUTE_IRIS, st.one_of(_RESOURCES, _LITERALS))
_SUBJECTS = st.one_of(*[_RESOURCES] * 7, _FLAT_TRIPLES)
_STATEMENTS = st.builds(
    lambda s, p, o, g: RdfRow(_text(s), _text(p), _text(o), None if g is None else _text(g)),
    _SUBJECTS,
    _ABSOLUTE_IRIS,
    st.one_of(*[_RESOURCES] * 3, *[_LITERALS] * 4, _FLAT_TRIPLES),
    st.none() | _RESOURCES,
)

_FLAT_TERM = st.one_of(_ATOM, _ANY_TERM.filter(_is_flat))
_BLANKS = st.sampled_from(["", " ", "\t", "  \t"])


@st.composite
def spellings(draw: st.DrawFn) -> str:
    """Draw a term as text: canonical, or with escapes and blanks that need not be there."""
    text = _text(draw(_FLAT_TERM))
    if draw(st.booleans()):
        return text
    if text.startswith("<<"):
        begin, end = draw(st.sampled_from([("<<(", ")>>"), ("<<", ">>")]))
        return text.replace("<<( ", begin + draw(_BLANKS)).replace(" )>>", draw(_BLANKS) + end)
    at = draw(st.integers(1, max(1, len(text) - 2)))
    code = ord(text[at]) if at < len(text) else 0
    escape = draw(st.sampled_from([f"\\u{code:04X}", f"\\u{code:04x}", f"\\U{code:08X}"]))
    return text[:at] + escape + text[at + 1 :]


_SPELLINGS = spellings()
_PIECES = st.sampled_from(
    ["<", ">", "<<", ">>", "_:", '"', "@", "^^", "\\", "\\u", "\\U", "\\n", ".", " ", "\n"]
)
_PIECES_AND_TEXTS = st.lists(st.one_of(_PIECES, TEXTS), max_size=8)
_PIECE_OR_CHARACTER = st.one_of(_PIECES, CHARACTERS)


@st.composite
def odd_spellings(draw: st.DrawFn) -> str:
    """Draw text that is rarely a term: a damaged term, or pieces of the grammar."""
    if draw(st.booleans()):
        return "".join(draw(_PIECES_AND_TEXTS))
    text = draw(_SPELLINGS)
    at = draw(st.integers(0, len(text)))
    cut = draw(st.integers(0, 2))
    return text[:at] + draw(_PIECE_OR_CHARACTER) + text[at + cut :]


@st.composite
def patches(draw: st.DrawFn) -> tuple[list[PatchRow], JellyPatchOptions]:
    """Draw rows from few terms, so that these repeat and share lookup entries, and options.

    Most of the rows fit the options. They are numbered as by a reader, at random, or not at all.
    """
    chosen = draw(options())
    has_graphs = chosen.statement_type is StatementType.QUADS or not draw(_MOSTLY)
    return draw(_numbered_rows(_ANY_TERM, has_graphs=has_graphs)), chosen


@st.composite
def text_patches(draw: st.DrawFn) -> tuple[list[PatchRow], RdfPatchOptions]:
    """Draw rows as `patches` does, most of which text can hold, and options."""
    if draw(_MOSTLY):
        return draw(_rows_without_values_of_pd(_TEXT_TERM)), RdfPatchOptions()
    pool = draw(_pools(_TEXT_TERM))
    rows = draw(_rows([_text(term) for term in pool], has_graphs=True))
    return [row for row in rows if row.op in ("A", "D", "PA")], RdfPatchOptions(style=Style.V1)


@st.composite
def thrift_patches(draw: st.DrawFn) -> tuple[list[PatchRow], RdfPatchThriftOptions]:
    """Draw rows as `patches` does, most of which Thrift can hold."""
    return draw(_rows_without_values_of_pd(_ANY_TERM)), RdfPatchThriftOptions()


@st.composite
def rdf_files(draw: st.DrawFn) -> tuple[list[RdfRow], JellyRdfOptions]:
    """Draw rows of Jelly-RDF from few terms, and options; most of the rows fit."""
    chosen = draw(_rdf_options())
    has_graphs = chosen.physical_type is not PhysicalType.TRIPLES or not draw(_MOSTLY)
    pool = [_text(term) for term in draw(_pools(_ANY_TERM))]
    term = st.sampled_from(pool)
    graphs = [text for text in pool if not text.startswith("<<")] if has_graphs else []
    graph = st.sampled_from([None, *graphs])
    statement = st.builds(RdfRow, term, term, term, graph)
    name = st.one_of(st.sampled_from(["", "ex"]), TEXTS)
    namespace = st.builds(RdfRow, name=name, value=_IRIS.map(Iri).map(_text))
    good = st.one_of(*[statement] * 9, namespace) if chosen.namespaces else statement
    maybe = st.none() | term
    bad = st.builds(RdfRow, maybe, maybe, maybe, maybe, st.none() | name, maybe)
    row = good if draw(_MOSTLY) else st.one_of(*[good] * 9, bad)
    size = draw(st.integers(1, 40))
    rows = draw(st.lists(row, min_size=size, max_size=size))
    frame = st.one_of(st.none(), st.integers(0, 2))
    frames = draw(st.lists(frame, min_size=size, max_size=size))
    if draw(st.booleans()):
        frames.sort(key=lambda frame: frame or 0)
    numbered = zip(rows, frames, strict=True)
    return [row._replace(frame=frame) for row, frame in numbered], chosen


# Most of them are literals that RDF 1.2's canonical form spells in another way, or refuses.
_RDF12_OBJECTS = st.one_of(
    st.builds(
        Literal,
        TEXTS,
        st.sampled_from(["EN-gb", "Ar", "en", "abcdefghi"]),
        st.none(),
        st.sampled_from([None, "ltr", "rtl"]),
    ),
    st.builds(
        Literal,
        TEXTS,
        st.none(),
        st.sampled_from(["langString", "dirLangString", "HTML"]).map(
            "http://www.w3.org/1999/02/22-rdf-syntax-ns#".__add__
        ),
    ),
    st.text("\0\b\t\n\f\r\x0b\x1f\x7f\x80\ufffd\ufffe\uffffa", max_size=9).map(Literal),
    _FLAT_TRIPLES,
).map(_text)


@st.composite
def line_files(
    draw: st.DrawFn, format: type[NTriplesOptions | NQuadsOptions]
) -> tuple[list[RdfRow], NTriplesOptions | NQuadsOptions]:
    """Draw rows of N-Triples or N-Quads, and options; most of the rows fit."""
    any_options: st.SearchStrategy[Any] = st.one_of(
        st.builds(format, version=st.sampled_from(["", "1.2", "1.2-messages"])),
        st.builds(format, canonical=st.just(True)),
    )
    options = draw(any_options)
    rows = draw(st.lists(_STATEMENTS, min_size=1, max_size=20))
    if options.canonical and draw(_MOSTLY):
        rows = [row for row in rows if not (row.subject or "").startswith("<<")]
    if draw(st.booleans()):
        rows = [*rows, RdfRow("_:s", "<urn:p>", draw(_RDF12_OBJECTS))]
    if isinstance(options, NTriplesOptions) and draw(_MOSTLY):
        rows = [row._replace(graph=None) for row in rows]
    frames = draw(st.lists(st.integers(0, 4), min_size=len(rows), max_size=len(rows)))
    if draw(_MOSTLY):
        frames.sort()
    rows = [row._replace(frame=frame) for row, frame in zip(rows, frames, strict=True)]
    if not draw(_MOSTLY):
        maybe = st.none() | _ANY_TERM.map(_text)
        bad = st.builds(
            RdfRow,
            *[maybe, maybe, maybe, maybe, st.sampled_from([None, None, "ex"]), st.none()],
            st.sampled_from([0, 4, None, -1, -2, 10_000_100, (1 << 63) - 1]),
        )
        rows.insert(draw(st.integers(0, len(rows))), draw(bad))
    return rows, options


@st.composite
def updates(draw: st.DrawFn) -> tuple[list[PatchRow], SparqlUpdateOptions]:
    """Draw rows that most SPARQL Updates can hold, and options."""
    options = draw(
        st.builds(
            SparqlUpdateOptions,
            batch_size=st.sampled_from([1, 2, 3, 1000]),
            skolem_base=st.sampled_from(["https://e.example/.well-known/genid/", "urn:x:", ""]),
        )
    )
    statements = draw(st.lists(_STATEMENTS, min_size=1, max_size=8))
    statement = st.builds(
        lambda op, row: PatchRow(op, row.subject, row.predicate, row.object, row.graph),
        st.sampled_from(["A", "D"]),
        st.sampled_from(statements),
    )
    iri = _ABSOLUTE_IRIS.map(_text)
    graph = st.none() | iri
    key = st.sampled_from(["id", "a b", "é"]) | TEXTS
    other = st.one_of(
        patch_rows("H", name=key, value=_ANY_TERM.map(_text)),
        patch_rows("PA", graph=graph, name=st.sampled_from(["", "ex"]), value=iri),
        patch_rows("PD", graph=graph, name=st.sampled_from(["", "ex"]), value=st.none() | iri),
        patch_rows("TX TC END" if draw(_MOSTLY) else "TX TC TA END"),
    )
    rows = draw(st.lists(st.one_of(statement, statement, statement, other), max_size=30))
    return numbered(rows), options


def _rdf_options() -> st.SearchStrategy[JellyRdfOptions]:
    triples = ["UNSPECIFIED", "FLAT_TRIPLES", "GRAPHS", "SUBJECT_GRAPHS"]
    quads = ["UNSPECIFIED", "FLAT_QUADS", "DATASETS", "NAMED_GRAPHS", "TIMESTAMPED_NAMED_GRAPHS"]
    types = [(PhysicalType.TRIPLES, LogicalType[name]) for name in triples] + [
        (physical, LogicalType[name])
        for physical in (PhysicalType.QUADS, PhysicalType.GRAPHS)
        for name in quads
    ]
    return st.builds(
        lambda types, **others: JellyRdfOptions(
            physical_type=types[0], logical_type=types[1], **others
        ),
        st.sampled_from(types),
        namespaces=st.booleans(),
        stream_name=st.sampled_from(["", "", "stream é"]),
        **_JELLY_OPTIONS,
    )


def _pools(term: st.SearchStrategy[Term]) -> st.SearchStrategy[list[Term]]:
    return st.lists(term, min_size=4, max_size=20, unique=True)


@st.composite
def _numbered_rows(
    draw: st.DrawFn, term: st.SearchStrategy[Term], *, has_graphs: bool
) -> list[PatchRow]:
    pool = draw(_pools(term))
    rows = draw(_rows([_text(term) for term in pool], has_graphs=has_graphs))
    match draw(st.sampled_from(["reader", "reader", "anyhow", "none"])):
        case "reader":
            return numbered(rows)
        case "anyhow":
            return draw(_number_anyhow(rows))
    return rows


@st.composite
def _rows(draw: st.DrawFn, pool: list[str], *, has_graphs: bool) -> list[PatchRow]:
    term = st.sampled_from(pool)
    iri = _IRIS.map(Iri).map(_text)
    graphs = [text for text in pool if not text.startswith("<<")] if has_graphs else []
    graph = st.sampled_from([None, *graphs])
    name = st.one_of(st.sampled_from(["", "ex"]), TEXTS)
    good = st.one_of(
        *[patch_rows("A D", subject=term, predicate=term, object=term, graph=graph)] * 4,
        patch_rows("H", name=name, value=term),
        patch_rows("PA", graph=graph, name=name, value=iri),
        patch_rows("PD", graph=graph, name=name, value=st.none() | iri),
        patch_rows("TX TC TA END END"),
    )
    maybe = st.none() | term
    terms_of_all = dict.fromkeys(["subject", "predicate", "object", "graph", "value"], maybe)
    bad = patch_rows(" ".join(OPS), name=st.none() | name, **terms_of_all)
    # The size first: by itself Hypothesis prefers short lists.
    row = good if draw(_MOSTLY) else st.one_of(*[good] * 9, bad)
    size = draw(st.integers(1, 40))
    return draw(st.lists(row, min_size=size, max_size=size))


def _rows_without_values_of_pd(term: st.SearchStrategy[Term]) -> st.SearchStrategy[list[PatchRow]]:
    return _numbered_rows(term, has_graphs=True).map(
        lambda rows: [row._replace(value=None) if row.op == "PD" else row for row in rows]
    )


def _number_anyhow(rows: list[PatchRow]) -> st.SearchStrategy[list[PatchRow]]:
    number = st.one_of(st.none(), st.integers(0, 2))
    numbers = st.lists(st.tuples(number, number), min_size=len(rows), max_size=len(rows))
    return numbers.map(
        lambda drawn: [
            row._replace(patch=patch, tx=tx) for row, (patch, tx) in zip(rows, drawn, strict=True)
        ]
    )
