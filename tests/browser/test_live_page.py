"""The live module on a bare page, with a stand-in for the kernel: a shadow root, a hundred views, silence."""

from __future__ import annotations

import base64
import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page

import tensorwidgets as tw
from tensorwidgets.live.explorer import Explorer
from tensorwidgets.live.module import module
from tests.browser.lab import until

NAMES = (
    "html",
    "controls",
    "status",
    "pinned",
    "sheet",
    "answered",
    "turn",
    "hands",
    "size",
    "stride",
    "offset",
    "order",
    "term",
)
BYTES = ("cells", "memory")
PAGE = """<!doctype html><title>live</title><body><div id="place"></div><script type="module">
const state = (window.state = STATE);
const bytes = (text) => new DataView(Uint8Array.from(atob(text), (c) => c.charCodeAt(0)).buffer);
for (const name of BYTES) state[name] = bytes(state[name]);
const heard = new Map();
const ends = new Set();
export const model = {
  widget_manager: { kernel: {
    statusChanged: { connect: (act) => ends.add(act), disconnect: (act) => ends.delete(act) },
  } },
  get: (name) => state[name],
  set: (name, value) => { state[name] = value; },
  send: ({ asked: { page, ...asked } }) => window.asked.push(asked) && (window.asking = page),
  on: (name, act) => heard.set(name, [...(heard.get(name) || []), act]),
  off: (name, act) => heard.set(name, (heard.get(name) || []).filter((one) => one !== act)),
};
window.asked = [];
window.ended = (status) => ends.forEach((act) => act(null, status));
window.listeners = () => [...heard.values()].flat().length + ends.size;
window.tell = (news) => {
  for (const name of BYTES) if (typeof news[name] === 'string') news[name] = bytes(news[name]);
  Object.assign(state, news);
  for (const name of Object.keys(news)) (heard.get(`change:${name}`) || []).forEach((act) => act());
};
window.answer = (n, more) => tell({ answered: { [window.asking]: n }, ...more });
const make = (await import(URL.createObjectURL(new Blob([SOURCE], { type: 'text/javascript' })))).default;
window.begin = async (el) => {
  const made = make();
  const endModel = await made.initialize({ model });
  const endView = await made.render({ model, el });
  return () => { endView(); endModel(); };
};
const root = document.getElementById('place').attachShadow({ mode: 'open' });
window.root = root.appendChild(document.createElement('div'));
window.end = await window.begin(window.root);
window.open = true;
</script>"""


@pytest.fixture
def explorer() -> Explorer:
    return tw.StorageExplorer(np.arange(12.0).reshape(3, 4), labels=["x"])


def state(w: Explorer) -> dict[str, Any]:
    small = {name: getattr(w, name) for name in NAMES if hasattr(w, name)}
    return small | {name: base64.b64encode(getattr(w, name)).decode() for name in BYTES}


def filled(w: Explorer) -> str:
    """The page with the module and an explorer's traits in it."""
    told = [json.dumps(part).replace("</", "<\\/") for part in (state(w), module())]
    return PAGE.replace("STATE", told[0]).replace("SOURCE", told[1]).replace("BYTES", json.dumps(BYTES))


@pytest.fixture
def bare(page: Page, explorer: Explorer, tmp_path: Path) -> Page:
    return opened(page, explorer, tmp_path)


def opened(page: Page, explorer: Explorer, folder: Path) -> Page:
    """The page shows the explorer, without a network."""
    path = folder / "live.html"
    path.write_text(filled(explorer), encoding="utf-8")
    page.context.set_offline(True)
    page.goto(path.as_uri())
    page.wait_for_selector("[data-twl=ready] [data-tw=ready]")
    return page


def counts(page: Page) -> tuple[int, int]:
    """Nodes and listeners that the page holds after the garbage is gone."""
    client = page.context.new_cdp_session(page)
    client.send("HeapProfiler.collectGarbage")
    told = client.send("Memory.getDOMCounters")
    client.detach()
    return told["nodes"], told["jsEventListeners"]


def test_in_a_shadow_root(bare: Page, explorer: Explorer) -> None:
    bare.hover('.tw-view [aria-label^="x[2, 1]:"]')
    assert bare.locator(".tw-src").inner_text() == "9"
    bare.locator('.tw-view [aria-label^="x[0, 0]:"]').focus()
    bare.keyboard.press("ArrowRight")
    explorer.expression = "x[::2]"
    bare.evaluate("news => tell(news)", {k: v for k, v in state(explorer).items() if k not in BYTES})
    bare.wait_for_selector('.tw-view [aria-label^="x[::2][1, 3]:"]')
    assert bare.locator('[data-name="expression"] input').input_value() == "x[::2]"
    explorer.expression = "x"
    bare.locator('[data-name="size 0"] input').focus()
    bare.evaluate("news => tell(news)", {k: v for k, v in state(explorer).items() if k not in BYTES})
    bare.wait_for_selector('.tw-view [aria-label^="x[2, 3]:"]')
    assert bare.evaluate("root.getRootNode().activeElement.closest('[data-name]').dataset.name") == "size 0"
    assert bare.locator(".twl").evaluate("e => getComputedStyle(e).color") == "rgb(22, 25, 29)"


