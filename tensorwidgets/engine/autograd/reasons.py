"""Why the backward pass is refused: which call saved a tensor, and which line changed it."""

from __future__ import annotations

from typing import Any, NoReturn

from ..errors.reasons import refuse
from ..tensor.tensor import Tensor
from ..tensor.versions import version_owner
from ..types.cpp_names import cpp_tensor_type
from ..types.dtypes import INTEGER
from . import writes
from .anomaly import is_anomaly_enabled
from .nodes import Node


def changed(node: Node, name: str, value: Any, version: int, now: int) -> NoReturn:
    """A tensor that a node saved was written to before the backward pass."""
    owner = version_owner(value) if isinstance(value, Tensor) else value.owner()
    size = list(value._array.shape) if isinstance(value, Tensor) else list(value.array.shape)
    what = f"{_type_name(value)} {size}"
    if isinstance(value, Tensor):
        from .origin import node_of, tracked

        maker = node_of(value) if tracked(value) else None
        number = 0  # PyTorch does not look at the number of a tensor that it saved itself, and says 0 of each
    else:
        fractions = value.dtype._kind > INTEGER  # PyTorch keeps results without gradients, such as places, as inputs
        maker, number = value.maker(node) if fractions else None, int(name[6:]) if name[6:].isdigit() else 0
    whose = f", which is output {number} of {plain_name(maker)}," if maker is not None else ""
    culprit = "" if owner is None else writes.words_of(writes.write_after(owner, version))
    saved_at = writes.words_of(node.where)
    refuse(
        RuntimeError,
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{what}]{whose} is at version {now}; expected version {version} instead. Hint: "
        + (
            "the backtrace further above shows the operation that failed to compute its gradient. The variable in "
            "question was changed in there or anywhere later. Good luck!"
            if is_anomaly_enabled()
            else "enable anomaly detection to find the operation that failed to compute its gradient, with "
            "torch.autograd.set_detect_anomaly(True, check_nan=False)."
        ),
        f"{plain_name(node)} saved {_argument(name)} at version {version}"
        + (f" ({saved_at})" if saved_at else "")
        + f" to compute a gradient; it is at version {now} now"
        + (f", since {culprit}" if culprit else ""),
        "write x = x * 2, which makes a new tensor, in place of x.mul_(2)",
        "save a copy: use x.clone() in the computation",
        "write to the tensor after backward()",
        rule="autograd.version",
        saved_by=node.name(),
        argument=name,
        version=version,
        now=now,
        written=culprit,
    )


def plain_name(node: Any) -> str:
    """The name of a node as PyTorch's messages have it: Mul for MulBackward0, Squeeze1 for SqueezeBackward1."""
    head, _, number = node.name().rpartition("Backward")  # a Function may have the word in its own name
    if number and not number.isdigit():
        return str(node.name())  # CopyBackwards
    return head if number == "0" else f"{head}{number}"


def _argument(name: str) -> str:
    return "its own result" if name.startswith("result") else f"its argument {name!r}"


def _type_name(value: Any) -> str:
    dtype = value._dtype if isinstance(value, Tensor) else value.dtype
    return cpp_tensor_type(dtype)
