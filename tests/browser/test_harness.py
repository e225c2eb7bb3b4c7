"""The browser and the JupyterLab that other tests stand on."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Error, Page

from tests.browser import chrome
from tests.browser.chrome import Seen
from tests.browser.lab import Notebook


def test_a_notebook_runs_and_saves(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook(["#md # A title", "x = 6 * 7", "print(x)"])
    assert notebook.page.locator(".jp-OutputArea-output").count() == 0
    notebook.run_all()
    assert notebook.page.locator(".jp-OutputArea-output").inner_text().strip() == "42"
    assert notebook.kernel("x") == "42"
    notebook.save()
    assert notebook.saved().cells[2].outputs[0].text == "42\n"


def test_an_error_in_the_kernel_is_raised_here(open_notebook: Callable[..., Notebook]) -> None:
    notebook = open_notebook(["1"])
    with pytest.raises(Error, match="NameError: name 'nowhere' is not defined"):
        notebook.kernel("nowhere")


def test_notebooks_share_a_page_until_one_leaves_a_dialog_open(open_notebook: Callable[..., Notebook]) -> None:
    page = open_notebook(["x = 1"]).page
    page.evaluate("window.mine = 1")
    second = open_notebook(["x = 2"])
    assert page.locator(".jp-NotebookPanel").count() == 1 and second.page.evaluate("window.mine") == 1
    assert second.kernel("'x' in globals()") == "False"
    page.evaluate("document.body.append(Object.assign(document.createElement('div'), { className: 'jp-Dialog' }))")
    assert open_notebook(["x = 3"]).page.evaluate("window.mine") is None


def test_errors_and_foreign_requests_are_seen(page: Page, seen: Seen) -> None:
    page.set_content("<img src='http://192.0.2.1/a.png'><script>console.error('told'); throw Error('thrown')</script>")
    while len(seen.errors) < 2 or not seen.foreign:
        page.wait_for_timeout(10)
    assert "told" in seen.errors and any("thrown" in e for e in seen.errors)
    assert seen.foreign == ["http://192.0.2.1/a.png"]
    page.goto("about:blank")
    seen.clear()


def test_no_browser_says_how_to_install_one() -> None:
    class Nothing:
        def launch(self, **_: object) -> None:
            raise Error("there is no such thing")

    with pytest.raises(RuntimeError, match="apt-get install -y --no-install-recommends chromium"):
        chrome.launch(Nothing(), install=lambda: False)  # type: ignore[arg-type]


def test_the_machines_own_browser_comes_first() -> None:
    machine = {"google-chrome": "/opt/chrome"}
    assert [*chrome.candidates(machine.get)] == [
        {"executable_path": "/opt/chrome"},
        {"channel": "chrome"},
        {"channel": "msedge"},
        {},
    ]
