"""Quantized tensors: integers in the storage, and a quantizer (scale and zero point) that gives them their values.

The array holds the integers, so views, storage and strides work as for any other tensor. The quantizer belongs to the
base tensor; a view reads it there, unless it has its own.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np
from numpy import ndarray

from ... import geometry
from ...dispatch.call_errors import refuse_call
from ...dispatch.kinds import KINDS
from ...dispatch.registry import OPS
from ...dispatch.route import register_kernel
from ...errors.reasons import refuse
from ...interop.copy_and_pickle import attributes_of, rebuilt
from ...interop.parameter import Parameter
from ...ops.views.moving import set_data
from ...tensor.classes import in_class
from ...tensor.lookups import geometry_of, size_and_stride, storage_of
from ...tensor.tensor import Tensor
from ...tensor.type_names import dtype_of_type
from ...tensor.wrapping import alias_of, empty_array, wrap
from ...types import dtypes, formats
from ...types.dtypes import dtype
from .quantizers import PerChannel, PerTensor, Quantizer

KIND = KINDS["quantized"]

CARRIERS = {dtypes.quint8: dtypes.uint8, dtypes.qint8: dtypes.int8, dtypes.qint32: dtypes.int32}
"""Which plain dtype holds the same bytes."""


def kernel(*names: str) -> Callable[[Callable], Callable]:
    """Decorator: register a kernel of ops for quantized tensors."""

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
                if OPS[name].notations.all:
                    OPS[name].notations.read(args, kwargs)
            raise

    return run


def is_quantized(t: Any) -> bool:
    """Whether this is a quantized tensor."""
    return isinstance(t, Tensor) and bool(t._keys & KIND.key)


def quantized(rungs: ndarray, d: dtype, quantizer: Quantizer) -> Tensor:
    """A new quantized tensor around an array of its integers."""
    return give(KIND.wrap(rungs, d), quantizer)


def give(t: Tensor, quantizer: Quantizer) -> Tensor:
    """Attach a quantizer to a tensor."""
    t._keys |= KIND.key
    t._notes["_quantizer"] = quantizer
    return t


def quantizer_of(t: Tensor) -> Quantizer:
    """The quantizer of a tensor: its own, or its base tensor's."""
    own: Any = t._notes.get("_quantizer")
    return own if own is not None or t._base is None else t._base._notes["_quantizer"]


def values_of(t: Tensor) -> np.ndarray:
    """The dequantized values, in a new array."""
    return quantizer_of(t).dequantize(t._array, t._dtype)


def put(t: Tensor, values: np.ndarray) -> None:
    """Quantize values and write them into the memory of a quantized tensor."""
    shape = t._array.shape
    t._array[...] = quantizer_of(t).quantize(np.broadcast_to(values, shape).astype(np.float32), t._dtype)


def in_order(values: np.ndarray, like: Tensor) -> np.ndarray:
    """Integers in new memory, with the strides that PyTorch gives to quantized results."""
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


def per_tensor(t: Tensor) -> PerTensor:
    """The per-tensor quantizer; a per-channel tensor is refused."""
    result = quantizer_of(t)
    if isinstance(result, PerTensor):
        return result
    refuse_scheme("quantizer->qscheme() == kPerTensorAffine")


def per_channel(t: Tensor) -> PerChannel:
    """The per-channel quantizer; a per-tensor one is refused."""
    result = quantizer_of(t)
    if isinstance(result, PerChannel):
        return result
    refuse_scheme("quantizer->qscheme() == kPerChannelAffine || quantizer->qscheme() == kPerChannelAffineFloatQParams")


def refuse_backend(name: str, backend: str, because: str, *ways: str) -> NoReturn:
    """Raise PyTorch's error for a tensor of an unsupported backend."""
    message = f"Could not run 'aten::{name}' with arguments from the '{backend}' backend."
    refuse(NotImplementedError, message, because, *ways, rule="quantized.backend")


def refuse_scheme(expected: str) -> NoReturn:
    """Raise PyTorch's error for a tensor with the wrong quantization scheme."""
    refuse(
        RuntimeError,
        f"Expected {expected} to be true, but got false.  (Could this error message be improved?  If so, please report "
        "an enhancement request to PyTorch.)",
        "per-tensor and per-channel quantization are different schemes",
        "x.qscheme()",
        "x.dequantize()",
        rule="quantized.scheme",
    )


def scheme_of(t: Tensor) -> formats.qscheme:
    """The quantization scheme of a tensor."""
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
            "item() needs exactly one element",
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
        "a list could contain the integers or their values",
        "x.dequantize().tolist()",
        "x.int_repr().tolist()",
        rule="quantized.list",
    )


def _numpy(self: Tensor, *args: Any, **kwargs: Any) -> Any:
    """Raises: NumPy has no quantized dtypes."""
    refuse(
        TypeError,
        f"Got unsupported ScalarType {self._dtype._type_name}",
        "NumPy has no dtypes with a scale and a zero point",
        "x.dequantize().numpy()",
        "x.int_repr().numpy()",
        rule="numpy.dtype",
    )


