"""Pictures on paper: the SVG and the PNG that no browser draws show what the HTML says."""

from __future__ import annotations

import io
import re
from collections import Counter
from html import unescape
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import nbformat
import numpy as np
import pytest
from nbconvert import HTMLExporter, LatexExporter, MarkdownExporter
from PIL import Image

import tensorwidgets as tw
from tensorwidgets import nn
from tensorwidgets.pictures import Picture, show
from tensorwidgets.pictures.drawing.tokens import dark_of
from tensorwidgets.pictures.paper.drawing import WIDE, laid_out
from tensorwidgets.pictures.paper.fills import dashes
from tensorwidgets.pictures.paper.fonts import width_of
from tensorwidgets.pictures.paper.layout import Holder, Paper
from tensorwidgets.pictures.paper.marks import Box, Line, Word
from tensorwidgets.pictures.paper.tree import read, spread
from tests.browser.gallery import PICTURES

SVG = "{http://www.w3.org/2000/svg}"
X = np.arange(12, dtype=np.float32).reshape(3, 4)
KINDS = [
    "views", "bars", "long values", "empty", "steps refused", "broadcast", "names clash", "bits", "list", "graph",
    "training", "surface", "memory", "allocator", "file",
]  # fmt: skip


def picture(name: str) -> Picture:
    made: Any = PICTURES[name]()
    assert isinstance(made, Picture)
    return made


def letters(text: str) -> Counter[str]:
    """Those that can be seen."""
    return Counter("".join(text.replace("\u200b", "").split()))


@pytest.mark.parametrize("name", KINDS)
def test_the_svg_says_what_the_html_says(name: str) -> None:
    drawn = picture(name)
    root = ElementTree.fromstring(drawn.svg())
    assert root.tag == f"{SVG}svg" and not list(root.iter(f"{SVG}foreignObject"))
    said = "".join(element.text or "" for element in root.iter(f"{SVG}text"))
    assert letters(said) == letters(unescape(re.sub("<[^>]*>", " ", drawn.html())))
    wide, high = float(root.attrib["width"]), float(root.attrib["height"])
    assert wide == WIDE and high > 50
    for rect in root.iter(f"{SVG}rect"):
        assert float(rect.get("width", "1")) >= 0 and float(rect.get("height", "1")) >= 0


def test_every_colour_is_named_and_every_reference_leads_somewhere() -> None:
    root = ElementTree.fromstring(picture("bars").svg())
    known = {element.attrib["id"] for element in root.iter() if "id" in element.attrib}
    asked = set(re.findall(r"url\(#(\w+)\)", ElementTree.tostring(root, "unicode")))
    assert asked == known and asked
    fills = {element.attrib["fill"] for element in root.iter() if "fill" in element.attrib}
    assert all(re.fullmatch(r"#\w{6}|none|url\(#\w+\)", fill) for fill in fills)


def test_each_cell_is_where_its_neighbours_say() -> None:
    """The twelve cells of the strip are one beside the other, with their numbers in the middle."""
    marks, *_ = laid_out(show(X, labels=["x"]).html())
    numbers = [mark for mark in marks if isinstance(mark, Word) and mark.size == 13 and mark.text.isdigit()]
    strip = numbers[:12]
    assert [word.text for word in strip] == [str(k) for k in range(12)]
    middles = [word.x + word.width / 2 for word in strip]
    assert np.allclose(np.diff(middles), np.diff(middles)[5], atol=1) and len({word.y for word in strip}) == 1
    fills = {mark.fill for mark in marks if isinstance(mark, Box) and 40 < mark.width < 48}
    assert len(fills) >= 12


def words_on_words(drawn: Picture) -> list[tuple[str, str]]:
    words = [mark for mark in laid_out(drawn.html())[0] if isinstance(mark, Word) and mark.text.strip()]
    return [
        (a.text, b.text)
        for a, b in combinations(words, 2)
        if abs(a.y - b.y) < 8 and min(a.x + a.width, b.x + b.width) - max(a.x, b.x) > 1
    ]


@pytest.mark.parametrize("name", KINDS)
def test_no_word_lies_on_another(name: str) -> None:
    assert words_on_words(picture(name)) == []


def test_a_table_that_is_too_wide_breaks_its_longest_lines() -> None:
    """And columns that cannot be narrower keep their width."""
    layers = [nn.Conv2d(3, 8, 3, padding=1), nn.BatchNorm2d(8), nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(8, 10)]
    drawn = show.module(nn.Sequential(nn.Sequential(*layers)), tw.ones(2, 3, 8, 8))
    assert words_on_words(drawn) == []
    marks, *_ = laid_out(drawn.html())
    dots = [mark.x + mark.width for mark in marks if isinstance(mark, Box) and mark.round == 5]
    names = [mark.x for mark in marks if isinstance(mark, Word) and mark.text == "0"]
    assert len(dots) > 5 and max(dots) < min(names)


def test_paper_is_wider_if_a_table_needs_it() -> None:
    rows = "".join(f"<tr><td>{'w' * 60}</td><td>{'m' * 60}</td></tr>" for _ in range(2))
    html = f'<div style="width:860px;max-width:100%"><table>{rows}</table></div>'
    sheet = laid_out(html)
    words = [mark for mark in sheet.marks if isinstance(mark, Word)]
    assert sheet.wide > WIDE and max(word.x + word.width for word in words) == pytest.approx(sheet.wide, abs=1)
    assert len(words) == 4 and words[1].x == pytest.approx(words[0].x + words[0].width)


