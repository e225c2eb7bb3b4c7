"""Object trees made from a number, by either library, and told in plain words so that they can be compared.

`grow(n, library)` makes the same tree of containers, numbers, text and tensors each time; `told` says all about it that
a file has to keep: types, order, values, dtypes, sizes, strides, offsets, flags, which tensors share a storage, which
containers are one and the same object.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter, OrderedDict
from typing import Any

DTYPES = [
    "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "bool", "float16", "bfloat16", "float32",
    "float64", "float8_e4m3fn", "float8_e5m2", "float8_e4m3fnuz", "float8_e5m2fnuz", "complex64", "complex128",
]  # fmt: skip
FLOATS = ("float16", "bfloat16", "float32", "float64", "complex64", "complex128")
SIZES = [(), (1,), (7,), (0,), (3, 4), (4, 1), (2, 0, 3), (2, 3, 4), (1, 1), (2, 2, 2, 3)]
TEXTS = ["", "weight", "ключ", "a/b", "<b>", "\n\0", "x" * 300, "\ud800"]
NUMBERS = [0, 1, -1, 255, 256, 65535, 65536, -32768, 2**31 - 1, -(2**31), 2**31, 2**63, -(2**63), 2**200, -(2**100)]
REALS = [0.0, -0.0, 1.5, 1e300, float("inf"), float("-inf"), float("nan"), 0.1]


class Garden:
    """Grows one tree. The tensors grow on a few storages, so that many share one."""

    def __init__(self, number: int, library: Any, parameter: Any):
        self.random, self.library, self.parameter = random.Random(number), library, parameter
        self.bases: list[Any] = []
        self.made: list[Any] = []

    def tree(self, deep: int) -> Any:
        kind = self.random.random()
        if deep > 3 or kind < 0.25:
            return self.leaf()
        if kind < 0.6:
            return self.tensor()
        if kind < 0.65 and self.made:
            return self.random.choice(self.made)
        return self.container(deep)

    def container(self, deep: int) -> Any:
        count = self.random.choice([0, 1, 2, 3, 4, 6])
        kind = self.random.choice(["list", "tuple", "dict", "ordered", "set", "counter"])
        if kind == "list":
            made: Any = []
            self.made.append(made)
            made.extend(self.tree(deep + 1) for _ in range(count))
            return made
        if kind == "tuple":
            return tuple(self.tree(deep + 1) for _ in range(count))
        if kind == "set":
            return {self.key() for _ in range(count)}
        if kind == "counter":
            return Counter({self.key(): self.random.randrange(9) for _ in range(count)})
        made = {} if kind == "dict" else OrderedDict()
        self.made.append(made)
        for _ in range(count):
            made[self.key()] = self.tree(deep + 1)
        if kind == "ordered" and self.random.random() < 0.3:
            made._metadata = {"version": 1}
        return made

    def key(self) -> Any:
        pick = self.random.randrange(6)
        if pick == 0:
            return self.random.choice(NUMBERS)
        if pick == 1:
            return (self.random.choice(TEXTS), self.random.randrange(5))
        if pick == 2:
            return self.random.choice([True, None, 2.5, b"key"])
        return self.random.choice(TEXTS) + str(self.random.randrange(50))

    def leaf(self) -> Any:
        pick = self.random.randrange(12)
        lib = self.library
        return [
            lambda: None, lambda: self.random.random() < 0.5, lambda: self.random.choice(NUMBERS),
            lambda: self.random.choice(REALS), lambda: self.random.choice(TEXTS),
            lambda: complex(self.random.choice(REALS), 2.0), lambda: bytes(self.random.choices(range(256), k=5)),
            lambda: bytearray(self.random.choices(range(256), k=4)),
            lambda: lib.Size(self.random.choice(SIZES)), lambda: getattr(lib, self.random.choice(DTYPES)),
            lambda: lib.device(self.random.choice(["cpu", "cuda:1", "meta"])), lambda: lib.strided,
        ][pick]()  # fmt: skip

    def base(self) -> Any:
        if self.bases and self.random.random() < 0.5:
            return self.random.choice(self.bases)
        lib, size = self.library, self.random.choice(SIZES)
        numel = 1
        for n in size:
            numel *= n
        name = self.random.choice(DTYPES)
        values = [self.random.randrange(2 if name == "bool" else 100) for _ in range(numel)]
        made = lib.tensor(values).to(getattr(lib, name)).reshape(size)
        self.bases.append(made)
        return made

    def tensor(self) -> Any:
        x = self.base()
        for _ in range(self.random.randrange(3)):
            x = self.view(x)
        name = str(x.dtype).partition(".")[2]
        pick = self.random.random()
        if pick < 0.08 and not x.is_conj():
            return self.parameter(x.detach(), name in FLOATS and pick < 0.05)
        if pick < 0.14 and name in FLOATS:
            return x.detach().requires_grad_()
        if pick < 0.18:
            return self.library.empty(x.shape, dtype=x.dtype, device="meta")
        if pick < 0.22:
            x = x.detach()
            x.note = self.random.choice(["seen", [1, 2], {"by": 3}])
        return x

    def view(self, x: Any) -> Any:
        pick = self.random.randrange(7)
        if pick == 0 and x.dim() >= 2:
            return x.transpose(0, 1)
        if pick == 1 and x.dim():
            return x[1:]
        if pick == 2 and x.dim() and x.shape[-1]:
            return x[..., ::2]
        if pick == 3 and x.dim() and x.shape[0] == 1:
            return x.expand(5, *x.shape[1:])
        if pick == 4 and x.dim() and x.shape[0]:
            return x[0]
        if pick == 5 and x.is_complex():
            return x.conj()
        return x.unsqueeze(0)


def grow(number: int, library: Any, parameter: Any) -> Any:
    """The tree of a number."""
    garden = Garden(number, library, parameter)
    return [garden.tree(1) for _ in range(garden.random.choice([1, 3, 6, 9]))]


class Teller:
    """Tells a tree. What shares memory or is the same object is told by the number of its first appearance."""

    def __init__(self) -> None:
        self.storages: dict[int, int] = {}
        self.objects: dict[int, int] = {}
        self.alive: list[Any] = []

    def told(self, value: Any) -> Any:
        kind = type(value)
        if kind in (list, dict, OrderedDict, Counter) or hasattr(value, "untyped_storage"):
            if id(value) in self.objects:
                return ["again", self.objects[id(value)]]
            self.objects[id(value)] = len(self.objects)
            self.alive.append(value)
        if hasattr(value, "untyped_storage"):
            return self.tensor(value)
        if kind in (list, tuple):
            return [kind.__name__, *map(self.told, value)]
        if kind in (dict, OrderedDict, Counter):
            own = sorted(vars(value).items()) if kind is OrderedDict else []
            return [kind.__name__, [[self.told(k), self.told(v)] for k, v in value.items()], self.told(own)]
        if kind in (set, frozenset):
            return [kind.__name__, sorted(repr(item) for item in value)]
        return [kind.__name__, repr(value)]

    def tensor(self, x: Any) -> Any:
        name = type(x).__name__
        own = {k: v for k, v in vars(x).items() if k == "note"}
        common = [name, str(x.dtype), list(x.shape), list(x.stride()), x.requires_grad, self.told(own)]
        if x.device.type == "meta":
            return ["meta", *common]
        bare = x.detach()
        storage = bare.untyped_storage()
        shared = self.storages.setdefault(storage.data_ptr(), len(self.storages)) if storage.nbytes() else "none"
        digest = hashlib.sha256(bytes(storage.tolist())).hexdigest()[:16]
        return [*common, bare.storage_offset(), bare.is_conj(), bare.is_neg(), shared, storage.nbytes(), digest]


def told(value: Any) -> Any:
    """All that a file has to keep of an object."""
    return Teller().told(value)
