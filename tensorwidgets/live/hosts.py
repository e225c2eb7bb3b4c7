"""Is there somebody who can see a widget, or a bar that moves?"""

from __future__ import annotations

import os
import sys
from typing import Any


def answers() -> bool:
    """Whether a front end can show a widget: the kernel can ask a user for input.

    It cannot if a program runs the notebook to build, export or test it. `TENSORWIDGETS_LIVE` overrides this: 1 for
    always (Voilà), 0 for never.
    """
    said = os.environ.get("TENSORWIDGETS_LIVE")
    if said in ("0", "1"):
        return said == "1"
    kernel = kernel_of_notebook()
    return kernel is not None and bool(getattr(kernel, "_allow_stdin", True))


def seats() -> bool:
    """Whether the view may be put over its twin, in an output without a widget: such an output can be read wherever the
    notebook is opened, with no kernel and no hook.

    JupyterLab and Notebook make the model of a widget even if no output shows it. VS Code and Colab do not; there, and
    where `TENSORWIDGETS_LIVE` is 1, the output is the widget.
    """
    if os.environ.get("TENSORWIDGETS_LIVE") == "1" or "google.colab" in sys.modules:
        return False
    return "JPY_SESSION_NAME" in os.environ and not any(name.startswith("VSCODE_") for name in os.environ)


def kernel_of_notebook() -> Any:
    """The kernel that runs this program; None in a terminal or a script."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return getattr(shell, "kernel", None)
