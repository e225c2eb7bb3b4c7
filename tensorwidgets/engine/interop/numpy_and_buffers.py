"""Share memory with NumPy, buffers and DLPack, without a copy.

A write on one side is seen on the other. Memory that its owner lends for reading stays readable: the tensor is made
without a copy, and writing to it is refused.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from ..calling.arguments import as_dtype, as_int
from ..calling.reading import Notations
from ..errors.reasons import refuse
from ..memory import MetaArray
from ..tensor.grad_mode import grad_enabled
from ..tensor.keys import KEY_CONJ, KEY_META, KEY_MOVED, KEY_NEG, KEY_PROMISE
from ..tensor.lazy_conj import values_of
from ..tensor.lookups import storage_of
from ..tensor.tensor import Tensor
from ..tensor.type_names import type_name
from ..tensor.wrapping import wrap
from ..types import dtypes
from ..types.built_in import is_torch
from ..types.device import BROUGHT_BY, META, usable
from .hdf5_datasets import is_dataset, refuse_dataset
from .nested_lists import numpy_dtype_of

if TYPE_CHECKING:
    from ..types.device import device
    from ..types.dtypes import dtype


def lent(t: Tensor) -> Tensor:
    """Note that another object holds this tensor's memory, so that the storage cannot be reallocated."""
    if t._keys & KEY_MOVED:
        storage_of(t)._lent = True
        return t
    root = t if t._base is None else t._base
    root._lent = True
    if root._storage is not None:
        root._storage._lent = True
    return t


# -- NumPy, in ---------------------------------------------------------------------------------------------------


def from_numpy(array: Any) -> Tensor:
    """A tensor that shares the memory of a NumPy array.

    >>> a = np.zeros(3)
    >>> t = from_numpy(a)
    >>> a[1] = 5
    >>> t._array[1].item()
    5.0
    """
    if not isinstance(array, np.ndarray):
        message = f"expected np.ndarray (got {type_name(array)})"
        if is_dataset(array):
            refuse_dataset(array, message)
        refuse(
            TypeError,
            message,
            "only a NumPy array has memory to share",
            "torch.tensor(…)",
            rule="numpy.type",
        )
    d = numpy_dtype_of(array)
    _check_strides(array)
    # Subclasses (matrix, masked arrays) compute by rules of their own; only their memory is taken.
    return lent(wrap(np.asarray(array), d))


def _check_strides(array: np.ndarray) -> None:
    for s in array.strides:
        if s % array.itemsize:
            refuse(
                ValueError,
                "given numpy array strides not a multiple of the element byte size. Copy the numpy array to "
                "reallocate the "
                "memory.",
                f"strides are counted in elements of {array.itemsize} bytes here, and {array.strides} cannot be",
                "array.copy()",
                rule="numpy.strides",
                strides=array.strides,
            )
    if min(array.strides, default=0) < 0:
        refuse(
            ValueError,
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
            "currently "
            "supported. (You can probably work around this by making a copy of your array  with array.copy().) ",
            "PyTorch has no negative strides",
            "array.copy()",
            rule="numpy.negative",
            strides=array.strides,
        )
    if not array.dtype.isnative:
        refuse(
            ValueError,
            "given numpy array has byte order different from the native byte order. Conversion between byte orders is "
            "currently "
            "not supported.",
            f"the bytes of {array.dtype} are in the order of another kind of machine",
            "array.astype(array.dtype.newbyteorder('='))",
            rule="numpy.byte_order",
        )


# -- NumPy, out --------------------------------------------------------------------------------------------------

_NUMPY = Notations("numpy", method=True)
_NO_MEMORY = KEY_META | KEY_PROMISE
"""Tensors whose elements are not simply what their memory holds."""
_NOT_NUMPYS = frozenset(d for d in dtypes.ALL if d._numpy is None)


def numpy(self: Tensor, *args: Any, **kwargs: Any) -> np.ndarray:
    """The tensor's memory as a NumPy array; with ``force=True`` a copy, where the memory cannot be shared."""
    if args or kwargs:
        forced = _NUMPY.read(args, kwargs).get("force", False)
        if forced:
            return _array_for_numpy(_forced(self))
    return _array_for_numpy(self)


