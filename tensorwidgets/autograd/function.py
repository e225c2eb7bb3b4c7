"""torch.autograd.function: operations with a backward of the user's own."""

from __future__ import annotations

from ..engine.autograd.functions import Function, FunctionNode, InplaceFunction, once_differentiable

FunctionCtx = BackwardCFunction = FunctionNode

__all__ = ["BackwardCFunction", "Function", "FunctionCtx", "InplaceFunction", "once_differentiable"]
