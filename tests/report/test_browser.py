"""The page of a report in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from jelly_spark.codec import PatchRow
from jelly_spark.log import Log
from tests.cli.processes import run
from tests.cli.screens import IMAGES
from tests.report.browser import find_browser, start_browser
from tests.report.hostile import write_hostile_log
from tests.report.screens import SCREENS, make_page, take

pytestmark = pytest.mark.skipif(
    find_browser() is None, reason="no chromium: install Debian's package of this name"
)

ACCESSIBILITY = """() => {
  const found = [];
  const shown = (node) => node.checkVisibility();
  const named = (node) => node.textContent.trim() || node.getAttribute("aria-label")
    || (node.labels && node.labels.length);
  for (const node of document.querySelectorAll("a, button, input, select, summary")) {
    if (shown(node) && !named(node)) found.push("no name: " + node.outerHTML);
  }
  let level = 0;
  for (const node of document.querySelectorAll("h1, h2, h3")) {
    const next = Number(node.tagName[1]);
    if (next > level + 1) found.push("skipped level: " + node.textContent);
    level = next;
  }
  for (const table of document.querySelectorAll("table")) {
    if (!table.caption) found.push("table without caption");
    const heads = [...table.tHead.rows[0].cells];
    if (!heads.every((cell) => cell.scope === "col" || cell.ariaHidden === "true")) {
      found.push("table without headers: " + table.caption.textContent);
    }
    for (const row of table.tBodies[0].rows) {
      if (row.cells.length !== heads.length) found.push("cells: " + row.textContent);
    }
  }
  for (const node of document.querySelectorAll("[aria-labelledby], [aria-describedby]")) {
    for (const name of ["aria-labelledby", "aria-describedby"]) {
      const id = node.getAttribute(name);
      if (id && !document.getElementById(id)) found.push("no such label: " + id);
    }
  }
  for (const node of document.querySelectorAll("svg")) {
    if (node.ariaHidden !== "true" && !(node.role === "img" && node.ariaLabel)) {
      found.push("svg without a name");
    }
  }
  if (document.documentElement.lang !== "en") found.push("no language");
  if (document.querySelectorAll("main, header, nav").length !== 3) found.push("landmarks");
  const light = (color) => {
    const parts = color.match(/[\\d.]+/g).slice(0, 3).map((part) => {
      const value = part / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };
  const background = (node) => {
    const color = getComputedStyle(node).backgroundColor;
    return color !== "rgba(0, 0, 0, 0)" || !node.parentElement
      ? color : background(node.parentElement);
  };
  for (const node of document.querySelectorAll("p, td, th, a, dt, dd, button, h1, h2, span")) {
    if (!shown(node) || !node.textContent.trim()) continue;
    const both = [light(getComputedStyle(node).color), light(background(node))];
    const contrast = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
    if (contrast < 4.5) found.push("contrast " + contrast + ": " + node.textContent);
  }
  return found;
}"""
"""Checks like those of axe: names, headings, headers of tables, labels, landmarks, contrast."""


WIDER = """() => [...document.querySelectorAll("main *, header *, nav *")]
  .filter((node) => node.checkVisibility() && node.getBoundingClientRect().right > innerWidth + 1)
  .map((node) => node.outerHTML.slice(0, 200))"""
"""The elements that are wider than the page."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with start_browser() as found:
        yield found


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_page(tmp_path_factory.mktemp("report"))


@pytest.fixture
def noise() -> list[str]:
    """What a page prints to the console, its errors, and its requests."""
    return []


@pytest.fixture
def page(browser: Browser, report: Path, noise: list[str]) -> Iterator[Page]:
    found = browser.new_page(reduced_motion="reduce")
    listen(found, noise)
    found.goto(report.as_uri())
    yield found
    found.close()
    assert {*noise} == {report.as_uri()}


def listen(page: Page, noise: list[str]) -> None:
    page.on("console", lambda message: noise.append(message.text))
    page.on("pageerror", lambda error: noise.append(str(error)))
    page.on("request", lambda request: noise.append(request.url))


def test_it_renders(page: Page) -> None:
    expect(page.get_by_role("heading", level=1)).to_have_text("Report: shop")
    expect(page.locator("#timeline svg g")).to_have_count(60)
    chain = page.get_by_role("table", name="The parts of the chain")
    expect(chain.locator("tbody tr")).to_have_count(3)
    expect(chain).to_contain_text("a gap: no patch has the id that prev names")
    expect(chain).to_contain_text("a fork after patch")
    expect(page.get_by_role("table", name="Patches with an aborted")).to_contain_text("urn:shop:40")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_is_accessible(page: Page, theme: str) -> None:
    page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.evaluate(ACCESSIBILITY) == []


def test_search(page: Page) -> None:
    rows = page.locator("tbody tr:visible")
    before = rows.count()
    page.get_by_label("Search all tables").fill("cup 200")
    expect(page.locator("#found")).to_have_text(re.compile(r"^\d+ of [\d,]+ rows of tables$"))
    assert 0 < rows.count() < before
    assert all("cup 200" in text.lower() for text in rows.all_text_contents())
    page.get_by_label("Search all tables").press("Escape")
    expect(page.locator("#found")).to_have_text("")
    assert rows.count() >= before


def test_filters_of_findings(page: Page) -> None:
    findings = page.locator("#finding-list tbody tr:visible")
    page.get_by_label("Severity").select_option("warning")
    assert {*page.locator("#finding-list tr:visible td:first-child").all_text_contents()} == {
        "warning"
    }
    page.get_by_label("Severity").select_option("error")
    page.get_by_label("Rule").select_option("fork")
    expect(findings).to_have_count(1)
    page.get_by_label("Rule").select_option("")
    page.get_by_label("Severity").select_option("")
    assert findings.count() > 1


def test_findings_lead_to_their_rows(page: Page) -> None:
    row = page.locator("#finding-list tbody tr", has_text="invalid-subject")
    page.get_by_label("Search all tables").fill("invalid-subject")
    row.get_by_role("link").click()
    target = page.locator("tr:target")
    expect(target).to_be_in_viewport()
    expect(target).to_contain_text('"cup 200"')
    expect(target).to_have_class("marked")


def test_zoom_with_buttons_and_keys(page: Page) -> None:
    shown, chart = page.locator("#range"), page.locator("#chart")
    svg = chart.locator("svg.timeline")
    everything = svg.get_attribute("viewBox")
    expect(shown).to_contain_text("patch 0 … patch 59")
    page.get_by_role("button", name="Zoom in").click()
    expect(shown).to_contain_text("patch 15 … patch 44")
    chart.focus()
    chart.press("+")
    chart.press("ArrowRight")
    expect(shown).to_contain_text("patch 27 … patch 41")
    chart.press("-")
    chart.press("ArrowLeft")
    for _ in range(8):
        chart.press("+")
    expect(shown).to_have_text(re.compile(r"^patch \d+: at most"))
    chart.press("0")
    assert svg.get_attribute("viewBox") == everything


def test_zoom_by_dragging(page: Page) -> None:
    box = page.locator("#chart svg.timeline").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.51, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.74, box["y"] + 40, steps=3)
    page.mouse.up()
    expect(page.locator("#range")).to_contain_text("patch 30 … patch 44")
    expect(page.locator("#selected")).to_have_count(0)


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_page(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert page.evaluate(WIDER) == []
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_the_scale_shows_small_changes_beside_a_large_one(browser: Browser, tmp_path: Path) -> None:
    log = Log(tmp_path / "log")
    prev = None
    for number, changes in enumerate((16_000, 10, 3)):
        id = f"<urn:x:{number}>"
        links = [PatchRow("H", name="id", value=id)]
        if prev is not None:
            links.append(PatchRow("H", name="prev", value=prev))
        adds = [PatchRow("A", f"<urn:x:{number}-{n}>", id, id) for n in range(changes)]
        log.append([*links, PatchRow("TX"), *adds, PatchRow("TC")])
        prev = id
    run("report", "log", "-o", "page.html", cwd=tmp_path)
    page = browser.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    small = page.locator("rect.add").nth(1)
    labels = page.locator("svg.scale text")

    def height() -> float:
        box = small.bounding_box()
        assert box is not None
        return box["height"]

    expect(page.get_by_label("Scale")).to_have_value("logarithmic")
    assert height() > 15
    assert "1,000" in labels.all_text_contents()
    page.get_by_label("Scale").select_option("linear")
    assert height() < 5
    assert {*labels.all_text_contents()} == {"0", "16,000"}
    page.get_by_role("button", name="Zoom in").click()
    page.get_by_role("button", name="Later").click()
    assert height() > 15
    assert {*labels.all_text_contents()} == {"0", "10"}
    page.close()


def test_keyboard(page: Page) -> None:
    """The controls come in the order of the page; the first one leads past the navigation."""
    seen = []
    for _ in range(20):
        page.keyboard.press("Tab")
        seen.append(page.evaluate("document.activeElement.id || document.activeElement.innerText"))
    skip = "Skip to the report"
    wanted = [skip, "search", "theme", "Overview", "Files", "zoom-in", "reset", "chart"]
    assert [name for name in seen if name in wanted] == wanted
    page.get_by_role("link", name=skip).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="Zoom in")).to_be_focused()


