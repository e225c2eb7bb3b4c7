"""torch.utils: checkpoints for gradients, hooks, data loading, and the exchange of memory with other libraries."""

from __future__ import annotations

from typing import Any

from . import dlpack

__all__ = ["checkpoint", "data", "deterministic", "dlpack", "hooks", "swap_tensors"]
_LATER = ("_contextlib", "_foreach_utils", "_pytree", "checkpoint", "data", "deterministic", "hooks", "weak")


def __getattr__(name: str) -> Any:
    if name in _LATER:
        from importlib import import_module

        return import_module(f"{__name__}.{name}")
    if name == "swap_tensors":
        from .swapping import swap_tensors

        return swap_tensors
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