def _forced(t: Tensor) -> Tensor:
    if t._keys & KEY_META:
        _refuse_meta()
    return wrap(values_of(t), t._dtype)


def _array_for_numpy(t: Tensor) -> np.ndarray:
    if t._keys & _NO_MEMORY or t._requires_grad and grad_enabled() or t._dtype in _NOT_NUMPYS:
        _refuse_numpy(t)
    lent(t)
    if not t._array.size:  # as NumPy does where it makes an array of no elements itself
        return np.lib.stride_tricks.as_strided(t._array, strides=(0,) * t._array.ndim)
    return t._array.view()


def _refuse_numpy(t: Tensor) -> None:
    if t._keys & KEY_META:
        refuse(
            TypeError,
            "can't convert meta device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory first.",
            "a meta tensor has a size and no numbers",
            "np.empty(x.shape)",
            rule="numpy.meta",
        )
    if t._requires_grad and grad_enabled():
        refuse(
            RuntimeError,
            "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead.",
            "NumPy records nothing: its results would have no gradient, and autograd would not notice its writes",
            "x.detach().numpy()",
            rule="numpy.grad",
        )
    if t._keys & KEY_CONJ:
        refuse(
            RuntimeError,
            "Can't call numpy() on Tensor that has conjugate bit set. Use tensor.resolve_conj().numpy() instead.",
            "the conjugate is not computed yet: the memory holds the numbers before it",
            "x.resolve_conj().numpy()",
            rule="numpy.conj",
        )
    if t._keys & KEY_NEG:
        refuse(
            RuntimeError,
            "Can't call numpy() on Tensor that has negative bit set. Use tensor.resolve_neg().numpy() instead.",
            "the negation is not computed yet: the memory holds the numbers before it",
            "x.resolve_neg().numpy()",
            rule="numpy.neg",
        )
    refuse(
        TypeError,
        f"Got unsupported ScalarType {t._dtype._type_name}",
        f"NumPy has no {t._dtype._name} of its own",
        "x.float().numpy()",
        rule="numpy.dtype",
    )


def _refuse_meta() -> None:
    refuse(
        NotImplementedError,
        "Cannot copy out of meta tensor; no data!",
        "a meta tensor has a size and no numbers",
        rule="meta.copy",
    )


