"""How does a real GPU serve? Its arrays are CuPy's, imported at the first CUDA call.

CuPy needs no GPU to be imported, so a machine without one gets PyTorch's refusal, which depends on what is missing.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dispatch.kinds import KINDS
from ..memory.places import Place, register
from ..types.device import device
from .creations import fill_there
from .cupy_streams import CupyStreams
from .simulated_array import is_dense

if TYPE_CHECKING:
    from types import ModuleType


Refusal = tuple[type[Exception], str, str]
"""An exception, PyTorch's words, and ours."""

NO_CUPY: Refusal = (
    AssertionError,
    "Torch not compiled with CUDA enabled",
    "CuPy, which computes on GPUs here, is not installed",
)
NO_DRIVER: Refusal = (
    RuntimeError,
    "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from "
    "http://www.nvidia.com/Download/index.aspx",
    "CuPy is installed, and it finds no driver",
)
NO_GPU: Refusal = (
    RuntimeError,
    "No CUDA GPUs are available",
    "there is a driver, and it shows no GPU: CUDA_VISIBLE_DEVICES may hide it",
)


def too_old(version: int) -> Refusal:
    """The refusal of a driver that is older than CuPy's CUDA."""
    return (
        RuntimeError,
        f"The NVIDIA driver on your system is too old (found version {version}). Please update your GPU driver by "
        "downloading and installing a new version from the URL: http://www.nvidia.com/Download/index.aspx "
        "Alternatively, go to: https://pytorch.org to install a PyTorch version that has been compiled with your "
        "version of the CUDA driver.",
        "CuPy was built for a newer version of CUDA than this driver knows",
    )


def find() -> Any:
    """The real GPUs, or the refusal that says why there are none."""
    if find_spec("cupy") is None:
        return NO_CUPY
    try:
        cupy = import_module("cupy")
        runtime = cupy.cuda.runtime
        version = runtime.driverGetVersion()
    except Exception as error:  # an installation of CuPy that cannot be loaded is as good as none
        return (*NO_CUPY[:2], f"CuPy is installed and cannot be loaded: {error}")
    if not version:
        return NO_DRIVER
    try:
        count = runtime.getDeviceCount()
    except runtime.CUDARuntimeError as error:
        return too_old(version) if "InsufficientDriver" in str(error) else NO_GPU
    return CupyGpus(cupy, count) if count else NO_GPU


class CupyPlace(Place):
    """The memory of a real GPU."""

    key = KINDS["device"].key
    several = True

    def __init__(self, cupy: ModuleType, index: int, siblings: list[CupyPlace]):
        self.device, self.namespace, self._siblings = device("cuda", index), cupy, siblings
        self.streams = CupyStreams(cupy, index)
        self._lent: list[tuple[Any, Any]] = []
        """Arrays that other streams use, each with the mark up to which they do."""

    def of(self, array: Any) -> Place:
        return self._siblings[array.device.id]

    def _here(self) -> Any:
        return self.namespace.cuda.Device(self.device.index)

    def empty(self, size: tuple[int, ...], dtype: np.dtype) -> Any:
        with self._here():
            return self.namespace.empty(size, dtype)

    def zeros(self, size: tuple[int, ...], dtype: np.dtype) -> Any:
        with self._here():
            return self.namespace.zeros(size, dtype)

    def view(
        self, memory: Any, size: tuple[int, ...], strides: tuple[int, ...], dtype: np.dtype, offset: int = 0
    ) -> Any:
        return self.namespace.ndarray(size, dtype, memory.data + (0 if 0 in size else offset), strides)

    def over(self, address: int, nbytes: int, owner: Any) -> Any:
        """Bytes at an address, which an owner keeps: for memory of our own allocator and of other libraries."""
        memory = self.namespace.cuda.memory
        pointer = memory.MemoryPointer(memory.UnownedMemory(address, nbytes, owner, self.device.index), 0)
        return self.namespace.ndarray((nbytes,), np.uint8, pointer)

    def address(self, array: Any) -> int:
        return int(array.data.ptr)

    def described(self, array: np.ndarray) -> dict[str, Any]:
        """The array's memory as other libraries read it, as PyTorch says it."""
        return {
            "typestr": array.dtype.str, "shape": array.shape,
            "strides": None if array.flags.c_contiguous else array.strides,
            "data": (self.address(array) if array.size else 0, False), "version": 2,
        }  # fmt: skip

    def fetch(self, array: np.ndarray) -> np.ndarray:
        if not array.size:
            return np.ndarray(array.shape, array.dtype, bytearray(1), 0, array.strides)
        span = sum((n - 1) * s for n, s in zip(array.shape, array.strides, strict=True)) + array.itemsize
        whole = self.view(array, (span,), (1,), np.dtype(np.uint8)).get()
        return np.ndarray(array.shape, array.dtype, whole, 0, array.strides)

    def record_stream(self, array: np.ndarray, number: int) -> None:
        """Keep an array's memory until a stream has come to where it is now."""
        self._lent = [(moment, held) for moment, held in self._lent if not self.streams.is_done(moment)]
        self._lent.append((self.streams.record(number), array))

    def fill(self, array: np.ndarray, fill: Callable[[Any], Any], name: str) -> None:
        fill_there(self, array, fill, name)

    def bring(self, values: np.ndarray) -> Any:
        if not is_dense(values):
            values = np.copy(values, order="K")
        with self._here():
            whole = self.namespace.empty((max(values.nbytes, 1),), np.uint8)
            if values.nbytes:
                flat = np.lib.stride_tricks.as_strided(values, (values.size,), (values.itemsize,))
                whole.set(flat.view(np.uint8))
            return self.view(whole, values.shape, values.strides, values.dtype)


class CupyGpus:
    """The real GPUs of this machine."""

    words = "by CuPy"

    def __init__(self, cupy: ModuleType, count: int):
        self._cupy = cupy
        self.places: list[Any] = []
        self.places += [CupyPlace(cupy, i, self.places) for i in range(count)]
        self.enter()

    def enter(self) -> None:
        """Take the names of GPUs, which a simulation may have had."""
        for place in self.places:
            register(self._cupy.ndarray, place)

    def taken(self, array: Any) -> Any:
        """An array of CuPy over the memory of another library's array, on the same GPU."""
        if hasattr(array, "__dlpack__"):
            return self._cupy.from_dlpack(array)
        return self._cupy.asarray(array)

    def _properties(self, index: int) -> dict[str, Any]:
        found: dict[str, Any] = self._cupy.cuda.runtime.getDeviceProperties(index)
        return found

    def name(self, index: int) -> str:
        return str(self._properties(index)["name"].decode())

    def capability(self, index: int) -> tuple[int, int]:
        found = self._properties(index)
        return found["major"], found["minor"]

    def total(self, index: int) -> int:
        return int(self._properties(index)["totalGlobalMem"])

    def processors(self, index: int) -> int:
        return int(self._properties(index)["multiProcessorCount"])

    def memory(self, index: int) -> tuple[int, int]:
        """Free and total bytes."""
        with self._cupy.cuda.Device(index):
            free, total = self._cupy.cuda.runtime.memGetInfo()
        return free, total

    def allocated(self, index: int) -> int:
        """How many bytes arrays occupy."""
        with self._cupy.cuda.Device(index):
            return int(self._cupy.get_default_memory_pool().used_bytes())

    def synchronize(self, index: int) -> None:
        self._cupy.cuda.Device(index).synchronize()

    def live(self) -> int:
        """How many GPUs have arrays."""
        return sum(bool(self.allocated(i)) for i in range(len(self.places)))