def test_silence_is_told_and_an_answer_ends_it(page_alone: Page, explorer: Explorer, tmp_path: Path) -> None:
    """After three seconds by a clock that the test moves."""
    bare = opened(page_alone, explorer, tmp_path)
    bare.clock.install(time=0)
    bare.clock.pause_at(1000)
    bare.click('[data-name="t"]')
    bare.click('[data-name="slice"]')
    assert bare.evaluate("asked") == [{"n": 1, "name": "t", "value": None}]
    quiet = bare.locator(".twl-quiet")
    bare.clock.run_for(2999)
    assert quiet.is_hidden()
    bare.clock.run_for(1)
    assert quiet.is_visible()
    assert "does not answer" in quiet.inner_text()
    assert bare.evaluate("asked.splice(1)") == [{"n": 1, "name": "t", "value": None, "again": True}]
    bare.clock.run_for(30_000)
    assert len(bare.evaluate("asked")) == 3  # it is not asked for ever
    bare.evaluate("answer(1)")
    quiet.wait_for(state="hidden")
    assert bare.evaluate("asked.at(-1)") == {"n": 2, "name": "slice", "value": None}


def test_what_is_read_aloud_is_said_once(bare: Page, explorer: Explorer) -> None:
    assert bare.locator("output:not([aria-hidden=true])").count() == 0
    steps = bare.locator('[data-name="size 0"] input')
    steps.focus()
    bare.keyboard.press("ArrowRight")
    edge = bare.locator(".twl-edge")
    assert edge.inner_text() == "The last element would be at place 15, and the storage ends at place 11."
    assert steps.get_attribute("aria-valuetext") == "3"
    bare.locator('[data-name="expression"] input').focus()
    assert edge.inner_text() == ""

    # The sentence of a cell is read aloud once one goes from cell to cell.
    assert bare.locator(".tw-say").get_attribute("aria-live") == "off"
    bare.locator('.tw-view [aria-label^="x[0, 0]:"]').focus()
    assert bare.locator(".tw-say").get_attribute("aria-live") == "polite"
    assert bare.locator("[aria-selected]").count() == 0
    bare.keyboard.press("Enter")
    assert bare.locator("[aria-selected=true]").get_attribute("aria-label") == "x[0, 0]: 0"
    bare.evaluate("answer(1)")

    # A button that changes nothing is answered by the same words.
    bare.evaluate("tell({ status: 'as it was' })")
    bare.click('[data-name="over"]')
    bare.evaluate("answer(2)")
    until(bare, "root.querySelector('.twl-heard').textContent === ''")
    until(bare, "root.querySelector('.twl-heard').textContent === 'as it was'")


def test_a_key_is_heard_before_the_next_picture_is_drawn(bare: Page, explorer: Explorer) -> None:
    """A picture that comes right behind the key has no pin yet: what was pinned must be asked before."""
    bare.evaluate(
        """html => {
          const cell = root.querySelectorAll('.tw-cell')[3];
          cell.focus();
          window.name = cell.note[0];
          cell.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, composed: true }));
          tell({ html });
        }""",
        explorer.html,
    )
    assert bare.evaluate("asked.map(({ name, value }) => [name, value === window.name])") == [["cell", True]]


def test_a_control_that_goes_leaves_the_focus_to_its_neighbour(bare: Page, explorer: Explorer) -> None:
    controls = explorer.controls
    in_hand = "() => root.getRootNode().activeElement?.closest('[data-name]')?.dataset.name"
    bare.focus('[data-name="keep"]')
    bare.evaluate("controls => tell({ controls })", [one for one in controls if one["name"] != "keep"])
    assert bare.evaluate(in_hand) == "over"
    bare.evaluate("controls => tell({ controls })", [one for one in controls if one["group"] != "view"])
    assert bare.evaluate(in_hand) == "t"
    # A name follows its control.
    renamed = [{**one, "label": "row"} if one["name"] == "size 0" else one for one in controls]
    bare.evaluate("controls => tell({ controls })", renamed)
    assert bare.locator('[data-name="size 0"] input').get_attribute("aria-label") == "size row"


