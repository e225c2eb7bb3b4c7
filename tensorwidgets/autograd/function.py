"""torch.autograd.function: operations with a backward of the user's own."""

from __future__ import annotations

from ..engine.autograd.functions.function import Function, InplaceFunction
from ..engine.autograd.functions.node import FunctionNode
from ..engine.autograd.functions.once import once_differentiable

FunctionCtx = BackwardCFunction = FunctionNode

__all__ = ["BackwardCFunction", "Function", "FunctionCtx", "InplaceFunction", "once_differentiable"]
