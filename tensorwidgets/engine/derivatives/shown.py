"""`torch.derivative`: the derivative of an op as it is declared."""

from __future__ import annotations

from collections.abc import Callable

from ..dispatch.registry import find
from . import families  # noqa: F401  (imported for the table)
from .declaring import FORMULAS, TABLE, describe


class Description:
    """The derivative of one op; prints as text."""

    def __init__(self, op: str, text: str):
        self.op, self.text = op, text

    def __repr__(self) -> str:
        return self.text


def derivative(op: str | Callable) -> Description:
    """The derivative of an op: how the gradient of each argument is computed from that of the result, `grad`.

    The first line is the name of the node that records a call. The names in a formula are what the node saves: an
    argument, or `result`. Other ops are recorded as several that they are made of, or are not differentiable.

    >>> import tensorwidgets as torch
    >>> torch.derivative("mul")
    mul: MulBackward0
      input: grad * conj(other)
      other: grad * conj(input)
    >>> torch.derivative(torch.exp)
    exp: ExpBackward0
      input: grad * result.conj()
    >>> torch.derivative("argmax")
    argmax
      not differentiable
    """
    name = find(op).name
    declared = TABLE.get(name) or TABLE.get(name.removesuffix("_"), [])
    nodes = list(dict.fromkeys(one.node for one in declared if one.says == FORMULAS))
    lines = describe(name).splitlines() or ["recorded as the ops that it is made of"]
    head = f"{name}: {', '.join(nodes)}" if nodes else name
    return Description(name, "\n".join([head, *[f"  {line}" for line in lines]]))


__all__ = ["Description", "derivative"]
