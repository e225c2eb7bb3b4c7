"""What all rows share that make a tensor: how they are declared, where the memory comes from, how `out=` is filled."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import geometry
from ..calling.arguments import as_dtype
from ..calling.reading import Notations
from ..dispatch import stations
from ..dispatch.other_classes import answer
from ..dispatch.registry import Op, add_row, watching
from ..errors.reasons import Reason, refuse
from ..memory import place_at
from ..tensor import unset
from ..tensor.copying import overwrite
from ..tensor.grad_mode import grad_enabled
from ..tensor.moving.resizing import resize
from ..tensor.tensor import Tensor
from ..tensor.versions import bump_version
from ..tensor.wrapping import empty_array, place_of, wrap_any
from ..tensor.write_checks import check_writable
from ..types import device as devices
from ..types import dtypes, formats
from ..types.device import CPU, device
from ..types.dtypes import dtype
from ..types.size_limits import MOST_DIMS, check_count, check_size, refuse_dims, refuse_memory
from .rules import New, Result, compute

if TYPE_CHECKING:
    from ..types.formats import layout, memory_format

with_names: Callable[[Op, Callable, tuple, dict], Tensor] | None = None
"""Makes a tensor whose dimensions have names; `modes.named_tensors` puts it here."""


def creation_row(
    name: str,
    words: str,
    *own_ways: str,
    forms: str = "function",
    category: str = "creation",
    family: str = "creation",
    fast: Callable[..., Tensor | None] | None = None,
    kernel: Callable[..., Any] | None = None,
    decided_by: str = "",
) -> Callable:
    """Declare an op that makes a tensor; `own_ways` are the notations of one that is not in PyTorch's table.

    The function below is given the arguments by name, as far as they were given. With a `kernel` it is a rule, as
    `rules` describes it. Without one it is composite, or takes data from outside (`decided_by="data"`). `fast` is a
    short way for calls without keywords, while new tensors are made on the CPU; it returns None for arguments that it
    does not know.
    """

    def declare(function: Callable) -> Callable:
        method = forms == "method"
        notations = Notations(name, own_ways, method)
        op = Op(name, family, category, words, forms=frozenset(forms.split()), decided_by=decided_by)
        op.rule, op.kernel = (None, function) if kernel is None else (function, kernel)
        op.notations = notations

        def computed(*args: Any, **given: Any) -> Tensor:
            assert kernel is not None
            return compute(kernel, function(*args, **given), given.get("out"))

        run = function if kernel is None else computed
        unlooked = "" if op.name in stations.MADE_OF_NUMBERS else "out"  # new numbers have no gradient
        add_row(op)

        if method:

            def plain(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
                return run(self, **_placed(notations.read(args, kwargs)))
        else:

            def plain(*args: Any, **kwargs: Any) -> Tensor:  # type: ignore[misc]
                if "names" in kwargs and with_names is not None:
                    return with_names(op, plain, args, kwargs)
                return run(**_placed(notations.read(args, kwargs)))

        def call(*args: Any, **kwargs: Any) -> Tensor:
            if fast is not None and not kwargs and not watching and devices.this_thread.default is CPU:
                result = fast(*args)
                if result is not None:
                    return result
            if watching:
                return stations.long_route(op, args, kwargs)
            for a in args:  # long nested lists of data are not searched
                if isinstance(a, Tensor) and a._keys:
                    return stations.long_route(op, args, kwargs)
            for name, a in kwargs.items():
                if isinstance(a, Tensor) and a._keys and name != unlooked:
                    return stations.long_route(op, args, kwargs)
            try:
                return plain(*args, **kwargs)
            except TypeError:
                answered = answer(op, args, kwargs)
                if answered is None:
                    raise
                return answered[0]

        stations.publish(op, call, plain)
        return function

    return declare


def _placed(given: dict[str, Any]) -> dict[str, Any]:
    """The arguments with the device resolved, which PyTorch does before anything else."""
    out = given.get("out")
    if out is not None:
        check_out(out, given.get("dtype"), given.get("layout"), given.get("device"))
    elif "device" in given:
        # Data is read before the device is checked.
        given["device"] = (
            device(given["device"]) if "data" in given or "obj" in given else resolve_device(given["device"])
        )
    return given


# -- memory ------------------------------------------------------------------------------------------------------


def resolve_device(wanted: str | device | None, filled: bool = False) -> device:
    """The device of a `device=` argument, or the default one."""
    return devices.usable(wanted, filled)


IN_LAYOUTS: dict[Any, Callable[..., Tensor]] = {}
"""How a tensor of one number is made in a layout that keeps only some elements; entered by the room of that layout."""


def check_layout(name: str, layout: layout | None) -> None:
    """Refuse the layouts that keep only some elements."""
    if layout is not None and layout is not formats.strided:
        refuse(
            NotImplementedError,
            f"Could not run 'aten::{_FILLED_BY.get(name, name)}' with arguments from the '{_BACKENDS[layout.name]}' "
            "backend.",
            f"{name} makes tensors that keep every element here, and {layout} keeps only some",
            "layout=torch.strided",
            rule="layout.sparse",
        )


_FILLED_BY = {
    "arange": "arange.start_out", "linspace": "linspace.out", "logspace": "logspace.out", "eye": "eye.m_out",
    "rand": "uniform_", "randn": "normal_", "randint": "random_.from", "randperm": "randperm.generator_out",
}  # fmt: skip
"""What PyTorch's new tensors are filled by, where that is another op."""
_BACKENDS = {
    "sparse_coo": "SparseCPU", "sparse_csr": "SparseCsrCPU", "sparse_csc": "SparseCsrCPU", "sparse_bsr": "SparseCsrCPU",
    "sparse_bsc": "SparseCsrCPU",
}  # fmt: skip


