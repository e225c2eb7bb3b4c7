"""The class of compiled layers."""

from __future__ import annotations

from typing import Any

from ..engine.errors.reasons import refuse
from ..nn.modules.module import Module

__all__ = ["OptimizedModule"]


class OptimizedModule(Module):
    """A compiled layer, of which there are none here: a class to ask for with `isinstance`."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        message = "torch._dynamo.OptimizedModule is for later"
        refuse(NotImplementedError, message, "no layer is compiled here", "torch.compile(layer)", rule="name.later")
