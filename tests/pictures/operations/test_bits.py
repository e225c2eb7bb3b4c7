"""Bits against struct, NumPy and ml_dtypes: every small number, thousands of large ones, and what the picture says."""

from __future__ import annotations

import math
import random
import struct
from decimal import Decimal, getcontext
from fractions import Fraction
from typing import Any

import ml_dtypes
import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.decimals import decimal, scientific
from tensorwidgets.pictures.arrays.number_formats import (
    BFLOAT16,
    FLOAT8_E4M3FN,
    FLOAT8_E5M2,
    FLOAT16,
    FLOAT32,
    FLOAT64,
    FLOATS,
    FORMATS,
    Float,
    Integer,
    is_finite,
)
from tensorwidgets.pictures.parts.number_line import number_lines
from tests.parts import Part, in_parts
from tests.pictures.parsed import Element, parse

NUMPY: dict[str, Any] = {
    "float64": np.float64, "float32": np.float32, "float16": np.float16, "bfloat16": ml_dtypes.bfloat16,
    "float8_e5m2": ml_dtypes.float8_e5m2, "float8_e4m3fn": ml_dtypes.float8_e4m3fn,
}  # fmt: skip
SMALL = [FLOAT16, BFLOAT16, FLOAT8_E5M2, FLOAT8_E4M3FN]


def numbers(count: int, most: int) -> list[float]:
    """Floats of all sizes, halves between two numbers of the small formats, and the edges of range."""
    dice = random.Random(7)
    out = [0.0, -0.0, 1.1, 0.1, 1 / 3, 65504.0, 65519.0, 65520.0, 3.4e38, 448.0, 464.0, 57344.0, 61440.0, 5e-324, 1e-45]
    while len(out) < count:
        power = dice.choice([dice.randint(-most, most), dice.randint(-30, 20)])
        digits = dice.choice([dice.getrandbits(53), dice.getrandbits(12) * 2 + 1, dice.getrandbits(4)])
        out.append(math.ldexp(dice.choice([1, -1]) * digits, power - digits.bit_length()))
    return out


def test_wide_floats_are_what_struct_packs() -> None:
    for number in numbers(4000, 1020):
        assert FLOAT64.encode(number).to_bytes(8, "big") == struct.pack(">d", number)
        if abs(number) < 3.4028235e38:
            assert FLOAT32.encode(number).to_bytes(4, "big") == struct.pack(">f", number)
        if abs(number) < 65520:
            assert FLOAT16.encode(number).to_bytes(2, "big") == struct.pack(">e", number)


def test_small_floats_are_what_ml_dtypes_casts() -> None:
    """From numbers that float32 holds, for a cast from float64 may round twice."""
    singles = np.array(numbers(4000, 120), np.float32)
    for form in SMALL:
        with np.errstate(over="ignore"):
            cast = singles.astype(NUMPY[form.name])
        bits = cast.view(np.uint16 if form.width == 16 else np.uint8).tolist()
        for number, wanted in zip(singles.tolist(), bits, strict=True):
            if form is FLOAT8_E4M3FN and abs(number) > 464:
                # ml_dtypes has no number for it; PyTorch takes the largest.
                assert form.encode(number) & 127 == 0x7E
            else:
                assert form.encode(number) == wanted, (form.name, number)


@in_parts(7)  # an odd number: all bits of the chosen patterns vary
def test_every_pattern_of_the_small_floats(part: Part) -> None:
    for form in SMALL:
        patterns = np.arange(1 << form.width, dtype=np.uint16 if form.width == 16 else np.uint8)
        with np.errstate(invalid="ignore"):
            wanted = patterns.view(NUMPY[form.name]).astype(np.float64).tolist()
        pairs = list(zip(patterns.tolist(), wanted, strict=True))
        for bits, number in part.of(pairs) if form.width == 16 else pairs:
            mine = form.decode(bits)
            if number != number:
                assert mine != mine
                continue
            assert mine == number and math.copysign(1, mine) == math.copysign(1, number)
            assert form.encode(mine) == bits


def test_neighbours_are_numpys() -> None:
    for form in (FLOAT64, FLOAT32, FLOAT16):
        kind = NUMPY[form.name]
        for number in numbers(800, 100):
            with np.errstate(over="ignore", under="ignore"):
                here = kind(number)
                if not np.isfinite(here):
                    continue
                above, below = np.nextafter(here, kind(np.inf)), np.nextafter(here, kind(-np.inf))
                step = np.spacing(abs(here))
            bits = form.encode(float(here))
            assert float(form.neighbour(bits, True)) == float(above)
            assert float(form.neighbour(bits, False)) == float(below)
            gap = form.gap(bits)
            assert gap is None or float(gap) == float(step)


