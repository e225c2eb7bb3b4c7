"""The layout that needs no browser, beside a browser's: as high, with its words in the same places."""

from __future__ import annotations

import json
from base64 import b64encode

import numpy as np
import pytest
from playwright.sync_api import Page

from tensorwidgets.pictures.paper.drawing import WIDE, laid_out
from tensorwidgets.pictures.paper.marks import Arch, Box, Frame, Line, Mark, Word
from tests.browser.gallery import PICTURES, bundles
from tests.parts import Part, in_parts

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

PAINTED = """() => JSON.stringify([...document.querySelectorAll('.tw')].map(picture => {
  const out = [];
  const { left: x, top: y, height: high } = picture.getBoundingClientRect();
  for (const element of picture.querySelectorAll('*')) {
    const look = getComputedStyle(element);
    const place = element.getBoundingClientRect();
    const [left, top, right, bottom] = [place.left - x, place.top - y, place.right - x, place.bottom - y];
    if (['inline', 'table-row', 'table-column'].includes(look.display) || place.width + place.height < 0.5) continue;
    if (look.backgroundColor !== 'rgba(0, 0, 0, 0)') out.push([left, top, right, bottom]);
    if (parseFloat(look.borderTopLeftRadius)) continue;
    const thick = side => look[`border${side}Style`] === 'none' ? 0 : parseFloat(look[`border${side}Width`]);
    const [north, east, south, west] = ['Top', 'Right', 'Bottom', 'Left'].map(thick);
    if (north) out.push([left, top, right, top + north]);
    if (east) out.push([right - east, top, right, bottom]);
    if (south) out.push([left, bottom - south, right, bottom]);
    if (west) out.push([left, top, left + west, bottom]);
  }
  return [high, out];
}))"""
"""The rectangles of backgrounds and straight borders, as one text: there are tens of thousands."""


def rectangle(mark: Mark) -> tuple[float, ...] | None:
    match mark:
        case Box():
            return mark.x, mark.y, mark.x + mark.width, mark.y + mark.height
        case Line():
            h, flat = mark.wide / 2, mark.y == mark.to_y
            dx, dy = (0.0, h) if flat else (h, 0.0)
            return mark.x - dx, mark.y - dy, mark.to_x + dx, mark.to_y + dy
        case Frame() | Arch():
            h = mark.wide / 2
            return mark.x - h, mark.y - h, mark.x + mark.width + h, mark.y + mark.height + h
    return None


@in_parts(6)
def test_fills_and_lines_are_where_a_browser_puts_them(page: Page, part: Part) -> None:
    pictures = {name: bundle["text/html"].partition("<script>")[0] for name, bundle in part.of(bundles().items())}
    assert len(pictures) > part.least(12, 60)
    page.set_viewport_size({"width": WIDE, "height": 900})
    page.set_content(f'<body style="margin:0">{"".join(pictures.values())}</body>')
    far = {}
    for (name, html), (high, painted) in zip(pictures.items(), json.loads(page.evaluate(PAINTED)), strict=True):
        marks, _, own = laid_out(html)
        drawn = np.array([place for place in map(rectangle, marks) if place])
        missed = [place for place in painted if np.abs(drawn - place).max(1).min() > 8]
        if missed or abs(own - high) > 4:
            far[name] = own - high, missed
    assert far == {}


@pytest.mark.parametrize("name", ["views", "bits", "einsum", "steps", "list", "twin of BroadcastExplorer"])
def test_words_are_where_a_browser_puts_them(page: Page, name: str) -> None:
    picture = PICTURES[name]()
    page.set_content(picture.page())
    high, words = page.evaluate(WHERE)
    marks, _, own = laid_out(picture.html())
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
