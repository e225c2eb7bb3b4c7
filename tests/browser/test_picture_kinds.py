"""Pictures besides storage and views, in a real browser: what lights up what."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from playwright.sync_api import Page

from tensorwidgets.pictures import Picture, show

X = np.arange(10, 22, dtype=np.float32).reshape(3, 4)


def opened(page: Page, picture: Picture, tmp_path: Path) -> None:
    page.goto(picture.save(tmp_path / "x.html").as_uri())
    page.wait_for_selector("[data-tw=ready]")


def lit(page: Page) -> list[str]:
    return page.eval_on_selector_all(".tw-hot", "all => all.map(c => c.ariaLabel.replace(/: [^:]*$/, ''))")


def test_steps_link_a_copy_with_its_source(page: Page, tmp_path: Path) -> None:
    opened(page, show.steps("x.T[1:].reshape(-1)", x=X), tmp_path)
    page.hover('.tw-storage [aria-label^="B[2]:"]')
    assert {"A[9]", "B[2]", "x[2, 1]", "x.T[1, 2]", "x.T[1:][0, 2]", "x.T[1:].reshape(-1)[2]"} <= set(lit(page))
    page.hover('[aria-label^="x[0, 0]:"]')
    assert set(lit(page)) == {"A[0]", "x[0, 0]", "x.T[0, 0]"}


def test_memory_links_names_with_storages_and_parts(page: Page, tmp_path: Path) -> None:
    names = {"x": X, "y": X.T, "row": X[1], "other": np.ones(3), "big": np.zeros(5000), "half": np.zeros(1)}
    names["half"] = names["big"][:2500]
    opened(page, show.memory(names), tmp_path)
    page.hover('th[aria-label^="row:"]')
    assert lit(page) == ["x", "storage A", "y", "row"]
    page.hover('td[aria-label^="y:"].k-A5')
    assert lit(page) == ["x", "y", "row"]
    page.hover('td[aria-label^="half:"].i-C3')
    assert lit(page) == ["big", "half"]
    assert page.locator(".tw-say").inner_text().startswith("half")
    page.locator('th[aria-label^="x:"]').focus()
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.ariaLabel").startswith("y:")
