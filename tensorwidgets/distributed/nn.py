"""torch.distributed.nn: collectives with a gradient, which are for later. Libraries import the module all the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..engine.errors.reasons import refuse

__all__ = [
    "all_gather", "all_reduce", "all_to_all", "all_to_all_single", "broadcast", "gather", "reduce", "reduce_scatter",
    "scatter",
]  # fmt: skip


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


all_gather = _refusal("all_gather")
all_reduce = _refusal("all_reduce")
all_to_all = _refusal("all_to_all")
all_to_all_single = _refusal("all_to_all_single")
broadcast = _refusal("broadcast")
gather = _refusal("gather")
reduce = _refusal("reduce")
reduce_scatter = _refusal("reduce_scatter")
scatter = _refusal("scatter")


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