def test_integers_wrap_as_numpys_do() -> None:
    dice = random.Random(1)
    for form in [f for f in FORMATS.values() if isinstance(f, Integer) and f.name != "bool"]:
        for _ in range(300):
            number = dice.choice([1, -1]) * dice.getrandbits(dice.choice([3, 7, 8, 16, 31, 32, 62]))
            assert form.decode(form.encode(number)) == int(np.array(number).astype(form.name))
        assert (form.low, form.high) == (np.iinfo(form.name).min, np.iinfo(form.name).max)


def test_infinities_and_no_number() -> None:
    for form in FLOATS:
        assert form.decode(form.encode(math.nan)) != form.decode(form.encode(math.nan))
        top = form.decode(form.encode(math.inf))
        assert top == (448 if form is FLOAT8_E4M3FN else math.inf)
        assert form.encode(-0.0) == form.sign_bit and str(form.decode(form.sign_bit)) == "-0.0"


@pytest.mark.torch
def test_casts_are_pytorchs() -> None:
    import torch

    values = [*numbers(3000, 120), math.inf, -math.inf]
    singles = torch.tensor(values, dtype=torch.float32)
    for form in FLOATS[1:]:
        view = {1: torch.uint8, 2: torch.int16, 4: torch.int32}[form.nbytes]
        bits = singles.to(getattr(torch, form.name)).view(view).tolist()
        for number, wanted in zip(singles.tolist(), bits, strict=True):
            assert form.encode(number) == wanted & ((1 << form.width) - 1), (form.name, number)


# -- decimals --------------------------------------------------------------------------------------


def test_decimals_are_exact() -> None:
    getcontext().prec = 1200
    for number in numbers(1500, 300):
        assert Decimal(decimal(Fraction(number))) == Decimal(number)


def test_short_decimals_are_near_and_fit() -> None:
    for number in numbers(1500, 300):
        text = decimal(Fraction(number), 20)
        assert len(text) <= 22
        assert math.isclose(float(text.rstrip("…")), number, rel_tol=1e-5, abs_tol=1e-300) or abs(number) < 1e-300


def test_scientific_is_pythons() -> None:
    for number in numbers(1500, 300):
        exact = Fraction(number)
        assert scientific(exact, 3) in (f"{number:.3e}", f"{abs(number):.3e}" if number == 0 else "")


# -- the picture -----------------------------------------------------------------------------------


def rows_of(page: Element) -> dict[str, str]:
    """The bits of each row of a picture by its name."""
    found = {}
    for line in page.all("table", "tw-bits")[0].all("tr"):
        bits = [td.text() for td in line.all("td") if any(c.startswith("i-") for c in td.classes)]
        if bits:
            found[line.all("th")[0].text()] = "".join(bits)
    return found


def test_the_cells_are_the_bits() -> None:
    for number in numbers(40, 60):
        found = rows_of(parse(show.bits(number).html()))
        assert list(found) == [f.name for f in FLOATS]
        wanted = Fraction(repr(number)) if number else number
        for form in FLOATS:
            assert found[form.name] == f"{form.encode(wanted):0{form.width}b}"
        assert found["float64"] == f"{struct.unpack('>Q', struct.pack('>d', number))[0]:064b}"


def test_mantissas_and_exponents_link_by_what_they_are_worth() -> None:
    page = parse(show.bits(1.1).html())
    lines = [line for line in page.all("table", "tw-bits")[0].all("tr") if line.all("td", "i-s0")]
    for form, line in zip(FLOATS, lines, strict=True):
        cells = [td.classes[0] for td in line.all("td") if td.classes]
        exponents = [f"i-e{k}" for k in reversed(range(form.exponent))]
        assert cells == ["i-s0", *exponents, *(f"i-m{k}" for k in range(1, form.mantissa + 1))]


def test_boxed_bits_are_those_that_rounding_changed() -> None:
    page = parse(show.bits(1.1).html())
    endless = "0001100110011001100110011001100110011001100110011001"
    boxed: dict[str, list[int]] = {}
    for td in page.all("td"):
        if "changed by rounding" in td.attributes.get("title", ""):
            boxed.setdefault(td.attributes["title"].split()[0], []).append(int(td.classes[0][3:]))
    for form in FLOATS:
        digits = form.fields(form.encode(Fraction(11, 10)))[2]
        wanted = [k + 1 for k, (a, b) in enumerate(zip(digits, endless, strict=False)) if a != b]
        assert boxed.get(form.name, []) == wanted


