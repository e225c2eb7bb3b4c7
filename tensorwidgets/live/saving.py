"""What a notebook keeps of a live picture: its static twin, so that it opens whole tomorrow, with no kernel.

A running explorer sends its twin along as metadata of its output, where no front end looks. `keep_twins` puts it in the
place of the widget when a notebook is saved; `tensorwidgets lab` has Jupyter call it.

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
    """A `pre_save_hook` of Jupyter's contents manager: what is written to disk, and not what is on the screen."""
    if model.get("type") != "notebook" or not model.get("content"):
        return
    for cell in model["content"].get("cells", ()):
        for output in cell.get("outputs", ()):
            data, metadata = output.get("data", {}), output.get("metadata", {})
            if VIEW in data and TWIN in metadata:
                output["data"] = {"text/plain": data.get("text/plain", ""), "text/html": metadata.pop(TWIN)}
