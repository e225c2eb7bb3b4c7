"""What PyTorch's nodes call what they save, and how they show it: ``grad_fn._saved_self``, ``grad_fn._saved_dim``."""

from __future__ import annotations

from math import prod
from typing import Any

from ..derivatives.declaring import Derivative
from ..tensor.tensor import Tensor
from .nodes import FREED
from .saved import ABSENT, is_result, refuse_second_time, unpack

WHOLE = frozenset(
    "dim dims dim0 dim1 dim2 dimension index start end step offset diagonal shifts padding_idx split_size split_sizes "
    "storage_offset ignore_index pad".split()
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
    "NativeLayerNormBackward0 NativeBatchNormBackward0 NativeGroupNormBackward0 ConvolutionBackward0 "
    "LinalgHouseholderProductBackward0 GridSampler2DBackward0 GridSampler2DBackwardBackward0 GridSampler3DBackward0 "
    "GridSampler3DBackwardBackward0".split()
)
"""Nodes that call their input so, and not self."""

_INDICES = frozenset(
    "MaxBackward0 MinBackward0 SortBackward0 SortBackward1 KthvalueBackward0 TopkBackward0 CummaxBackward0 "
    "CumminBackward0 MedianBackward1 NanmedianBackward1 ModeBackward0".split()
)
_RESULTS = {
    "StdMeanBackward0": ("result0", "result1"),
    "FrexpBackward0": ("mantissa", "exponent"),
    "LinalgCholeskyExBackward0": ("L",),
    "LinalgEighBackward0": ("eigenvalues", "eigenvectors"),
    "LinalgEigBackward0": ("eigenvalues", "eigenvectors"),
    "LinalgInvExBackward0": ("inverse",),
    "LinalgLstsqBackward0": ("solution",),
    "LinalgLuFactorExBackward0": ("LU", "pivots"),
    "LinalgQrBackward0": ("Q", "R"),
    "LinalgSlogdetBackward0": ("sign",),
    "LinalgSvdBackward0": ("U", "S", "Vh"),
}
"""Nodes that call their results so, and not result, result1 …"""

_SIZES = {
    "MeanBackward0": ("self_sym_numel", "self_sym_sizes"),
    "MeanBackward1": ("self_sym_numel", "self_sym_sizes"),
    "Im2ColBackward0": ("self_sym_argsize_minus_1", "self_sym_argsize_minus_2"),
    "EmbeddingBackward0": ("weight_sym_argsize_0",),
    "EmbeddingBagBackward0": ("weight_sym_argsize_0",),
    "ConvolutionBackward0": ("bias_sym_sizes_opt",),
    "ScatterBackward0": (),
    "ScatterAddBackward0": (),
    "LinalgCrossBackward0": (),
    "LinalgSolveExBackward0": (),
}
"""What nodes show of a size that ours keeps, where it is not all of it."""

_WINDOWS = frozenset("kernel_size stride padding dilation output_padding".split())
"""Arguments of windows: one number stands for all dimensions."""

_OPTIONAL = frozenset("weight bias running_mean running_var pos_weight attn_mask per_sample_weights".split())
"""Tensors that a call need not name."""

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
        if own == "split_size" and node == "SplitWithSizesBackward0":
            return ["split_sizes"]
        if own in ("unbiased", "dtype") or own == "eps" and node == "NativeLayerNormBackward0":
            return []
        if own == "result1" and node in _INDICES:
            return ["indices"]
        if node == "AminmaxBackward0" and own.startswith("result"):
            return ["max" if own == "result1" else "min"]
        if node in _RESULTS and own.startswith("result"):
            number = int(own[6:] or 0)
            return [_RESULTS[node][number]] if number < len(_RESULTS[node]) else []
        if own == "scale_factors" and node.startswith("Upsample"):
            return _SCALES[_dims_of(node)]
        return [derivative.called.get(own, theirs)]
    if fact == "shape" and node in _SIZES:
        return list(_SIZES[node])
    base = own.removesuffix("_" + fact).replace("input", "self")
    if fact == "shape" and base != "tensors" or fact == "like" and node in _WITH_SIZE:
        return [base + "_sym_sizes"]
    return [base + "_sym_sizes", base + "_sym_strides"] if fact == "like" and node in _WITH_STRIDE else []


_SCALES = {1: ["scales"], 2: ["scales_h", "scales_w"], 3: ["scales_d", "scales_h", "scales_w"]}


def _dims_of(node: str) -> int:
    """How many dimensions a window or a picture has, by the name of the node: ``MaxPool2DWithIndicesBackward0``."""
    return next((n for n in (1, 2, 3) if f"{n}D" in node), 0)


def may_be_tensor(own: str, value: Any, derivative: Derivative) -> bool:
    """Whether PyTorch keeps a tensor under a name, where ours keeps none in this call."""
    return not isinstance(value, (int, float, complex, str, tuple, list)) and (
        own in derivative.inputs or own in _OPTIONAL
    )


