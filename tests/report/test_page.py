"""The page of a report as HTML: what it is made of, and that nothing in it can be markup."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from jelly_spark import Log, codec
from jelly_spark.codec import PatchRow
from jelly_spark.errors import OptionError
from jelly_spark.report import summarize
from jelly_spark.report.contents import LogFile, Report
from jelly_spark.report.figures import Figures
from jelly_spark.report.html import element
from jelly_spark.report.page import page
from tests.cli.processes import run
from tests.report.hostile import HOSTILE, write_hostile_log

_ALLOWED = """
html head meta title style body a header h1 div label input span button nav ul li main section
h2 p dl dt dd svg g rect line path circle details summary table caption thead tbody tr th td
code select option script text
"""


class Elements(HTMLParser):
    """Collects the elements of a page, their attributes, and its text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.ids: list[str] = []
        self.targets: set[str] = set()
        self.scripts = 0
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.scripts += tag == "script"
        for name, value in attrs:
            self.attributes.add(name)
            if name == "id":
                self.ids.append(value or "")
            if name == "href":
                self.targets.add(value or "")

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("hostile")
    write_hostile_log(folder / "log")
    found = run("report", "log", "-o", "page.html", cwd=folder)
    assert (found.returncode, found.stderr) == (0, b"")
    return (folder / "page.html").read_text("utf-8")


def test_hostile_text_is_only_text(hostile: str) -> None:
    found = Elements(hostile)
    assert found.scripts == 1
    assert found.names <= {*_ALLOWED.split()}
    assert not {name for name in found.attributes if name.startswith("on")} | (
        found.attributes & {"src", "style", "srcdoc", "formaction"}
    )
    for text in HOSTILE:
        assert text not in hostile.partition("</style>")[2].partition("<script>")[0]
    assert "</script><script>" in found.text
    assert "\\u202e" in found.text
    assert "\u202e" not in hostile


def test_links_lead_somewhere(hostile: str) -> None:
    found = Elements(hostile)
    assert len(found.ids) == len({*found.ids})
    assert all(target.startswith("#") for target in found.targets)
    assert {target[1:] for target in found.targets} <= {*found.ids}
    assert any(target.startswith("#row-") for target in found.targets)


def test_the_page_loads_nothing(hostile: str) -> None:
    assert "default-src &#x27;none&#x27;" in hostile
    assert "unsafe" not in hostile
    assert "@import" not in hostile
    assert "url(" not in hostile


def test_the_same_log_gives_the_same_bytes(tmp_path: Path) -> None:
    pages = []
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        write_hostile_log(tmp_path / name / "log")
        found = run("report", "log", "-o", "-", cwd=tmp_path / name)
        pages.append(found.stdout)
    assert pages[0] == pages[1]
    assert pages[0].endswith(b"</html>\n")


def test_big_logs_make_small_pages(tmp_path: Path) -> None:
    rows = []
    for patch in range(3000):
        rows.append(PatchRow("A", f'"literal {patch}"', f"<urn:x:{patch}>", '"o"'))
        rows += [PatchRow("H", name="id", value=f"<urn:x:{patch}>"), PatchRow("END")]
    codec.write(tmp_path / "big.jellyp", rows)
    found = run("report", "big.jellyp", "-o", "-", cwd=tmp_path)
    assert len(found.stdout) < 600_000
    text = Elements(found.stdout.decode()).text
    assert "more are not shown: jelly-spark validate lists all of them" in text
    assert "A bar stands for 8 patches" in text
    assert "2,980 more are not shown" in text


def test_messages_of_patches(tmp_path: Path) -> None:
    log = Log(tmp_path / "log")
    log.commit([("<urn:x:a>", "<urn:x:b>", '"1"')], message='by "night"')
    log.commit([("<urn:x:a>", "<urn:x:b>", '"2"')])
    found = run("report", "log", "-o", "-", cwd=tmp_path)
    assert b'<td data-label="Message">by &quot;night&quot;</td>' in found.stdout
    assert "Message" not in summarize([PatchRow("TX"), PatchRow("TC")])._repr_html_()


def test_an_empty_log() -> None:
    text = page(Report("empty", Figures(), [LogFile("empty.rdfp", 0, 0)], []))
    assert "There are no patches." in text


def test_attributes_and_text_are_escaped() -> None:
    assert element("a", "<b>&", title="\"'<>") == (
        '<a title="&quot;&#x27;&lt;&gt;">&lt;b&gt;&amp;</a>'
    )
    assert element("p", "a\x00\ud800") == "<p>a\\u0000\\ud800</p>"
    assert element("p", "\t\n\xa0é\u0301€😀") == "<p>\t\n\xa0é\u0301€😀</p>"
    unseen = "\u200b\u200f\u2028\u2029\u2060\u2064\ufeff\xad\U000e0000\U000e0001\U000e007f\uffff"
    escapes = (f"\\u{ord(one):04x}" if one <= "\uffff" else f"\\U{ord(one):08x}" for one in unseen)
    assert element("p", unseen) == f"<p>{''.join(escapes)}</p>"


def test_a_broken_chain_is_read_in_order(tmp_path: Path) -> None:
    """The names of the files are in another order than the chain, which has a fork."""
    folder = tmp_path / "log"
    folder.mkdir()
    for file, id, prev in (("d", "1", None), ("c", "2", "1"), ("b", "3", "2"), ("a", "4", "1")):
        headers = [PatchRow("H", name="id", value=f"<urn:x:{id}>")]
        if prev is not None:
            headers.append(PatchRow("H", name="prev", value=f"<urn:x:{prev}>"))
        codec.write(folder / f"{file}.jellyp", headers)
    (folder / "broken.rdfp").write_text("H id")
    before = sorted(folder.iterdir())
    found = run("report", "log", "-o", "-", "--json", cwd=tmp_path)
    files = json.loads(found.stderr)["files"]
    assert [Path(file).stem for file in files] == ["d", "a", "c", "b", "broken"]
    assert sorted(folder.iterdir()) == before


def test_a_log_in_a_notebook(tmp_path: Path) -> None:
    log = Log(tmp_path / "log<img>")
    assert "Patches" in log._repr_html_()
    log.append(
        [
            PatchRow("H", name="id", value="<urn:x:1>"),
            PatchRow("A", "<urn:x:s>", "<urn:x:s>", "<urn:x:s>"),
        ]
    )
    found = log._repr_html_()
    assert repr(log) == f"<Log {tmp_path / 'log<img>'}: patches: 1, head: <urn:x:1>>"
    assert "&lt;urn:x:s&gt;" in found
    assert "<img>" not in found
    other = tmp_path / "other"
    other.mkdir()
    for number in range(2):
        header = PatchRow("H", name="id", value=f"<urn:x:{number}>")
        codec.write(other / f"{number}.jellyp", [header])
    assert "both have no prev" in Log(other)._repr_html_()
    assert "both have no prev" in repr(Log(other))


def test_patches_in_a_notebook() -> None:
    rows = [PatchRow("A", "<urn:x:<s>", "<urn:x:p>", '"o"'), PatchRow("END"), PatchRow("TX")]
    summary = summarize(rows)
    assert repr(summary).startswith("<Patches: patches: 2, rows: 3, statements added: 1,")
    assert "<svg" in summary._repr_html_()
    assert ">File<" not in summary._repr_html_()
    assert "&lt;urn:x:&lt;s&gt;" in summary._repr_html_()
    with pytest.raises(OptionError):
        summarize([("A",)])  # type: ignore[list-item]
