"""StorageExplorer in a real JupyterLab, moved by mouse, by keys alone and by Python."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import Page

from tests.browser.lab import Notebook

CELLS = [
    "import tensorwidgets as torch\nfrom tensorwidgets import show",
    "x = torch.arange(12.).reshape(3, 4)\nw = show(x).live()\nw",
    "w",
]
READY = "[data-twl=ready] [data-tw=ready]"


def slider(page: Page, name: str, view: int = 0) -> str:
    return f'.twl >> nth={view} >> [data-name="{name}"] input'


def test_moved_by_mouse_by_keys_and_by_python(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook(CELLS)
    page = notebook.page
    notebook.run_all()
    page.wait_for_function("document.querySelectorAll('[data-twl=ready]').length === 2")
    page.click('[data-name="t"] >> nth=0')
    page.wait_for_selector('.twl >> nth=1 >> .tw [aria-label^="x.t()[3, 2]:"]')
    assert notebook.kernel("w.expression") == "'x.t()'"

    page.focus(slider(page, "offset"))
    page.keyboard.press("ArrowRight")
    assert page.locator(".twl-edge >> nth=0").inner_text() == (
        "The last element would be number 12 of the storage, counted from 0; it has 12."
    )
    assert notebook.kernel("w.offset") == "0"