def _array(self: Tensor, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
    """The array that NumPy makes of a tensor: its memory, unless another dtype or a copy is requested."""
    array = _array_for_numpy(self)
    if dtype is None and not copy:
        return array
    if copy is False and np.dtype(dtype) != array.dtype:
        refuse(
            ValueError,
            "Unable to avoid copy while creating an array as requested.",
            f"{array.dtype} has to be converted to {np.dtype(dtype)}, into new memory",
            rule="numpy.copy",
        )
    return array.astype(array.dtype if dtype is None else dtype, copy=bool(copy))


def _array_wrap(self: Tensor, array: np.ndarray, context: Any = None, return_scalar: bool = False) -> Tensor:
    """The result of a NumPy function that was called with a tensor: a tensor; bool becomes uint8, as in PyTorch."""
    if array.dtype == np.bool_:
        array = array.astype(np.uint8)
    return from_numpy(np.asarray(array))


def _array_interface(self: Tensor) -> dict[str, Any]:
    """NumPy's description of the memory, for libraries that read it without NumPy.

    Under the name `torch` there is none, as in PyTorch: opt_einsum and others know an array by it.
    """
    if self._keys & _NO_MEMORY or self._requires_grad or self._dtype in _NOT_NUMPYS or is_torch():
        raise AttributeError("'Tensor' object has no attribute '__array_interface__'")
    array, storage = self._array, storage_of(lent(self))
    # The bytes go along as an object that keeps them alive, not as an address: a reader may outlive the tensor.
    return {
        "version": 3,
        "typestr": array.dtype.str,
        "shape": array.shape,
        "strides": array.strides if array.size else (0,) * array.ndim,
        "data": storage._bytes,
        "offset": self.storage_offset() * array.itemsize,
    }


def _cuda_array_interface(self: Tensor) -> dict[str, Any]:
    """The description of memory on a GPU, which this tensor does not have."""
    raise AttributeError(
        f"Can't get __cuda_array_interface__ on non-CUDA tensor type: {self.type()} If CUDA data is required use "
        "tensor.cuda() to copy tensor to device memory."
    )


# -- DLPack ------------------------------------------------------------------------------------------------------


def _dlpack(
    self: Tensor, *, stream: int | None = -1, max_version: tuple[int, int] | None = None, dl_device: Any = None,
    copy: bool | None = None,
) -> Any:  # fmt: skip
    """The tensor's memory in a DLPack capsule, for one reader."""
    from .dlpack import DLDeviceType, capsule_of

    words = ""
    if self._requires_grad:
        words, way = "Can't export tensors that require gradient, use tensor.detach()", "x.detach()"
    elif self._keys & KEY_CONJ:
        words, way = "Can't export tensors with the conjugate bit set", "x.resolve_conj()"
    elif self._keys & KEY_NEG:
        words, way = "Can't export tensors with the negative bit set", "x.resolve_neg()"
    elif self._keys & KEY_META:
        words, way = "Cannot pack tensors on meta", "torch.empty_like(x, device='cpu')"
    if words:
        refuse(BufferError, words, "the reader would see other numbers than this tensor's", way, rule="dlpack.export")
    if stream is not None and stream != -1:
        refuse(AssertionError, "stream should be None on cpu.", "streams are queues of a GPU", rule="dlpack.stream")
    if dl_device is not None and int(dl_device[0]) != DLDeviceType.kDLCPU:
        refuse(
            BufferError,
            f"cannot hand out memory of device type {dl_device[0]}",
            "this engine keeps its tensors in the computer's main memory",
            rule="dlpack.device",
        )
    if copy:
        return capsule_of(self._array.copy(), self._dtype, max_version)
    lent(self)
    return capsule_of(self._array, self._dtype, max_version)


def _dlpack_device(self: Tensor) -> tuple[Any, int]:
    """Where the memory is, in DLPack's numbers."""
    from .dlpack import DLDeviceType

    if self._keys & KEY_META:
        refuse(ValueError, "Unknown device type meta for Dlpack", "a meta tensor has no memory", rule="dlpack.device")
    return (DLDeviceType.kDLCPU, 0)


def speaks_dlpack(x: Any) -> bool:
    """Whether another library's array hands out its memory by DLPack."""
    return hasattr(type(x), "__dlpack__") and not isinstance(x, np.generic)


def is_on_a_gpu(array: Any) -> bool:
    """Whether another library's array says that its memory is on a GPU of CUDA."""
    if isinstance(array, (Tensor, np.ndarray)):
        return False
    device = getattr(array, "__dlpack_device__", None)
    if device is not None:
        return int(device()[0]) == _CUDA
    return hasattr(array, "__cuda_array_interface__")


_CUDA = 2
"""CUDA's number among DLPack's devices."""


def from_gpu(array: Any) -> Tensor:
    """A tensor that shares the memory of another library's array on a GPU."""
    found = import_module(BROUGHT_BY["cuda"]).taken(array)
    d = dtypes.from_numpy_dtype(found.dtype)
    assert d is not None, found.dtype
    return lent(wrap(found, d))


def from_dlpack(ext_tensor: Any, device: str | int | device | None = None, copy: bool | None = None) -> Tensor:
    """Makes a tensor that shares the memory of another library's array, through DLPack."""
    from .dlpack import array_in

    if isinstance(ext_tensor, Tensor):  # asked first, where a tensor without memory has no answer
        ext_tensor.__dlpack_device__()  # type: ignore[attr-defined]
    if device is not None and usable(device) is META:
        refuse(BufferError, "Cannot pack tensors on meta", "a meta tensor has no memory to share", rule="dlpack.device")
    if is_on_a_gpu(ext_tensor):
        return from_gpu(ext_tensor)
    capsule = ext_tensor
    if not speaks_dlpack(ext_tensor) and (device is not None or copy is not None):
        refuse(
            AssertionError,
            "device and copy kwargs not supported when ext_tensor is already a DLPack capsule.",
            "a capsule only describes memory, and cannot copy it or move it to another device",
            rule="dlpack.capsule",
        )
    if speaks_dlpack(ext_tensor):
        try:
            capsule = ext_tensor.__dlpack__(max_version=(1, 0))
        except TypeError:  # libraries from before DLPack 1.0
            capsule = ext_tensor.__dlpack__()
    array, d = array_in(capsule)
    if copy:
        from ..tensor.copying import copied

        return copied(wrap(array, d), d)
    return lent(wrap(array, d))


def to_dlpack(data: Tensor) -> Any:
    """The tensor's memory in a DLPack capsule, which takes no part in gradients."""
    if not isinstance(data, Tensor):
        refuse(
            TypeError,
            f"_to_dlpack(): argument 'data' (position 1) must be Tensor, not {type_name(data)}",
            f"a {type_name(data)} has no memory to hand on",
            "torch.tensor(…)",
            rule="dlpack.type",
        )
    detached: Any = data.detach()  # type: ignore[attr-defined]
    return detached.__dlpack__()


# -- buffers -----------------------------------------------------------------------------------------------------


def from_buffer(buffer: Any, dtype: dtype | type | None, count: int = -1, offset: int = 0) -> Tensor:
    """A tensor over the bytes of any object that shows its memory: bytearray, memoryview, array.array, mmap …

    >>> b = bytearray(4)
    >>> t = from_buffer(b, dtypes.int16)
    >>> b[0] = 9
    >>> t._array.tolist()
    [9, 0]
    """
    try:
        view = memoryview(buffer)
    except (TypeError, ValueError):
        refuse(
            ValueError,
            "object does not implement Python buffer protocol.",
            f"a {type_name(buffer)} does not show its memory",
            "torch.tensor(…)",
            rule="buffer.none",
        )
    if not view.c_contiguous:
        refuse(
            RuntimeError,
            "could not retrieve buffer from object",
            "the bytes are not contiguous",
            "a contiguous copy",
            rule="buffer.strided",
        )
    d, n, start = as_dtype(dtype), as_int(count), as_int(offset)
    length, size = view.nbytes, d.itemsize
    _check_buffer(length, size, n, start)
    n = (length - start) // size if n < 0 else n
    return lent(wrap(np.frombuffer(view, np.uint8, n * size, start).view(d._in_numpy), d))


def _check_buffer(length: int, itemsize: int, count: int, offset: int) -> None:
    left = length - offset
    if length == 0 or count == 0:
        message = f"both buffer length ({length}) and count ({count}) must not be 0"
        words = "there is nothing to read"
    elif not 0 <= offset < length:
        message = (
            f"offset ({offset} bytes) must be non-negative and no greater than buffer length ({length} bytes) minus 1"
        )
        words = f"byte {offset} is not one of the {length}"
    elif count > 0 and count * itemsize > left:
        message = (
            f"requested buffer length ({count} * {itemsize} bytes) after offset ({offset} bytes) must not be greater "
            "than actual "
            f"buffer length ({length} bytes)"
        )
        words = f"{left} bytes are left, and {count * itemsize} are requested"
    elif count < 0 and left % itemsize:
        where = f"after offset ({offset} bytes)"
        message = f"buffer length ({left} bytes) {where} must be a multiple of element size ({itemsize})"
        words = f"{left} bytes hold {left // itemsize} elements, and {left % itemsize} bytes are left over"
    else:
        return
    refuse(ValueError, message, words, rule="buffer.length", length=length, offset=offset, count=count)


# -- Python's own numbers ----------------------------------------------------------------------------------------


def tolist(self: Tensor) -> Any:
    """The numbers in nested lists; of a tensor without dimensions, the number."""
    if type(self._array) is MetaArray:
        _refuse_meta()
    array = values_of(self)
    if self._dtype in _NOT_NUMPYS:
        array = array.astype(np.float32)
    return array.tolist()


METHODS = {
    "numpy": numpy, "tolist": tolist, "__array__": _array, "__array_wrap__": _array_wrap, "__dlpack__": _dlpack,
    "__dlpack_device__": _dlpack_device,
}  # fmt: skip
PROPERTIES: dict[str, Any] = {
    "__array_interface__": property(_array_interface), "__cuda_array_interface__": property(_cuda_array_interface),
}  # fmt: skip
FACE: dict[str, Any] = {"to_dlpack": to_dlpack}
