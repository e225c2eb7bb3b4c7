"""torch._VF: the functions of tensors by another name, under which layers of libraries call recurrent ones.

>>> import tensorwidgets as torch
>>> torch._VF.lstm is torch.lstm
True
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def __getattr__(name: str) -> Any:
    return getattr(import_module(__name__.rpartition(".")[0]), name)
