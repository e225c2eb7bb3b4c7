"""How do ops compute with quantized tensors?

In four ways. `views` handles views. Ops that only move or sort elements work on the integers and keep the quantizer.
Some PyTorch ops return quantized tensors (`clamp`, `mean`, `sigmoid` …). All other ops dequantize their operands and
return a plain tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any

import numpy as np

from ...declare.reductions import reduced_dims
from ...dispatch.registry import OPS, Op, tensors_in
from ...errors.reasons import refuse
from ...memory.places import as_array
from ...tensor.moving.resizing import resize_output
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from ...tensor.wrapping import wrap
from ...tensor.write_checks import check_writable
from ...types import dtypes
from ...types.dtypes import FLOAT
from ...types.formats import contiguous_format
from . import copies, views
from .quantizers import RUNGS, PerTensor
from .tensors import (
    CARRIERS,
    KIND,
    dequantized,
    in_order,
    is_quantized,
    kernel,
    per_tensor,
    put,
    quantized,
    quantizer_of,
    refuse_backend,
    values_of,
)

MOVING = (
    "flip fliplr flipud roll rot90 gather take take_along_dim index_select masked_select repeat repeat_interleave tile "
    "narrow_copy kthvalue msort sort topk argsort argmax argmin max min amax amin aminmax median mode cummax cummin "
    "embedding nn.functional.embedding unique "
    "unique_consecutive cat stack hstack vstack dstack column_stack cartesian_prod combinations"
).split()
"""Ops whose results are elements of their inputs, or positions of elements."""


# -- all other ops: by the values --------------------------------------------------------------------------------


def by_values(op: Op, args: tuple, kwargs: dict) -> Any:
    """Call views on the integers and other ops on the values; quantize again what an op overwrites."""
    if op.family in ("view", "inplace view") or op.name.startswith("unsafe_"):
        return views.follow(op, args, kwargs)
    out = kwargs.get("out")
    if out is not None and is_quantized(out):
        result = op.plain(*_values(args), **_named({**kwargs, "out": None}))
        _fit(out, result)
        return overwritten(out, result._array)
    result = op.plain(*(given := _values(args)), **_named(kwargs))
    if op.name.endswith("_") and args and is_quantized(args[0]):
        return overwritten(args[0], given[0]._array)
    return result


def _fit(out: Tensor, value: Tensor) -> None:
    """Give `out=` the size of the result."""
    if out._array.shape != value._array.shape:
        resize_output(out, value._array.shape)


def overwritten(t: Tensor, values: np.ndarray) -> Tensor:
    """Write values into a quantized tensor and return it."""
    check_writable(t)
    put(t, values)
    bump_version(t)
    return t


def _values(args: tuple) -> tuple:
    return tuple([_value(a) for a in args])


def _value(a: Any) -> Any:
    if is_quantized(a):
        return dequantized(a)
    return type(a)(_values(tuple(a))) if type(a) in (list, tuple) else a


def _named(kwargs: dict) -> dict:
    return {name: _value(value) for name, value in kwargs.items() if name != "out" or value is not None}


KIND.fallback = by_values


# -- ops that move elements --------------------------------------------------------------------------------------


def moving(op: Op) -> Callable:
    """The kernel of an op that moves elements, called with the integers."""

    def move(*args: Any, **kwargs: Any) -> Any:
        if op.name in ("max", "min") and _beside_a_plain_one(*args[:2], *kwargs.values()):
            return by_values(op, args, kwargs)
        first = _first(args, kwargs)
        ladder, d = _ladder(op, first), first._dtype
        out = kwargs.pop("out", None)
        if op.family == "join":
            _check_joined(args[0] if args else kwargs["tensors"])
        rungs = {name: _rungs(value, d, ladder) for name, value in kwargs.items()}
        result = requantized(op.plain(*_rungs(args, d, ladder), **rungs), d, ladder)
        if out is None:
            return result
        _fit(out, result)
        return copies.copy_(out, result)

    return move


def _beside_a_plain_one(*operands: Any) -> bool:
    """Whether elements are compared with those of a plain tensor."""
    return any(isinstance(a, Tensor) and not is_quantized(a) for a in operands)


def _first(args: Any, kwargs: dict) -> Tensor:
    return next(t for t in tensors_in(args, kwargs) if is_quantized(t))


def _check_joined(tensors: Sequence[Tensor]) -> None:
    if not all(map(is_quantized, tensors)):
        refuse_backend("qscheme", "CPU", "quantized and plain tensors cannot be joined", "q.dequantize()")


def _ladder(op: Op, t: Tensor) -> PerTensor:
    if not isinstance(quantizer_of(t), PerTensor):
        if op.family == "join":
            _refuse_channels("Only per-tensor quantization is supported in 'cat'!")
        if op.name in ("index_select", "embedding", "nn.functional.embedding"):
            _refuse_channels("Only per_tensor quantized quantized tensors are supported by index_select.")
        if op.name == "topk":
            _refuse_channels("Top-K is only supported on per-tensor quantization")
        if op.name.startswith(("flip", "rot", "tile", "repeat")):
            views.refuse_channels()
        if op.name in ("max", "min"):
            _refuse_channels(
                f"{op.name.title()} operator for quantized tensors only works for per tensor quantized tensors. Please "
                "open an issue on https://github.com/pytorch/pytorch/issues if you need per channel quantized tensor "
                "support."
            )
    return per_tensor(t)


def _refuse_channels(message: str) -> None:
    because = "the op would mix elements of several channels, and each channel has its own scale"
    refuse(RuntimeError, message, because, "x.dequantize()", rule="quantized.scheme")


def _rungs(a: Any, d: dtypes.dtype, ladder: PerTensor) -> Any:
    """The integers of quantized tensors, converted to one common quantizer."""
    if type(a) in (list, tuple):
        return type(a)([_rungs(one, d, ladder) for one in a])
    if not is_quantized(a):
        return a
    if a._dtype is not d:
        because = f"{a._dtype} and {d} have different ranges of integers"
        refuse(RuntimeError, "All dtypes must be the same.", because, "x.dequantize()", rule="quantized.dtype")
    if quantizer_of(a) == ladder:
        return wrap(a._array if a._array.flags.c_contiguous else in_order(a._array, a), CARRIERS[d])
    return wrap(in_order(ladder.quantize(values_of(a), d), a), CARRIERS[d])


def requantized(value: Any, d: dtypes.dtype, ladder: PerTensor) -> Any:
    """Results with integers wrapped as quantized tensors again."""
    if isinstance(value, (tuple, list)):
        return type(value)([requantized(one, d, ladder) for one in value])
    if isinstance(value, Tensor) and value._dtype is CARRIERS[d]:
        return quantized(value._array, d, ladder)
    return value


for _name in MOVING:
    kernel(_name)(moving(OPS[_name]))


# -- ops with quantized results ----------------------------------------------------------------------------------


def _on_the_ladder(name: str) -> None:
    @kernel(name)
    def run(input: Tensor, *args: Any, **kwargs: Any) -> Any:
        """Compute with the values and quantize the result as the input; indices stay as they are."""
        if kwargs.get("out") is not None:
            return by_values(OPS[name], (input, *args), kwargs)
        ladder = per_tensor(input)
        if name == "mean":
            _check_mean(kwargs.get("dtype"), input._dtype)
            found = _mean_of_rungs(input, *args, **kwargs)
            if found is not None:
                return quantized(found, input._dtype, ladder)
        result = OPS[name].plain(dequantized(input), *args, **kwargs)
        if isinstance(result, tuple):
            return (_laid(result[0], input, ladder), *result[1:])
        return _laid(result, input, ladder)


def _check_mean(d: dtypes.dtype | None, own: dtypes.dtype) -> None:
    if d is None or d is own:
        return
    if d is dtypes.float32:
        message = "ScalarType Float is not supported in new_qtensor."
    elif d._kind < FLOAT or d._is_quantized:
        message = (
            "mean(): could not infer output dtype. Optional dtype must be either a floating point or complex dtype. "
            f"Got: {d._type_name}"
        )
    else:
        message = f"Quantize only works on Float Tensor, got {d._type_name}"
    refuse(
        RuntimeError,
        message,
        "the mean is quantized again, as the tensor is",
        "x.dequantize().mean(…)",
        rule="quantized.mean",
    )


def _mean_of_rungs(input: Tensor, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> np.ndarray | None:
    """The mean of the integers over the last dimensions, rounded; None where PyTorch takes the mean of the values."""
    rungs = input._array
    dims = reduced_dims(dim, rungs.ndim)
    last = sorted(dims) == list(range(rungs.ndim - len(dims), rungs.ndim))
    if not (dims and last and rungs.size and rungs.flags.c_contiguous):
        return None
    count = prod([rungs.shape[d] for d in dims])
    wide: type = np.int32 if rungs.dtype.itemsize == 1 and count < 1 << 23 else np.int64  # the sum of bytes fits
    total = rungs.sum(dims, wide, keepdims=keepdim)
    return as_array(np.rint(np.true_divide(total, count, dtype=np.float32)).astype(rungs.dtype))


def _laid(value: Tensor, like: Tensor, ladder: PerTensor) -> Tensor:
    return quantized(ladder.quantize(value._array, like._dtype), like._dtype, ladder)


_POOLS = [name for name in OPS if name.rpartition(".")[2] in ("max_pool1d", "max_pool2d", "max_pool3d")]
for _name in ("mean", "std", *_POOLS):
    _on_the_ladder(_name)


@kernel("nn.functional.pad")
def pad(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    if not isinstance(quantizer_of(input), PerTensor):
        _refuse_channels("Only per-tensor padding is supported.")
    return _laid(OPS["nn.functional.pad"].plain(dequantized(input), *args, **kwargs), input, per_tensor(input))


@kernel("diag")
def diag(input: Tensor, diagonal: int = 0, **out: Tensor | None) -> Tensor:
    if input._array.ndim != 2:
        return by_values(OPS["diag"], (input, diagonal), out)
    return moving(OPS["diag"])(input, diagonal, **out)


@kernel("relu")
def relu(input: Tensor) -> Tensor:
    ladder = per_tensor(input)
    return quantized(
        in_order(np.maximum(input._array, input._dtype._in_numpy.type(ladder.zero_point)), input), input._dtype, ladder
    )


@kernel("relu_")
def relu_(input: Tensor) -> Tensor:
    return copies.copy_(input, relu(input))


@kernel("nn.functional.relu")
def relu_of_either_form(input: Tensor, inplace: bool = False) -> Tensor:
    return relu_(input) if inplace else relu(input)


@kernel("clamp")
def clamp(input: Tensor, min: float | None = None, max: float | None = None, *, out: Tensor | None = None) -> Tensor:
    if out is not None:
        return by_values(OPS["clamp"], (input, min, max), {"out": out})
    if isinstance(min, Tensor) or isinstance(max, Tensor) or min is max is None:
        return OPS["clamp"].plain(dequantized(input), min, max)
    ladder, d = per_tensor(input), input._dtype
    low, high = [
        end if limit is None else ladder.quantize(np.array([limit], np.float32), d)[0]
        for limit, end in zip((min, max), RUNGS[d], strict=True)
    ]
    return quantized(in_order(np.clip(input._array, low, high), input), d, ladder)


SQUASHED = {
    "sigmoid": {
        dtypes.quint8: PerTensor(1 / 256, 0),
        dtypes.qint8: PerTensor(1 / 256, -128),
        dtypes.qint32: PerTensor(2.0**-32, 0),
    },
    "tanh": {
        dtypes.quint8: PerTensor(2 / 256, 128),
        dtypes.qint8: PerTensor(2 / 256, 0),
        dtypes.qint32: PerTensor(2.0**-31, 0),
    },
}
"""The quantizers of functions with a known range of results."""


def _squashing(name: str) -> None:
    @kernel(name)
    def run(input: Tensor, *, out: Tensor | None = None) -> Tensor:
        """Quantize the result with a quantizer that covers exactly the function's range, or with that of `out`."""
        if out is not None:
            return by_values(OPS[name], (input,), {"out": out})
        per_tensor(input)
        ladder = SQUASHED[name][input._dtype]
        result = OPS[name].plain(dequantized(input))
        return quantized(ladder.quantize(result._array, input._dtype), input._dtype, ladder)


