"""Random lines: most are statements, in any shape that the grammar allows, some are not."""

from hypothesis import strategies as st

_IRIS = st.sampled_from(
    ["<a:b>", "<http://e/é#x>", "<a:\\u0020\\U0001F600>", "<\\u0061:>", "<a:'()%20>"]
)
_BAD_IRIS = st.sampled_from(["<a>", "<_:x>", "<a:b c>", "<a:|>", "<a:\\n>", "<>", "<a:b", "a:b"])
_LABELS = st.sampled_from(["_:a", "_:a.b", "_:0", "_:_é-", "_:a.", "_:a:b", "_:", "_:a_", "_:😀"])
_TEXTS = st.one_of(
    st.sampled_from(['"a"', '""', '"\\n\\r\\"\\\\"', '"\\t\\u0041"', '"\\z"', '"x', '"a" "b"']),
    st.text(st.characters(codec="utf-8", exclude_characters='\n\r"\\'), max_size=5).map(
        '"{}"'.format
    ),
)
_ENDS = st.sampled_from(
    [
        *["", "", "@en", "@de-CH", "^^<a:d>", "^^<http://www.w3.org/2001/XMLSchema#string>"],
        *[" @en", " ^^ <a:d>", "@en--ltr", "@abcdefghijkl", "@1", "^<a:d>", "^^<d>", "^^a", "@"],
        *["^^<http://www.w3.org/1999/02/22-rdf-syntax-ns#langString>", "@en-abcdefghi"],
    ]
)
_LITERALS = st.builds("{}{}".format, _TEXTS, _ENDS)
_ATOMS = st.one_of(_IRIS, _IRIS, _LABELS, _LITERALS, _BAD_IRIS)
_BLANKS = st.sampled_from([" ", " ", " ", "\t", "  ", ""])
_TRIPLE = st.builds(
    "{0[0]}{1}{2}{3}{4}{5}{6}{7}{0[1]}".format,
    st.sampled_from([("<<(", ")>>"), ("<<", ">>")]),
    *[_BLANKS, _ATOMS, _BLANKS, _IRIS, _BLANKS, _ATOMS, _BLANKS],
)
_TERMS = st.one_of(_ATOMS, _ATOMS, _ATOMS, _TRIPLE)
_DOTS = st.sampled_from([".", ".", ".", ". # c", "", ". ."])
_STATEMENTS = st.builds(
    "{}{}{}{}{}{}{}".format,
    *[st.one_of(_IRIS, _LABELS, _TERMS), _BLANKS, _IRIS, _BLANKS, _TERMS, _BLANKS, _DOTS],
)
_QUADS = st.builds(
    "{}{}{}{}{}{}{}{}{}".format,
    *[_IRIS, _BLANKS, _IRIS, _BLANKS, _TERMS, _BLANKS, st.one_of(_IRIS, _LABELS), _BLANKS, _DOTS],
)
_GOOD = st.sampled_from(["<a:s> <a:p> <a:o> .", '_:a <a:p> "o"@en .', "_:é <a:p> _:b ."])
_OTHERS = st.sampled_from(
    [
        *["", " ", "# c", "#", 'VERSION "1.2"', ' VERSION"x"# c', "VERSION", 'VERSION "1.1" .'],
        *["MESSAGE", "\tMESSAGE # c", "MESSAGES"],
    ]
)
_LINES = st.one_of(_GOOD, _GOOD, _STATEMENTS, _QUADS, _OTHERS)
_LINE_ENDS = st.sampled_from(["\n", "\n", "\r\n", "\r", "\n\n"])


def documents() -> st.SearchStrategy[str]:
    """Return any text of a few lines."""
    line = st.builds("{}{}".format, _LINES, _LINE_ENDS)
    head = st.sampled_from(["", "", 'VERSION "1.2-messages"\n', '# c\n VERSION"1.2-messages"\r\n'])
    return st.builds("{}{}{}".format, head, st.lists(line, max_size=6).map("".join), _LINES)
