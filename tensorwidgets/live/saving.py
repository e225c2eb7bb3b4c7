"""A saved notebook contains the static twin of a live picture, so that it can be read without a kernel.

In JupyterLab and Notebook the output of an explorer is its first twin with a seat around it: the script of the widget
puts the view there. Elsewhere the output is a widget, with the first twin in its metadata, which front ends ignore.
After each change the explorer writes its twin into a file of Jupyter's runtime folder: the kernel cannot change an
output without drawing it anew. When a notebook is saved, `keep_twins` puts the last twin in the place of the first, or
of the widget. The package registers it with Jupyter; without it, the first twin is saved.

>>> output = {"output_type": "execute_result", "data": {VIEW: {"model_id": "7"}, "text/plain": "x"},
...           "metadata": {TWIN: "<div>x</div>"}}
>>> keep_twins({"type": "notebook", "content": {"cells": [{"outputs": [output]}]}})
>>> output["data"], output["metadata"]
({'text/plain': 'x', 'text/html': '<div>x</div>'}, {})
"""

from __future__ import annotations

import json
import os
import re
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

VIEW = "application/vnd.jupyter.widget-view+json"
TWIN = "tensorwidgets/twin"
HOOK = f"{__name__}.keep_twins"
_SEAT = re.compile(r'<div class="tw-live-([0-9a-f]{32})"><div>(.*)</div></div>', re.DOTALL)
DAYS = 30
"""How long the last twin of an explorer is kept after its last change."""


def keep_twins(model: dict[str, Any], **_: Any) -> None:
    """A `pre_save_hook` of Jupyter's contents manager. It changes the saved file, not the open notebook."""
    if model.get("type") != "notebook" or not model.get("content"):
        return
    for cell in model["content"].get("cells", ()):
        for output in cell.get("outputs", ()):
            data, metadata = output.get("data", {}), output.get("metadata", {})
            html = "".join(data.get("text/html", ""))
            if sits := _SEAT.fullmatch(html):
                output["data"] = latest(sits[1]) or {**data, "text/html": sits[2]}
            elif VIEW in data and TWIN in metadata:
                first = {"text/plain": data.get("text/plain", ""), "text/html": metadata.pop(TWIN)}
                output["data"] = latest(str(data[VIEW].get("model_id"))) or first


def seat_of(model_id: str) -> str:
    """The class of the places where the view of an explorer is put."""
    return f"tw-live-{model_id}"


def seated(model_id: str, twin: str) -> str:
    """The twin as HTML, with a seat for the view around it.

    >>> seated("7", "<p>x</p>")
    '<div class="tw-live-7"><div><p>x</p></div></div>'
    """
    return f'<div class="{seat_of(model_id)}"><div>{twin}</div></div>'


def note(model_id: str, twin: Mapping[str, str]) -> None:
    """Keeps the twin of an explorer for the server that saves its notebook; without a place for it, nothing is kept."""
    path = _path(model_id)
    if path is None:
        return
    with suppress(OSError):
        if not path.parent.exists():
            path.parent.mkdir(mode=0o700, parents=True)
        _forget_old(path.parent)
        part = path.with_suffix(".part")
        part.write_text(json.dumps(twin), encoding="utf-8")
        part.replace(path)


def latest(model_id: str) -> dict[str, str] | None:
    """The twin of an explorer after its last change; None if it has not changed since it was shown."""
    path = _path(model_id)
    with suppress(OSError, ValueError):
        twin = json.loads(path.read_text(encoding="utf-8")) if path is not None else None
        if isinstance(twin, dict) and set(twin) == {"text/plain", "text/html"}:
            return twin
    return None


def _path(model_id: str) -> Path | None:
    """The file of an explorer; None without Jupyter, or for what is not a widget's name."""
    try:
        from jupyter_core.paths import jupyter_runtime_dir
    except ImportError:
        return None
    if not re.fullmatch("[0-9a-f]{32}", model_id):
        return None
    return Path(jupyter_runtime_dir()) / "tensorwidgets" / f"{model_id}.json"


def _forget_old(folder: Path) -> None:
    with os.scandir(folder) as files:
        for file in files:
            if file.stat().st_mtime < time.time() - DAYS * 86_400:
                os.unlink(file.path)
