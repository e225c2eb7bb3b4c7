"""Grips on the picture of a view: drags and keys paint at once, and picture, traits and engine agree after each."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

import tensorwidgets as tw
from tests.browser.chrome import Seen
from tests.browser.conftest import as_it_was, watched_page
from tests.browser.lab import until
from tests.browser.test_live_page import filled, state
from tests.parts import thorough_but

Explorer = tw.StorageExplorer
Open = Callable[[Explorer], Page]


class Hands:
    """A page with an explorer whose kernel is this process."""

    def __init__(self, page: Page) -> None:
        self.page = page
        page.expose_function("kernel", self.kernel)

    def kernel(self, question: dict[str, Any]) -> dict[str, Any]:
        self.w._received(self.w, {"asked": question}, [])
        return state(self.w)

    def opened(self, w: Explorer, folder: Path) -> Page:
        self.w = w
        answer = "send: async ({ asked }) => window.tell(await window.kernel(asked))"
        source = re.sub(r"send: .*(?=,\n)", lambda _: answer, filled(w), count=1)
        path = folder / "touch.html"
        path.write_text(source, encoding="utf-8")
        self.page.goto(path.as_uri())
        self.page.wait_for_selector("[data-twl=ready] [data-tw=ready]")
        return self.page


@pytest.fixture(scope="module")
def hands(browser: Browser) -> Iterator[tuple[Hands, Seen]]:
    """One page for all tests of this file: no page forgets a function that it was given."""
    seen = Seen()
    with watched_page(browser, seen) as page:
        yield Hands(page), seen


@pytest.fixture
def touched(hands: tuple[Hands, Seen], tmp_path: Path) -> Iterator[Open]:
    """The page with an explorer; what goes wrong on it fails the test that is running."""
    open_hands, seen = hands
    seen.clear()
    yield lambda w: open_hands.opened(w, tmp_path)
    as_it_was(open_hands.page)
    assert seen == Seen()


SEEN = """async () => {
  const layer = root.querySelector('.twl-hands');
  while (layer.dataset.state !== 'settled') await new Promise(requestAnimationFrame);
  const { hands, size, stride, offset } = state;
  const table = root.querySelectorAll('.tw-view')[hands.view];
  const cells = [...table.querySelectorAll('.tw-cell')];
  const grips = [...root.querySelectorAll('.twl-grip:not([hidden])')];
  return JSON.stringify({
    traits: [size, stride, offset],
    elements: cells.map((cell) => +cell.className.match(/k-A(\\d+)/)[1]),
    values: cells.map((cell) => +cell.textContent),
    grips: Object.fromEntries(grips.map((grip) => [grip.dataset.grip, +grip.ariaValueNow])),
  });
}"""


def drag(page: Page, name: str, right: float, down: float) -> None:
    """A grip is taken by its middle, dragged and let go."""
    box = page.locator(f'[data-grip="{name}"]').bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + right, y + down)
    page.mouse.up()


def agree(page: Page, w: Explorer, base: np.ndarray) -> None:
    """The picture, the traits on both sides, and NumPy on the same memory."""
    seen = json.loads(page.evaluate(SEEN))
    assert w.reason is None and seen["traits"] == [list(w.size), list(w.stride), w.offset]
    steps = [4 * step for step in w.stride]
    view = np.ndarray(w.size, base.dtype, base, 4 * w.offset, steps)
    assert seen["values"] == seen["elements"] == view.ravel().tolist()
    assert seen["elements"] == w._now.value.reshape(-1).tolist()
    numbers = {f"{what} {d}": n for what in ("size", "stride") for d, n in enumerate(getattr(w, what))}
    assert {name: numbers.get(name, w.offset) for name in seen["grips"]} == seen["grips"]


WALKS = [((3, 4), 25), ((2, 3, 4), 25), ((3, 4), 100), ((2, 3, 4), 100)]


@pytest.mark.parametrize(("shape", "moves"), thorough_but(WALKS[:1], WALKS))
def test_random_drags_and_keys(touched: Open, shape: tuple[int, ...], moves: int) -> None:
    base = np.arange(np.prod(shape), dtype=np.float32)
    w = tw.StorageExplorer(tw.from_numpy(base).reshape(shape), labels=["x"])
    page = touched(w)
    chance = random.Random(len(shape))
    names = [f"{what} {d}" for what in ("size", "stride") for d in range(len(shape))] + ["offset"]
    moved = 0
    for _ in range(moves):
        name, before = chance.choice(names), (w.size, w.stride, w.offset)
        if chance.random() < 0.5:
            drag(page, name, chance.randint(-160, 160), chance.randint(-90, 90))
        else:
            page.focus(f'[data-grip="{name}"]')
            page.keyboard.press(chance.choice(["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"]))
        agree(page, w, base)
        moved += (w.size, w.stride, w.offset) != before
    assert moved > 0.4 * moves


@pytest.fixture
def alone(touched: Open) -> Open:
    """A page whose kernel never answers: what changes on it, the page has painted by itself."""

    def opened(w: Explorer) -> Page:
        page = touched(w)
        page.evaluate("() => { window.kernel = () => new Promise(() => {}); }")
        return page

    return opened


def test_a_drag_is_painted_before_the_kernel_answers(alone: Open) -> None:
    page = alone(tw.StorageExplorer(tw.arange(12.0).reshape(3, 4), labels=["x"]))
    pale = "[...root.querySelectorAll('.tw-storage .twl-off')].map((cell) => +cell.textContent)"
    drag(page, "size 1", -44, 0)
    assert page.evaluate(pale) == [3, 7, 11]
    assert page.locator('[data-grip="size 1"]').get_attribute("aria-valuenow") == "3"
    page.keyboard.press("ArrowLeft")
    assert page.evaluate(pale) == [2, 3, 6, 7, 10, 11]
    drag(page, "stride 0", -44, 0)
    assert page.evaluate(pale) == [2, 5, 8, 9, 10, 11]
    # The canvas over the view has the numbers of the cells that are read.
    assert page.locator(".twl-film:not([hidden])").count() == 1


def test_an_edge_has_the_engines_words(touched: Open) -> None:
    w = tw.StorageExplorer(tw.arange(12.0).reshape(3, 4), labels=["x"])
    page = touched(w)
    page.focus('[data-grip="offset"]')
    page.keyboard.press("ArrowRight")
    words = "The last element would be at place 12, and the storage ends at place 11."
    # The words are read aloud from where they are seen, and so not with the value as well.
    assert page.locator(".twl-edge[role=status]").inner_text() == words
    grip = page.locator('[data-grip="offset"]')
    assert grip.get_attribute("aria-valuetext") == "0" and grip.get_attribute("aria-valuemax") == "0"
    assert w.offset == 0


def test_a_linked_trait_moves_the_picture(alone: Open) -> None:
    """As `jslink` does it: the trait of the model changes in the browser, and no kernel has answered."""
    page = alone(tw.StorageExplorer(tw.arange(12.0)[:6], labels=["x"]))
    page.evaluate("tell({ offset: 3 })")
    until(page, "root.querySelector('.twl-hands').dataset.state === 'ahead'")
    pale = "[...root.querySelectorAll('.tw-storage .twl-off')].map((cell) => cell.textContent)"
    assert page.evaluate(pale) == ["0", "1", "2", "", "", ""]
    assert page.locator('[data-grip="offset"]').get_attribute("aria-valuenow") == "3"


def test_a_hundred_thousand_numbers_are_painted_in_the_frame_of_the_drag(alone: Open) -> None:
    big = np.arange(100_000.0).reshape(250, 400)
    page = alone(tw.StorageExplorer(big, labels=["big"]))
    look = """() => {
      const canvas = root.querySelector('.twl-board canvas');
      const pen = canvas.getContext('2d');
      return [canvas.width, canvas.height, pen.getImageData(0, 0, 1, 1).data.join()];
    }"""
    width, height, first = page.evaluate(look)
    assert (width, height) == (400, 250)
    drag(page, "size 1", -100, 0)
    drag(page, "size 0", 0, -50)
    assert page.evaluate(look) == [300, 200, first]
    drag(page, "offset", 200, 0)
    offset = page.locator('[data-grip="offset"]').get_attribute("aria-valuenow")
    assert offset is not None and 20_000 < int(offset) < 30_000
    assert page.evaluate(look)[2] != first


def test_a_name_is_carried_to_another_place(touched: Open) -> None:
    w = tw.NamedDimsExplorer((2, 3, 4), names=("batch", "time", "feature"), labels=["x"])
    page = touched(w)
    chip = page.locator(".twl-chip").first
    box, last = chip.bounding_box(), page.locator(".twl-chip").last.bounding_box()
    assert box is not None and last is not None
    page.mouse.move(box["x"] + 20, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(last["x"] + 20, last["y"] + 10, steps=4)
    shown = "[...root.querySelectorAll('.twl-chip')].map((chip) => Math.sign(new DOMMatrix(chip.style.transform).e))"
    assert page.evaluate(shown) == [1, -1, -1]
    page.mouse.up()
    page.wait_for_selector('[aria-label^="batch of the aligned"]')
    assert w.order == ("time", "feature", "batch") and w.selected == "" and page.locator(".tw-pin").count() == 0
    for place in (1, 0):
        page.keyboard.press("Shift+ArrowLeft")
        until(page, "place => state.order.indexOf('batch') === place", place)
    assert w.order == ("batch", "time", "feature")
    # Two presses before the answer to the first are two places.
    page.keyboard.press("Shift+ArrowRight")
    page.evaluate("""() => {
      const press = (key) => document.getElementById('place').shadowRoot.activeElement.dispatchEvent(
        new KeyboardEvent('keydown', { key, shiftKey: true, bubbles: true, composed: true }));
      for (const key of ['ArrowRight', 'ArrowLeft', 'ArrowLeft']) press(key);
    }""")
    until(page, "state.order.join() === 'batch,time,feature'")
    page.wait_for_selector('.twl-chip[aria-label^="batch of x"]')
    assert page.evaluate("root.getRootNode().activeElement.ariaLabel").startswith("batch of x")


def test_a_click_on_a_cell_answers_the_question(touched: Open) -> None:
    w = tw.StorageExplorer(tw.arange(12.0).reshape(3, 4), labels=["x"], predict=True)
    page = touched(w)
    assert w.question == "Which element of the storage does x[1, 3] read?"
    page.locator(".tw-storage .tw-cell", has_text="6").click()
    until(page, "state.html.includes('✕')")
    assert w.answer == "6" and w.right is False
    w.answer = ""
    page.evaluate("news => tell(news)", state(w))
    until(page, "!root.querySelector('.tw-view')")
    page.locator(".tw-storage .tw-cell", has_text="7").focus()
    page.keyboard.press("Enter")
    until(page, "state.html.includes('✓')")
    assert w.right is True


def test_a_sum_is_played_paused_and_stepped_back(page_alone: Page, tmp_path: Path) -> None:
    """By a clock that the test moves."""
    w = tw.EinsumExplorer("ij,jk->ik", tw.arange(6.0).reshape(2, 3), tw.ones(3, 2), labels=["A", "B"])
    page = Hands(page_alone).opened(w, tmp_path)
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    play = page.locator('[data-name="play"]')
    seen = []
    play.click()
    for _ in range(4):
        until(page, "n => state.term === n", len(seen))
        seen.append((w.value, "pause" in play.inner_text()))
        page.clock.run_for(700)
    assert seen == [(0.0, True), (3.0, True), (7.0, True), (12.0, True)]
    assert "play" in play.inner_text() and w.term == 3
    page.click('[data-name="before"]')
    until(page, "state.term === 2")
    assert w.value == 7.0
    play.click()
    until(page, "state.term === 3")
    play.click()
    page.clock.run_for(5000)
    assert w.term == 3 and "play" in play.inner_text()
