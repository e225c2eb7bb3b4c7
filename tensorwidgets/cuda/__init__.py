"""torch.cuda: which GPUs there are, and `simulate`, which pretends that there are some.

>>> import tensorwidgets as torch
>>> torch.cuda.is_available(), torch.cuda.device_count(), torch.cuda.memory_allocated()
(False, 0, 0)
>>> torch.cuda.manual_seed_all(0)
"""

from __future__ import annotations

from typing import Any

from ..engine.compat import cuda as _engine
from . import amp as amp
from . import memory as memory
from . import nvtx as nvtx
from . import random as random
from . import streams as streams

globals().update({name: getattr(_engine, name) for name in _engine.__all__ if name != "memory"})
__all__ = list(_engine.__all__)
_lazy_init, _sleep = _engine._lazy_init, _engine._sleep


def __getattr__(name: str) -> Any:
    return getattr(_engine, name)
