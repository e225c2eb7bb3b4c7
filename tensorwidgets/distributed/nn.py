"""torch.distributed.nn: collectives with a gradient, which are for later. Libraries import the module all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.errors.reasons import refuse

_LATER = (
    "all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast", "gather", "reduce", "reduce_scatter",
    "scatter",
)  # fmt: skip


def _refusal(name: str) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        refuse(
            NotImplementedError,
            f"torch.distributed.nn.{name} is for later",
            "collectives are not recorded here, so no gradient passes through them",
            f"torch.distributed.{name} of detached tensors, or DistributedDataParallel",
            rule="name.later",
        )

    call.__name__ = call.__qualname__ = name
    return call


def __getattr__(name: str) -> Any:
    if name in _LATER:
        return _refusal(name)
    from ..engine.errors.missing_names import missing

    missing(__name__, name, _LATER)


def __dir__() -> list[str]:
    return sorted(_LATER)
