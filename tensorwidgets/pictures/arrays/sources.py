"""Where an array's data lies: one small reader for each library; none is imported here.

A reader uses the object's interface, so that our tensors and PyTorch's are read in the same way.
"""

from __future__ import annotations

from array import array as python_array
from collections.abc import Callable, Iterator
from mmap import mmap
from typing import Any, NamedTuple

import numpy as np

from .layout import Owner, extent
from .special_kinds import is_lazy
from .values import Date, with_article

LIBRARIES = {"tensorwidgets": "tensorwidgets", "torch": "PyTorch", "numpy": "NumPy", "cupy": "CuPy"}

Read = Callable[[tuple[slice, ...]], list[Any]]


class Source(NamedTuple):
    """The result of a reader; `read` returns the values of a block as a flat list."""

    size: tuple[int, ...]
    byte_stride: tuple[int, ...]
    address: int
    itemsize: int
    dtype: str
    library: str
    device: str
    owner: Owner
    read: Read | None
    mask: Read | None = None
    """Which values a masked array hides."""
    cut: bool = False
    """Whether its storage has fewer bytes than it needs: it was freed or made smaller."""


def source_of(array: Any) -> Source:
    """Reads an object with the reader for its library, or raises TypeError."""
    if isinstance(array, type):
        raise TypeError(f"show draws arrays, and {array.__name__} is a class: make one of it first")
    if isinstance(array, np.ndarray):
        return _numpy(array)
    if hasattr(array, "untyped_storage"):
        return _torch_like(array)
    if hasattr(array, "__cuda_array_interface__"):
        return _cuda(array)
    if isinstance(array, np.generic) or hasattr(array, "__array_interface__"):
        return _numpy(np.asarray(array))._replace(library=library_of(array))
    if isinstance(array, (memoryview, bytearray, bytes, python_array)):
        return _numpy(np.asarray(memoryview(array)))._replace(library="Python")
    if hasattr(array, "__dlpack__"):
        return _numpy(_from_dlpack(array))._replace(library=library_of(array))
    raise TypeError(_refusal(array))


def is_array(thing: Any) -> bool:
    """Whether a picture can be drawn of it. Checks the class, because an object may have any attribute."""
    kind = type(thing)
    return isinstance(thing, np.ndarray) or any(
        hasattr(kind, name) for name in ("untyped_storage", "__cuda_array_interface__", "__dlpack__")
    )


def names_of(array: Any) -> tuple[str | None, ...]:
    """The names of a tensor's dimensions; () for an array without."""
    names = getattr(array, "names", None) if hasattr(array, "untyped_storage") else None
    return names if isinstance(names, tuple) and any(names) else ()


def library_of(thing: Any) -> str:
    """The library's name as it writes it; of a class that was made from one of a library's, that of the library."""
    tops = [cls.__module__.partition(".")[0] for cls in type(thing).__mro__]
    return next((LIBRARIES[top] for top in tops if top in LIBRARIES), tops[0])


def _refusal(thing: Any) -> str:
    name = type(thing).__name__
    if isinstance(thing, (list, tuple)) and any(map(is_array, thing)):
        every = all(map(is_array, thing))
        way = "show(*x) draws them" if every else f"show.memory(x=...) lists the {_arrays_inside(thing)} in it"
        return f"{with_article(name)} has no memory of its own to draw, only that of its items: {way}"
    if isinstance(thing, (list, tuple)):
        return (
            f"{with_article(name)} has no memory of its own to draw: its items are objects anywhere in memory. "
            "show.list_or_tensor(x) draws that; show(np.array(x)) draws an array made from it"
        )
    if name.endswith("Storage"):
        return f"{with_article(name)} is drawn beneath the views that read it: show(x), for a tensor x that reads it"
    inside = _arrays_inside(thing)
    ways = [*_ways_in(thing), *([f"show.memory(x=...) lists the {inside} inside it"] if inside else [])]
    told = "".join(f"; {way}" for way in ways)
    return f"show draws arrays (of tensorwidgets, NumPy, PyTorch, CuPy, or with DLPack), not {with_article(name)}{told}"


def _arrays_inside(thing: Any) -> str:
    """`array`, `3 arrays`; empty if there is none."""
    from .inside import arrays_in

    inside = sum(1 for _ in arrays_in({"it": thing}))
    return f"{inside} arrays" if inside > 1 else "array" if inside else ""