def check_pin(pin_memory: bool, place: device) -> None:
    """Refuse pinned memory: it exists for the sake of a GPU."""
    if pin_memory and place is not devices.META and not devices.gpu_is_there():
        refuse(
            RuntimeError,
            "pin_memory=True requires a CUDA or other accelerator backend; no pinned memory allocator is available on "
            "this "
            "system.",
            "memory is pinned so that a GPU can read it by itself, and there is no GPU here",
            "pin_memory=False",
            rule="device.pin",
        )
    if pin_memory and place is not devices.CPU and place is not devices.META:
        refuse(
            RuntimeError,
            "Only dense CPU tensors can be pinned",
            f"memory of {place} is not pinned: it is the GPU's own",
            "pin_memory=False",
            rule="device.pin",
        )


def check_requires_grad(requires_grad: bool, d: dtype) -> None:
    """Refuse the flag where no gradient can exist."""
    if requires_grad and d._kind < dtypes.FLOAT:
        refuse(
            RuntimeError,
            "Only Tensors of floating point and complex dtype can require gradients",
            f"{d} holds whole numbers only, and a gradient describes changes by any small amount",
            "dtype=torch.float32",
            rule="autograd.dtype",
        )


def allocate(size: tuple[int, ...], stride: tuple[int, ...] | None, d: dtype, where: device) -> Any:
    """Fresh memory for a tensor on a device; refused if the machine does not have that much."""
    check_size(size, stride, d)
    try:
        return empty_array(size, stride if stride is not None else geometry.contiguous_stride(size), d, place_at(where))
    except (MemoryError, ValueError, OverflowError):
        if len(size) > MOST_DIMS:
            refuse_dims(len(size))
        count = geometry.numel(size) * d.itemsize
        refuse_memory(count, f"{list(size)} of {d} takes {count} bytes, more than the machine can give")


def format_stride(size: tuple[int, ...], memory_format: memory_format | None) -> tuple[int, ...] | None:
    """The strides of a fresh tensor in a memory format; None where it is row-major."""
    if memory_format is None or memory_format is formats.contiguous_format:
        return None
    if memory_format is formats.preserve_format:
        refuse(
            RuntimeError,
            "unsupported memory format Preserve",
            "preserve_format keeps the order of another tensor, and there is no other tensor here",
            "torch.empty_like(x)",
            rule="format.preserve",
        )
    result = geometry.memory_format_stride(size, memory_format.name)
    if isinstance(result, Reason):
        result.refuse()
    return result


def finished(array: np.ndarray, d: dtype, requires_grad: bool = False) -> Tensor:
    """The tensor around a fresh array."""
    t = wrap_any(array, d)
    if requires_grad:
        t._requires_grad = True
    return t


