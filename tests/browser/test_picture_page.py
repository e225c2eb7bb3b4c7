"""An exported picture in a real browser, with no network: hover, keys, pins, dark paper, and how long a hover takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Page

from tensorwidgets.pictures import Picture, show

X = np.arange(10, 22, dtype=np.float32).reshape(3, 4)


def storage_and_views() -> Picture:
    return show(X, X.T, X[1:, ::2], np.broadcast_to(X[1:2], (3, 4)), X[::-1, ::-1], labels=["x", "t", "s", "e", "r"])


@pytest.fixture
def drawn(page: Page, tmp_path: Path) -> Page:
    page.goto(storage_and_views().save(tmp_path / "x.html").as_uri())
    page.wait_for_selector("[data-tw=ready]")
    return page


def lit(page: Page) -> list[str]:
    """The cells that are lit: the class of each, table by table."""
    return page.eval_on_selector_all(".tw-hot", "all => all.map(c => [...c.classList].find(n => n.startsWith('k-')))")


def cell(page: Page, label: str, index: str) -> str:
    return f'[aria-label^="{label}[{index}]:"]'


def sentence(page: Page) -> str:
    return page.locator(".tw-say > div").first.inner_text().replace("\u2002", " ")


def test_a_view_lights_its_storage_and_the_other_views(drawn: Page) -> None:
    drawn.hover(cell(drawn, "s", "1, 0"))
    assert lit(drawn) == ["k-A8"] * 5
    assert sentence(drawn).split() == "s[1, 0] offset = 4 + 1*4 + 0*2 = 8 -> bytes 32..35".split()
    assert drawn.locator(".tw-say > div").last.inner_text() == "Linked: A[8], x[2, 0], t[0, 2], r[0, 3]."
    assert drawn.locator(".tw-hops div").all_inner_texts() == ["+4"]


def test_a_storage_cell_lights_every_reader(drawn: Page) -> None:
    drawn.hover(".tw-storage .k-A4")
    assert sorted(lit(drawn)) == ["k-A4"] * 8
    assert sentence(drawn).startswith("A[4]")
    assert drawn.locator(".tw-hops div").all_inner_texts() == []


def test_a_way_back_arches_to_the_left(drawn: Page) -> None:
    drawn.hover(cell(drawn, "r", "1, 2"))
    assert drawn.locator(".tw-hops div").all_inner_texts() == ["−4", "−1", "−1"]
    boxes = [arch.bounding_box() for arch in drawn.locator(".tw-hops div").all()]
    target = drawn.locator(".tw-storage .k-A5").bounding_box()
    assert target is not None and boxes[-1] is not None
    assert abs(boxes[-1]["x"] - (target["x"] + target["width"] / 2)) < 2


def test_the_static_arches_stand_where_the_script_draws_them(page: Page, tmp_path: Path) -> None:
    for views in ([X.T], [X[::-1]], [X, X.view(np.float64)[1:]]):
        path = show(*views, labels=list("abc")[: len(views)]).save(tmp_path / "p.html")
        page.goto(path.as_uri())
        page.wait_for_selector("[data-tw=ready]")
        measure = """all => all.map(a => {
          const box = a.getBoundingClientRect();
          return [box.x, box.width, box.height, a.textContent];
        })"""
        before = page.eval_on_selector_all(".tw-hops div", measure)
        page.hover(".tw-view .tw-src")
        page.hover(".tw-view .tw-src")
        after = page.eval_on_selector_all(".tw-hops div", measure)
        assert before and len(after) == len(before)
        for one, other in zip(before, after, strict=True):
            assert one[:3] == pytest.approx(other[:3], abs=0.5) and one[3] == other[3]


def test_arrows_walk_through_one_table_and_tab_leaves_it(drawn: Page) -> None:
    stops = drawn.locator(".tw-cell[tabindex='0']").count()
    assert stops == 6
    drawn.locator(cell(drawn, "x", "0, 0")).focus()
    for key in ("ArrowRight", "ArrowDown", "ArrowDown", "ArrowLeft", "ArrowRight", "ArrowUp"):
        drawn.keyboard.press(key)
    assert drawn.evaluate("document.activeElement.ariaLabel") == "x[1, 1]: 15"
    assert lit(drawn).count("k-A5") == len(lit(drawn)) > 3
    drawn.keyboard.press("ArrowUp")
    drawn.keyboard.press("ArrowUp")
    assert drawn.evaluate("document.activeElement.ariaLabel") == "x[0, 1]: 11"
    assert drawn.locator(".tw-cell[tabindex='0']").count() == stops
    drawn.keyboard.press("Tab")
    assert drawn.evaluate("document.activeElement.ariaLabel").startswith("t[")


def test_a_pin_holds_until_escape(drawn: Page) -> None:
    drawn.locator(cell(drawn, "x", "0, 0")).focus()
    drawn.keyboard.press("Enter")
    drawn.hover(cell(drawn, "t", "3, 2"))
    assert set(lit(drawn)) == {"k-A0"}
    drawn.keyboard.press("Escape")
    drawn.hover(cell(drawn, "t", "3, 1"))
    assert set(lit(drawn)) == {"k-A7"}
    drawn.click(cell(drawn, "t", "0, 0"))
    assert drawn.locator(".tw-pin").count() == 1


def test_roles_and_live_region(drawn: Page) -> None:
    assert drawn.locator(".tw-say[aria-live=polite]").count() == 1
    assert drawn.locator("table[role=grid]").count() == 6
    assert drawn.locator(".tw-cell:not([data-lm-suppress-shortcuts=true])").count() == 0
    assert drawn.locator(".tw-cell[title]:not([title=''])").count() == 0


def test_dark_paper_follows_the_person_and_the_host(drawn: Page) -> None:
    paper = "e => getComputedStyle(e).backgroundColor"
    root = drawn.locator(".tw")
    assert root.evaluate(paper) == "rgb(255, 255, 255)"
    light = root.inner_html()
    drawn.emulate_media(color_scheme="dark")
    drawn.wait_for_selector(".tw.dark")
    assert root.evaluate(paper) == "rgb(17, 17, 17)"
    assert drawn.locator(".tw-storage .k-A0").evaluate(paper) == "rgb(41, 39, 69)"
    drawn.evaluate("document.documentElement.dataset.theme = 'light'")
    drawn.wait_for_selector(".tw:not(.dark)")
    assert root.inner_html() == light


def test_nothing_moves(drawn: Page) -> None:
    moving = """all => all.map(e => getComputedStyle(e))
      .filter(s => s.transitionDuration !== '0s' || s.animationName !== 'none').length"""
    assert drawn.eval_on_selector_all(".tw, .tw *", moving) == 0


def test_two_pictures_share_the_script_and_live_apart(page: Page) -> None:
    bundle = storage_and_views()._repr_mimebundle_()["text/html"]
    other = show(np.arange(3), labels=["o"])._repr_mimebundle_()["text/html"]
    page.set_content(f"<!doctype html><body>{bundle}{other}</body>")
    assert page.locator("[data-tw=ready]").count() == 2
    assert page.evaluate("Object.keys(window).filter(k => k.startsWith('tw_')).length") == 1
    page.hover(cell(page, "o", "1"))
    assert page.locator(".tw").nth(0).locator(".tw-src").count() == 1
    assert page.locator(".tw").nth(1).locator(".k-A1.tw-hot").count() == 2


def test_a_hover_over_a_thousand_cells_is_painted_within_two_frames(page: Page, tmp_path: Path) -> None:
    x = np.arange(225, dtype=np.int16).reshape(15, 15)
    page.goto(show(x, x.T, labels=["x", "t"]).save(tmp_path / "x.html").as_uri())
    page.wait_for_selector("[data-tw=ready]")
    assert page.locator(".tw-cell").count() == 462  # two views, and a lens
    took = page.evaluate("""async () => {
      const frame = () => new Promise(requestAnimationFrame);
      const cells = [...document.querySelectorAll('.tw-view .tw-cell')];
      const frames = [];
      for (let k = 0; k < 40; k++) {
        const cell = cells[(k * 97) % cells.length];
        await frame();
        let n = 0;
        cell.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
        while (!cell.matches('.tw-src') && n < 9) { await frame(); n += 1; }
        frames.push(n);
      }
      return Math.max(...frames);
    }""")
    assert took <= 2
    assert page.locator(".tw-hot").count() == 2


@pytest.mark.thorough
def test_save_png_is_drawn_by_the_browser_that_is_there(tmp_path: Path) -> None:
    data = show(X, labels=["x"]).save(tmp_path / "x.png").read_bytes()
    assert data.startswith(b"\x89PNG")
    width, height = int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    assert width == 1720 and 600 < height < 1400


def test_the_mark_on_a_bar_goes_to_the_cell_in_hand(page: Page, tmp_path: Path) -> None:
    x = np.arange(1000, dtype=np.int32).reshape(20, 50)
    page.goto(show(x, x[10:], labels=["x", "y"]).save(tmp_path / "x.html").as_uri())
    page.wait_for_selector("[data-tw=ready]")
    page.hover('[aria-label^="y[9, 49]:"]')
    mark = "e => e.offsetLeft / e.parentElement.offsetWidth"
    storage, first = (page.locator(".tw-at").nth(k).evaluate(mark) for k in (0, 1))
    assert abs(storage - 0.999) < 0.002 and abs(first - 0.999) < 0.002
    page.hover('[aria-label^="x[0, 0]:"]')
    assert [page.locator(".tw-at").nth(k).evaluate(mark) for k in (0, 1)] == [0, 0]