def test_theme(page: Page) -> None:
    def background() -> str:
        color: str = page.evaluate("getComputedStyle(document.body).backgroundColor")
        return color

    button = page.locator("#theme")
    light = background()
    expect(button).to_have_text("Dark theme")
    button.click()
    dark = background()
    expect(button).to_have_text("Light theme")
    assert dark != light
    button.click()
    assert background() == light
    page.reload()
    page.emulate_media(color_scheme="dark")
    assert background() == dark
    expect(button).to_have_text("Light theme")


def test_print(page: Page) -> None:
    document = page.pdf()
    assert document.startswith(b"%PDF")
    assert len(re.findall(rb"/Type\s*/Page\b", document)) > 1
    page.emulate_media(media="print", color_scheme="dark")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator("nav")).to_be_hidden()
    expect(page.locator("#tools")).to_be_hidden()


def test_without_its_script(browser: Browser, report: Path) -> None:
    """The page can be read, and has no buttons that do nothing."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    expect(page.get_by_role("button")).to_have_count(0)
    expect(page.locator("#timeline svg.timeline")).to_be_visible()
    context.close()


def test_hostile_text_does_nothing(browser: Browser, tmp_path: Path, noise: list[str]) -> None:
    write_hostile_log(tmp_path / "log")
    run("report", "log", "-o", "page.html", cwd=tmp_path)
    page = browser.new_page()
    listen(page, noise)
    page.goto((tmp_path / "page.html").as_uri())
    page.get_by_label("Search all tables").fill("onerror")
    assert page.title() == "Report: log"
    expect(page.locator("img, iframe")).to_have_count(0)
    assert noise == [(tmp_path / "page.html").as_uri()]
    # The policy stops what would be markup, too.
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=hacked()>')")
    page.wait_for_timeout(50)
    assert any("Content Security Policy" in text for text in noise)
    page.close()


@pytest.mark.parametrize("name", SCREENS)
def test_screens_are_current(browser: Browser, report: Path, tmp_path: Path, name: str) -> None:
    """The screens of the docs show this page; fonts and smoothing may differ a little."""
    take(browser, report, name, tmp_path / name)
    found, shown = (
        np.asarray(Image.open(path).convert("L"), dtype=float)
        for path in (tmp_path / name, IMAGES / name)
    )
    assert found.shape == shown.shape
    assert np.abs(found - shown).mean() < 12, "run `make screens`"
