"""DtypeExplorer in thousands of states, held against NumPy's and ml_dtypes' reading of the same bytes."""

from __future__ import annotations

import math
import random
from itertools import product
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tensorwidgets.live import DtypeExplorer
from tensorwidgets.pictures.arrays.number_formats import FORMATS, Float
from tests.live.walking import press, walk
from tests.parts import Part, thorough_but

SMALL = {name: getattr(ml_dtypes, name) for name in ("bfloat16", "float8_e5m2", "float8_e4m3fn")}


def numpy_type(name: str) -> np.dtype:
    return np.dtype(SMALL.get(name, name))


def same(one: Any, other: Any) -> bool:
    return bool(one == other) or (one != one and other != other)


def check(w: DtypeExplorer) -> None:
    """The number that is told is what NumPy reads in the same bytes."""
    assert w.dtype == w.form.name or w.reason is not None
    array = np.frombuffer(w._bytes(), numpy_type(w.form.name))
    assert len(array) == w._tensor.numel()
    if w.reason is None:
        bits = int(w.bits.replace(" ", ""), 2)
        assert bits.to_bytes(w.form.nbytes, "little") == array[w.element].tobytes()
        assert same(float(w.value), float(array[w.element]))
        stored = w.form.decode(bits)
        assert same(float(stored), float(array[w.element]))


@pytest.mark.parametrize("seed", thorough_but(range(4), range(14)))
def test_walks(seed: int) -> None:
    w = DtypeExplorer(random.Random(seed).choice([1.1, -3, 255, True, 1e-40, float("inf")]))
    walk(w, seed, 40, lambda: check(w))


@pytest.mark.parametrize("name", [name for name in FORMATS if name != "bool"])
def test_every_bit_flips(name: str) -> None:
    chance = random.Random(name)
    for _ in range(2):
        w = DtypeExplorer(3, dtype=name)
        w.bits = f"{chance.getrandbits(w.form.width):0{w.form.width}b}"
        check(w)
        for bit in range(w.form.width):
            before = int(w.bits, 2)
            press(w, "cell", f"{name} bit {bit}")
            assert int(w.bits, 2) == before ^ (1 << bit)
            check(w)


@pytest.mark.parametrize("name", ["float64", "float32", "float16", *SMALL])
def test_neighbours_are_next(name: str) -> None:
    kind = numpy_type(name)
    chance = random.Random(name)
    for _ in range(12):
        w = DtypeExplorer(1.0, dtype=name)
        w.bits = f"{chance.getrandbits(w.form.width):0{w.form.width}b}"
        here = np.frombuffer(w._bytes(), kind)[0]
        for way, towards in (("up", math.inf), ("down", -math.inf)):
            w.bits = f"{int.from_bytes(here.tobytes(), 'little'):0{w.form.width}b}"
            press(w, way)
            # The format without infinities has nothing to step towards but its largest number.
            end = towards if name != "float8_e4m3fn" else math.copysign(448.0, towards)
            then = np.nextafter(here, kind.type(end))
            if np.isnan(here) or float(here) == end:
                assert w.reason is not None
            else:
                assert w.reason is None and float(w.value) == float(then)


PAIRS = list(product(FORMATS, repeat=2))


@pytest.mark.parametrize(("source", "target"), thorough_but(Part(4).of(PAIRS), PAIRS))
def test_casts_and_readings(source: str, target: str) -> None:
    for number in (3, 100):
        w = DtypeExplorer(number, dtype=source)
        first = np.frombuffer(w._bytes(), numpy_type(source))
        press(w, "cast", target)
        assert w.reason is None and w.dtype == target
        cast = first.astype(numpy_type(target)) if target != "bool" else first.astype(np.float64) != 0
        assert same(float(w.value), float(cast[0]))
        w = DtypeExplorer(number, dtype=source)
        press(w, "read", target)
        if len(first.tobytes()) % numpy_type(target).itemsize:
            assert w.reason is not None and "Each new element takes" in w.reason.because
        elif w.reason is None:
            read = first.view(numpy_type(target))
            values = [press(w, "element", k) or w.value for k in range(len(read))]
            assert len(values) == w._tensor.numel()
            assert all(same(float(v), float(r)) for v, r in zip(values, read, strict=True))
        else:
            assert target == "bool" and "0 or 1" in w.reason.because


@pytest.mark.parametrize(
    ("typed", "dtype", "value"),
    [("0.1", "float64", 0.1), ("-0", "float32", 0.0), (" 1e-3 ", "float64", 1e-3), ("inf", "float16", math.inf),
     ("−∞", "float32", -math.inf), ("0x10", "int8", None), ("300", "int8", None), ("1e400", "float64", math.inf),
     ("9" * 500, "float64", None), ("True", "bool", True), ("7", "bool", True), ("", "int8", None)],
)  # fmt: skip
def test_typed_numbers(typed: str, dtype: str, value: Any) -> None:
    w = DtypeExplorer(1, dtype=dtype)
    press(w, "value", typed)
    if value is None:
        assert w.reason is not None and w._tensor[0].item() == 1
        assert next(c for c in w.controls if c["name"] == "value")["wrong"]
    else:
        assert w.reason is None and w.value == value and w.dtype == dtype
    assert isinstance(w.form, Float) == (dtype.startswith("float"))


def test_a_cast_tells_what_became_of_the_number() -> None:
    w = DtypeExplorer(0.1, dtype="float64")
    w.cast("float16")
    assert w.value == 0.0999755859375 and "exact in float64" in w.html and "-2.4e-05" in w.html
    w = DtypeExplorer(300, dtype="int32")
    w.cast("int8")
    assert w.value == 44 and "300 does not fit into -128 .. 127: the lowest 8 bits are 44" in w.html


def test_what_was_typed_is_the_decimal_that_it_is() -> None:
    w = DtypeExplorer(0.0)
    press(w, "value", "0.1")
    assert "what is stored is never exactly 0.1" in w.html and "+1.5e-09" in w.html
    press(w, "up")
    assert "never exactly 0.1 " not in w.html


@pytest.mark.parametrize(
    "array",
    [np.arange(1e6), np.arange(600.0).reshape(20, 30), np.arange(770.0).reshape(2, 5, 7, 11)[::-1],
     np.arange(1200.0).reshape(30, 40).T, np.arange(45.0).reshape(3, 15), np.arange(3, dtype=np.int8)],
)  # fmt: skip
def test_an_array_is_kept_from_its_beginning(array: np.ndarray) -> None:
    """Of a large array a picture reads the edges, and those are not its first elements."""
    w = DtypeExplorer(array)
    assert w._tensor.tolist() == array.ravel()[:16].tolist()
    press(w, "element", 9)
    check(w)