@pytest.mark.parametrize("name", ["graph", "versions"])
def test_a_rail_is_one_line_from_row_to_row(name: str) -> None:
    """Rows of two lines, too: below the dot the rail goes on to the next row."""
    marks, *_ = laid_out(picture(name).html())
    lines = [mark for mark in marks if isinstance(mark, Line) and mark.wide == 2 and mark.x == mark.to_x]
    first = min(mark.x for mark in lines)
    parts = sorted((mark.y, mark.to_y) for mark in lines if mark.x == first)
    assert len(parts) > 3 and all(above[1] == below[0] for above, below in pairwise(parts))


def test_pixels_of_data_stay_squares_and_curves_stay_smooth() -> None:
    assert "image-rendering:pixelated" in picture("image").svg()
    assert "image-rendering" not in picture("surface").svg() and "<image" in picture("surface").svg()


def test_dark_paper_has_the_partners_of_the_light_colours() -> None:
    light, dark = (laid_out(show(X, labels=["x"]).html(), side)[0] for side in (False, True))
    partner = dark_of()
    assert [partner.get(m.fill, m.fill) for m in light if isinstance(m, Box) and m.fill.startswith("#")] == [
        m.fill for m in dark if isinstance(m, Box) and m.fill.startswith("#")
    ]


@pytest.mark.parametrize("dark", [False, True])
def test_png_without_a_browser(dark: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorwidgets.pictures.drawing.browser.find_browser", lambda: None)
    drawn = show(X, X.T[1:], labels=["x", "v"])
    image = Image.open(io.BytesIO(drawn.save(tmp_path / "x.png", dark).read_bytes()))
    marks, _, high = laid_out(drawn.html(), dark)
    assert image.size == (2 * WIDE, round(2 * high)) or image.size == (2 * WIDE, -(-2 * high // 1))
    cells = [m for m in marks if isinstance(m, Box) and 40 < m.width < 48 and re.fullmatch(r"#\w{6}", m.fill)]
    # The corners of a cell have its colour: words and marks are in its middle and on its edge.
    last = {(cell.x, cell.y): cell.fill for cell in cells}
    assert len(last) > 12
    for (x, y), fill in last.items():
        assert "#{:02x}{:02x}{:02x}".format(*image.getpixel((round(2 * x) + 9, round(2 * y) + 9))) == fill


@pytest.mark.parametrize("name", ["allocator", "surface", "names clash"])
def test_every_sort_of_mark_is_drawn_as_png(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tensorwidgets.pictures.drawing.browser.find_browser", lambda: None)
    image = Image.open(picture(name).save(tmp_path / "x.png"))
    colours = image.convert("RGB").getcolors(1 << 24)
    assert colours is not None and len(colours) > 40 and (0, 0, 0) not in {colour for _, colour in colours}


def test_a_file_is_what_its_name_says(tmp_path: Path) -> None:
    drawn = show(X, labels=["x & <y>"])
    text = drawn.save(tmp_path / "X.SVG").read_text(encoding="utf-8")
    assert text == drawn.svg() and "<title>One storage, one view</title>" in text and "x &amp; &lt;y&gt;" in text
    assert not re.search(r"<script|href=\"http|@import", text)
    described = ElementTree.fromstring(text).find(f"{SVG}desc")
    assert described is not None and described.text == repr(drawn)


def test_styles_are_taken_apart() -> None:
    assert spread("padding:1px 2px 3px") == {
        "padding-top": "1px", "padding-right": "2px", "padding-bottom": "3px", "padding-left": "2px",
    }  # fmt: skip
    assert spread("border-width:2px 2px 0;border-style:dashed")["border-bottom-width"] == "0"
    assert spread("font:600 12px/16px a,b c") == {
        "font-weight": "600", "font-size": "12px", "line-height": "16px", "font-family": "a,b c",
    }  # fmt: skip
    assert dashes(2, "solid") == () and dashes(2, "dashed") == (6, 4)
    assert width_of("ab", 10, True) == width_of("→×", 10, True)


def test_what_nbconvert_makes_of_a_picture() -> None:
    """HTML where it can be read, the text where a PDF is typeset; a sanitiser leaves the picture without its script."""
    data = show(X, labels=["x"])._repr_mimebundle_()
    cell = nbformat.v4.new_code_cell("show(x)", outputs=[nbformat.v4.new_output("display_data", data)])
    notebook = nbformat.v4.new_notebook(cells=[cell])
    latex, markdown, html, clean = (
        exporter.from_notebook_node(notebook)[0]
        for exporter in (LatexExporter(), MarkdownExporter(), HTMLExporter(), HTMLExporter(sanitize_html=True))
    )
    assert "One storage, one view" in latex and "x: size (3, 4), stride (4, 1), offset 0" in latex
    assert all('class="tw-view"' in text and "k-A11" in text for text in (markdown, html, clean))
    assert html.count("<script>(window.tw_") == 1 and clean.count("<script>(window.tw_") == 0


def test_a_block_in_a_line_keeps_its_margins() -> None:
    look = "display:inline-block;margin:8px 0 4px 6px;width:10px;height:12px;background:#000000"
    paper = Paper()
    line = read(f'<div style="line-height:20px"><div style="{look}"></div></div>')
    assert paper.block(line, 0, 0, 100, Holder()) == 24
    assert paper.marks == [Box(6, 8, 10, 12, "#000000")]
