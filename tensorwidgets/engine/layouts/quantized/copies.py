"""Copies, casts and writes of quantized tensors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...ops.copies.copying import read_to
from ...tensor.copying import stride_for
from ...tensor.lookups import size_and_stride
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from ...tensor.wrapping import empty_array, wrap
from ...tensor.write_checks import check_writable
from ...types import device as devices
from ...types import dtypes, formats
from ...types.cpp_names import cpp_name
from . import views
from .quantizers import PerTensor
from .tensors import (
    CARRIERS,
    give,
    is_quantized,
    kernel,
    per_tensor,
    put,
    quantized,
    quantizer_of,
    refuse_backend,
    result_stride,
    values_of,
)

if TYPE_CHECKING:
    from ...types.dtypes import dtype
    from ...types.formats import memory_format


@kernel("clone")
def clone(input: Tensor, *, memory_format: memory_format | None = None) -> Tensor:
    size, stride = size_and_stride(input)
    known = memory_format is not None and memory_format is not formats.preserve_format
    wanted = stride_for(size, stride, memory_format) if known else result_stride(size, stride)
    array = empty_array(size, wanted, input._dtype)
    array[...] = input._array
    return quantized(array, input._dtype, quantizer_of(input))


@kernel("contiguous")
def contiguous(input: Tensor, *, memory_format: memory_format = formats.contiguous_format) -> Tensor:
    return input if input.is_contiguous(memory_format=memory_format) else clone(input, memory_format=memory_format)


@kernel("detach")
def detach(input: Tensor) -> Tensor:
    result = OPS["detach"].plain(input)
    views.adopt(result, quantizer_of(input))
    return result


@kernel("copy_")
def copy_(input: Tensor, src: Tensor, non_blocking: bool = False) -> Tensor:
    if not is_quantized(input):
        refuse(
            RuntimeError,
            "Copying from quantized Tensor to non-quantized Tensor is not allowed, please use dequantize to get a "
            "float Tensor from a quantized Tensor",
            "a quantized tensor stores integers, which are not its values",
            "x.copy_(q.dequantize())",
            rule="quantized.copy",
        )
    if isinstance(src, Tensor) and src.is_meta and not input.is_meta:
        refuse(
            NotImplementedError,
            "Cannot copy out of meta tensor; no data!",
            "a meta tensor has no numbers",
            rule="meta.values",
        )
    if not isinstance(src, Tensor) or not is_quantized(src) and src._dtype is not dtypes.float32:
        refuse(
            RuntimeError,
            "Quantized copy only works with kFloat as source Tensor",
            "values are quantized from float32",
            "q.copy_(x.float())",
            rule="quantized.copy",
        )
    check_writable(input)
    if src._array.shape != input._array.shape:
        if is_quantized(src):
            src = OPS["expand"].function(src, input._array.shape)
        else:
            message = "Quantized copy only works with Tensors with the same shape"
            refuse(RuntimeError, message, "the source is not broadcast here", "x.expand(…)", rule="quantized.copy")
    if not is_quantized(src):
        put(input, src._array)
    else:
        _take_over(input, src)
    bump_version(input)
    return input


def _take_over(input: Tensor, src: Tensor) -> None:
    """From one quantized tensor to another: the whole numbers and their ladder, where all of it is overwritten."""
    if src._dtype is not input._dtype:
        refuse_other_dtype()
    own, other = quantizer_of(input), quantizer_of(src)
    if own == other:
        input._array[...] = src._array
    elif type(own) is not type(other):
        message = "Quantized Copy only works with same qscheme"
        refuse(
            RuntimeError,
            message,
            "one tensor has a scale for all elements, the other one for each channel",
            "q.copy_(p.dequantize())",
        )
    elif input._base is None:
        input._array[...] = src._array
        give(input, other)
    else:
        put(input, values_of(src))


def refuse_other_dtype() -> Any:
    refuse(
        RuntimeError,
        "Expected self.scalar_type() == src.scalar_type() to be true, but got false.  (Could this error message be "
        "improved?  If so, please report an enhancement request to PyTorch.)",
        "quantized dtypes have different integers, so they cannot be copied into each other",
        "torch.quantize_per_tensor(x.dequantize(), scale, zero_point, dtype)",
        rule="quantized.dtype",
    )


def _carrier(a: str | dtype) -> Any:
    return CARRIERS.get(a, a) if isinstance(a, dtypes.dtype) else a


@kernel("to")
def to(input: Tensor, *args: Any, **named: Any) -> Tensor:
    # The call is read as that of a plain tensor, with the dtype that carries the whole numbers.
    asked = [a for a in (*args, *named.values()) if isinstance(a, dtypes.dtype) and a._is_quantized]
    named = {name: _carrier(a) for name, a in named.items()}
    where, d, copy, memory_format = read_to(tuple(map(_carrier, args)), named)
    d = asked[0] if asked else d
    if not is_quantized(input):
        dtypes.refuse_quantized(d)
    if where is devices.META:
        refuse_backend("empty_quantized", "QuantizedMeta", "without bytes there is nothing to quantize")
    return _as(input, d or input._dtype, copy, memory_format)


def _as(input: Tensor, d: dtypes.dtype, copy: bool = False, memory_format: memory_format | None = None) -> Tensor:
    if d is input._dtype:
        return clone(input, memory_format=memory_format) if copy else input
    if d._is_quantized:
        refuse_other_dtype()
    refuse(
        RuntimeError,
        "Creation of quantized tensor requires quantized dtype like torch.quint8",
        f"whether {d} is to hold the values or the whole numbers is for you to say",
        f"x.dequantize().to({d})",
        f"x.int_repr().to({d})",
        rule="quantized.cast",
        dtype=d,
    )


@kernel("type_as")
def type_as(input: Tensor, other: Tensor) -> Tensor:
    if not is_quantized(input):
        dtypes.refuse_quantized(other._dtype)
    return _as(input, other._dtype)


def _casting(name: str, d: dtypes.dtype) -> None:
    @kernel(name)
    def run(input: Tensor, memory_format: memory_format | None = None) -> Tensor:
        """Refused: whole numbers or values, that is the question."""
        return _as(input, d)


for _name in "double float half bfloat16 long int short bool cfloat cdouble".split():
    _casting(_name, dtypes.BY_NAME[_name])
_casting("byte", dtypes.uint8)
_casting("char", dtypes.int8)


@kernel("cpu", "resolve_conj", "resolve_neg", "positive", "to_dense", "conj", "conj_physical", "conj_physical_")
def unchanged(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """The tensor itself."""
    return input


# -- writes ------------------------------------------------------------------------------------------------------


@kernel("fill_")
def fill_(input: Tensor, value: Tensor | float) -> Tensor:
    if isinstance(value, Tensor):
        if value._array.ndim:
            message = (
                f"fill_ only supports 0-dimension value tensor but got tensor with {value._array.ndim} dimensions."
            )
            refuse(RuntimeError, message, "one number fills the whole tensor", "x.copy_(value)", rule="fill.value")
        value = value.item()
    check_writable(input, alike=True)
    put(input, np.asarray(value, np.float32))
    bump_version(input)
    return input


@kernel("zero_")
def zero_(input: Tensor) -> Tensor:
    return fill_(input, 0.0)


@kernel("setitem")
def setitem(input: Tensor, key: Any, value: Tensor | float) -> None:
    parts = key if isinstance(key, tuple) else (key,)
    if not is_quantized(input):
        if any(isinstance(part, (Tensor, list, np.ndarray)) for part in parts):
            _refuse_quantized_value()
        copy_(input, value)
    if any(isinstance(part, (Tensor, list, np.ndarray, range)) for part in parts):
        _put_at(input, key, value)
        return
    target = input[key]
    if not isinstance(value, Tensor) or not value._array.ndim:
        fill_(target, value)
    else:
        copy_(target, OPS["expand"].function(value, target._array.shape))


def _put_at(input: Tensor, key: Tensor, value: Tensor | float) -> None:
    """Write where tensors of places, or a mask, say."""
    if is_quantized(value):
        _refuse_quantized_value()
    check_one_ladder(input, "index_put")
    values = value._array if isinstance(value, Tensor) else np.asarray(value)
    ladder = per_tensor(input)
    rungs = ladder.quantize(np.atleast_1d(values).astype(np.float32), input._dtype).reshape(values.shape)
    check_writable(input, alike=True)
    carrier = CARRIERS[input._dtype]
    OPS["setitem"].plain(wrap(input._array, carrier), key, wrap(rungs, carrier))
    bump_version(input)


def _refuse_quantized_value() -> NoReturn:
    refuse(
        RuntimeError,
        "Value argument for quantized input_put should not be quantized",
        "what is written is quantized with the scale of the target",
        "q[key] = value.dequantize()",
        rule="quantized.put",
    )


def check_one_ladder(t: Tensor, name: str) -> None:
    """Refuse a write to scattered places of a tensor with a ladder for each channel, as PyTorch does."""
    if not isinstance(quantizer_of(t), PerTensor):
        message = f"{name} for quantized tensors is currently only supported for per tensor quantized tensors"
        refuse(RuntimeError, message, "each channel has a scale of its own", "q[i, j] = value", rule="quantized.put")


@kernel("masked_fill_")
def masked_fill_(input: Tensor, mask: Tensor, value: float) -> Tensor:
    check_one_ladder(input, "masked_fill__quantized_cpu")
    _put_at(input, OPS["expand"].function(mask, input._array.shape), value)
    return input


# -- like another ------------------------------------------------------------------------------------------------


def _like(name: str, number: float | None) -> None:
    @kernel(name)
    def run(
        input: Tensor,
        fill_value: float | None = number,
        *,
        dtype: dtype | None = None,
        memory_format: memory_format | None = None,
        **how: Any,
    ) -> Tensor:
        """A quantized tensor of the same size, on the same ladder."""
        if dtype is not None and dtype is not input._dtype:
            refuse(
                RuntimeError,
                "It is currently not supported to specify a dtype that doesn't match the input tensor's dtype via "
                f"empty_like.  Specified: {cpp_name(dtype)} Input tensor's dtype: "
                f"c10::{input._dtype._name}",
                "a tensor with the same scale and zero point has the same dtype",
                f"torch.empty(x.shape, dtype={dtype})",
                rule="quantized.like",
            )
        result = clone(input, memory_format=memory_format)
        if fill_value is not None:
            put(result, np.asarray(fill_value, np.float32))
        return result


for _name, _number in (("empty_like", None), ("zeros_like", 0.0), ("ones_like", 1.0), ("full_like", None)):
    _like(_name, _number)


@kernel("from_dlpack")
def from_dlpack(ext_tensor: Tensor, *args: Any, **named: Any) -> Any:
    return ext_tensor.__dlpack__()  # type: ignore[attr-defined]  # which refuses


@kernel("tensor", "asarray", "as_tensor")
def made_of(data: Tensor, **how: Any) -> Tensor:
    return data
