"""Fixtures for tests in a real browser. Every test in this folder carries the mark `browser`.

`page`
    An empty page, as wide, light and online as all tests find it. When the test ends there must have been no error on
    its console and no request to another machine (`seen.errors`, `seen.foreign`; a test that expects some clears
    them). For a static page: `page.goto(path.as_uri())`, or `page.set_content(html)`. Tests share it, for a page of
    its own would take each of them a process of the browser.
`page_alone`
    The same in a context of its own, for a test that moves its clock: no page can give that back.
`open_notebook(source, trust=False)`
    Opens a notebook in a real JupyterLab and comes back when its kernel answers. `source` is the path of a
    notebook, which is copied, or a list of cells:
    `open_notebook(["from tensorwidgets import show", "show([1, 2])"])`. Nothing has been run, and the
    outputs it came with are not trusted unless asked for. What comes back has `run_all()`, `kernel("len(x)")`
    (the repr of an expression), `evaluate("() => ...")`, `save()`, `saved()` and `page`. One notebook is open at a
    time. All tests share one page of JupyterLab, with a kernel for each notebook, and what goes wrong on it fails
    the test that is running.
`lab`
    The server: `lab.root` is its folder, `lab.set("notebook-extension/tracker", windowingMode="full")`
    changes a setting for pages loaded from then on (`desk.load()`); put it back afterwards.

To wait for a picture: `page.wait_for_selector("[data-tw=ready]")`. To look at one:
`page.screenshot(path=...)`. The server and the browser end with this folder's last test: Playwright keeps an
event loop running in the thread, and tests of other folders could not start theirs beside it.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, ViewportSize, sync_playwright

from tests.browser.chrome import Seen, launch
from tests.browser.lab import Desk, Lab, Notebook

HERE = Path(__file__).parent
SIZE: ViewportSize = {"width": 1280, "height": 900}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    here = {path for path in {item.path for item in items} if HERE in path.parents}
    for item in items:
        if item.path in here:
            item.add_marker("browser")


@pytest.fixture(scope="package")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    with Lab(tmp_path_factory.mktemp("lab")) as running:
        yield running


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        running = launch(playwright.chromium)
        yield running
        running.close()


@pytest.fixture(scope="package")
def seen() -> Seen:
    """What went wrong in the shared page since the test began."""
    return Seen()


HOSTS_OWN = re.compile(
    r"Canceled future for \w+ message before replies were done"
    r"|Kernel message validation error: Unexpected token 's', \"stream\.std(out|err)\" is not valid JSON"
    r"|^Cannot read properties of null \(reading 'kernel'\)$"
    r"|^Failed to load resource: the server responded with a status of 500 .* at http://127.0.0.1:\d+/api/kernels\?\d+$"
)
"""What a page of JupyterLab says of itself, whatever runs in it.

It still waits for answers of a kernel that has been shut down, as its subshells do. The manager of ipywidgets asks for
the kernel of a notebook that has none. The server cannot list its kernels while it makes one. And on a busy machine
the kernel's output channel can cut a message short: its next frame is then the topic of another message. Neither
widgets nor cells write frames; they hand whole messages to the kernel.
"""


def ours(error: str) -> bool:
    """Whether a picture or a lesson could have made an error."""
    return HOSTS_OWN.search(error) is None


@contextlib.contextmanager
def watched_page(browser: Browser, seen: Seen) -> Iterator[Page]:
    """A page that notes what goes wrong on it."""
    context = browser.new_context(viewport=SIZE)
    fresh = context.new_page()

    def note_request(url: str) -> None:
        scheme, _, rest = url.partition("://")
        if scheme in ("http", "https", "ws", "wss") and not rest.startswith("127.0.0.1"):
            seen.foreign.append(url)

    def note_error(error: str) -> None:
        if ours(error):
            seen.errors.append(error)

    def note_message(message: ConsoleMessage) -> None:
        if message.type == "error":
            missing = message.text.startswith("Failed to load resource")
            note_error(f"{message.text} at {message.location['url']}" if missing else message.text)

    fresh.on("console", note_message)
    fresh.on("pageerror", lambda error: note_error(str(error)))
    fresh.on("request", lambda request: note_request(request.url))
    fresh.on("websocket", lambda socket: note_request(socket.url))
    yield fresh
    context.close()


@pytest.fixture(scope="package")
def shared_page(browser: Browser, seen: Seen) -> Iterator[Page]:
    with watched_page(browser, seen) as page:
        yield page


@pytest.fixture
def page(shared_page: Page, seen: Seen) -> Iterator[Page]:
    seen.clear()
    yield shared_page
    as_it_was(shared_page)
    assert seen == Seen()


@pytest.fixture
def page_alone(browser: Browser) -> Iterator[Page]:
    own = Seen()
    with watched_page(browser, own) as fresh:
        yield fresh
    assert own == Seen()


def as_it_was(page: Page) -> None:
    """A page as the next test expects it."""
    page.goto("about:blank")
    page.mouse.move(0, 0)
    page.emulate_media(media="screen", color_scheme="light", forced_colors="none")
    page.set_viewport_size(SIZE)
    page.context.set_offline(False)


@pytest.fixture(scope="package")
def desk_seen() -> Seen:
    """What went wrong in the page of JupyterLab since the test began."""
    return Seen()


@pytest.fixture(scope="package")
def desk(lab: Lab, browser: Browser, desk_seen: Seen) -> Iterator[Desk]:
    with watched_page(browser, desk_seen) as page:
        yield Desk(lab, page)
        page.goto("about:blank")


@pytest.fixture
def open_notebook(desk: Desk, desk_seen: Seen) -> Iterator[Callable[..., Notebook]]:
    desk_seen.clear()
    yield desk.open
    desk.clear()
    assert desk_seen == Seen()
