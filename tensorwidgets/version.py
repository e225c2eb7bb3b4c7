"""torch.version: which version this is, and which accelerators it was built for: none.

Under the name `torch` it is the version of PyTorch that this package follows, because libraries compare it.

>>> import sys
>>> import tensorwidgets
>>> tensorwidgets.__version__
'0.1.0'
>>> sys.modules["torch"] = tensorwidgets
>>> import torch
>>> torch.__version__, torch.__version__ >= (2, 4)
('2.13.0', True)
>>> del sys.modules["torch"]
"""

from __future__ import annotations

import sys
from typing import Any

from . import _VERSION
from .torch_version import TorchVersion

__all__ = ["__version__", "cuda", "debug", "git_version", "hip", "rocm", "xpu"]  # noqa: F822

debug = False
cuda: str | None = None
git_version: str | None = None
hip: str | None = None
rocm: str | None = None
xpu: str | None = None

_PYTORCH = TorchVersion("2.13.0")


def current() -> str:
    """The version of this package; of PyTorch if this package stands in its place."""
    return _PYTORCH if sys.modules.get("torch") is sys.modules[__package__ or ""] else _VERSION


def __getattr__(name: str) -> Any:
    if name == "__version__":
        return current()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
