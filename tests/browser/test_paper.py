"""The layout that needs no browser, beside a browser's: as high, with its words in the same places."""

from __future__ import annotations

from base64 import b64encode

import pytest
from playwright.sync_api import Page

from tensorwidgets.pictures.paper.drawing import WIDE, laid_out
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


def test_an_svg_is_an_image_in_a_page(page: Page) -> None:
    """As on GitHub and in a document: no script runs, nothing is asked for, and dark paper is dark."""
    for dark, paper in ((False, 255), (True, 17)):
        source = b64encode(PICTURES["views"]().svg(dark).encode()).decode()
        page.set_content(f'<img src="data:image/svg+xml;base64,{source}">')
        seen = page.evaluate("""async () => {
          const image = document.querySelector('img');
          await image.decode();
          const canvas = document.createElement('canvas');
          [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
          const pen = canvas.getContext('2d');
          pen.drawImage(image, 0, 0);
          const dots = pen.getImageData(0, 0, canvas.width, canvas.height).data;
          return [canvas.width, dots[0], new Set(new Uint32Array(dots.buffer)).size];
        }""")
        assert seen[:2] == [WIDE, paper] and seen[2] > 100
