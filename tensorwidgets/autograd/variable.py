"""torch.autograd.variable: what old programs call a tensor with a gradient. Every tensor is one."""

from __future__ import annotations

from typing import Any

from ..engine.autograd.passes.running import Engine
from ..engine.declare.creation import check_requires_grad
from ..engine.errors.reasons import refuse
from ..engine.errors.warnings import warn
from ..engine.interop.parameter import Parameter
from ..engine.tensor.tensor import Tensor

__all__ = ["Variable", "VariableMeta"]


class VariableMeta(type):
    """Lets ``isinstance(x, Variable)`` say what ``isinstance(x, Tensor)`` says."""

    def __instancecheck__(cls, other: Any) -> bool:
        return isinstance(other, Tensor)


class Variable(metaclass=VariableMeta):
    """The tensor itself, cut off from its graph: what `detach()` and `requires_grad_()` do today.

    >>> import tensorwidgets as torch
    >>> x = torch.autograd.Variable(torch.ones(2), requires_grad=True)
    >>> (x * x).sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """

    _execution_engine = Engine()

    def __new__(cls, data: Any = None, requires_grad: bool = False, volatile: bool | None = None) -> Any:
        if data is not None and not isinstance(data, Tensor):
            refuse(
                TypeError,
                f"Variable data has to be a tensor, but got {type(data).__name__}",
                "it is another name for a tensor",
                "torch.tensor(…, requires_grad=True)",
                rule="argument.type",
            )
        if volatile is not None:
            warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.")
        made = Parameter().data if data is None else data.detach()
        check_requires_grad(bool(requires_grad), made.dtype)
        return made.requires_grad_(bool(requires_grad))
