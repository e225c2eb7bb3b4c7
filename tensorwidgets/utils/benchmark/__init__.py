"""torch.utils.benchmark: how long does a statement take, and which of several is the fastest?

>>> timer = Timer("x + x", globals={"x": 1}, label="addition")
>>> measured = timer.timeit(100)
>>> measured.title, measured.number_per_run, measured.median > 0
('addition', 100, True)
"""

from __future__ import annotations

from timeit import default_timer as timer
from typing import Any

from .compare import Compare
from .measurement import Measurement, TaskSpec, select_unit
from .timer import Timer

__all__ = ["Compare", "Measurement", "TaskSpec", "Timer", "select_unit", "timer"]
_TO_COME = ("CallgrindStats", "FuzzedParameter", "FuzzedTensor", "Fuzzer", "Language")


def __getattr__(name: str) -> Any:
    if name in _TO_COME:
        from ...engine.compat.to_come import to_come

        return to_come(__name__, name)
    from ...engine.errors.missing_names import missing

    missing(__name__, name, __all__)
