"""Random tensors with random print settings, the same on every machine for the same number.

Only `random.Random` draws here: its stream is promised to stay the same in later Pythons, NumPy's is not.
Casts to the small float types are kept exact (few bits of mantissa), so that no rounding of theirs matters.
"""

from __future__ import annotations

import math
import random
import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tensorwidgets.engine.printing.printing import printoptions, tensor_repr
from tensorwidgets.engine.tensor.storages.typed import storage_repr
from tensorwidgets.engine.types import dtypes

NAMES = [d._name for d in dtypes.ALL]
"""The dtypes; case number i is of dtype i % len(NAMES)."""

SPECIAL = [math.nan, math.inf, -math.inf, 0.0, -0.0]
AT_THE_RULES = [1e-4, 0.99999e-4, 1.00001e-4, 1e8, 1e8 + 8, 1.0, 1000.0, 1000.001, 999.99999, 0.9999999,
                9.99995, 0.00005, 0.5, 1.5, 2.5, 0.125, 99999.5]  # fmt: skip
"""Numbers about which the rules for notation and rounding change their mind."""

EXPONENTS = {"float16": (-24, 12), "bfloat16": (-133, 120),
             "float8_e4m3fn": (-9, 5), "float8_e4m3fnuz": (-10, 4),
             "float8_e5m2": (-16, 12), "float8_e5m2fnuz": (-17, 12)}  # fmt: skip
"""Powers of two that a number of one or two bits may have in the small types."""


@dataclass
class Case:
    """What is printed, and how."""

    number: int
    name: str
    values: np.ndarray
    settings: dict[str, Any] = field(default_factory=dict)
    default: str = "float32"
    device: str = "cpu"
    requires_grad: bool = False

    def __str__(self) -> str:
        return (
            f"case {self.number}: {self.name} {self.values.shape}, {self.settings}, default {self.default}, "
            f"on {self.device}"
        )


def case(number: int) -> Case:
    """The case with this number."""
    rng = random.Random(number)
    name = NAMES[number % len(NAMES)]
    made = Case(number, name, _layout(rng, name), _settings(rng))
    if rng.random() < 0.15:
        made.default = rng.choice(["float16", "bfloat16", "float64"])
    if rng.random() < 0.05:
        made.device = "meta"
    if rng.random() < 0.2:
        kind = dtypes.BY_NAME[name]
        made.requires_grad = kind.is_floating_point or kind.is_complex
    return made


def our_text(case: Case) -> str:
    """The case as this package prints it."""
    with printoptions(**case.settings):
        return tensor_repr(
            case.values,
            dtypes.BY_NAME[case.name],
            device=case.device,
            requires_grad=case.requires_grad,
            default_dtype=dtypes.BY_NAME[case.default],
        )


def storage_case(number: int) -> tuple[str, np.ndarray]:
    """A dtype's name and what lies in a storage of it."""
    rng = random.Random(number)
    name = NAMES[number % len(NAMES)]
    return name, _elements(rng, name, rng.choice([0, 1, 6, 40]))


def our_storage_text(number: int) -> str:
    name, values = storage_case(number)
    return storage_repr(values, f"{dtypes.BY_NAME[name]._type_name}Storage")


def _settings(rng: random.Random) -> dict[str, Any]:
    if rng.random() < 0.35:
        return {}
    offered = {
        "profile": lambda: rng.choice(["default", "short", "full", "unknown"]),
        "precision": lambda: rng.choice([0, 1, 2, 3, 6, 8, 12]),
        "threshold": lambda: rng.choice([0, 1, 4, 10, 30, 1000, math.inf]),
        "edgeitems": lambda: rng.choice([0, 1, 2, 3, 4, 5]),
        "linewidth": lambda: rng.choice([0, 10, 20, 30, 40, 60, 79, 81, 120, 200]),
        "sci_mode": lambda: rng.choice([None, True, False]),
    }
    return {name: draw() for name, draw in offered.items() if rng.random() < 0.4}


