"""Pictures on narrow pages, by keyboard, in print and with forced colours: nothing is broken, out of reach or lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.gallery import PICTURES, bundles, still

BROKEN = """() => {
  const found = [];
  for (const root of document.querySelectorAll('.tw')) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode, range = document.createRange();
      for (const word of text.data.matchAll(/->|[+\\-−]?\\d[\\d.,]*(e[+-]?\\d+)?/g)) {
        range.setStart(text, word.index);
        range.setEnd(text, word.index + word[0].length);
        const lines = new Set([...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top)));
        if (lines.size > 1) found.push(word[0]);
      }
    }
  }
  return found;
}"""
"""Every number and every arrow that stands on two lines."""
WIDER = """() => [document.querySelector('.tw'), ...document.querySelectorAll('.tw-wide')]
  .filter((box) => box.scrollWidth > box.clientWidth)
  .map((box) => [box.tabIndex, box.role, box.ariaLabel])"""
CELLS = f"""() => [...document.querySelectorAll('.tw-cell')].flatMap((cell) => {{
  cell.dispatchEvent(new PointerEvent('pointerover', {{ bubbles: true }}));
  return ({BROKEN.replace("'.tw'", "'.tw-say'")})();
}})"""
"""The same in the sentence of each cell in turn."""
MOVED = ["bits", "module", "flow, dead", "list", "promotion", "allocator", "move", "seventeen"]
"""Some pictures with a part that is wider than a telephone."""


@pytest.mark.parametrize("width", [360, 480, 592])
def test_no_number_and_no_arrow_is_broken(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    page.set_content(f'<!doctype html><body style="margin:0">{still()}</body>')
    assert page.locator(".tw").count() == len(PICTURES)
    assert page.evaluate(BROKEN) == []


SIZES = """() => {
  const found = [];
  for (const root of document.querySelectorAll('.tw-graph, .tw-backward, .tw-module, .tw-flow')) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const text = walker.currentNode, range = document.createRange();
      for (const size of text.data.matchAll(/\\(\\d+,[\\d, ]{0,8}\\)|\\d+ bytes/g)) {
        range.setStart(text, size.index);
        range.setEnd(text, size.index + size[0].length);
        const lines = new Set([...range.getClientRects()].filter((box) => box.width).map((box) => Math.round(box.top)));
        if (lines.size > 1) found.push(size[0]);
      }
    }
  }
  return found;
}"""
"""Every short size, and every number of bytes, that stands on two lines."""


@pytest.mark.parametrize("width", [360, 480, 592])
def test_no_short_size_is_broken(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    names = ["graph", "backward", "module", "module refused", "flow", "saved"]
    drawn = "".join(bundles()[name]["text/html"].partition("<script>")[0] for name in names)
    page.set_content(f'<!doctype html><body style="margin:0">{drawn}</body>')
    assert page.locator(".tw").count() == len(names)
    assert page.evaluate(SIZES) == []


def test_the_sentence_of_a_cell_breaks_no_number_and_no_arrow(page: Page, tmp_path: Path) -> None:
    opened(page, "views", tmp_path)
    for width in range(300, 600, 20):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(CELLS) == [], width


def test_a_broken_number_would_be_found(page: Page) -> None:
    page.set_content('<div class="tw"><div style="width:12px;overflow-wrap:anywhere">-1234567.5 a-&gt;</div></div>')
    assert page.evaluate(BROKEN) == ["-1234567.5", "->"]


def opened(page: Page, name: str, folder: Path) -> None:
    (folder / "x.html").write_text(PICTURES[name]().page(), encoding="utf-8")
    page.goto((folder / "x.html").as_uri())
    page.wait_for_selector("[data-tw=ready]")


@pytest.mark.parametrize("name", MOVED)
def test_what_is_wider_than_the_page_is_moved_by_keys(name: str, page: Page, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    opened(page, name, tmp_path)
    page.wait_for_selector(".tw-wide[tabindex]")
    wider = page.evaluate(WIDER)
    assert wider and all(one == [0, "group", "Scrolls sideways"] for one in wider)
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.classList.contains('tw-wide')"):
            break
    ring = page.evaluate("[getComputedStyle(document.activeElement).outlineStyle, document.activeElement.className]")
    assert ring == ["solid", "tw-wide"]
    page.keyboard.press("ArrowRight")
    page.wait_for_function("document.activeElement.scrollLeft > 0")


def test_what_fits_is_no_stop_of_tab(page: Page, tmp_path: Path) -> None:
    page.set_viewport_size({"width": 360, "height": 800})
    opened(page, "module", tmp_path)
    page.wait_for_selector(".tw-wide[tabindex]")
    page.set_viewport_size({"width": 1280, "height": 800})
    page.wait_for_function("!document.querySelector('.tw-wide[tabindex],.tw-wide[role],.tw-wide[aria-label]')")


def test_printed_pictures_are_light_whole_and_in_colour(page: Page, tmp_path: Path) -> None:
    page.emulate_media(color_scheme="dark")
    opened(page, "bits", tmp_path)
    paper = "getComputedStyle(document.querySelector('.tw')).backgroundColor"
    assert page.evaluate(paper) == "rgb(17, 17, 17)"
    page.emulate_media(media="print", color_scheme="dark")
    page.set_viewport_size({"width": 718, "height": 1000})
    page.wait_for_function(f"{paper} === 'rgb(255, 255, 255)'")
    told = page.evaluate("""() => [...document.querySelectorAll('.tw, .tw-wide')].map((box) => {
      const { overflowX, printColorAdjust } = getComputedStyle(box);
      return [overflowX, printColorAdjust, box.scrollWidth <= box.clientWidth];
    })""")
    assert len(told) > 2 and all(one == ["visible", "exact", True] for one in told)
    page.emulate_media(media="screen", color_scheme="dark")
    page.wait_for_function(f"{paper} === 'rgb(17, 17, 17)'")


def test_forced_colours_leave_a_picture_its_own(page: Page, tmp_path: Path) -> None:
    opened(page, "views", tmp_path)
    fill = "getComputedStyle(document.querySelector('.tw-view .tw-hot')).backgroundColor"
    before = page.evaluate(fill)
    page.emulate_media(forced_colors="active")
    page.reload()
    page.wait_for_selector("[data-tw=ready]")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    assert page.evaluate(fill) == before
