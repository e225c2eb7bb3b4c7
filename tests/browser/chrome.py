"""A real browser for the tests: the machine's own Chromium, Chrome or Edge, else Playwright's own.

Playwright's is installed if it can be. Where none can be had the tests fail,
and say the line that installs one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Browser, BrowserType, Error

NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "microsoft-edge-stable",
)
CHANNELS = ("chrome", "msedge")  # where Playwright itself knows to look on macOS and Windows
SWITCHES = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--disable-gpu",
    "--disable-software-rasterizer",
    "--disable-quic",
    "--disable-smooth-scrolling",
    "--disable-sync",
    "--no-first-run",
]
HOW_TO_INSTALL = """\
No Chromium, Chrome or Edge could be started. Either line installs one:
    apt-get update && apt-get install -y --no-install-recommends chromium
    python -m playwright install --with-deps chromium"""


def candidates(which: Callable[[str], str | None] = shutil.which) -> Iterator[dict[str, Any]]:
    """The browsers to try, as arguments for Playwright's launch; an empty one is Playwright's own."""
    asked_for = os.environ.get("TENSORWIDGETS_BROWSER")
    if asked_for:
        yield {"executable_path": asked_for}
    for name in NAMES:
        path = which(name)
        if path:
            yield {"executable_path": path}
    for channel in CHANNELS:
        yield {"channel": channel}
    yield {}


def install_playwrights_own() -> bool:
    command = [sys.executable, "-m", "playwright", "install", "chromium"]
    try:
        return subprocess.run(command, capture_output=True, timeout=300).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def launch(chromium: BrowserType, install: Callable[[], bool] = install_playwrights_own) -> Browser:
    """The first browser that starts."""
    switches = SWITCHES + (["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else [])
    refusals = []
    for candidate in candidates():
        try:
            return chromium.launch(args=switches, **candidate)
        except Error as e:
            refusals.append(f"{candidate or 'Playwright'}: {e.message.splitlines()[0]}")
    if install():
        return chromium.launch(args=switches)
    raise RuntimeError("\n".join([HOW_TO_INSTALL, "What was tried:", *refusals]))


@dataclass
class Seen:
    """What a page should not have done."""

    errors: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)

    def clear(self) -> None:
        self.errors.clear()
        self.foreign.clear()