for _name in SQUASHED:
    _squashing(_name)


@kernel("masked_fill")
def masked_fill(input: Tensor, mask: Tensor, value: Tensor | float) -> Tensor:
    copies.check_one_ladder(input, "masked_fill__quantized_cpu")
    ladder, d = per_tensor(input), input._dtype
    number = value._array if isinstance(value, Tensor) else value
    rung = ladder.quantize(np.asarray(number, np.float32).reshape(1), d).item()
    result = OPS["masked_fill"].plain(wrap(input._array, CARRIERS[d]), mask, rung)
    return quantized(result._array, d, ladder)


def _copying(name: str, view: str) -> None:
    @kernel(name)
    def run(input: Tensor, *args: Any, out: Any = None, **named: Any) -> Any:
        """What the view shows, in new memory, with the quantizer of the view."""
        if out is not None:
            return by_values(OPS[name], (input, *args), {**named, "out": out})
        shown = OPS[view].function(input, *args, **named)
        if isinstance(shown, tuple):
            return tuple([copies.clone(one, memory_format=contiguous_format) for one in shown])
        return copies.clone(shown, memory_format=contiguous_format)


for _name in (
    "as_strided detach diagonal expand permute select split split_with_sizes squeeze t transpose unbind unfold "
    "unsqueeze view".split()
):  # fmt: skip
    _copying(f"{_name}_copy", _name)


