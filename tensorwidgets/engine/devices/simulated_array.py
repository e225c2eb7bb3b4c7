"""What is an array on a simulated GPU? One that NumPy's protocols carry, as poor as CuPy's, over an arena.

Nothing reads its elements by accident: it has no buffer, and `__array__` refuses as CuPy's does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .arena import Arena, Block
from .limits import NotOnDevice, check_function, check_method, check_ufunc

_WRITES_FIRST = frozenset(("copyto", "put", "put_along_axis", "place", "putmask", "fill_diagonal"))
"""Functions of NumPy that write to their first argument."""

_COMPARE = frozenset(("greater", "greater_equal", "less", "less_equal", "equal", "not_equal"))
"""Ufuncs to which CuPy takes NumPy's arrays without dimensions."""

_TAKE_ONE_NUMBER = frozenset(("copyto", "full", "full_like"))
"""Functions to which CuPy takes NumPy's arrays without dimensions."""

_MAKES = frozenset(("asarray", "array", "ascontiguousarray", "asfortranarray", "asanyarray"))
"""Functions that bring numbers in main memory to the GPU."""


class Flags:
    """What CuPy says of an array's memory."""

    __slots__ = ("c_contiguous", "f_contiguous", "forc", "fnc", "owndata")

    def __init__(self, array: np.ndarray):
        self.c_contiguous, self.f_contiguous = array.flags.c_contiguous, array.flags.f_contiguous
        self.forc, self.fnc, self.owndata = array.flags.forc, array.flags.fnc, False

    def __getitem__(self, name: str) -> bool:
        found: bool = getattr(self, name.lower())
        return found

    def __getattr__(self, name: str) -> Any:
        raise NotOnDevice(f"flags.{name}")


class SimulatedArray:
    """An array on a simulated GPU."""

    __slots__ = ("_numbers", "_block")
    __array_priority__ = 100

    _numbers: np.ndarray
    _block: Block

    shape = property(lambda self: self._numbers.shape)
    strides = property(lambda self: self._numbers.strides)
    dtype = property(lambda self: self._numbers.dtype)
    ndim = property(lambda self: self._numbers.ndim)
    size = property(lambda self: self._numbers.size)
    itemsize = property(lambda self: self._numbers.itemsize)
    nbytes = property(lambda self: self._numbers.nbytes)
    flags = property(lambda self: Flags(self._numbers))
    device = property(lambda self: self._block.arena.index)

    def __len__(self) -> int:
        return len(self._numbers)

    def get(self) -> np.ndarray:
        """A copy in main memory."""
        return self._numbers.copy()

    def _told(self) -> np.ndarray:
        """The elements for Python, which waits for them; a kernel that looks at some is part of its call."""
        streams = self._block.arena.streams
        if not streams.busy:
            streams.copy(self._numbers.nbytes)
        return self._numbers

    def item(self) -> Any:
        """The one element."""
        return self._told().item()

    def __index__(self) -> int:
        return self._told().__index__()

    def tolist(self) -> Any:
        """The elements as Python's numbers."""
        return self._told().tolist()

    def __array__(self, *args: Any, **kwargs: Any) -> Any:
        raise NotOnDevice("implicit conversion to a NumPy array")

    def __iter__(self) -> Any:
        return (self[i] for i in range(len(self)))

    def __getattr__(self, name: str) -> Any:
        raise NotOnDevice(f"ndarray.{name}")

    def __repr__(self) -> str:
        return repr(self._numbers)

    __str__ = __repr__

    # -- elements ------------------------------------------------------------------------------------------------

    def __getitem__(self, key: Any) -> Any:
        return beside(self._numbers[_key(key, self._block.arena)], self._block.arena, (self,))

    def __setitem__(self, key: Any, value: Any) -> None:
        number = isinstance(value, np.ndarray) and value.ndim == 0
        written = value if number else inside(value, self._block.arena)
        self._block.writes += 1
        self._numbers[_key(key, self._block.arena)] = written

    def scatter_add(self, key: Any, value: Any) -> None:
        """Add to elements, also where an index occurs several times."""
        self._scatter(np.add, key, value)

    def scatter_max(self, key: Any, value: np.ndarray) -> None:
        """Keep the larger of each element and what is written to it."""
        self._scatter(np.maximum, key, value)

    def scatter_min(self, key: Any, value: np.ndarray) -> None:
        """Keep the smaller of each element and what is written to it."""
        self._scatter(np.minimum, key, value)

    def _scatter(self, ufunc: np.ufunc, key: Any, value: Any) -> None:
        self._block.writes += 1
        ufunc.at(self._numbers, _key(key, self._block.arena), inside(value, self._block.arena))

    def fill(self, value: Any) -> None:
        """Set every element."""
        self._block.writes += 1
        self._numbers.fill(inside(value, self._block.arena))

    def _set_real(self, value: np.ndarray) -> None:
        self._block.writes += 1
        self._numbers.real[...] = inside(value, self._block.arena)

    def _set_imag(self, value: np.ndarray) -> None:
        self._block.writes += 1
        self._numbers.imag[...] = inside(value, self._block.arena)

    T = property(lambda self: beside(self._numbers.T, self._block.arena, (self,)))
    mT = property(lambda self: beside(self._numbers.mT, self._block.arena, (self,)))
    real = property(lambda self: beside(self._numbers.real, self._block.arena, (self,)), _set_real)
    imag = property(lambda self: beside(self._numbers.imag, self._block.arena, (self,)), _set_imag)

    # -- NumPy's protocols ---------------------------------------------------------------------------------------

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **kwargs: Any) -> Any:
        check_ufunc(ufunc.__name__, method, kwargs)
        arena, name = self._block.arena, ufunc.__name__
        out = kwargs.pop("out", None)
        if name in _COMPARE:
            inputs = tuple([x.item() if isinstance(x, np.ndarray) and x.ndim == 0 else x for x in inputs])
        numbers = [inside(x, arena) for x in inputs]
        call = ufunc if method == "__call__" else getattr(ufunc, method)
        if out is None or all(o is None for o in out):
            return beside(call(*numbers, **kwargs), arena, ())
        targets = tuple([None if o is None else _written(o, arena) for o in out])
        found = call(*numbers, out=targets, **kwargs)
        given = out if isinstance(found, tuple) else (out[0],)
        results = [
            beside(f, arena, ()) if o is None else o
            for f, o in zip(found if isinstance(found, tuple) else (found,), given, strict=True)
        ]
        return tuple(results) if isinstance(found, tuple) else results[0]

    def __array_function__(self, function: Any, types: Any, args: tuple, kwargs: dict[str, Any]) -> Any:
        check_function(function, args, kwargs)
        arena, name = self._block.arena, function.__name__
        out = kwargs.pop("out", None)
        if name in _WRITES_FIRST:
            _written(args[0], arena)
        take = (lambda x: x) if name in _MAKES else (lambda x: _one(x)) if name in _TAKE_ONE_NUMBER else None
        given = [inside(x, arena, take) for x in args]
        named = {key: inside(x, arena, take) for key, x in kwargs.items()}
        if out is not None:
            several = isinstance(out, tuple)
            named["out"] = tuple([_written(o, arena) for o in out]) if several else _written(out, arena)
        found = function(*given, **named)
        if out is not None:
            return out
        return None if found is None else beside(found, arena, (*args, *kwargs.values()))