def shown(name: str, value: Any, version: Any, derivative: Derivative, defaults: Any, size: Any) -> Any:
    """What PyTorch's node shows under a name for a value that ours keeps; `defaults` looks up an argument left out, and
    `size` is that of the result, or of all results.
    """
    if name.endswith("_sym_numel"):
        return prod(value)
    if "_sym_argsize_" in name:
        place = name.rpartition("_sym_argsize_")[2]
        return value[-int(place[6:]) if place.startswith("minus_") else int(place)]
    if name.endswith("_sym_sizes_opt"):
        return tuple(value) or (0,)
    if name.endswith("_sym_sizes"):
        if value is None:  # the formula that asks for sizes alone is not needed: the tensor itself may be kept
            base = name.removesuffix("_sym_sizes")
            value = getattr(defaults("input" if base == "self" else base), "shape", ())
        return tuple(getattr(value, "shape", value))
    if name.endswith("_sym_strides"):
        return tuple(getattr(value, "stride", ()))
    if version == FREED and not isinstance(value, Tensor):
        from ..derivatives.ops import torch

        d = {bool: torch.bool, int: torch.int64, float: torch.float64, complex: torch.complex128}.get(type(value))
        return value if d is None else torch.tensor(value, dtype=d)
    if name == "correction" and value is None and defaults("dim") is not None:
        return 0 if defaults("unbiased") is False else 1
    if name in ("start", "end") and value is None and derivative.node == "SliceBackward0":
        value = 0 if name == "start" else 2**63 - 1
    if name in _WINDOWS:
        value = _for_each_dim(value, derivative.node, size)
    if derivative.node == "EluBackward0" and name in ("scale", "input_scale") and value == 1:
        return 1  # which C++ has put there
    if name == "p" and derivative.node in ("CdistBackward0", "PdistBackward0"):
        value = float(value)
    if derivative.node.startswith("Upsample"):
        if name == "output_size":
            return tuple(size[2:])
        if name in (names := _SCALES[_dims_of(derivative.node)]):
            return None if value is None else float(value[names.index(name)])
    if name in WHOLE:
        if type(value) is int and derivative.node in _LISTED:
            value = (value,)
        return _unsigned(value)
    return value


def _for_each_dim(value: Any, node: str, size: Any) -> Any:
    """An argument of windows with a number for each dimension."""
    count = _dims_of(node) or len(size) - 2 if node == "ConvolutionBackward0" or _dims_of(node) else 0
    if type(value) is int and count:
        return (value,) * count
    return tuple(value) * count if type(value) in (tuple, list) and len(value) == 1 and count else value


def _unsigned(value: Any) -> Any:
    if type(value) is int:
        return value % 2**64
    return tuple([_unsigned(v) for v in value]) if type(value) in (tuple, list) else value


# -- what a user may look at --------------------------------------------------------------------------------


def attributes(node: Any) -> list[str]:
    """The names `_saved_NAME` of a node, as PyTorch has them.

    >>> import tensorwidgets as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> [name for name in dir((x * x).grad_fn) if "saved" in name]
    ['_raw_saved_other', '_raw_saved_self', '_saved_other', '_saved_self']
    """
    derivative = getattr(type(node), "derivative", None)
    names: list[str] = []
    if derivative is None:
        return names
    for at, own in enumerate(derivative.keeps):
        for theirs in torch_names(own, derivative):
            names.append("_saved_" + theirs)
            kept = None if node.values is None else node.values[at]
            if node.versions is not None and node.versions[at] is not None or may_be_tensor(own, kept, derivative):
                names.append("_raw_saved_" + theirs)
    return names


def attribute(node: Any, name: str) -> Any:
    """`_saved_NAME` of a node, by PyTorch's name of the argument."""
    derivative: Any = getattr(type(node), "derivative", None)
    wanted = name.removeprefix("_raw").removeprefix("_saved_")
    keeps = () if derivative is None else derivative.keeps
    own = next((own for own in keeps if wanted in torch_names(own, derivative)), None)
    if own is None:
        raise AttributeError(f"'{type(node).__name__}' object has no attribute '{name}'")
    at = derivative.keeps.index(own)
    values, versions = node.values, node.versions or (None,) * len(derivative.keeps)
    if name.startswith("_raw"):
        from .hooks.raw import raw

        held = None if values is None or versions[at] is not None else values[at]
        if held is ABSENT:
            held = next((f.defaults[own] for f in derivative.formulas if own in f.defaults), None)
        if held is not None:  # no tensor
            raise AttributeError(f"'{type(node).__name__}' object has no attribute '{name}'")
        return raw(node, node, at, own)
    if values is None:
        if versions[at] is None and (own in derivative.inputs or is_result(own)):
            return None  # nothing was saved
        if versions[at] is not None:
            refuse_second_time(node)
        numbers = iter(node.numbers)
        values = [next(numbers) if n is None else ABSENT for n in versions]
    value, version = values[at], versions[at]

    def argument(own: str) -> Any:
        value = values[derivative.keeps.index(own)] if own in derivative.keeps else None
        return (
            next((f.defaults[own] for f in derivative.formulas if own in f.defaults), None)
            if value is ABSENT
            else value
        )

    if value is ABSENT or version is None or version == FREED:
        return shown(wanted, argument(own), version, derivative, argument, node.size)
    from ..tensor.grad_mode import enable_grad

    with enable_grad():
        kept = unpack(node, own, value, version)
    return int(kept) if wanted == "split_size" else kept  # which may have been given as a tensor
