"""A live picture whose messages get lost or come late: the page and the kernel agree again, and no press is lost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

import tensorwidgets as tw
from tests.browser.chrome import Seen
from tests.browser.lab import until
from tests.browser.test_live_page import BYTES, opened, state
from tests.live.walking import control


@pytest.fixture
def w() -> tw.AllocatorExplorer:
    return tw.AllocatorExplorer(memory="44 MiB")


@pytest.fixture
def bare(page: Page, w: tw.AllocatorExplorer, tmp_path: Path) -> Iterator[Page]:
    yield opened(page, w, tmp_path)


def news(w: tw.AllocatorExplorer) -> dict[str, Any]:
    """What a page has to know, but for whose questions are answered."""
    return {name: value for name, value in state(w).items() if name not in (*BYTES, "answered")}


def test_each_page_has_its_own_questions(bare: Page) -> None:
    """Two pages on one kernel hear all answers; neither takes that of the other for its own."""
    bare.evaluate("""async () => {
      window.other = document.body.appendChild(document.createElement('div'));
      await begin(other);
      window.pages = [];
      for (const el of [root, other]) {
        el.querySelector('[data-name="allocate"]').click();
        pages.push(asking);
      }
    }""")
    assert bare.evaluate("asked.map(({ n, name }) => [n, name])") == [[1, "allocate"], [1, "allocate"]]
    bare.evaluate("tell({ answered: { [pages[1]]: 1 } })")
    bare.evaluate("""() => { for (const el of [root, other]) el.querySelector('[data-name="empty"]').click(); }""")
    assert bare.evaluate("asked.slice(2).map(({ n }) => [n, asking === pages[1]])") == [[2, True]]
    bare.evaluate("tell({ answered: { [pages[1]]: 2, [pages[0]]: 1 } })")
    assert bare.evaluate("asked.slice(3).map(({ n, name }) => [n, name, asking === pages[0]])") == [[2, "empty", True]]


def test_a_page_that_missed_a_picture_asks_for_all(bare: Page, w: tw.AllocatorExplorer) -> None:
    w.allocate("6 MiB")
    bare.evaluate("news => tell(news)", news(w))
    assert bare.evaluate("asked") == []
    w.step = 0  # this message is lost
    w.size = "5 MiB"
    bare.evaluate("news => tell(news)", news(w))
    assert bare.evaluate("asked") == [{"n": 0, "again": True}]


def test_an_older_answer_does_not_undo_what_was_typed(bare: Page, w: tw.AllocatorExplorer) -> None:
    """Neither while it is typed nor after the focus has gone to the button that uses it."""
    field = bare.locator('[data-name="size"] input')
    field.fill("5")
    field.fill("5 M")
    field.fill("5 MiB")
    bare.click('[data-name="allocate"]')
    assert bare.evaluate("asked.map(({ value }) => value)") == ["5", "5 M"]
    for n, typed in enumerate(("5", "5 M"), 1):
        w.size = typed
        bare.evaluate("([n, news]) => answer(n, news)", [n, news(w)])
        assert field.input_value() == "5 MiB"
    assert bare.evaluate("asked.slice(2).map(({ name, value }) => [name, value])") == [["size", "5 MiB"]]
    w.size = "5 MiB"
    bare.evaluate("news => answer(3, news)", news(w))
    assert bare.evaluate("asked.at(-1).name") == "allocate" and field.input_value() == "5 MiB"
    # What Python says after the last answer counts.
    w.size = "7 MiB"
    bare.evaluate("news => answer(4, news)", news(w))
    assert field.input_value() == "7 MiB"


def test_numbers_that_cannot_be_leave_the_canvas(page: Page, tmp_path: Path) -> None:
    big = tw.StorageExplorer(np.arange(6_000.0).reshape(60, 100), labels=["big"])
    bare = opened(page, big, tmp_path)
    big.size = (10, 10, 10)
    assert big.hands == {} and big.sheet["base"]
    bare.evaluate("news => tell(news)", {**state(big), "answered": {}})
    until(bare, "words => root.querySelector('.tw').innerText.includes(words)", big.reason.because)
    assert bare.locator(".twl-grip:not([hidden])").count() == 0
    assert bare.locator(".twl-base canvas").is_visible()


def test_a_grip_without_its_control_asks_nothing(page: Page, tmp_path: Path) -> None:
    """Python has taken the control away, and the picture waits for a later answer."""
    x = tw.StorageExplorer(np.arange(12.0).reshape(3, 4), labels=["x"])
    bare = opened(page, x, tmp_path)
    bare.focus('[data-grip="size 1"]')
    bare.evaluate("controls => tell({ controls })", [one for one in x.controls if one["name"] != "size 1"])
    for key in ("ArrowLeft", "Home"):
        bare.keyboard.press(key)
    assert bare.evaluate("asked") == []


def test_an_error_in_one_part_leaves_the_others_alive(bare: Page, w: tw.AllocatorExplorer, seen: Seen) -> None:
    bare.evaluate("controls => tell({ html: '', controls })", [{**control(w, "empty"), "label": "clear"}])
    until(bare, """root.querySelector('[data-name="empty"]').textContent === 'clear'""")
    assert len(seen.errors) == 1
    seen.clear()
    w.allocate("6 MiB")
    bare.evaluate("news => tell(news)", news(w))
    until(bare, "root.querySelector('.tw').innerText.includes('the driver gives a segment of 20 MiB')")
    assert bare.locator('[data-name="free a"]').is_visible()
