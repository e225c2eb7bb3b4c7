"""A picture as PNG, by a browser that is already on the machine; nothing is fetched."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from .tokens import WIDTH

NAMES = (
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge",
    "msedge",
)  # fmt: skip
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
    "C:/Program Files/Google/Chrome/Application/chrome.exe",
    "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
)
TALLEST = 4000
NAMED = "TENSORWIDGETS_BROWSER"


def find_browser() -> str | None:
    """The path of a Chromium of some name; `TENSORWIDGETS_BROWSER` goes first."""
    named = os.environ.get(NAMED)
    result = [named] if named else [shutil.which(name) for name in NAMES] + [p for p in PLACES if Path(p).exists()]
    return next((path for path in result if path), None)


def photograph(page: str, dark: bool = False) -> bytes:
    """A page as the bytes of a PNG, two dots to a pixel, cut to what it shows."""
    browser = find_browser()
    if browser is None:
        raise RuntimeError(
            "saving a .png needs a browser or Pillow, and no Chromium, Chrome or Edge was found here. "
            "Install Pillow (`pip install pillow`), save an .svg instead, "
            'or name a browser: TENSORWIDGETS_BROWSER="/path/to/chromium"'
        )
    with tempfile.TemporaryDirectory(prefix="tensorwidgets-") as folder:
        source, target = Path(folder, "picture.html"), Path(folder, "picture.png")
        source.write_text(_themed(page, dark), encoding="utf-8")
        command = [
            browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--no-first-run",
            "--disable-dev-shm-usage", f"--user-data-dir={folder}/profile", "--force-device-scale-factor=2",
            f"--window-size={WIDTH + 32},{TALLEST}", f"--screenshot={target}", source.as_uri(),
        ]  # fmt: skip
        done = subprocess.run(command, capture_output=True, timeout=120, check=False)
        if not target.exists():
            errors = done.stderr.decode(errors="replace").strip().splitlines()
            raise RuntimeError(f"{browser} drew no picture: {errors[-1] if errors else 'it printed nothing'}")
        return crop(target.read_bytes())


def _themed(page: str, dark: bool) -> str:
    """The page with its paper said, for what the browser's own setting is does not matter here."""
    theme = "dark" if dark else "light"
    paper = "#111" if dark else "#fff"
    return page.replace(
        '<html lang="en">', f'<html lang="en" data-theme="{theme}" style="background:{paper}">', 1
    ).replace("<style>", f"<style>html body{{background:{paper}!important}}", 1)


def crop(data: bytes) -> bytes:
    """The PNG without the empty rows below the picture."""
    from .png import read, write

    rows = read(data)
    last = rows[-1]
    end = len(rows)
    while end > 1 and rows[end - 1] == last:
        end -= 1
    return write(rows[: min(end + 24, len(rows))], channels=len(last) // max(1, width_of(data)))


def width_of(data: bytes) -> int:
    return int.from_bytes(data[16:20], "big")
