"""A saved notebook contains the static twin of a live picture, so that it can be read without a kernel.

A running explorer stores its twin in the metadata of its output, which front ends ignore. `keep_twins` replaces the
widget by the twin when a notebook is saved; `tensorwidgets lab` registers it with Jupyter.

>>> output = {"output_type": "execute_result", "data": {VIEW: {"model_id": "7"}, "text/plain": "x"},
...           "metadata": {TWIN: "<div>x</div>"}}
>>> keep_twins({"type": "notebook", "content": {"cells": [{"outputs": [output]}]}})
>>> output["data"], output["metadata"]
({'text/plain': 'x', 'text/html': '<div>x</div>'}, {})
"""

from __future__ import annotations

from typing import Any

VIEW = "application/vnd.jupyter.widget-view+json"
TWIN = "tensorwidgets/twin"
HOOK = f"{__name__}.keep_twins"


def keep_twins(model: dict[str, Any], **_: Any) -> None:
    """A `pre_save_hook` of Jupyter's contents manager. It changes the saved file, not the open notebook."""
    if model.get("type") != "notebook" or not model.get("content"):
        return
    for cell in model["content"].get("cells", ()):
        for output in cell.get("outputs", ()):
            data, metadata = output.get("data", {}), output.get("metadata", {})
            if VIEW in data and TWIN in metadata:
                output["data"] = {"text/plain": data.get("text/plain", ""), "text/html": metadata.pop(TWIN)}