def _ways_in(thing: Any) -> Iterator[str]:
    """How to get at the array in a table, a matrix that keeps few numbers, or a module."""
    if callable(getattr(thing, "named_parameters", None)):
        first = next((name for name, _ in thing.named_parameters()), None)
        if first is not None and all(part.isidentifier() for part in first.split(".")):
            yield f"show(x.{first}) draws one of its parameters"
        yield "show.module(x) draws the module"
        return
    for method, what in (("to_numpy", "its values"), ("toarray", "it with all its zeros")):
        if callable(getattr(thing, method, None)):
            yield f"show(x.{method}()) draws {what}"
            return


# -- NumPy -----------------------------------------------------------------------------------------


def _numpy(array: np.ndarray) -> Source:
    bare = array.view(np.ndarray) if type(array) is not np.ndarray else array
    return Source(
        bare.shape, bare.strides, bare.__array_interface__["data"][0], bare.itemsize, _name(bare.dtype),
        "NumPy", "cpu", _numpy_owner(array), _reader(bare), _mask_of(array),
    )  # fmt: skip


def _reader(bare: np.ndarray) -> Read:
    """How to read the values of an array."""

    def read(block: tuple[slice, ...]) -> list[Any]:
        part = (bare[block] if block else bare).ravel()
        if bare.dtype.kind in "mM":
            # As numbers of a unit they would say nothing, and Python's dates do not hold all of them.
            return [Date(text) for text in part.astype(str).tolist()]
        return part.tolist()

    return read


def _mask_of(array: np.ndarray) -> Read | None:
    """How to read the mask of an array; None without one."""
    mask = np.ma.getmask(array)
    if not isinstance(mask, np.ndarray) or mask.dtype.names is not None:
        return None

    def read(block: tuple[slice, ...]) -> list[Any]:
        return (mask[block] if block else mask).ravel().tolist()

    return read


def _name(dtype: np.dtype) -> str:
    """The name of a dtype: NumPy's name for numbers, a description for others.

    >>> [_name(np.dtype(t)) for t in (">i2", "<U28", "S4", [("x", "f4"), ("y", "i8")])]
    ['int16 big-endian', 'text of 28 characters', 'text of 4 bytes', 'record of x and y']
    """
    if dtype.names is not None:
        first, last = dtype.names[:5], dtype.names[5:]
        more = f" and {len(last)} more" if last else ""
        return "record of " + (", ".join(first) + more if last or len(first) < 2 else " and ".join(
            filter(None, [", ".join(first[:-1]), first[-1]])))  # fmt: skip
    if dtype.kind == "U":
        return f"text of {dtype.itemsize // 4} characters"
    if dtype.kind == "S":
        return f"text of {dtype.itemsize} bytes"
    if dtype.kind == "T":
        return "StringDType"
    return dtype.name + (" big-endian" if dtype.byteorder == ">" else "")


def _numpy_owner(array: np.ndarray) -> Owner:
    """Follows the bases of a view to the object that owns the bytes."""
    base = array.base
    while base is not None:
        if isinstance(base, np.ndarray):
            array = base
        elif not isinstance(getattr(base, "base", None), np.ndarray):
            break
        # What as_strided leaves behind is not an array, but it knows the one that it was made from.
        base = base.base
    if base is None:
        return Owner(array.__array_interface__["data"][0], array.nbytes, id(array))
    if hasattr(base, "untyped_storage"):
        return _storage_owner(base.untyped_storage())
    try:
        run = np.frombuffer(base, np.uint8)
        return Owner(run.__array_interface__["data"][0], run.nbytes, id(base), isinstance(base, mmap))
    except (TypeError, ValueError, BufferError):
        low, high = extent(array.shape, array.strides, array.itemsize)
        return Owner(array.__array_interface__["data"][0] + low, high - low, id(base))


# -- PyTorch's spelling: its tensors and ours ------------------------------------------------------


def _storage_owner(storage: Any) -> Owner:
    return Owner(storage.data_ptr(), storage.nbytes(), getattr(storage, "_cdata", None) or id(storage))


def must_have_a_size(tensor: Any) -> None:
    """Refuse what has no size to be drawn, before anything is asked of it."""
    if getattr(tensor, "is_nested", False):
        raise TypeError("show draws strided tensors, and a nested one has no one size: draw the tensors of x.unbind()")
    if is_lazy(tensor):
        raise TypeError("a lazy parameter has no size and no memory yet: call its module with an example first")