def _one(x: np.ndarray) -> Any:
    return x if isinstance(x, np.ndarray) and x.ndim == 0 else None


def inside(x: Any, arena: Arena, take: Callable[[Any], Any] | None = None) -> Any:
    """What the simulated processor sees of an argument. NumPy's arrays are not on the GPU, so they are refused."""
    if isinstance(x, SimulatedArray):
        if x._block.arena is not arena:
            raise NotOnDevice("arrays of two GPUs in one call")
        return x._numbers
    if isinstance(x, np.ndarray):
        if take is None or take(x) is None:
            raise NotOnDevice("a NumPy array among the operands")
        return x
    if type(x) in (tuple, list):
        return type(x)([inside(part, arena, take) for part in x])
    return x


def _key(x: Any, arena: Arena) -> Any:
    """An index: NumPy's arrays may be one, CuPy copies them."""
    return inside(x, arena, lambda array: array)


def _written(x: np.ndarray, arena: Arena) -> np.ndarray:
    if not isinstance(x, SimulatedArray):
        raise NotOnDevice("out= in main memory")
    x._block.writes += 1
    return inside(x, arena)


def beside(found: Any, arena: Arena, sources: Any) -> Any:
    """What NumPy returned as arrays on the GPU: a view of what it was given, or a copy in a block of its own."""
    if isinstance(found, (np.ndarray, np.generic)):
        if isinstance(found, np.ndarray) and found.size and arena.holds(found):
            block = _block_below(found, arena, sources)
            if block is not None:
                return laid(found, block)
        return placed(np.asarray(found), arena)
    if isinstance(found, bool):
        return placed(np.asarray(found), arena)
    if isinstance(found, (tuple, list)):
        parts = [beside(part, arena, sources) if isinstance(part, (np.ndarray, np.generic)) else part for part in found]
        return type(found)(*parts) if hasattr(found, "_fields") else type(found)(parts)
    return found


def _block_below(numbers: np.ndarray, arena: Arena, sources: Any) -> Block | None:
    address = arena.address(numbers)
    for source in sources:
        if isinstance(source, SimulatedArray):
            block = source._block
            if block.address <= address < block.address + block.size:
                return block
        elif isinstance(source, (tuple, list)):
            found = _block_below(numbers, arena, source)
            if found is not None:
                return found
    return None