def _no_capsule(self: Tensor, *args: Any, **kwargs: Any) -> Any:
    """Raises: a DLPack capsule cannot carry a scale."""
    refuse(
        BufferError,
        "QUInt/QInt types are not supported by dlpack",
        "a DLPack capsule cannot carry a scale and a zero point",
        "x.dequantize()",
        "x.int_repr()",
        rule="dlpack.quantized",
    )


def _yes(self: Tensor) -> bool:
    """Whether the tensor is quantized."""
    return True


def _no_memory(self: Tensor) -> Any:
    """Raises: a reader of the memory would mistake the integers for the values."""
    raise AttributeError("a quantized tensor does not export its memory: use x.int_repr() or x.dequantize()")


def _text(self: Tensor, *, tensor_contents: str | None = None) -> str:
    from ...printing.printing import values_text, with_suffixes

    quantizer = quantizer_of(self)
    suffixes = [f"size={tuple(self._array.shape)}", f"dtype={self._dtype}", f"quantization_scheme={scheme_of(self)}"]
    if isinstance(quantizer, PerTensor):
        suffixes += [f"scale={quantizer.scale}", f"zero_point={quantizer.zero_point}"]
    else:
        scales, zero_points = channel_tensors(quantizer)
        suffixes += [f"scale={scales}", f"zero_point={zero_points}", f"axis={quantizer.axis}"]
    plain = type(self) is Tensor or issubclass(type(self), Parameter)
    prefix = "tensor(" if plain else f"{type(self).__name__}("
    return with_suffixes(prefix + values_text(values_of(self), dtypes.float32, len(prefix)), suffixes, len(prefix))


def channel_tensors(quantizer: PerChannel) -> tuple[Tensor, Tensor]:
    """Scales and zero points as tensors."""
    scales, zero_points = quantizer.scales, quantizer.zero_points
    return (
        wrap(scales.copy(), dtypes.FROM_NUMPY[scales.dtype]),
        wrap(zero_points.copy(), dtypes.FROM_NUMPY[zero_points.dtype]),
    )


def remade(
    parts: tuple, quantizer: Quantizer, cls: type[Tensor] = Tensor, attributes: dict[str, Any] | None = None
) -> Tensor:  # fmt: skip
    """Rebuild a quantized tensor from its storage, size, stride, offset and quantizer."""
    made = give(in_class(rebuilt(*parts), cls), quantizer)
    made._notes.update(attributes or {})
    return made


def _users(t: Tensor) -> dict[str, Any]:
    """The attributes that the user has given a tensor."""
    return {name: value for name, value in attributes_of(t).items() if name != "_quantizer"}


def _class(t: Tensor) -> type[Tensor]:
    """The class of a copy: a user's class of parameters stays behind in PyTorch."""
    return Parameter if issubclass(type(t), Parameter) else type(t)


def _parts(t: Tensor, storage: UntypedStorage) -> tuple:
    g = geometry_of(t)
    return storage, t._dtype, g.size, g.stride, g.offset


def _copy(self: Tensor) -> Tensor:
    """Another tensor on the same storage."""
    return remade(_parts(self, storage_of(self)), quantizer_of(self), _class(self), _users(self))


def _deepcopy(self: Tensor, memo: dict) -> Tensor:
    """A deep copy; tensors that are copied together keep sharing one storage."""
    if id(self) not in memo:
        parts, users = _parts(self, copy.deepcopy(storage_of(self), memo)), copy.deepcopy(_users(self), memo)
        memo[id(self)] = remade(parts, quantizer_of(self), _class(self), users)
    return memo[id(self)]


def _reduce(self: Tensor, protocol: int) -> tuple:
    """Pickle a quantized tensor: as any other tensor, plus its quantizer."""
    return remade, (_parts(self, storage_of(self)), quantizer_of(self), _class(self), _users(self))


def _type(self: Tensor, dtype: dtype | None = None, *args: Any, **kwargs: Any) -> Any:
    """The name of the type; or the tensor, where this is its dtype."""
    if dtype is None:
        return f"torch.quantized.{self._dtype._type_name}Tensor"
    return OPS["to"].function(self, dtype_of_type(dtype))


def _data(self: Tensor) -> Tensor:
    """The same elements, with a separate version counter."""
    return give(alias_of(self, share_version=False), quantizer_of(self))


def _set_data(self: Tensor, new: Tensor) -> None:
    """The memory, the size and the quantizer of another."""
    set_data(self, new)
    give(self, quantizer_of(new))


def _is_signed(self: Tensor) -> bool:
    """Refused, as in PyTorch."""
    refuse(
        RuntimeError,
        "isSignedType not supported for quantized types",
        "the integers and their values may differ in signedness",
        "x.int_repr().is_signed()",
        rule="quantized.signed",
    )


KIND.members(
    {
        "is_quantized": property(_yes), "type": _type, "data": property(_data, _set_data), "is_signed": _is_signed,
        "item": _item, "tolist": _tolist, "numpy": _numpy,
        "__array__": _numpy, "__array_interface__": property(_no_memory),
        "__dlpack__": _no_capsule, "__repr__": _text, "__copy__": _copy,
        "__deepcopy__": _deepcopy, "__reduce_ex__": _reduce,
    }
)  # fmt: skip

from . import copies, kernels, questions, refusals  # noqa: E402, F401  (their kernels are part of the kind)

if TYPE_CHECKING:
    from ...tensor.storages.untyped import UntypedStorage