def test_one_point_one() -> None:
    text = repr(show.bits(1.1))
    assert "Between two float16 ticks lie 8,191 float32 values" in text
    assert "+1 × 2^(127 - 127) × (1 + 838,861 / 2^23) = 1.10000002384185791015625" in text
    assert "float16        1.099609375                        -3.9e-04  2^-10 = 9.8e-04  66 3c" in text
    assert "float16 is cut where the next digits are 011…, less than half, so it rounds down." in " ".join(text.split())
    assert "all cut from the same endless 0001 1001 1001 …" in parse(show.bits(1.1).html()).text()


def test_between_two_halves_lie_as_many_singles_as_struct_counts() -> None:
    below, above = (
        struct.unpack(">I", struct.pack(">f", float(v)))[0] for v in (FLOAT16.decode(0x3C66), FLOAT16.decode(0x3C67))
    )
    assert above - below - 1 == 8191


def test_what_is_stored_is_told_exactly() -> None:
    for number in (0.1, 2.5, 1e-7, 12345.678, -3.3e-5):
        lines = repr(show.bits(number)).splitlines()
        for form in FLOATS:
            stored = form.decode(form.encode(Fraction(repr(number))))
            assert any(line.startswith(f"{form.name} ") and f" {decimal(stored, 33)} " in line for line in lines)


def test_overflow_and_underflow_are_told() -> None:
    text = repr(show.bits(1e6))
    assert "float16        inf" in text and "overflow" in text
    assert "PyTorch stores its largest number, 448; ml_dtypes stores NaN." in text
    assert "too small, rounded to 0" in repr(show.bits(1e-12))
    assert "not a number" in repr(show.bits(math.nan)) and ": infinity" in repr(show.bits(-math.inf))
    assert "-0.0 in six formats" in repr(show.bits(-0.0))


def test_a_tie_goes_to_the_even_neighbour() -> None:
    tie = 1 + 2**-11
    assert "ties go to the even neighbour" in " ".join(repr(show.bits(tie, dtypes=["float16"])).split())
    assert FLOAT16.encode(tie) == FLOAT16.encode(1.0)


def test_integers() -> None:
    found = rows_of(parse(show.bits(300).html()))
    assert found == {f"int{n}": f"{300 % 2**n:0{n}b}" for n in (64, 32, 16, 8)} | {"uint8": "00101100"}
    text = repr(show.bits(300))
    assert "int8: 300 does not fit into -128 .. 127: the lowest 8 bits are 44" in text
    assert "torch.tensor(300, dtype=torch.uint8) is refused" in " ".join(text.split())
    assert "is refused" not in repr(show.bits(-1)) and "uint8  255" in repr(show.bits(-1))


def test_elements_are_what_their_bits_say() -> None:
    text = repr(show.bits(np.float32(0.1), labels=["x"]))
    assert text.startswith("x = 0.10000000149011612 in six formats (exact in float32, float64)")


def test_the_elements_of_an_array() -> None:
    for name in NUMPY:
        x = np.array([1.5, -2.0, 0.1, 0.0], NUMPY[name])
        found = rows_of(parse(show.bits(x, labels=["x"]).html()))
        width = x.itemsize * 8
        raw = x.view(f"u{x.itemsize}").tolist()
        assert list(found.values()) == [f"{bits:0{width}b}" for bits in raw]
        assert x[2:3].tobytes().hex(" ") in repr(show.bits(x, labels=["x"]))
    assert "offset = 0 + 2*1 = 2 -> bytes 8..11" in repr(show.bits(np.arange(12, dtype=np.float32), labels=["x"]))
    assert "4 elements are not drawn" in repr(show.bits(np.arange(12), labels=["x"]))


def test_a_bool_takes_a_byte() -> None:
    assert rows_of(parse(show.bits(True).html())) == {"bool": "00000001"}
    assert "x = False, one byte" in repr(show.bits(np.array(False), labels=["x"]))


def test_formats_by_any_name() -> None:
    for names in (["float16"], "float16", [np.float16], [np.dtype("float16")], np.float16):
        assert list(rows_of(parse(show.bits(1.0, dtypes=names).html()))) == ["float16"]
    with pytest.raises(ValueError, match="show.bits knows float64"):
        show.bits(1.0, dtypes=["float99"])
    with pytest.raises(ValueError, match="dtypes= names at least one format"):
        show.bits(1.0, dtypes=[])


