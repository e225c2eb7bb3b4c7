"""StorageExplorer in a real JupyterLab: by mouse, by keys alone and by Python; two views, restarts, a canvas."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.lab import KERNEL_ANSWERS, Notebook, says, until

FIRST = "import tensorwidgets as torch\nfrom tensorwidgets import show"
STORAGE = "x = torch.arange(12.).reshape(3, 4)\nw = show(x).live()\nw"
EDGE = "The last element would be at place 12, and the storage ends at place 11."
CELL_COUNT = "() => jupyterapp.shell.currentWidget.content.model.cells.length"


def ready(page: Page, count: int = 1) -> None:
    until(page, "n => document.querySelectorAll('[data-twl=ready] [data-tw=ready]').length === n", count)


def in_view(number: int, name: str, inner: str = "") -> str:
    """A control of one of the views."""
    return f'.twl >> nth={number} >> [data-name="{name}"] {inner}'


def titles(page: Page) -> list[str]:
    return page.locator(".twl .tw-view caption .tw-name").all_inner_texts()


def shows(page: Page, *views: str) -> None:
    """Waits until every picture on the page shows these views."""
    until(
        page,
        """wanted => [...document.querySelectorAll('.twl')].every((top) =>
             [...top.querySelectorAll('.tw-view .tw-name')].map((n) => n.textContent).join() === wanted)""",
        ",".join(views),
    )


def test_mouse_keys_python_and_two_views(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook([FIRST, STORAGE, "w"])
    page = notebook.page
    notebook.run_all()
    ready(page, 2)

    page.click(in_view(0, "t"))
    shows(page, "x", "x.t()")
    notebook.becomes("w.expression, w.stride", "('x.t()', (1, 4))")
    for number in (0, 1):
        assert page.locator(in_view(number, "expression", "input")).input_value() == "x.t()"

    # The slider ends at the edge, and says why without asking the kernel.
    box = page.locator(in_view(0, "size 0", "input")).bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2)
    assert page.locator(in_view(0, "size 0", "input")).input_value() == "4"
    assert page.locator(".twl-edge").first.inner_text() == EDGE
    notebook.becomes("w.size", "(4, 3)")

    # By keys alone, with the focus staying where it is.
    page.focus(in_view(1, "size 0", "input"))
    page.keyboard.press("ArrowLeft")
    shows(page, "x", "x.as_strided((3, 3), (1, 4), 0)")
    page.keyboard.press("ArrowLeft")
    shows(page, "x", "x.as_strided((2, 3), (1, 4), 0)")
    assert page.evaluate("document.activeElement.closest('[data-name]').dataset.name") == "size 0"
    page.keyboard.press("Tab")
    page.keyboard.press("Shift+Tab")
    page.focus(in_view(1, "slice"))
    for key in ("d", "d", "x", "Enter"):
        page.keyboard.press(key)
    shows(page, "x", "x.as_strided((2, 3), (1, 4), 0)[1:]")
    assert notebook.evaluate(CELL_COUNT) == 3

    # By Python, and what cannot be says why.
    notebook.kernel("setattr(w, 'expression', 'x[:, 1]')")
    shows(page, "x", "x[:, 1]")
    notebook.kernel("setattr(w, 'offset', 9)")
    says(page, 0, "The last element would be at place 17")
    assert page.locator(in_view(1, "expression", "input")).get_attribute("aria-invalid") == "true"


def test_hover_asks_nobody_and_lives_through_a_redraw(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook([FIRST, STORAGE])
    page = notebook.page
    notebook.run_all()
    ready(page)
    messages = "() => window.sent"
    page.evaluate("""() => {
      window.sent = 0;
      const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
      // The picture's own, not what JupyterLab asks a kernel by itself.
      kernel.anyMessage.connect((_, { direction, msg }) => {
        window.sent += direction === 'send' && msg.header.msg_type.startsWith('comm');
      });
    }""")
    page.hover('.tw-view [aria-label^="x[1, 2]:"]')
    page.hover('.tw-view [aria-label^="x[2, 1]:"]')
    assert page.locator(".tw-hot").count() == 2 and page.evaluate(messages) == 0

    page.click('.tw-view [aria-label^="x[2, 1]:"]')
    until(page, "window.sent > 0")
    notebook.becomes("w.selected", "'x[2, 1]'")
    page.keyboard.press("ArrowRight")
    notebook.kernel("setattr(w, 'views', ('x', 'x.t()'))")
    shows(page, "x", "x.t()")
    assert page.evaluate("document.activeElement.ariaLabel") == "x[2, 2]: 10"
    assert page.locator(".tw-pin").count() == 1
    page.keyboard.press("Escape")
    until(page, "!document.querySelector('.tw-pin')")
    notebook.becomes("w.selected", "''")
    notebook.kernel("setattr(w, 'selected', 'x.t()[3, 2]')")
    page.wait_for_selector('.tw-pin[aria-label^="x.t()[3, 2]:"]')


WATCHERS = """() => {
  const { observe, disconnect } = MutationObserver.prototype;
  window.watchers = new Set();
  MutationObserver.prototype.observe = function (target, options) {
    if (target === document.documentElement && options.subtree) window.watchers.add(this);
    return observe.call(this, target, options);
  };
  MutationObserver.prototype.disconnect = function () {
    window.watchers.delete(this);
    return disconnect.call(this);
  };
  window.asBefore = () => Object.assign(MutationObserver.prototype, { observe, disconnect });
}"""
"""Counts what watches the whole page, until `asBefore`."""


def test_a_restart_leaves_no_stale_listener(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook([FIRST, STORAGE])
    page = notebook.page
    page.evaluate(WATCHERS)
    notebook.run_all()
    ready(page)
    page.evaluate("window.old = document.querySelector('.twl')")
    notebook.evaluate("async () => { await jupyterapp.shell.currentWidget.sessionContext.restartKernel(); }")
    notebook.evaluate(KERNEL_ANSWERS)
    page.click(in_view(0, "t"))
    page.wait_for_selector(".twl-quiet:not([hidden])")
    assert "does not answer" in page.locator(".twl-quiet").inner_text()
    page.hover('.tw-view [aria-label^="x[1, 2]:"]')
    assert page.locator(".tw-src").inner_text() == "6"

    notebook.run_all()
    until(page, "document.querySelector('.twl') && document.querySelector('.twl') !== window.old")
    ready(page)
    page.click(in_view(0, "t"))
    shows(page, "x", "x.t()")
    notebook.becomes("w.expression", "'x.t()'")
    assert page.evaluate("window.old.isConnected") is False

    # With no kernel at all that is said at once, before any timer could, and the picture still answers.
    notebook.evaluate("async () => { await jupyterapp.shell.currentWidget.sessionContext.shutdown(); }")
    until(page, "jupyterapp.shell.currentWidget.sessionContext.session === null")
    said = "button => { button.click(); return !document.querySelector('.twl-quiet').hidden; }"
    assert page.locator(in_view(0, "slice")).evaluate(said)
    page.hover('.tw-view [aria-label^="x.t()[1, 2]:"]')
    assert page.locator(".tw-src").inner_text() == "9"

    # Once the picture is gone as well, nothing of it watches the page.
    assert page.evaluate("window.watchers.size") > 0
    notebook.evaluate("async () => { await jupyterapp.commands.execute('notebook:clear-all-cell-outputs'); }")
    until(page, "window.watchers.size === 0")
    page.evaluate("window.asBefore()")


def test_dark_and_a_canvas_of_a_hundred_thousand(open_notebook: Callable[..., Notebook]) -> None:
    big = "w = torch.StorageExplorer(torch.arange(100_000.).reshape(250, 400), labels=['x'])\nw"
    notebook = open_notebook([FIRST, big])
    page = notebook.page
    notebook.run_all()
    page.wait_for_selector(".twl-sheet[data-ready='100000']")
    canvas = page.locator(".twl-board canvas")
    canvas.hover(position={"x": 5, "y": 12})
    assert page.locator(".twl-told").inner_text().replace("\u2002", " ") == (
        "x[12, 5] = 4805  offset = 0 + 12*400 + 5*1 = 4805 -> bytes 19220..19223"
    )
    canvas.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Shift+ArrowRight")
    assert page.locator(".twl-told").inner_text().startswith("x[13, 15] = 5215")
    frames = page.evaluate("""async () => {
      const frame = () => new Promise(requestAnimationFrame);
      const canvas = document.querySelector('.twl-board canvas');
      const told = document.querySelector('.twl-told');
      const box = canvas.getBoundingClientRect();
      let most = 0;
      for (let k = 0; k < 40; k++) {
        await frame();
        const before = told.textContent;
        const [clientX, clientY] = [box.x + ((k * 97) % box.width), box.y + ((k * 61) % box.height)];
        canvas.dispatchEvent(new PointerEvent('pointermove', { bubbles: true, clientX, clientY }));
        let n = 0;
        while (told.textContent === before && n < 9) { await frame(); n += 1; }
        most = Math.max(most, n);
      }
      return most;
    }""")
    assert frames <= 2
    pixel = "() => [...document.querySelector('.twl-board canvas').getContext('2d').getImageData(1, 1, 1, 1).data]"
    assert page.evaluate(pixel) == [240, 246, 252, 255]
    theme = "async (name) => { await jupyterapp.commands.execute('apputils:change-theme', {theme: name}); }"
    notebook.evaluate(theme, "JupyterLab Dark")
    page.wait_for_selector(".twl.dark .tw.dark")
    page.wait_for_selector("#jupyterlab-splash", state="detached")
    assert page.locator(".twl").evaluate("e => getComputedStyle(e).backgroundColor") == "rgb(17, 17, 17)"
    assert page.evaluate(pixel) == [26, 34, 43, 255]
    notebook.evaluate(theme, "JupyterLab Light")
    page.wait_for_selector(".twl:not(.dark)")
    page.wait_for_selector("#jupyterlab-splash", state="detached")


def test_a_drag_and_a_linked_slider_in_a_notebook(open_notebook: Callable[..., Notebook]) -> None:
    """What is saved afterwards is the state that is seen."""
    linked = "import ipywidgets\ns = ipywidgets.IntSlider(max=6)\nipywidgets.jslink((s, 'value'), (w, 'offset'))\ns"
    notebook = open_notebook([FIRST, STORAGE, linked])
    page = notebook.page
    notebook.run_all()
    ready(page)
    grip = page.locator('[data-grip="size 0"]')
    grip.scroll_into_view_if_needed()
    box = grip.bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x, y - 38)
    # The page is ahead of the kernel while the grip is held, and its picture comes when it is let go.
    assert grip.get_attribute("aria-valuenow") == "2"
    page.mouse.up()
    shows(page, "x", "x.as_strided((2, 4), (4, 1), 0)")
    notebook.becomes("w.size, w.offset", "((2, 4), 0)")

    page.focus(".jp-OutputArea-output .widget-slider .noUi-handle")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    shows(page, "x", "x.as_strided((2, 4), (4, 1), 2)")
    notebook.becomes("w.offset, s.value", "(2, 2)")
    notebook.save()
    saved = notebook.saved().cells[1].outputs[0].data
    assert "x.as_strided((2, 4), (4, 1), 2): size (2, 4)" in saved["text/plain"] and "tw-view" in saved["text/html"]
    assert "application/vnd.jupyter.widget-view+json" not in saved


def test_a_notebook_that_no_hook_has_seen_shows_the_twin(
    open_notebook: Callable[..., Notebook], tmp_path: Path
) -> None:
    """As another server saves it: what the page holds goes to the disk, and is opened with no kernel of its own."""
    notebook = open_notebook([FIRST, STORAGE])
    page = notebook.page
    notebook.run_all()
    ready(page)
    page.click(in_view(0, "t"))
    shows(page, "x", "x.t()")
    held = notebook.evaluate("() => jupyterapp.shell.currentWidget.content.model.toJSON()")
    output = held["cells"][1]["outputs"][0]["data"]
    assert set(output) == {"text/plain", "text/html"}
    path = tmp_path / "elsewhere.ipynb"
    path.write_text(json.dumps(held), encoding="utf-8")

    page = open_notebook(path).page
    page.wait_for_selector(".jp-OutputArea-output .tw")
    text = page.locator(".jp-OutputArea-output").first.inner_text()
    assert "One storage, one view" in text and "Run this cell to use them." in text
    assert page.locator(".twl").count() == 0 and "Error displaying widget" not in page.content()