def _torch_like(tensor: Any) -> Source:
    must_have_a_size(tensor)
    try:
        storage = tensor.untyped_storage()
        stride = tensor.stride()
    except (RuntimeError, NotImplementedError) as refused:
        layout = str(getattr(tensor, "layout", "unknown")).rpartition(".")[2]
        if layout == "strided":
            raise TypeError("inside vmap or grad a tensor shows no memory of its own: draw it outside") from None
        parts = "draw the strided tensors that it is made of, such as x.indices() and x.values()"
        raise TypeError(
            f"show draws strided tensors, and this one has the layout {layout}: "
            + (parts if layout.startswith("sparse") else "draw x.to_dense()")
        ) from refused
    item = tensor.element_size()
    device = str(tensor.device)
    owner = _owner_of(storage, device, tensor)
    inner = getattr(tensor, "_array", None)
    reach = _reach(tensor) * item if tensor.numel() else 0
    cut = owner.nbytes < reach
    read: Read | None
    if device == "meta":
        read = None
        owner = Owner(owner.identity << 64, owner.nbytes, owner.identity)  # without addresses: far from each other
    elif cut:

        def read(block: tuple[slice, ...]) -> list[Any]:
            raise TypeError(
                f"this tensor reads up to byte {reach:,}, and its storage has {owner.nbytes:,} bytes: it was freed or "
                "made smaller (resize_), so there are no elements to draw"
            )
    elif isinstance(inner, np.ndarray):
        read = _reader(inner.view(np.ndarray) if type(inner) is not np.ndarray else inner)
    else:

        def read(block: tuple[slice, ...]) -> list[Any]:
            bare = tensor.int_repr() if getattr(tensor, "is_quantized", False) else _as_stored(tensor.detach())
            try:
                return (bare[block] if block else bare).reshape(-1).tolist()
            except RuntimeError:
                raise TypeError(
                    f"nothing reads numbers of {tensor.dtype}: draw the bytes, x.view(torch.uint8)"
                ) from None

    return Source(
        tuple(tensor.size()), tuple(s * item for s in stride), owner.start + tensor.storage_offset() * item,
        item, str(tensor.dtype).rpartition(".")[2] + _promises(tensor), library_of(tensor), device, owner, read,
        cut=cut,
    )  # fmt: skip


def _owner_of(storage: Any, device: str, tensor: Any) -> Owner:
    """The owner of a tensor's bytes; refused if the tensor pretends to have some."""
    try:
        owner = _storage_owner(storage)
    except RuntimeError:
        owner = None
    if owner is None or not owner.start and owner.nbytes and device != "meta":
        kind = type(tensor).__name__
        raise TypeError(f"this {kind} has a size and no memory of its own, so there are no elements to draw")
    return owner


def _reach(tensor: Any) -> int:
    """How many elements from the beginning of its storage a tensor needs."""
    steps = zip(tensor.size(), tensor.stride(), strict=True)
    return int(tensor.storage_offset() + sum((n - 1) * s for n, s in steps) + 1)


def _promises(tensor: Any) -> str:
    """What happens to the stored numbers when this view is read."""
    asked = (("is_conj", " read conjugated"), ("is_neg", " read negated"))
    return "".join(words for name, words in asked if getattr(tensor, name, bool)())


def _as_stored(tensor: Any) -> Any:
    """A view of the same memory without a promised conjugate or minus: the picture shows what lies there."""
    if tensor.is_conj():
        tensor = tensor.conj()
    return tensor._neg_view() if tensor.is_neg() else tensor


# -- memory of another device, and other libraries -------------------------------------------------------


def _cuda(array: Any) -> Source:
    interface = array.__cuda_array_interface__
    dtype = np.dtype(interface["typestr"])
    size = tuple(interface["shape"])
    stride = interface.get("strides") or np.empty(0, dtype).reshape(0).strides[:0]
    if len(stride) != len(size):
        stride, run = [], dtype.itemsize
        for n in reversed(size):
            stride.insert(0, run)
            run *= n
    address = interface["data"][0]
    memory = getattr(getattr(array, "data", None), "mem", None)
    if memory is not None:
        owner = Owner(memory.ptr, memory.size, memory.ptr)
    else:
        low, high = extent(size, tuple(stride), dtype.itemsize)
        owner = Owner(address + low, high - low, address)

    def read(block: tuple[slice, ...]) -> list[Any]:
        return (array[block] if block else array).ravel().tolist()

    number = getattr(getattr(array, "device", None), "id", 0)
    return Source(
        size,
        tuple(stride),
        address,
        dtype.itemsize,
        dtype.name,
        library_of(array),
        f"cuda:{number}",
        owner,
        read,
    )


def _from_dlpack(array: Any) -> np.ndarray:
    try:
        return np.from_dlpack(array)
    except (RuntimeError, TypeError, BufferError, ValueError) as refused:
        raise TypeError(f"show cannot look into this {type(array).__name__} without copying it: {refused}") from refused