def _layout(rng: random.Random, name: str) -> np.ndarray:
    """An array of 0 to 5 dimensions: contiguous, stepped over, reversed, permuted, broadcast or empty."""
    shape: list[int] = []
    for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 2, 3, 4, 5])):
        room = max(1, 30 // max(1, math.prod(shape)))
        shape.append(rng.choice([1, 2, 3, rng.randint(1, room), rng.randint(1, room)]))
    if shape and rng.random() < 0.06:
        shape[rng.randrange(len(shape))] = 0
    steps = [rng.choice([1, 1, 1, 2, -1]) for _ in shape]
    stored = [size * abs(step) for size, step in zip(shape, steps, strict=True)]
    array = _elements(rng, name, math.prod(stored)).reshape(stored)
    array = array[tuple(slice(None, None, step) for step in steps)]
    array = array.transpose(rng.sample(range(len(shape)), len(shape)))
    ones = [axis for axis, size in enumerate(array.shape) if size == 1]
    if ones and rng.random() < 0.5:
        wide = list(array.shape)
        wide[rng.choice(ones)] = rng.choice([2, 7, 12, 1001 if math.prod(shape) < 5 else 5])
        array = np.broadcast_to(array, wide)
    return array


def _elements(rng: random.Random, name: str, count: int) -> np.ndarray:
    kind = dtypes.BY_NAME[name]
    if kind.is_complex:
        part = kind.to_real()
        # NumPy has no complex32: its numbers travel as complex64, which holds them all.
        carrier = np.complex128 if name == "complex128" else np.complex64
        array = np.empty(count, carrier)
        array.real, array.imag = _elements(rng, part._name, count), _elements(rng, part._name, count)
        return array
    if name == "bool":
        return np.array([rng.random() < 0.5 for _ in range(count)], bool)
    bits = 8 * kind.itemsize
    if not kind.is_floating_point:
        return _whole_numbers(rng, count, bits, kind.is_signed).astype(kind._in_numpy)
    if rng.random() < 0.15:
        return _from_bits([rng.getrandbits(bits) for _ in range(count)], bits).view(kind._in_numpy)
    if name in EXPONENTS:
        floats = _small_floats(rng, count, *EXPONENTS[name])
    else:
        floats = _floats(rng, count, 37 if name == "float32" else 307)
    if rng.random() < 0.25:
        floats = [rng.choice(SPECIAL) if rng.random() < 0.3 else x for x in floats]
    if name == "float8_e4m3fn":
        floats = [x if math.isfinite(x) else math.nan for x in floats]
    if name.endswith("fnuz"):
        floats = [x + 0.0 if math.isfinite(x) else math.nan for x in floats]
    return np.array(floats, np.float64).astype(kind._in_numpy)


def _from_bits(patterns: list[int], bits: int) -> np.ndarray:
    code = {8: "B", 16: "H", 32: "I", 64: "Q"}[bits]
    return np.frombuffer(struct.pack(f"={len(patterns)}{code}", *patterns), np.dtype(f"u{bits // 8}"))


def _whole_numbers(rng: random.Random, count: int, bits: int, signed: bool) -> np.ndarray:
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if signed else (0, (1 << bits) - 1)
    width = rng.choice([1, 3, 7, bits - 1])
    drawn = [rng.getrandbits(width) - ((1 << width - 1) if signed else 0) for _ in range(count)]
    if rng.random() < 0.1:
        drawn = [rng.choice([low, high, 0]) for _ in drawn]
    return np.array(drawn, np.int64 if signed else np.uint64)


def _floats(rng: random.Random, count: int, largest: int) -> list[float]:
    """Numbers of one manner: fractions, whole ones, one magnitude or many, at the rules' edges, all zero."""

    def decimal(exponent: int) -> float:
        return float(f"{rng.choice(['', '-'])}{rng.randrange(1, 10**6)}e{exponent - 5}")

    size = rng.randint(-largest, largest)
    draw = rng.choice(
        [
            lambda: rng.random() * 2 - 1,
            lambda: rng.random() * 2 - 1,
            lambda: float(rng.randrange(-20, 20)),
            lambda: float(rng.randrange(10 ** rng.randint(1, 9))),
            lambda: rng.randrange(-4000, 4000) / 8,
            lambda: decimal(size),
            lambda: decimal(rng.randint(-5, 3)),
            lambda: decimal(rng.randint(-largest - 7, largest)),
            lambda: rng.choice(AT_THE_RULES),
            lambda: rng.choice([0.0, -0.0]),
        ]
    )
    return [draw() for _ in range(count)]


def _small_floats(rng: random.Random, count: int, least: int, most: int) -> list[float]:
    """Numbers of two bits times a power of two, which all the small types hold exactly."""
    some = rng.randint(least, most)
    draw = rng.choice(
        [
            lambda: math.ldexp(rng.randrange(-3, 4), some),
            lambda: math.ldexp(rng.randrange(-3, 4), rng.randint(least, most)),
            lambda: math.ldexp(rng.randrange(-3, 4), rng.randint(-3, 4)),
            lambda: math.ldexp(rng.randrange(-3, 4), rng.randint(0, 4)),
            lambda: 0.0,
        ]
    )
    return [draw() for _ in range(count)]
