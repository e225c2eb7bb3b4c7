"""Anomaly mode: each node remembers where it was made, and NaN in a gradient is refused."""

from __future__ import annotations

import traceback

from . import writes
from .nodes import Node, more

_mode = {"on": False, "nan": True}


def enabled() -> bool:
    """Whether anomaly detection is on."""
    return _mode["on"]


def checks_nan() -> bool:
    """Whether NaN in a gradient is refused."""
    return _mode["on"] and _mode["nan"]


def switch(on: bool, nan: bool = True) -> None:
    """Switch anomaly detection on or off."""
    _mode["on"], _mode["nan"] = on, nan


def note(node: Node) -> None:
    """Record where a node was made."""
    node.where = writes.here()
    if _mode["on"]:
        more(node).trace = traceback.format_stack()


def show_trace(node: Node) -> None:
    """Print where the node was made whose backward failed."""
    import warnings

    trace = node.extra.trace if node.extra is not None else None
    if trace is None:
        message = (
            f"Error detected in {node.name()}. No forward pass information available. Enable detect anomaly during "
            "forward pass for more information."
        )
    else:
        message = (
            f"Error detected in {node.name()}. Traceback of forward call that caused the error:\n{''.join(trace)}"
        )
    warnings.warn(message, stacklevel=4)


def check_nan(node: Node, results: Any) -> None:
    """Refuse NaN among the gradients that a node computed."""
    from ..derivatives.ops import torch
    from ..errors.reasons import refuse
    from ..tensor.tensor import Tensor

    for number, result in enumerate(results):
        if isinstance(result, Tensor) and torch.isnan(result).any():
            show_trace(node)
            refuse(
                RuntimeError,
                f"Function '{node.name()}' returned nan values in its {number}th output.",
                "a NaN in a gradient comes from an operation whose derivative does not exist there",
                rule="autograd.nan",
            )
