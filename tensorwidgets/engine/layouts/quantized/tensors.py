"""Quantised tensors: whole numbers in the storage, and a quantiser that says which values they stand for.

The array of such a tensor holds the whole numbers, so views of it, its storage and its strides are those of any other
tensor. The quantiser is kept by the tensor that owns them; a view finds it there, unless it has one of its own.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import wraps
from typing import Any, NoReturn

import numpy as np

from ... import geometry
from ...dispatch.call_errors import refuse_call
from ...dispatch.kinds import KINDS
from ...dispatch.registry import OPS
from ...dispatch.route import register_kernel
from ...errors.reasons import refuse
from ...interop.copy_and_pickle import rebuilt
from ...tensor.tensor import Tensor, alias_of, empty_array, geometry_of, size_and_stride, storage_of, wrap
from ...types import dtypes, formats
from ...types.dtypes import dtype
from .ladders import PerChannel, PerTensor, Quantizer

KIND = KINDS["quantized"]

CARRIERS = {dtypes.quint8: dtypes.uint8, dtypes.qint8: dtypes.int8, dtypes.qint32: dtypes.int32}
"""Which plain dtype holds the same bytes."""


def kernel(*names: str) -> Callable[[Callable], Callable]:
    """Enter a function as the kernel of ops for quantised tensors."""

    def enter(function: Callable) -> Callable:
        for name in names:
            register_kernel(name, KIND.name, _checked(name, function))
        return function

    return enter


def _checked(name: str, function: Callable) -> Callable:
    """A kernel that refuses arguments which fit no way of calling its op in PyTorch's words."""

    @wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except TypeError as error:
            if not hasattr(error, "reason"):
                refuse_call(name, args, kwargs)
                if hasattr(OPS[name].signature, "read"):
                    OPS[name].signature.read(args, kwargs)
            raise

    return run


def is_quantized(t: Any) -> bool:
    """Whether this is a quantised tensor."""
    return isinstance(t, Tensor) and bool(t._keys & KIND.key)


def quantized(rungs: Any, d: dtype, quantizer: Quantizer) -> Tensor:
    """A fresh quantised tensor around an array of its whole numbers."""
    return give(KIND.wrap(rungs, d), quantizer)


def give(t: Tensor, quantizer: Quantizer) -> Tensor:
    """Give a tensor a quantiser of its own."""
    t._keys |= KIND.key
    t.__dict__["_quantizer"] = quantizer
    return t


def quantizer_of(t: Tensor) -> Quantizer:
    """The quantiser of a tensor: its own, or that of the tensor that it is a view of."""
    own: Any = t.__dict__.get("_quantizer")
    return own if own is not None or t._base is None else t._base.__dict__["_quantizer"]


def values_of(t: Tensor) -> np.ndarray:
    """The values that the elements stand for, in an array of their own."""
    return quantizer_of(t).dequantize(t._array, t._dtype)


def put(t: Tensor, values: np.ndarray) -> None:
    """Write values into the memory of a quantised tensor, each as the rung that it falls on."""
    shape = t._array.shape
    t._array[...] = quantizer_of(t).quantize(np.broadcast_to(values, shape).astype(np.float32), t._dtype)


def in_order(values: np.ndarray, like: Tensor) -> np.ndarray:
    """Numbers in fresh memory, in the order in which PyTorch lays results of quantised tensors down."""
    size, stride = size_and_stride(like)
    target = empty_array(size, result_stride(size, stride), dtypes.FROM_NUMPY[values.dtype])
    target[...] = values
    return target


def result_stride(size: tuple[int, ...], stride: tuple[int, ...]) -> tuple[int, ...]:
    """Contiguous, or channels last where the input is so."""
    result = geometry.memory_format_stride(size, geometry.suggested_format(size, stride))
    assert isinstance(result, tuple)
    return result


def dequantized(t: Tensor) -> Tensor:
    """The values as a plain float32 tensor."""
    return wrap(in_order(values_of(t), t), dtypes.float32)


def rungs_of(t: Tensor) -> Tensor:
    """The whole numbers as a plain tensor in memory of its own."""
    return wrap(in_order(t._array, t), CARRIERS[t._dtype])


def per_tensor(t: Tensor) -> PerTensor:
    """The one ladder of all elements; a tensor with a ladder for each channel is refused."""
    result = quantizer_of(t)
    if isinstance(result, PerTensor):
        return result
    refuse_scheme("quantizer->qscheme() == kPerTensorAffine")


def per_channel(t: Tensor) -> PerChannel:
    """The ladders of the channels; a tensor with one for all is refused."""
    result = quantizer_of(t)
    if isinstance(result, PerChannel):
        return result
    refuse_scheme("quantizer->qscheme() == kPerChannelAffine || quantizer->qscheme() == kPerChannelAffineFloatQParams")


def refuse_backend(name: str, backend: str, because: str, *ways: str) -> NoReturn:
    """PyTorch's refusal of a tensor of another kind than a function is for."""
    message = f"Could not run 'aten::{name}' with arguments from the '{backend}' backend."
    refuse(NotImplementedError, message, because, *ways, rule="quantized.backend")


def refuse_scheme(expected: str) -> NoReturn:
    """PyTorch's refusal of a tensor that is quantised in the other way."""
    refuse(
        RuntimeError,
        f"Expected {expected} to be true, but got false.  (Could this error message be improved?  If so, please report "
        "an enhancement request to PyTorch.)",
        "one scale for the whole tensor, and one for each channel, are two kinds of quantised tensor",
        "x.qscheme()",
        "x.dequantize()",
        rule="quantized.scheme",
    )


