"""The check that an argument is a tensor."""

from __future__ import annotations

from typing import Any

from ..errors.reasons import refuse
from .tensor import Tensor
from .type_names import type_name


def must_be_tensor(
    op_name: str, value: Any, name: str = "input", position: int = 1, because: str = "", instead: str = ""
) -> Tensor:
    """Return an argument that is a tensor, and refuse any other as PyTorch does.

    >>> must_be_tensor("linalg.svd", [1.0], "A")
    Traceback (most recent call last):
    TypeError: linalg_svd(): argument 'A' (position 1) must be Tensor, not list
    linalg.svd works on tensors
    Instead: torch.tensor(…)
    """
    if isinstance(value, Tensor):
        return value
    refuse(
        TypeError,
        f"{op_name.replace('.', '_')}(): argument '{name}' (position {position}) must be Tensor, not "
        f"{type_name(value)}",
        because or f"{op_name} works on tensors",
        instead or _way_to_tensor(value),
        rule="argument.type",
    )


def _way_to_tensor(value: Any) -> str:
    """How to get a tensor from what was given in its place."""
    if isinstance(value, (int, float, complex)):
        return f"torch.tensor({value!r})"
    if isinstance(value, tuple) and any(isinstance(x, Tensor) for x in value):
        return "out, state = lstm(x), and out from there on: an LSTM, for one, returns two things"
    if isinstance(value, list) and value and all(isinstance(x, Tensor) for x in value):
        return "torch.stack(tensors), if all have one size"
    if type(value).__module__ == "numpy":
        return "torch.from_numpy(x)"
    if value is None:
        return "return x, in the function that returned nothing"
    return "torch.tensor(…)"


def must_have(value: Any, attribute: str, op_name: str) -> None:
    """Refuse an argument that is not a tensor where PyTorch's function begins by asking it for an attribute.

    >>> must_have([1.0], "dim", "glu")
    Traceback (most recent call last):
    AttributeError: 'list' object has no attribute 'dim'
    glu works on tensors
    Instead: torch.tensor(…)
    """
    if not isinstance(value, Tensor):
        refuse(
            AttributeError,
            f"'{type_name(value)}' object has no attribute '{attribute}'",
            f"{op_name} works on tensors",
            _way_to_tensor(value),
            rule="argument.type",
        )
