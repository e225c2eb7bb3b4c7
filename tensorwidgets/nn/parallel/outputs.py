"""Which outputs of a model does backward start from? The others' parameters get no gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...engine.autograd.functions.function import Function
from ...engine.tensor.tensor import Tensor
from .reducer import Reducer


class _Watch(Function):
    """Passes outputs on, and tells when backward comes which of them got a gradient."""

    @staticmethod
    def forward(ctx: Any, reducer: Reducer, outputs: list[Tensor], *inputs: Tensor) -> tuple:
        ctx.set_materialize_grads(False)
        ctx.reducer, ctx.outputs = reducer, outputs
        return tuple(t.view_as(t) for t in inputs)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple:
        ctx.reducer.starts_from([t for t, grad in zip(ctx.outputs, grads, strict=True) if grad is not None])
        return None, None, *grads


def watched(output: Any, reducer: Reducer) -> Any:
    """The same output, whose backward tells the reducer what it starts from."""
    found: list[Tensor] = []
    replaced(output, lambda t: found.append(t) or t)  # type: ignore[func-returns-value]
    found = [t for t in found if t.requires_grad and t.grad_fn is not None]
    if not found:
        return output
    new = _Watch.apply(reducer, found, *found)
    by_id = {id(t): made for t, made in zip(found, new, strict=True)}
    return replaced(output, lambda t: by_id.get(id(t), t))


def replaced(of: Any, by: Callable[[Tensor], Tensor]) -> Any:
    """A structure of tensors with each of them replaced."""
    if isinstance(of, Tensor):
        return by(of)
    if isinstance(of, dict):
        return type(of)((key, replaced(each, by)) for key, each in of.items())
    if isinstance(of, tuple) and hasattr(of, "_fields"):
        return type(of)(*(replaced(each, by) for each in of))
    if isinstance(of, (list, tuple)):
        return type(of)(replaced(each, by) for each in of)
    if hasattr(of, "__dataclass_fields__"):
        from dataclasses import replace

        return replace(of, **{name: replaced(getattr(of, name), by) for name in of.__dataclass_fields__})
    return of