def scheme_of(t: Tensor) -> formats.qscheme:
    """The name of the way in which a tensor is quantised."""
    result = quantizer_of(t)
    if isinstance(result, PerTensor):
        return formats.per_tensor_affine
    return formats.per_channel_affine_float_qparams if result.fractional else formats.per_channel_affine


# -- what the class answers for such a tensor --------------------------------------------------------------------


def _item(self: Tensor) -> float:
    """The one element as a Python number."""
    if self._array.size != 1:
        refuse(
            RuntimeError,
            f"a Tensor with {self._array.size} elements cannot be converted to Scalar",
            "item() is for one element",
            "x.dequantize().tolist()",
            rule="item.count",
            count=self._array.size,
        )
    return values_of(self).item()


def _tolist(self: Tensor) -> Any:
    """Refused, as in PyTorch, unless there is nothing to list."""
    if not self._array.size:
        return self._array.tolist()
    refuse(
        RuntimeError,
        "load_scalar: invalid type",
        "a list could be of the whole numbers or of what they stand for",
        "x.dequantize().tolist()",
        "x.int_repr().tolist()",
        rule="quantized.list",
    )


def _numpy(self: Tensor, *args: Any, **kwargs: Any) -> Any:
    """Refused: NumPy has no quantised numbers."""
    refuse(
        TypeError,
        f"Got unsupported ScalarType {self._dtype._type_name}",
        "NumPy has no numbers with a scale and a zero point",
        "x.dequantize().numpy()",
        "x.int_repr().numpy()",
        rule="numpy.dtype",
    )


def _no_capsule(self: Tensor, *args: Any, **kwargs: Any) -> Any:
    """Refused: a capsule has no room for a scale."""
    refuse(
        BufferError,
        "QUInt/QInt types are not supported by dlpack",
        "a capsule has no room for a scale and a zero point",
        "x.dequantize()",
        "x.int_repr()",
        rule="dlpack.quantized",
    )


def _yes(self: Tensor) -> bool:
    """Whether whole numbers stand for the values."""
    return True


def _no_memory(self: Tensor) -> Any:
    """Not there: whoever takes the memory would take the whole numbers for the values."""
    raise AttributeError("the memory of a quantised tensor is not lent: x.int_repr() or x.dequantize()")


def _text(self: Tensor, *, tensor_contents: Any = None) -> str:
    from ...printing.printing import values_text, with_suffixes

    quantizer = quantizer_of(self)
    suffixes = [f"size={tuple(self._array.shape)}", f"dtype={self._dtype}", f"quantization_scheme={scheme_of(self)}"]
    if isinstance(quantizer, PerTensor):
        suffixes += [f"scale={quantizer.scale}", f"zero_point={quantizer.zero_point}"]
    else:
        scales, zero_points = channel_tensors(quantizer)
        suffixes += [f"scale={scales}", f"zero_point={zero_points}", f"axis={quantizer.axis}"]
    return with_suffixes("tensor(" + values_text(values_of(self), dtypes.float32, len("tensor(")), suffixes, 7)


def channel_tensors(quantizer: PerChannel) -> tuple[Tensor, Tensor]:
    """Scales and zero points as tensors."""
    scales, zero_points = quantizer.scales, quantizer.zero_points
    return (
        wrap(scales.copy(), dtypes.FROM_NUMPY[scales.dtype]),
        wrap(zero_points.copy(), dtypes.FROM_NUMPY[zero_points.dtype]),
    )


def remade(parts: tuple, quantizer: Quantizer) -> Tensor:
    """A quantised tensor from its storage, how it looks at it, and its quantiser."""
    return give(rebuilt(*parts), quantizer)


def _parts(t: Tensor, storage: Any) -> tuple:
    g = geometry_of(t)
    return storage, t._dtype, g.size, g.stride, g.offset


def _copy(self: Tensor) -> Tensor:
    """Another tensor on the same storage."""
    return remade(_parts(self, storage_of(self)), quantizer_of(self))


def _deepcopy(self: Tensor, memo: dict) -> Tensor:
    """A tensor on a copy of the storage, which is shared with what else is copied in the same go."""
    if id(self) not in memo:
        memo[id(self)] = remade(_parts(self, copy.deepcopy(storage_of(self), memo)), quantizer_of(self))
    return memo[id(self)]


def _reduce(self: Tensor, protocol: Any) -> tuple:
    """How pickle writes a quantised tensor: as any other, and its quantiser."""
    return remade, (_parts(self, storage_of(self)), quantizer_of(self))


def _type(self: Tensor, dtype: Any = None, *args: Any, **kwargs: Any) -> Any:
    """The name of the type; or the tensor, where this is its dtype."""
    if dtype is None:
        return f"torch.quantized.{self._dtype._type_name}Tensor"
    return OPS["to"].function(self, dtype)


def _data(self: Tensor) -> Tensor:
    """The same elements, with a version of their own."""
    return give(alias_of(self, share_version=False), quantizer_of(self))


def _is_signed(self: Tensor) -> bool:
    """Refused, as in PyTorch."""
    refuse(
        RuntimeError,
        "isSignedType not supported for quantized types",
        "the whole numbers and what they stand for may differ in this",
        "x.int_repr().is_signed()",
        rule="quantized.signed",
    )


KIND.members(
    {
        "is_quantized": property(_yes), "type": _type, "data": property(_data), "is_signed": _is_signed,
        "item": _item, "tolist": _tolist, "numpy": _numpy,
        "__array__": _numpy, "__array_interface__": property(_no_memory),
        "__dlpack__": _no_capsule, "__repr__": _text, "__copy__": _copy,
        "__deepcopy__": _deepcopy, "__reduce_ex__": _reduce,
    }
)  # fmt: skip

from . import copies, kernels, questions  # noqa: E402, F401  (their kernels are part of the kind)
