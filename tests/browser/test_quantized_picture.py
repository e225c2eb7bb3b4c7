"""The picture of a quantized tensor in a real browser: rungs and cells light each other up, by mouse and keyboard."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

import tensorwidgets as tw
from tensorwidgets.pictures import show

X = tw.tensor([[0.0, 1.03, 2.5, -0.96], [-4.0, 5.26, 60.0, 12.7]])
Q = tw.quantize_per_tensor(X, 0.1, 10, tw.quint8)


def opened(page: Page, tmp_path: Path) -> None:
    page.goto(show(X, Q, labels=["x", "q"]).save(tmp_path / "x.html").as_uri())
    page.wait_for_selector("[data-tw=ready]")


def hot(page: Page) -> int:
    return page.locator(".tw-hot").count()


def test_a_rung_lights_its_cells_and_is_told(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path)
    page.locator(".tw-ladder .i-e6").hover()
    assert hot(page) == 4
    said = page.locator(".tw-say").inner_text()
    assert said.startswith("q[1, 2]") and "above the last rung: clipped" in said


def test_the_keyboard_walks_the_cells_and_the_ladder(page: Page, tmp_path: Path) -> None:
    opened(page, tmp_path)
    page.locator("td.i-e0").first.focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".tw-say").inner_text().startswith("q[0, 1]")
    page.keyboard.press("ArrowDown")
    assert page.locator(".tw-say").inner_text().startswith("q[1, 1]")
    page.locator(".tw-ladder .i-e0").focus()
    page.keyboard.press("ArrowRight")
    assert page.locator(".tw-say").inner_text().startswith("q[0, 1]")


def test_dark_paper_turns_all_of_it(page: Page, tmp_path: Path) -> None:
    page.emulate_media(color_scheme="dark")
    opened(page, tmp_path)
    painted = page.eval_on_selector_all(".tw [style]", "all => all.map(e => e.getAttribute('style')).join(' ')")
    assert "#ffffff" not in painted and "#16191d" not in painted
