"""Base directions in language tags: one rule, for strings and for every format."""

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jelly_spark import codec
from jelly_spark.codec import PatchRow, RdfRow
from jelly_spark.core.terms import Literal, parse_term
from jelly_spark.errors import InvalidTermError, MalformedInputError
from jelly_spark.formats import FORMATS

TAGS = st.builds(
    "{}{}{}".format,
    st.text("aeN1-", max_size=4),
    st.sampled_from(["", "", "-", "--", "---"]),
    st.sampled_from(["", "ltr", "rtl", "LTR", "ltr-a", "l", "ltr--rtl"]),
).filter(bool)
ALLOWED = re.compile("(?:(?!--).)+(?:--(?:ltr|rtl))?")
TURTLE = re.compile("[A-Za-z]+(?:-[A-Za-z0-9]+)*(?:--(?:ltr|rtl))?")
TEXTS = ("ntriples", "nquads", "rdf_patch")


@given(TAGS)
def test_strings(tag: str) -> None:
    text = f'"x"@{tag}'
    if ALLOWED.fullmatch(tag):
        language, _, direction = tag.partition("--")
        assert parse_term(text) == Literal("x", language, None, direction or None)
    else:
        with pytest.raises(InvalidTermError, match=f"at character 4, found '{tag}'"):
            parse_term(text)


@pytest.mark.parametrize("format", FORMATS)
def test_files(format: str) -> None:
    @given(TAGS)
    def check(tag: str) -> None:
        # Written with another tag of the same length, because writers refuse most of these tags.
        other = "q" * len(tag)
        terms = ("<urn:s>", "<urn:p>", f'"x"@{other}')
        out = io.BytesIO()
        rows = [RdfRow(*terms) if FORMATS[format].row is RdfRow else PatchRow("A", *terms)]
        codec.write(out, rows, format=format)
        data = out.getvalue().replace(other.encode(), tag.encode())
        grammar = TURTLE if format in TEXTS else ALLOWED
        if grammar.fullmatch(tag):
            assert [row.object for row in codec.read(data, format=format)] == [f'"x"@{tag}']
        else:
            with pytest.raises(MalformedInputError, match=r"a (language tag|base direction)"):
                list(codec.read(data, format=format))

    check()
