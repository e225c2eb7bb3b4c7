"""A picture in a real JupyterLab: run, hovered, arrowed, typed at, reopened without trust and with it, exported, dark.

Errors on the console and requests to other machines fail each of these too: the page fixture sees to that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import Page

from tests.browser.lab import Desk, Lab, Notebook

CELLS = [
    "import numpy as np",
    "from tensorwidgets.pictures import show",
    "x = np.arange(12, dtype=np.float32).reshape(3, 4)\nshow(x, x.T, x[1:, ::2])",
    "last = 'a cell below'",
]
READY = ".jp-OutputArea-output [data-tw=ready]"
WINDOWING = ["contentVisibility", "full"]


@pytest.fixture(params=WINDOWING)
def windowing(request: pytest.FixtureRequest, desk: Desk) -> Iterator[str]:
    """JupyterLab's two ways of leaving out cells that are not in sight."""
    mode: str = request.param
    desk.leave_out(mode)
    yield mode
    desk.leave_out("none")


def cell_count(notebook: Notebook) -> int:
    return int(notebook.evaluate("() => jupyterapp.shell.currentWidget.content.model.cells.length"))


def lit(page: Page) -> set[str]:
    return set(
        page.eval_on_selector_all(".tw-hot", "all => all.map(c => [...c.classList].find(n => n.startsWith('k-')))")
    )


def hover_both_ways(page: Page) -> None:
    page.hover('.tw [aria-label^="x.T[1, 2]:"]')
    assert lit(page) == {"k-A9"} and page.locator(".tw-storage .tw-hot").count() == 1
    page.hover(".tw-storage .k-A6")
    assert lit(page) == {"k-A6"} and page.locator(".tw-view .tw-hot").count() == 3


def test_run_typed_at_and_reopened_without_trust_and_with_it(
    windowing: str, open_notebook: Callable[..., Notebook], lab: Lab
) -> None:
    notebook = open_notebook(CELLS)
    page = notebook.page
    notebook.run_all()
    page.wait_for_selector(READY)
    config = "() => jupyterapp.shell.currentWidget.content.notebookConfig.windowingMode"
    assert notebook.evaluate(config) == windowing
    hover_both_ways(page)

    active = notebook.evaluate("() => jupyterapp.shell.currentWidget.content.activeCellIndex")
    page.click('.tw [aria-label^="x[0, 0]:"]')
    for key in ("ArrowDown", "ArrowRight", "d", "d", "x", "ArrowDown", "ArrowDown", "ArrowDown"):
        page.keyboard.press(key)
    assert page.evaluate("document.activeElement.ariaLabel") == "x[2, 1]: 9"
    assert cell_count(notebook) == len(CELLS)
    assert notebook.evaluate("() => jupyterapp.shell.currentWidget.content.activeCellIndex") in (active, 2)

    notebook.save()
    # Saving signs what was saved, so a clone is a copy that differs.
    clone = notebook.saved()
    clone.metadata["cloned"] = windowing
    ran = lab.root / f"ran-{windowing}.ipynb"
    nbformat.write(clone, ran)

    distrusted = open_notebook(ran, kernel=False)
    table = page.locator(".jp-OutputArea-output table.tw-view").nth(1)
    table.wait_for()
    assert distrusted.evaluate("() => jupyterapp.shell.currentWidget.content.model.cells.get(2).trusted") is False
    assert page.locator("[data-tw]").count() == 0
    assert table.inner_text().split()[-3:] == ["3", "7", "11"]
    assert table.locator("caption").inner_text().startswith("x.T")
    look = (
        "e => { const s = getComputedStyle(e); return [s.backgroundColor, s.padding, s.borderTopWidth, s.textAlign] }"
    )
    assert table.locator(".k-A0").evaluate(look) == ["rgb(247, 246, 211)", "0px", "1px", "center"]
    assert "offset = 0 + 0*1 + 0*4 = 0" in str(table.locator(".k-A0").get_attribute("title"))
    hatched = page.locator(".tw-storage td[title*='never reads']").first
    assert "linear-gradient" in hatched.evaluate("e => getComputedStyle(e).backgroundImage")
    arch = page.locator(".tw-hops div").first
    assert arch.evaluate("e => getComputedStyle(e).position") == "absolute"

    open_notebook(ran, trust=True, kernel=False)
    page.wait_for_selector(READY)
    hover_both_ways(page)


def test_dark_theme_and_exported_with_nbconvert(open_notebook: Callable[..., Notebook], page: Page) -> None:
    notebook = open_notebook(CELLS)
    desk_page = notebook.page
    notebook.run_all()
    desk_page.wait_for_selector(READY)
    theme = "async (name) => { await jupyterapp.commands.execute('apputils:change-theme', {theme: name}); }"
    paper = "e => getComputedStyle(e).backgroundColor"
    notebook.evaluate(theme, "JupyterLab Dark")
    desk_page.wait_for_selector(".tw.dark")
    assert desk_page.locator(".tw").evaluate(paper) == "rgb(17, 17, 17)"
    hover_both_ways(desk_page)
    notebook.evaluate(theme, "JupyterLab Light")
    desk_page.wait_for_selector(".tw:not(.dark)")
    assert desk_page.locator(".tw").evaluate(paper) == "rgb(255, 255, 255)"

    notebook.save()
    html, _ = HTMLExporter().from_filename(str(notebook.path))
    start = html.index('<div class="tw"')
    # nbconvert's own page asks a CDN for MathJax, so the picture is taken out of it, with the paper that the page has.
    body = html[html.index("<body") : html.index(">", html.index("<body")) + 1]
    alone = html[start : html.index("</script>", start) + len("</script>")]
    page.context.set_offline(True)
    page.set_content(f"<!doctype html>{body}{alone}</body>")
    page.wait_for_selector("[data-tw=ready]")
    hover_both_ways(page)
