"""torch.distributed.optim: optimizers whose state is spread over ranks, of which there are none here."""

from __future__ import annotations

from typing import Any

from ..engine.errors.reasons import refuse

__all__ = ["ZeroRedundancyOptimizer"]


class ZeroRedundancyOptimizer:
    """An optimizer that keeps a part of its state in each rank: a class to ask for with `isinstance`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        refuse(
            NotImplementedError,
            f"torch.distributed.optim.{type(self).__name__} is for later",
            "every rank keeps the whole state here",
            "torch.optim.Adam(model.parameters())",
            rule="name.later",
        )


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