def test_what_has_no_bits_to_draw() -> None:
    with pytest.raises(TypeError, match="its .real and its .imag"):
        show.bits(np.array(1j), labels=["z"])
    with pytest.raises(TypeError, match="x has no element"):
        show.bits(np.zeros(0), labels=["x"])
    with pytest.raises(TypeError, match="a list has no memory"):
        show.bits([1.0])
    with pytest.raises(TypeError, match="'0.1' is text"):
        show.bits("0.1")


def test_number_lines_hold_all_numbers_between_their_ends() -> None:
    for number in (1.1, 0.3, 100.5, 0.75, -2.7, 2.0):
        for line in number_lines(Fraction(repr(number)), str(number), [(f.name, f) for f in FLOATS]):
            assert line.low < line.wanted < line.high
            for lane in line.lanes:
                form = FORMATS[lane.label]
                assert isinstance(form, Float)
                assert lane.stored == form.decode(form.encode(line.wanted))
                if not lane.numbers:
                    continue
                assert list(lane.numbers) == sorted(set(lane.numbers)) and lane.stored in lane.numbers
                for one, after in zip(lane.numbers, lane.numbers[1:], strict=False):
                    assert form.neighbour(form.encode(one), True) == after
                outside = form.neighbour(form.encode(lane.numbers[-1]), True)
                assert not is_finite(outside) or outside > line.high


def test_patterns_have_the_distance_of_their_numbers() -> None:
    for number in (1.1, 0.3, 100.5, -2.7, 3.9):
        for line in number_lines(Fraction(repr(number)), str(number), [(f.name, f) for f in FLOATS]):
            for lane in line.lanes:
                form = FORMATS[lane.label]
                assert isinstance(form, Float) and [lane.runs[0][0], lane.runs[-1][1]] == [line.low, line.high]
                for low, high, gap in lane.runs:
                    middle = form.decode(form.encode((low + high) / 2))
                    inside = form.encode(middle) if low < middle < high else form.encode(low if low > 0 else high)
                    assert form.gap(inside) == gap


def test_the_picture_is_small() -> None:
    assert len(show.bits(1.1).html().encode()) < 51_000


def test_a_zero_in_an_array_has_its_own_sign() -> None:
    text = repr(show.bits(np.array([0.0, -0.0, 1.0], np.float32), labels=["x"]))
    assert [line.split()[:2] for line in text.splitlines() if "->" in line] == [
        ["[0]", "0"],
        ["[1]", "-0"],
        ["[2]", "1"],
    ]


@pytest.mark.parametrize(
    "value, between", [(0.1, "8,191"), (-0.1, "8,191"), (1e-7, "8,388,607"), (3e-8, "864,026,623")]
)
def test_float32_values_between_two_ticks_are_counted(value: float, between: str) -> None:
    """There are 2^32 float32 values in all, and below the smallest float16 their steps are not even."""
    assert f"Between two float16 ticks lie {between} float32 values" in repr(show.bits(value))


def test_ticks_that_are_not_drawn_are_not_spoken_of() -> None:
    assert "ticks" not in repr(show.bits(5e-324))


@pytest.mark.parametrize("value, said", [(463, True), (464, True), (465, False), (1e308, False)])
def test_what_becomes_the_largest_number_is_no_tie(value: float, said: bool) -> None:
    text = " ".join(repr(show.bits(value, dtypes=["float8_e4m3fn"])).split())
    assert ("float8_e4m3fn is cut" in text) is said
    assert ("PyTorch stores its largest number" in text) is not said
    assert ("ties go to the even" in text) is (value == 464)


@pytest.mark.parametrize("value, stored", [(0.5, True), (300, True), (0, False), (float("nan"), True)])
def test_whatever_is_not_zero_is_true(value: float, stored: bool) -> None:
    text = repr(show.bits(value, dtypes=["bool"]))
    assert f"0000 000{int(stored)}" in text and f"is {stored}\n" in text and "255" not in text


def test_elements_that_are_true_or_false() -> None:
    text = repr(show.bits(tw.tensor([True, False]), labels=["x"]))
    assert "x[0]: True is 1" in text and "[1]  False" in text and "255" not in text


def test_a_whole_number_of_many_digits_is_shortened() -> None:
    text = repr(show.bits(10**400))
    assert max(map(len, text.splitlines())) < 150 and "int64: 1.000000e+400 does not fit" in text


@pytest.mark.parametrize("kind", ["float8_e4m3fn", "float16", "float64"])
def test_the_titles_of_exponent_and_mantissa_have_room(kind: str) -> None:
    (table,) = parse(show.bits(0.3, dtypes=[kind]).html()).all("table", "tw-bits")
    title = next(cell for cell in table.all("th") if "exponent" in cell.text())
    assert int(title.attributes["colspan"]) * 11 > 6.6 * len("sign, exponent")