class Target:
    """Where the numbers of a new tensor go: into new memory of a layout on a device, or into `out=`."""

    __slots__ = ("name", "out", "dtype", "device", "requires_grad")

    def __init__(
        self, name: str, out: Tensor | None = None, dtype: Any = None, layout: layout | None = None, device: Any = None,
        pin_memory: bool = False, requires_grad: bool = False,
    ):  # fmt: skip
        self.name, self.out, self.requires_grad = name, out, requires_grad
        self.dtype: dtype | None = None if dtype is None else as_dtype(dtype)
        if out is not None:
            check_out_grad(name, out)
            self.dtype, self.device = out._dtype, out.device
            return
        self.device = resolve_device(device)
        check_layout(name, layout)
        check_pin(pin_memory, self.device)

    @property
    def meta(self) -> bool:
        """Whether the result is a meta tensor, which has no numbers."""
        return self.device is devices.META

    def new(self, size: tuple[int, ...], d: dtype, given: tuple, any_size: bool = False, alike: bool = False) -> New:
        """What a rule returns whose result goes here."""
        return New(Result(size, d), given, lambda fill: self.filled(size, d, fill, any_size, alike))

    def filled(
        self, size: tuple[int, ...], d: dtype, fill: Callable[[np.ndarray], Any], any_size: bool = False,
        alike: bool = False,
    ) -> Tensor:  # fmt: skip
        """The tensor, its memory filled by a function. With `any_size`, `out=` of as many elements keeps its size."""
        out = self.out
        if out is None:
            array = allocate(size, None, d, self.device)
            if not self.meta:
                place_at(self.device).fill(array, fill, self.name)
            check_requires_grad(self.requires_grad, d)
            return finished(array, d, self.requires_grad)
        if any_size and out._array.size == geometry.numel(size):
            size = out._array.shape
        numbers = None
        if not self.meta:
            numbers = allocate((geometry.numel(size),) if any_size else size, None, d, self.device)
            place_at(self.device).fill(numbers, fill, self.name)
            numbers = numbers.reshape(size)
        return fill_out(self.name, out, size, numbers, self.requires_grad, alike)


# -- out= --------------------------------------------------------------------------------------------------------


def check_out(out: Tensor, d: Any, layout: layout | None, place: str | device | None) -> None:
    """Refuse `out=` together with a dtype, a layout or a device that differs from its own."""
    place = None if place is None else device(place)
    if d is not None and as_dtype(d) is not out._dtype:
        refuse(
            RuntimeError,
            f"dtype {as_dtype(d)._type_name} does not match dtype of out parameter ({out._dtype._type_name})",
            f"out= is of {out._dtype} already",
            "dtype= or out=, not both",
            rule="out.dtype",
        )
    if layout is not None and layout is not formats.strided:
        refuse(
            RuntimeError,
            f"layout {_LAYOUT_WORDS[layout.name]} does not match layout of out parameter (Strided)",
            "out= keeps every element",
            rule="out.layout",
        )
    if place is not None and place.type != out.device.type:
        refuse(
            RuntimeError,
            f"device type {place.type} does not match device type of out parameter ({out.device.type})",
            f"out= is on {out.device.type} already",
            rule="out.device",
        )


_LAYOUT_WORDS = {
    "sparse_coo": "Sparse", "sparse_csr": "SparseCsr", "sparse_csc": "SparseCsc", "sparse_bsr": "SparseBsr",
    "sparse_bsc": "SparseBsc",
}  # fmt: skip


def check_out_grad(name: str, out: Tensor | None) -> None:
    """Refuse to write into `out=` where its first value must stay."""
    if out is not None and out._requires_grad and grad_enabled():
        refuse(
            RuntimeError,
            f"aten::{name}(): functions with out=... arguments don't support automatic differentiation, but one of the "
            "arguments requires grad.",
            "requires_grad is set on out=, so its first value must stay",
            "with torch.no_grad(): ...",
            rule="out.grad",
        )


def fill_out(
    name: str, out: Tensor, size: tuple[int, ...], numbers: np.ndarray | None, requires_grad: bool = False,
    alike: bool = False,
) -> Tensor:  # fmt: skip
    """Numbers written into `out=`, which is given the size first. Elements that lie on top of each other may only be
    filled `alike`."""
    if out._keys and out.layout in IN_LAYOUTS:
        IN_LAYOUTS[out.layout](name, size, 1, out._dtype, out.device, out.layout)  # raises
    check_out_grad(name, out)
    if place_of(out).has_numbers and name != "empty":
        check_count(size)
    check_size(size, None, out._dtype)
    check_requires_grad(requires_grad, out._dtype)
    check_writable(out, alike or out._array.shape != size)
    given_a_size = out._array.shape != size
    if given_a_size:
        resize(out, size)
    if numbers is not None and place_of(out).has_numbers:
        overwrite(out, numbers)
    elif name == "empty" and unset.stand_out() and place_of(out).has_numbers:
        unset.write_over(out._array, out._dtype)
    if name != "empty" or given_a_size:
        bump_version(out)
    if requires_grad:
        out._requires_grad = True
    return out
