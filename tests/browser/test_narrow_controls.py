"""The controls of every explorer stay inside their panel, as wide or narrow as the page is."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser.gallery import LIVE
from tests.browser.test_live_page import filled

OUTSIDE = """() => {
  const panel = window.root.querySelector('.twl-controls');
  const edge = panel.getBoundingClientRect().right;
  return [...panel.querySelectorAll('input, select, button, output')]
    .filter((one) => one.getBoundingClientRect().right > edge)
    .map((one) => `${one.closest('[data-name]')?.dataset.name} ${one.getBoundingClientRect().right - edge}`);
}"""


@pytest.mark.parametrize("name", LIVE)
def test_no_control_leaves_its_panel(name: str, page: Page, tmp_path: Path) -> None:
    explorer = LIVE[name]().live()
    (tmp_path / "live.html").write_text(filled(explorer), encoding="utf-8")
    page.goto((tmp_path / "live.html").as_uri())
    page.wait_for_selector("[data-twl=ready]")
    for width in (320, 380, 480, 900):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate(OUTSIDE) == [], width
    explorer.close()
