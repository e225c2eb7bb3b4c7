"""No text of any picture is hard to read: an untrusted notebook in JupyterLab's themes, and in other hosts.

Of a picture that it does not trust JupyterLab leaves inline styles and no script. The paper stays light in a dark
theme, and no part of the picture may take its colour from the host.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
import pytest
from playwright.sync_api import Page

from tests.browser.chrome import Seen
from tests.browser.gallery import PICTURES, bundles, drawn
from tests.browser.lab import Desk, Lab, evaluate
from tests.parts import thorough_but
from tests.pictures.parsed import parse

LEAST = 4.5
LEGIBLE = Path(__file__).with_name("legible.js").read_text(encoding="utf-8")
THEME = "async (name) => { await jupyterapp.commands.execute('apputils:change-theme', {theme: name}); }"


TOGETHER = 20
"""Pictures below one cell: a cell of its own for each would be a hundred editors, and JupyterLab cuts after 50."""


def write_gallery(path: Path) -> None:
    """A notebook with one output for each picture, as a clone of it would hold."""
    drawn = [nbformat.v4.new_output("display_data", bundle) for bundle in bundles().values()]
    cells = [
        nbformat.v4.new_code_cell("# pictures", id=f"cell-{k}", outputs=drawn[k : k + TOGETHER], execution_count=1)
        for k in range(0, len(drawn), TOGETHER)
    ]
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata=kernel), path)


def hard_to_read(page: Page) -> list[str]:
    """Every text of the page's pictures under the least contrast, with the picture that it is in."""
    seen: dict[str, Any] = evaluate(page, LEGIBLE, [".tw", LEAST])
    names = list(PICTURES)
    assert len(seen["counts"]) == len(names) and all(seen["counts"]) and sum(seen["counts"]) > 4000
    return [
        f"{names[text['picture']]}: {text['contrast']:.2f}, {text['colour']}, {text['element']} {text['words'][:30]!r}"
        for text in seen["hard"]
    ]


@pytest.fixture(scope="module")
def gallery(lab: Lab, desk: Desk, desk_seen: Seen) -> Iterator[Page]:
    """The notebook, open in JupyterLab and not trusted."""
    write_gallery(lab.root / "gallery.ipynb")
    desk_seen.clear()
    page = desk.open(lab.root / "gallery.ipynb", kernel=False).page
    page.wait_for_function(f"() => document.querySelectorAll('.tw').length === {len(PICTURES)}")
    yield page
    evaluate(page, THEME, "JupyterLab Light")
    desk.clear()
    assert desk_seen == Seen()


THEMES = ["JupyterLab Dark", "JupyterLab Light", "JupyterLab Dark High Contrast"]


@pytest.mark.parametrize("theme", thorough_but(["JupyterLab Dark"], THEMES))
def test_an_untrusted_notebook_in_jupyterlab(gallery: Page, theme: str) -> None:
    evaluate(gallery, THEME, theme)
    gallery.wait_for_function("name => document.body.dataset.jpThemeName === name", arg=theme)
    assert gallery.locator("[data-tw]").count() == 0, "no script has run"
    assert hard_to_read(gallery) == []


PLACES = """() => [...document.querySelectorAll('.tw-bar, .tw-comb, .tw-filled, .tw-again, .tw-funnel')].map((bar) =>
  [...bar.children].filter((box) => box.style.width).map((box) => {
    const { x, width } = bar.getBoundingClientRect(), b = box.getBoundingClientRect();
    return [100 * (b.x - x) / width, 100 * b.width / width, width, getComputedStyle(box).backgroundImage];
  }))"""


def test_bars_keep_their_places_without_trust(gallery: Page) -> None:
    """JupyterLab leaves every tooth where it was drawn, and every colour and funnel."""
    evaluate(gallery, THEME, "JupyterLab Light")
    made = []
    for bundle in bundles().values():
        page = parse(bundle["text/html"].partition("<script>")[0])
        bars = [
            e for e in page.all("div") if {"tw-bar", "tw-comb", "tw-filled", "tw-again", "tw-funnel"} & set(e.classes)
        ]
        made += [[box for box in bar.children if "width" in box.style] for bar in bars]
    seen = evaluate(gallery, PLACES)
    assert [len(boxes) for boxes in made] == [len(boxes) for boxes in seen] and len(made) > 50
    for boxes, places in zip(made, seen, strict=True):
        for box, (left, wide, pixels, image) in zip(boxes, places, strict=True):
            near = 100 * 4.5 / pixels  # a frame is four pixels wide at least
            assert abs(left - float(box.style.get("margin-left", "0%")[:-1])) < near
            assert abs(wide - float(box.style["width"][:-1])) < near
            assert ("gradient" in box.style.get("background", "")) == ("gradient" in image)


HOST = """
body { background: #000; color: #fff; }
table, caption, thead, tbody, tr, th, td, b { color: #fff; }
tr:nth-child(even) { background: #333; }
"""
"""What any host may say of the elements that a picture is made of."""


def test_a_host_that_colours_every_element(page: Page) -> None:
    bare = re.sub("<script>.*?</script>", "", drawn(), flags=re.DOTALL)
    page.set_content(f"<!doctype html><style>{HOST}</style><body>{bare}</body>")
    assert hard_to_read(page) == []


@pytest.mark.parametrize("light", ["true", "false"])
def test_a_trusted_picture_on_the_paper_of_its_theme(page: Page, light: str) -> None:
    page.set_content(f"<!doctype html><style>{HOST}</style><body data-jp-theme-light={light}>{drawn()}</body>")
    assert page.locator(".tw.dark").count() == (len(PICTURES) if light == "false" else 0)
    assert hard_to_read(page) == []
