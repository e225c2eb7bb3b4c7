"""`PickleWriter`: write containers, numbers and text as a pickle of protocol 2.

Python's pickler would import every global that it names, and these belong to PyTorch. This writer never calls
`__reduce__`: it writes the types that it knows and refuses all others. Equal strings are written once, and sets are
sorted, so that equal input gives equal bytes.
"""

from __future__ import annotations

import struct
from collections import Counter, OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ..errors import refuse_record

DEEPEST = 500
"""The deepest nesting of lists, tuples and dicts: Python can still print and copy this many levels."""

_OURS = 8
"""The levels of nesting that a tensor adds."""

_BATCH = 1000
_INT, _DOUBLE = struct.Struct("<i").pack, struct.Struct(">d").pack
_U2, _U4 = struct.Struct("<H").pack, struct.Struct("<I").pack
_MARK, _TUPLES = b"(", (b")", b"\x85", b"\x86", b"\x87")


class Global(NamedTuple):
    """A function or class, by name."""

    module: str
    name: str


class Call(NamedTuple):
    """An object that reading the file creates by calling a global, with the items and attributes to set afterwards."""

    function: Global
    args: tuple
    items: Any = None
    state: Any = None


class Persistent(NamedTuple):
    """An object stored outside the pickle, by its persistent id."""

    id: tuple


class View(NamedTuple):
    """A plain tensor: the most frequent call, written in one step with the same bytes as the equivalent `Call`."""

    storage: Persistent
    offset: int
    size: tuple[int, ...]
    stride: tuple[int, ...]
    requires_grad: bool
    dtype: Global | None
    """The dtype, if the storage does not determine it."""

    def call(self, promises: tuple = ()) -> Call:
        """The equivalent `Call`."""
        words: tuple = (self.storage, self.offset, self.size, self.stride, self.requires_grad, OrderedDict())
        if self.dtype is None:
            return Call(_V2, (*words, *promises))
        return Call(_V3, (*words, self.dtype, *promises))


_V2, _V3 = Global("torch._utils", "_rebuild_tensor_v2"), Global("torch._utils", "_rebuild_tensor_v3")
_ENCODE = Global("_codecs", "encode")
_SET, _FROZENSET = Global("__builtin__", "set"), Global("__builtin__", "frozenset")
_COMPLEX, _BYTEARRAY = Global("__builtin__", "complex"), Global("__builtin__", "bytearray")
_ORDERED, _COUNTER = Global("collections", "OrderedDict"), Global("collections", "Counter")


