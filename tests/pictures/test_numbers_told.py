"""What a cell says is the value, or is visibly shorter and has the value in its note; whole numbers have all digits."""

from __future__ import annotations

import array
import random
from typing import Any

import numpy as np
import pytest

import tensorwidgets as torch
from tensorwidgets import show
from tensorwidgets.pictures.arrays.values import full, in_cell, is_cut, short
from tensorwidgets.pictures.drawing.html import escape

WHOLE = ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64")


@pytest.mark.parametrize("name", WHOLE)
def test_whole_numbers_have_all_their_digits(name: str) -> None:
    r, info = random.Random(name), np.iinfo(name)
    some = [r.randrange(info.min, info.max + 1) // 10 ** r.randrange(20) for _ in range(500)]
    values = [info.min, info.max, 0, *some]
    for value in values:
        text = in_cell(value)
        assert int(text.replace(" ", "")) == value and short(value) == str(value)
        assert max(len(line.lstrip("-")) for line in text.split(" ")) <= 6
        assert not is_cut(text) or full(value) == str(value)
    html, text = show(np.array(values[:12], name)).html(), repr(show(np.array(values[:12], name)))
    for value in values[:12]:
        assert f">{in_cell(value)}</td>" in html and f" {value}" in text


@pytest.mark.parametrize("dtype", [np.float16, np.float32, np.float64])
def test_a_float_is_told_exactly_by_its_cell_or_by_its_note(dtype: Any) -> None:
    r = np.random.default_rng(0)
    bits = r.integers(0, 2 ** (8 * np.dtype(dtype).itemsize), 1000, np.uint64).astype(f"u{np.dtype(dtype).itemsize}")
    for value in bits.view(dtype).tolist():
        text, whole = in_cell(value), full(value)
        assert len(text) <= 7  # -8e-140
        assert value != value or float(whole or text) == value


def test_other_values_are_whole_in_the_note() -> None:
    record = np.array([(1, 2.5, b"abc")], dtype=[("a", "i4"), ("b", "f8"), ("c", "S3")])
    assert "(1, 2.5, b'abc')" in repr(show(record)) and escape("holds (1, 2.5, b'abc')") in show(record).html()
    assert "hello world" in repr(show(np.array(["hello world"])))
    assert "123456.789-0.000123j" in repr(show(np.array([123456.789 - 0.000123j])))
    assert "2026-11-23T10:11:12.123456789" in repr(show(np.array(["2026-11-23T10:11:12.123456789"], dtype="M8[ns]")))


class Table:
    """Stands for a column of pandas, xarray or Polars."""

    def to_numpy(self) -> np.ndarray:
        return np.arange(3)


def test_what_is_no_array_names_the_way_in() -> None:
    with pytest.raises(TypeError, match=r"not a Table; show\(x\.to_numpy\(\)\) draws its values$"):
        show(Table())
    with pytest.raises(TypeError, match=r"not a Linear; show\(x\.weight\) draws one of its parameters; show\.module"):
        show(torch.nn.Linear(2, 3))
    with pytest.raises(TypeError, match=r"not a ReLU; show\.module\(x\) draws the module$"):
        show(torch.nn.ReLU())
    assert "float64, 2 elements, 16 bytes, Python" in repr(show(array.array("d", [1, 2])))


def test_a_long_complex_number_has_an_imaginary_part() -> None:
    text = repr(show(np.array([1 + 2j, 1.5 - 2.25j], np.clongdouble), labels=["x"]))
    assert "1+2j" in text and "1.5-2.25j" in text


def test_texts_of_any_length_have_no_length() -> None:
    assert "(StringDType, 2 elements" in repr(show(np.array(["a", "bc"], np.dtypes.StringDType()), labels=["x"]))
