"""How NumPy calls what PyTorch calls otherwise; calls are understood in both."""

from __future__ import annotations

NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim", "x": "input", "a": "input", "x1": "input", "x2": "other"}
"""PyTorch's name of an argument by that of NumPy."""

OTHER_NAMES = {
    "dim": ("axis",), "keepdim": ("keepdims",), "input": ("x", "a", "x1"), "self": ("x", "a", "x1"), "other": ("x2",)
}  # fmt: skip
"""The same table the other way round."""