@kernel("alias_copy")
def alias_copy(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    return by_values(OPS["alias_copy"], (input,), {"out": out}) if out is not None else copies.clone(input)


def _known_layouts(name: str) -> None:
    @kernel(name)
    def run(*args: Any, **named: Any) -> Any:
        """Refused by the op itself, which only sparse tensors have."""
        return OPS[name].plain(*args, **named)


for _name in (
    "_nnz _indices _values _coalesced_ smm sspaddmm hspmm sparse_mask sparse_resize_ sparse_resize_and_clear_ "
    "resize_as_sparse_ sparse.sum sparse.softmax sparse.log_softmax".split()
):  # fmt: skip
    _known_layouts(_name)


def _dropping(name: str) -> None:
    @kernel(name)
    def run(input: Tensor, *args: Any, **named: Any) -> Any:
        """The tensor itself where nothing is dropped."""
        train = named.get("train", named.get("training", args[1] if len(args) > 1 else True))
        return by_values(OPS[name], (input, *args), named) if train else input


for _name in ("dropout", "nn.functional.dropout"):
    _dropping(_name)


@kernel("equal")
def equal(input: Tensor, other: Tensor) -> bool:
    if not isinstance(input, Tensor) or not isinstance(other, Tensor):
        raise TypeError("equal compares tensors")
    return (
        is_quantized(input)
        and is_quantized(other)
        and input._dtype is other._dtype
        and quantizer_of(input) == quantizer_of(other)
        and bool(np.array_equal(input._array, other._array))
    )


@kernel("isclose", "allclose")
def isclose(input: Tensor, other: Tensor, *args: Any, **kwargs: Any) -> Any:
    if isinstance(input, Tensor) and isinstance(other, Tensor) and input._dtype is not other._dtype:
        refuse(
            RuntimeError,
            f"{input._dtype._type_name} did not match {other._dtype._type_name}",
            "only tensors of one dtype are compared",
            "torch.isclose(a.dequantize(), b.dequantize())",
            rule="quantized.isclose",
        )
    refuse(
        RuntimeError,
        "isclose is not supported for quantized inputs.",
        "the scale of each tensor limits how close two values can be",
        "torch.isclose(a.dequantize(), b.dequantize())",
        rule="quantized.isclose",
    )


def _is_number(key: Any) -> bool:
    """Whether a key is a tensor of one whole number, which picks as the number does."""
    return isinstance(key, Tensor) and not key._keys and not key._array.ndim and key._array.dtype.kind == "i"


@kernel("getitem")
def getitem(input: Tensor, key: Any) -> Tensor:
    parts = key if isinstance(key, tuple) else (key,)
    numbers = tuple([int(p._array) if _is_number(p) else p for p in parts])
    if not any(isinstance(part, (Tensor, list, np.ndarray, range)) for part in numbers):
        key = numbers if isinstance(key, tuple) else numbers[0]
        return views.follow(OPS["getitem"], (input, key), {})
    if not isinstance(quantizer_of(input), PerTensor):
        _refuse_channels("Indexing is only supported for per-Tensor quantized Tensors.")
    return moving(OPS["getitem"])(input, key)


@kernel("quantize_per_tensor", "quantize_per_channel", "quantize_per_tensor_dynamic")
def quantized_already(input: Tensor, *args: Any, **kwargs: Any) -> Any:
    refuse_backend("quantize_per_tensor", KIND.backend, "this tensor is already quantized", "x.dequantize()")