@pytest.mark.parametrize("status", ["dead", "autorestarting"])
def test_without_a_kernel_the_controls_show_what_the_picture_shows(bare: Page, status: str) -> None:
    quiet = bare.locator(".twl-quiet")
    assert quiet.is_hidden()
    bare.evaluate("ended('busy')")
    assert quiet.is_hidden()
    bare.evaluate("status => ended(status)", status)
    assert quiet.is_visible() and "does not answer" in quiet.inner_text()
    bare.click('[data-name="t"]')
    bare.focus('[data-name="offset"] input')
    bare.focus('[data-name="size 0"] input')
    bare.keyboard.press("ArrowLeft")
    assert bare.locator('[data-name="size 0"] input').input_value() == "3"
    assert bare.locator('[data-name="size 0"] output').inner_text() == "3"
    bare.focus('[data-grip="size 0"]')
    bare.keyboard.press("ArrowUp")
    assert bare.locator('[data-grip="size 0"]').get_attribute("aria-valuenow") == "3"
    assert bare.evaluate("[asked, root.querySelector('.twl-hands').dataset.state]") == [[], "settled"]


def test_a_slider_waits_for_what_was_done_to_another(bare: Page, explorer: Explorer) -> None:
    """Its edges are those of the old size until the answer comes: it is Python that refuses then, not the page."""
    steps = '[data-name="stride 1"] input'
    before = int(bare.locator(steps).input_value())
    assert next(one["high"] for one in explorer.controls if one["name"] == "stride 1") == before
    bare.focus('[data-name="size 0"] input')
    bare.keyboard.press("ArrowLeft")
    bare.focus(steps)
    bare.keyboard.press("ArrowRight")
    assert bare.locator(steps).input_value() == str(before + 1)
    assert bare.locator(".twl-edge").first.inner_text() == ""
    bare.evaluate("answer(1)")
    assert bare.evaluate("asked.at(-1)") == {"n": 2, "name": "stride 1", "value": before + 1}


def test_a_slider_at_its_edge_takes_back_what_was_not_answered_yet(bare: Page) -> None:
    bare.focus('[data-name="stride 1"] input')
    for key in ("ArrowLeft", "End", "End"):
        bare.keyboard.press(key)
    assert bare.locator('[data-name="stride 1"] input').input_value() == "1"
    assert [one["value"] for one in bare.evaluate("asked")] == [0, 1]


@pytest.mark.thorough
def test_a_hundred_views_and_a_hundred_pictures_leave_nothing(bare: Page) -> None:
    bare.evaluate("async () => { end(); const stop = await begin(root); stop(); }")
    assert bare.evaluate("listeners()") == 0
    before = counts(bare)
    bare.evaluate("""async () => {
      for (let k = 0; k < 100; k++) {
        const stop = await begin(root);
        stop();
      }
    }""")
    assert bare.evaluate("[listeners(), root.childElementCount]") == [0, 0]
    after = counts(bare)
    assert after[0] <= before[0] and after[1] <= before[1]

    bare.evaluate("async () => { window.end = await begin(root); }")
    one = counts(bare)
    bare.evaluate(
        """async () => {
      const html = model_html();
      for (let k = 0; k < 100; k++) {
        tell({ html: html + ' '.repeat(k % 2) });
        await new Promise(requestAnimationFrame);
      }
    }""".replace("model_html()", "root.querySelector('.tw').outerHTML")
    )
    after = counts(bare)
    assert after[0] <= one[0] + 5 and after[1] <= one[1] + 2


RENEWED = """async (steps) => {
  const other = document.body.appendChild(document.createElement('div'));
  const drawn = (top) => top.querySelector('.tw').outerHTML;
  let kept = 0;
  for (const news of steps) {
    const before = [...root.querySelectorAll('.tw td')];
    tell(news);
    await new Promise(requestAnimationFrame);
    kept += before.filter((one) => one.isConnected).length / before.length;
    const stop = await begin(other);
    const [renewed, anew] = [drawn(root), drawn(other)];
    stop();
    if (renewed !== anew) return [renewed, anew];
    root.querySelectorAll('.tw-cell')[1].dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
  }
  return kept / steps.length;
}"""


def test_a_renewed_picture_is_the_one_that_is_drawn_anew(page: Page, tmp_path: Path) -> None:
    """What stays on the page from one step to the next ends up as if all of it were new."""
    w = tw.AllocatorExplorer(memory="44 MiB")
    for k in range(30):
        w.allocate(f"{k % 7 + 1} MiB")
        if k % 3:
            w.free(next(iter(w._held)))
    path = tmp_path / "live.html"
    path.write_text(filled(w), encoding="utf-8")
    page.goto(path.as_uri())
    page.wait_for_selector("[data-twl=ready] [data-tw=ready]")
    news = []
    for step in random.Random(0).choices(range(w._last + 1), k=60):
        w.step = step
        news.append({"html": w.html, "controls": w.controls})
    kept = page.evaluate(RENEWED, news)
    assert isinstance(kept, float), kept
    assert kept > 0.2
