"""What a package index shows of the README: the wheel's description."""

import re
import runpy
from email import message_from_bytes
from zipfile import ZipFile

import pytest

from tests.packaging.dist import NAME, WHEEL, built
from tests.shared import ROOT

RELATIVE_LINK = re.compile(r"\]\((?!https?://)")


def describe(source: str | None) -> str:
    """Returns the description that a build gives, with `source` as the repository."""
    build = runpy.run_path(str(ROOT / "python/hatch_build.py"))
    text: str = build["make_links_absolute"]((ROOT / "README.md").read_text(), source)
    return text


def test_without_a_repository_there_are_no_relative_links() -> None:
    text = describe(None)
    assert RELATIVE_LINK.search(text) is None
    assert "![" not in text
    assert "- Install, Quickstart, RDF in five minutes\n" in text
    assert "(https://w3id.org/jelly/dev/specification/patch)" in text


def test_with_a_repository_links_lead_there() -> None:
    text = describe("https://example.org/repository")
    assert RELATIVE_LINK.search(text) is None
    assert "[Quickstart](https://example.org/repository/blob/main/docs/quickstart.md)" in text
    assert "](https://example.org/repository/raw/main/benchmarks/speed.svg)" in text


@pytest.mark.long
def test_the_wheel_has_it() -> None:
    metadata = message_from_bytes(ZipFile(built(WHEEL)).read(f"{NAME}.dist-info/METADATA"))
    assert metadata["Description-Content-Type"] == "text/markdown"
    text = str(metadata.get_payload())
    assert text.lstrip().startswith("# Jelly Spark\n")
    assert RELATIVE_LINK.search(text) is None
