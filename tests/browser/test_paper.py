"""The layout that needs no browser, beside a browser's: as high, with its words in the same places."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tensorwidgets.pictures.paper.drawing import laid_out
from tensorwidgets.pictures.paper.marks import Word
from tests.browser.gallery import PICTURES

WHERE = """() => {
  const out = [];
  const walk = document.createTreeWalker(document.querySelector('.tw'), NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const range = document.createRange();
    const text = walk.currentNode.textContent;
    range.selectNodeContents(walk.currentNode);
    const { x, y, width, height } = range.getBoundingClientRect();
    if (/^\\d+$/.test(text) && width) out.push([text, x, y + height / 2]);
  }
  return [document.querySelector('.tw').offsetHeight, out];
}"""


@pytest.mark.parametrize("name", ["views", "bits", "einsum", "steps", "list", "twin of BroadcastExplorer"])
def test_words_are_where_a_browser_puts_them(page: Page, name: str) -> None:
    picture = PICTURES[name]()
    page.set_content(picture.page())
    high, words = page.evaluate(WHERE)
    marks, own = laid_out(picture.html())
    assert abs(own - high) <= 20
    placed = {(mark.text, round(mark.x / 8), round(mark.y / 8)) for mark in marks if isinstance(mark, Word)}
    near = [
        any((text, round(x / 8) + dx, round((y + 4) / 8) + dy) in placed for dx in (-1, 0, 1) for dy in (-1, 0, 1))
        for text, x, y in words
    ]
    assert len(near) > 10 and sum(near) > 0.97 * len(near)
