"""torch.nn.parallel: one model, trained by several devices or by several ranks."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from .data_parallel import DataParallel, data_parallel, gather, parallel_apply, replicate, scatter, scatter_kwargs

__all__ = [
    "DataParallel", "DistributedDataParallel", "data_parallel", "gather", "parallel_apply", "replicate", "scatter",
    "scatter_kwargs",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name == "DistributedDataParallel":  # it needs the ranks
        return import_module(f"{__name__}.distributed").DistributedDataParallel
    from ...engine.errors.missing_names import missing

    missing(__name__, name, __all__)
