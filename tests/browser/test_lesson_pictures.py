"""The pictures in the committed notebooks fit beside JupyterLab's file browser, on a screen of 1,024 pixels."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.project.running import ROOT

ROOM = 570
"""Pixels that an output has there."""
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
CUT = """() => [...document.querySelectorAll('section')].filter((one) => {
  // The 64 bits of a number alone are wider than that.
  const boxes = [one, ...one.querySelectorAll('.tw, .tw-wide:not(:has(.tw-bits))')];
  return boxes.some((box) => box.scrollWidth > box.clientWidth + 1);
}).map((one) => one.id)"""


def pictures(notebook: Path) -> Iterator[tuple[str, str]]:
    """The name of a cell, and what it draws, without scripts."""
    for cell in json.loads(notebook.read_text(encoding="utf-8"))["cells"]:
        for output in cell.get("outputs", ()):
            html = "".join(output.get("data", {}).get("text/html", ""))
            if 'class="tw' in html:
                yield cell["id"], html.partition("<script>")[0]


@pytest.mark.parametrize("notebook", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_picture_has_to_be_scrolled(notebook: Path, page: Page) -> None:
    drawn = list(pictures(notebook))
    assert drawn or notebook.stem.startswith("23")
    sections = (f'<section id="{name}" style="width:{ROOM}px">{html}</section>' for name, html in drawn)
    page.set_content("".join(sections))
    assert page.evaluate(CUT) == []