def laid(numbers: np.ndarray, block: Block) -> SimulatedArray:
    """The array over numbers that lie in a block."""
    array = _new(CLASSES[block.arena.index])
    array._numbers, array._block = numbers, block
    return array


_new: Callable[[type], Any] = object.__new__


def placed(values: np.ndarray, arena: Arena) -> SimulatedArray:
    """A copy of numbers in main memory, with the same strides if these are dense."""
    strides: tuple[int, ...] | None = values.strides
    if not values.size:
        strides = None
    elif not is_dense(values):
        strides = np.empty_like(values).strides  # the order of the dimensions is kept, gaps are not
    block = arena.block(values.nbytes)
    numbers = arena.numbers(block, values.shape, strides, values.dtype, 0)
    numbers[...] = values
    return laid(numbers, block)


def is_dense(values: np.ndarray) -> bool:
    """Whether strides leave no gap and share no element.

    >>> is_dense(np.ones((2, 3)).T), is_dense(np.ones((2, 3))[:, 1:])
    (True, False)
    """
    step = values.itemsize
    for stride, n in sorted((s, n) for s, n in zip(values.strides, values.shape, strict=True) if n != 1):
        if stride != step:
            return False
        step *= n
    return True


def _method(name: str) -> Callable:
    def method(self: SimulatedArray, *args: Any, **kwargs: Any) -> Any:
        check_method(name, args, kwargs)
        arena = self._block.arena
        out = kwargs.pop("out", None)
        given = [inside(x, arena) for x in args]
        named = {key: inside(x, arena) for key, x in kwargs.items()}
        if out is not None:
            named["out"] = _written(out, arena)
        found = getattr(self._numbers, name)(*given, **named)
        return out if out is not None else None if found is None else beside(found, arena, (self,))

    method.__name__ = name
    return method


def _writing_method(name: str) -> Callable:
    plain = _method(name)

    def method(self: SimulatedArray, *args: Any, **kwargs: Any) -> Any:
        self._block.writes += 1
        return plain(self, *args, **kwargs)

    method.__name__ = name
    return method


for _name in (
    "all", "any", "argmax", "argmin", "argpartition", "argsort", "astype", "choose", "clip", "compress", "conj",
    "conjugate", "copy", "cumprod", "cumsum", "diagonal", "dot", "flatten", "max", "mean", "min", "nonzero", "prod",
    "ravel", "repeat", "reshape", "round", "searchsorted", "squeeze", "std", "sum", "swapaxes", "take", "trace",
    "transpose", "var", "view",
):  # fmt: skip
    setattr(SimulatedArray, _name, _method(_name))
for _name in ("sort", "put", "partition"):
    setattr(SimulatedArray, _name, _writing_method(_name))


def _operator(ufunc: np.ufunc, reflected: bool = False) -> Callable:
    def method(self: SimulatedArray, other: Any) -> Any:
        return ufunc(other, self) if reflected else ufunc(self, other)

    return method


def _inplace(ufunc: np.ufunc) -> Callable:
    def method(self: SimulatedArray, other: Any) -> Any:
        return ufunc(self, other, out=self)

    return method


for _name, _ufunc in (
    ("add", "add"), ("sub", "subtract"), ("mul", "multiply"), ("truediv", "true_divide"), ("pow", "power"),
    ("floordiv", "floor_divide"), ("mod", "remainder"), ("and", "bitwise_and"), ("or", "bitwise_or"),
    ("xor", "bitwise_xor"), ("lshift", "left_shift"), ("rshift", "right_shift"), ("matmul", "matmul"),
):  # fmt: skip
    setattr(SimulatedArray, f"__{_name}__", _operator(getattr(np, _ufunc)))
    setattr(SimulatedArray, f"__r{_name}__", _operator(getattr(np, _ufunc), reflected=True))
    setattr(SimulatedArray, f"__i{_name}__", _inplace(getattr(np, _ufunc)))
for _name, _ufunc in (
    ("eq", "equal"), ("ne", "not_equal"), ("lt", "less"), ("le", "less_equal"), ("gt", "greater"),
    ("ge", "greater_equal"),
):  # fmt: skip
    setattr(SimulatedArray, f"__{_name}__", _operator(getattr(np, _ufunc)))
for _name, _unary in (("neg", np.negative), ("abs", np.absolute), ("invert", np.invert), ("pos", np.positive)):
    setattr(SimulatedArray, f"__{_name}__", lambda self, _unary=_unary: _unary(self))
for _name, _convert in (("int", int), ("float", float), ("complex", complex), ("bool", bool)):
    setattr(SimulatedArray, f"__{_name}__", lambda self, _convert=_convert: _convert(self._told().item()))
SimulatedArray.__hash__ = None  # type: ignore[assignment]


CLASSES: dict[int, type[SimulatedArray]] = {}
"""The class of the arrays of each simulated GPU, by its number."""