class PickleWriter:
    """Writes one object. `encode(value)` returns how to write a value that is not a built-in type, or None.

    >>> PickleWriter(lambda value: None).dump([1, "a", None])
    b'\\x80\\x02]q\\x00(K\\x01X\\x01\\x00\\x00\\x00aq\\x01Ne.'
    """

    def __init__(self, encode: Callable[[Any], Any], record: str = "data.pkl"):
        self._encode, self._record = encode, record
        self._out: list[bytes] = [b"\x80\x02"]
        self._memo: dict[int, tuple[bytes, Any]] = {}
        """For each object (by id): the instruction that recalls it, and the object, which keeps its id in use."""
        self._texts: dict[Any, bytes] = {}
        self._count = 0
        self._kinds: dict[type, Callable[[Any], Any]] = {
            list: self._list, dict: self._dict, tuple: self._tuple, Call: self._call, Persistent: self._persistent,
            OrderedDict: self._ordered, Counter: self._counter, set: self._set, frozenset: self._frozenset,
            bytes: self._bytes, bytearray: self._bytearray, complex: self._complex,
        }  # fmt: skip
        self._leaves: dict[type, Callable[[Any], None]] = {
            int: self._int, str: self._text, Global: self._global, View: self._view_inside,
            float: lambda value: self._out.append(b"G" + _DOUBLE(value)),
            bool: lambda value: self._out.append(b"\x88" if value else b"\x89"),
            type(None): lambda value: self._out.append(b"N"),
        }  # fmt: skip

    def dump(self, value: Any) -> bytes:
        """The pickle of an object."""
        # Each container is a generator of its contents. A stack of generators replaces recursion.
        stack: list[Iterator[Any]] = [iter((value,))]
        leaves, begin = self._leaves, self._begin
        while stack:
            for child in stack[-1]:
                leaf = leaves.get(type(child))
                if leaf is not None:
                    leaf(child)
                    continue
                inside = begin(child)
                if inside is not None:
                    stack.append(inside)
                    if len(stack) > DEEPEST + _OURS:
                        self._too_deep()
                    break
            else:
                stack.pop()
        self._out.append(b".")
        return b"".join(self._out)

    def _begin(self, value: Any) -> Iterator[Any] | None:
        """Recall an object that was written before, or begin one: the generator returned yields its contents."""
        result = self._memo.get(id(value))
        if result is not None:
            self._out.append(result[0])
            return None
        kind = self._kinds.get(type(value))
        if kind is not None:
            return kind(value)
        encoded = self._encode(value)
        if encoded is None:
            self._refuse(value)
        if type(encoded) is Global:
            self._global(encoded)
            return None
        if type(encoded) is View:
            self._view(encoded)
            self._remember(value)
            return None
        return self._persistent(encoded) if type(encoded) is Persistent else self._call(encoded, value)

    # -- leaves --------------------------------------------------------------------------------------------------

    def _int(self, value: int) -> None:
        if 0 <= value < 256:
            self._out.append(b"K%c" % value)
        elif 0 <= value < 65536:
            self._out.append(b"M" + _U2(value))
        elif -0x80000000 <= value < 0x80000000:
            self._out.append(b"J" + _INT(value))
        else:
            size = (value if value >= 0 else ~value).bit_length() // 8 + 1
            head = b"\x8a%c" % size if size < 256 else b"\x8b" + _INT(size)
            self._out.append(head + value.to_bytes(size, "little", signed=True))

    def _text(self, value: str) -> None:
        result = self._texts.get(value)
        if result is not None:
            self._out.append(result)
            return
        raw = value.encode("utf-8", "surrogatepass")
        self._out.append(b"X" + _U4(len(raw)) + raw)
        self._texts[value] = self._put()

    def _global(self, value: Global) -> None:
        result = self._texts.get(value)
        if result is None:
            self._out.append(f"c{value.module}\n{value.name}\n".encode())
            self._texts[value] = self._put()
        else:
            self._out.append(result)

    def _put(self) -> bytes:
        """Put the last object into the memo; return the instruction that recalls it."""
        n = self._count
        self._count += 1
        if n < 256:
            self._out.append(b"q%c" % n)
            return b"h%c" % n
        number = _U4(n)
        self._out.append(b"r" + number)
        return b"j" + number

    def _remember(self, value: Any) -> None:
        self._memo[id(value)] = self._put(), value

    # -- containers ----------------------------------------------------------------------------------------------

    def _list(self, value: list) -> Iterator[Any]:
        self._out.append(b"]")
        self._remember(value)
        yield from self._items(value, b"a", b"e")

    def _items(self, value: list, one: bytes, many: bytes) -> Iterator[Any]:
        if len(value) == 1:
            yield value[0]
            self._out.append(one)
            return
        for start in range(0, len(value), _BATCH):
            self._out.append(_MARK)
            yield from value[start : start + _BATCH]
            self._out.append(many)

    def _dict(self, value: dict) -> Iterator[Any]:
        self._out.append(b"}")
        self._remember(value)
        yield from self._pairs(value)

    def _pairs(self, value: dict) -> Iterator[Any]:
        if len(value) == 1:
            yield from next(iter(value.items()))
            self._out.append(b"s")
            return
        items = list(value.items())
        for start in range(0, len(items), _BATCH):
            self._out.append(_MARK)
            for pair in items[start : start + _BATCH]:
                yield from pair
            self._out.append(b"u")

    def _tuple(self, value: tuple) -> Iterator[Any]:
        length = len(value)
        if not length:
            self._out.append(b")")
            return
        if length > 3:
            self._out.append(_MARK)
        yield from value
        result = self._memo.get(id(value))
        if result is not None:
            # The tuple contains a list that contains the tuple, which was therefore written inside: drop this copy.
            self._out.append((b"1" if length > 3 else b"0" * length) + result[0])
            return
        self._out.append(b"t" if length > 3 else _TUPLES[length])
        self._remember(value)

    def _call(self, value: Call, made: Any = None) -> Iterator[Any]:
        yield value.function
        yield value.args
        self._out.append(b"R")
        self._remember(value if made is None else made)
        if value.items is not None:
            yield from self._pairs(value.items)
        if value.state:
            yield value.state
            self._out.append(b"b")

    def _persistent(self, value: Persistent) -> Iterator[Any]:
        yield value.id
        self._out.append(b"Q")

    def _view(self, value: View) -> None:
        """Write the call that makes a plain tensor, without putting it into the memo."""
        out, put = self._out, self._put
        (name, kind, number, location, length), offset, size, stride, requires_grad, d = (*value.storage, *value[1:])
        self._global(_V2 if d is None else _V3)
        out.append(b"((")
        self._text(name)
        self._global(kind)
        self._text(number)
        self._text(location)
        self._int(length)
        out.append(b"t")
        put()
        out.append(b"Q")
        self._int(offset)
        self._numbers(size)
        self._numbers(stride)
        out.append(b"\x88" if requires_grad else b"\x89")
        self._global(_ORDERED)
        out.append(b")R")
        put()
        if d is not None:
            self._global(d)
        out.append(b"t")
        put()
        out.append(b"R")

    def _view_inside(self, value: View) -> None:
        """Write a plain tensor that is part of another object."""
        self._view(value)
        self._put()

    def _numbers(self, value: tuple[int, ...]) -> None:
        length = len(value)
        if length > 3:
            self._out.append(_MARK)
        for n in value:
            self._int(n)
        self._out.append(b"t" if length > 3 else _TUPLES[length])
        if length:
            self._put()

    def _ordered(self, value: OrderedDict) -> Iterator[Any]:
        return self._call(Call(_ORDERED, (), value, value.__dict__), value)

    def _counter(self, value: Counter) -> Iterator[Any]:
        return self._call(Call(_COUNTER, (dict(value),)), value)

    def _set(self, value: set) -> Iterator[Any]:
        return self._call(Call(_SET, (sorted(value, key=_rank),)), value)

    def _frozenset(self, value: frozenset) -> Iterator[Any]:
        return self._call(Call(_FROZENSET, (sorted(value, key=_rank),)), value)

    def _complex(self, value: complex) -> Iterator[Any]:
        return self._call(Call(_COMPLEX, (value.real, value.imag)), value)

    def _bytes(self, value: bytes) -> Iterator[Any]:
        result = self._texts.get(value)
        if result is not None:
            self._out.append(result)
            return
        yield from self._call(Call(_ENCODE, (value.decode("latin1"), "latin1")), value)
        self._texts[value] = self._memo[id(value)][0]

    def _bytearray(self, value: bytearray) -> Iterator[Any]:
        return self._call(Call(_BYTEARRAY, (bytes(value),) if value else ()), value)

    # -- refusals ------------------------------------------------------------------------------------------------

    def _too_deep(self) -> None:
        refuse_record(
            self._record,
            f"the object is nested more than {DEEPEST} levels deep",
            "Python could neither print nor copy it after loading",
            "a flat list",
            rule="file.depth",
        )

    def _refuse(self, value: Any) -> None:
        kind: Any = type if isinstance(value, type) else type(value)
        name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
        refuse_record(
            self._record,
            f"cannot write an object of {name}",
            "a file holds tensors, numbers, text, bytes, lists, tuples, dicts and sets; reading an object of another "
            "class would run code from the file",
            *_ways(value),
            rule="file.class",
            type=name,
        )


def _rank(value: Any) -> tuple[str, Any]:
    """A sort key for the elements of a set that does not depend on their hashes."""
    return type(value).__name__, repr(value) if isinstance(value, (str, bytes, int, float, complex, tuple)) else ""


def _ways(value: Any) -> tuple[str, ...]:
    """What to save instead of an object that is refused."""
    import numpy as np

    if isinstance(value, np.ndarray):
        return ("torch.from_numpy(array)",)
    if isinstance(value, np.generic):
        return ("value.item(), or torch.tensor(value)",)
    for base in (dict, list, tuple, str, bytes, int, float):
        if isinstance(value, base):
            return (f"{base.__name__}(value)",)
    return ("vars(value)",) if hasattr(value, "__dict__") and not isinstance(value, type) else ()
