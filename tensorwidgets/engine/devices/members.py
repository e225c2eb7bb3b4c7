"""What does the class Tensor answer for tensors on a GPU?"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from ..errors.reasons import refuse
from ..interop import numpy_and_buffers
from ..interop.dlpack import DLDeviceType
from ..tensor.lazy_conj import values_of
from ..tensor.tensor import Tensor
from ..tensor.wrapping import place_of, wrap
from . import packed_sequences
from .calls import KIND, enter

if TYPE_CHECKING:
    from ..types.device import device
    from ..types.dtypes import dtype


def fetched(t: Tensor) -> Tensor:
    """A copy in main memory, without a history."""
    return wrap(place_of(t).fetch(values_of(t)), t._dtype)


def _numpy(self: Tensor, *, force: bool = False) -> np.ndarray:
    if not force:
        _refuse_numpy(self)
    return numpy_and_buffers.numpy(fetched(self))


def _array(self: Tensor, dtype: dtype | type | None = None, copy: bool | None = None) -> NoReturn:
    _refuse_numpy(self)


def _refuse_numpy(self: Tensor) -> NoReturn:
    refuse(
        TypeError,
        f"can't convert {self.device} device type tensor to numpy. Use Tensor.cpu() to copy the tensor to host memory "
        "first.",
        "NumPy reads main memory, and these bytes are on a GPU",
        "x.cpu().numpy()",
        "x.numpy(force=True)",
        rule="numpy.device",
    )


def _no_array_interface(self: Tensor) -> NoReturn:
    raise AttributeError("'Tensor' object has no attribute '__array_interface__'")


def _no_cuda_array_interface(self: Tensor) -> Any:
    place = place_of(self)
    described = getattr(place, "described", None)
    if described is None:
        raise AttributeError(
            "a simulated GPU has no memory that another library could read, so there is no __cuda_array_interface__"
        )
    return described(self._array)


def _dlpack(self: Tensor, **named: Any) -> Any:
    if hasattr(place_of(self), "described"):
        return self._array.__dlpack__(stream=named.get("stream"))
    refuse(
        RuntimeError,
        "Unsupported device in DLTensor.",
        "a simulated GPU has no memory that another library could read",
        "x.cpu()",
        rule="dlpack.device",
    )


def _dlpack_device(self: Tensor) -> tuple[Any, int]:
    return DLDeviceType.kDLCUDA, self.get_device()


def _pin_memory(self: Tensor, device: str | int | device | None = None) -> NoReturn:
    refuse(
        RuntimeError,
        f"cannot pin 'torch.cuda.{self.dtype._type_name}Tensor' only dense CPU tensors can be pinned",
        "memory is pinned in main memory, so that a GPU can read it",
        "x.cpu().pin_memory()",
        rule="storage.pin",
    )


def _record_stream(self: Tensor, s: Any) -> None:
    number = getattr(s, "stream_id", None)
    if number is None:
        refuse(RuntimeError, "unknown parameter type", "a stream, such as torch.cuda.Stream()", rule="argument.type")
    place_of(self).record_stream(self._array, number)


def _tolist(self: Tensor) -> Any:
    return fetched(self).tolist()


_added = False


def add() -> None:
    """Add the answers, once."""
    global _added
    if _added:
        return
    _added = True
    enter()
    packed_sequences.enter()
    KIND.members({
        "is_cuda": True, "is_cpu": False, "get_device": lambda self: self.device.index,
        "numpy": _numpy, "__array__": _array, "__array_interface__": property(_no_array_interface), "tolist": _tolist,
        "__cuda_array_interface__": property(_no_cuda_array_interface), "__dlpack__": _dlpack,
        "__dlpack_device__": _dlpack_device, "pin_memory": _pin_memory, "is_shared": lambda self: True,
        "share_memory_": lambda self: self, "record_stream": _record_stream,
        "is_pinned": lambda self, device=None: False,
    })  # fmt: skip
