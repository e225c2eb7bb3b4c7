"""What PyTorch's nodes call what they save, and how they show it: ``grad_fn._saved_self``, ``grad_fn._saved_dim``."""

from __future__ import annotations

from math import prod
from typing import Any

from ..derivatives.declaring import Derivative
from ..tensor.tensor import Tensor
from .nodes import FREED

WHOLE = frozenset(
    "dim dims dim0 dim1 dim2 dimension index start end step offset diagonal shifts padding_idx split_size split_sizes "
    "storage_offset".split()
)
"""Arguments of whole numbers, which PyTorch shows without a sign."""

_LISTED = frozenset(
    "SumBackward1 MeanBackward1 LogsumexpBackward0 LinalgVectorNormBackward0 VarBackward0 StdBackward0 "
    "VarMeanBackward0 StdMeanBackward0 AmaxBackward0 AminBackward0 NansumBackward0 RollBackward0".split()
)
"""Nodes of ops that take several dimensions: one is shown as a list."""

_WITH_SIZE = frozenset(
    "SelectBackward0 SliceBackward0 UnfoldBackward0 DiagonalBackward0 SplitBackward0 SplitWithSizesBackward0 "
    "UnsafeSplitBackward0 UnsafeSplitWithSizesBackward0 IndexSelectBackward0 IndexBackward0".split()
)
_WITH_STRIDE = frozenset(("MmBackward0", "AddmmBackward0"))
_WITH_INPUT = frozenset(
    ("NativeLayerNormBackward0", "NativeBatchNormBackward0", "NativeGroupNormBackward0", "ConvolutionBackward0")
)
"""Nodes that call their input so, and not self."""

_INDICES = frozenset(
    "MaxBackward0 MinBackward0 SortBackward0 SortBackward1 KthvalueBackward0 TopkBackward0 CummaxBackward0 "
    "CumminBackward0 MedianBackward1 NanmedianBackward1 ModeBackward0".split()
)
_FACTS = ("shape", "dtype", "device", "layout", "offset", "like", "block")


def fact_of(own: str, derivative: Derivative) -> str:
    """Which fact of an input or a result a name asks for; empty for an argument of its own."""
    base, _, fact = own.rpartition("_")
    known = base in derivative.inputs or base.startswith("result") or base in ("tensors", "input")
    return fact if fact in _FACTS and known else ""


def torch_names(own: str, derivative: Derivative) -> list[str]:
    """The names that PyTorch's node has for what ours keeps under a name."""
    fact, node = fact_of(own, derivative), derivative.node
    theirs = "self" if own == "input" and node not in _WITH_INPUT else own
    if not fact:
        if own == "split_size_or_sections":
            return ["split_sizes" if node == "SplitWithSizesBackward0" else "split_size"]
        if (
            own in ("unbiased", "dtype")
            or own == "eps"
            and node == "NativeLayerNormBackward0"
            or own == "split_size"
            and "split_size_or_sections" in derivative.keeps
        ):
            return []
        if own == "result1" and node in _INDICES:
            return ["indices"]
        if node == "AminmaxBackward0" and own.startswith("result"):
            return ["max" if own == "result1" else "min"]
        return [derivative.called.get(own, theirs)]
    base = own.removesuffix("_" + fact).replace("input", "self")
    if fact == "shape" and node == "EmbeddingBackward0":
        return ["weight_sym_argsize_0"]
    if own == "bias_shape" and node == "ConvolutionBackward0":
        return ["bias_sym_sizes_opt"]
    if fact == "shape" and node == "ScatterAddBackward0":
        return []
    if fact == "shape" and base != "tensors" or fact == "like" and node in _WITH_SIZE:
        return [base + "_sym_numel"] * node.startswith("Mean") + [base + "_sym_sizes"]
    return [base + "_sym_sizes", base + "_sym_strides"] if fact == "like" and node in _WITH_STRIDE else []


def shown(name: str, value: Any, version: Any, derivative: Derivative, defaults: Any) -> Any:
    """What PyTorch's node shows under a name for a value that ours keeps; `defaults` looks up an argument left out."""
    if name.endswith("_sym_argsize_0"):
        return value[0]
    if name.endswith("_sym_sizes_opt"):
        return tuple(value) or (0,)
    if name.endswith("_sym_numel"):
        return prod(getattr(value, "shape", value))
    if name.endswith("_sym_sizes"):
        return tuple(getattr(value, "shape", value))
    if name.endswith("_sym_strides"):
        return tuple(value.stride)
    if version == FREED and not isinstance(value, Tensor):
        from ..derivatives.ops import torch

        d = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}.get(type(value))
        return value if d is None else torch.tensor(value, dtype=d)
    if name == "correction" and value is None and defaults("dim") is not None:
        return 0 if defaults("unbiased") is False else 1
    if name in ("start", "end") and value is None and derivative.node == "SliceBackward0":
        value = 0 if name == "start" else 2**63 - 1
    if name in WHOLE:
        if type(value) is int and derivative.node in _LISTED:
            value = (value,)
        return _unsigned(value)
    return value


def _unsigned(value: Any) -> Any:
    if type(value) is int:
        return value % 2**64
    return tuple([_unsigned(v) for v in value]) if type(value) in (tuple, list) else value
