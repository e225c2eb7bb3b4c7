"""The bits of a number in every format, what is stored, and what lies next to it. `show.bits(1.1)`."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from fractions import Fraction
from math import prod
from typing import Any

from ..arrays.decimals import decimal, scientific
from ..arrays.labels import atom
from ..arrays.layout import Layout
from ..arrays.number_formats import (
    BOOL,
    FLOAT8_E4M3FN,
    FLOAT16,
    FLOAT32,
    FLOATS,
    FORMATS,
    INTEGERS,
    Float,
    Format,
    Integer,
    Number,
    Truth,
    digits,
    is_finite,
    power_of,
)
from ..arrays.values import count, index_text, spell
from ..drawing.inline import Ink, Line
from ..drawing.picture import Picture
from ..drawing.scene import Block, Gap, Note, Sentence, Sheet, Title
from ..parts.bit_rows import BitRow, BitRows
from ..parts.number_line import number_lines

MOST = 8
"""Elements of an array that are drawn."""


def bits_picture(thing: Any, label: str, dtypes: Sequence[Any] | None = None) -> Picture:
    """The picture of `show.bits`: one number in many formats, or the elements of an array in their own."""
    if isinstance(thing, (bool, int, float, Fraction, Decimal)) and type(thing).__module__ != "numpy":
        return _number(thing, dtypes)
    if isinstance(thing, str):
        raise TypeError(f"show.bits draws numbers and arrays, and {thing[:40]!r} is text")
    layout = Layout.of(thing)
    if layout.dtype not in FORMATS:
        raise TypeError(f"show.bits draws real numbers, and {label} holds {layout.dtype}: {_instead(layout.dtype)}")
    if layout.values is None:
        raise TypeError(f"{label} has no values to draw: its device is {layout.device}")
    if layout.numel == 1 or dtypes is not None:
        return _number(
            _first(layout, label), dtypes, atom(label) + index_text((0,) * len(layout.size)), FORMATS[layout.dtype]
        )
    return _elements(layout, label)


def _instead(dtype: str) -> str:
    if dtype.startswith("complex"):
        return "its .real and its .imag are numbers of their own"
    if "endian" in dtype:
        return "x.astype(x.dtype.newbyteorder('=')) swaps its bytes"
    return f"it can draw {', '.join(FORMATS)}"


def _first(layout: Layout, label: str) -> Any:
    if not layout.numel:
        raise TypeError(f"{label} has no element")
    assert layout.values is not None
    return layout.values[0]


def _formats(number: Number | int, dtypes: Sequence[Any] | None, own: Format | None) -> list[Format]:
    if dtypes is not None:
        found = [_format(one) for one in (dtypes if isinstance(dtypes, (list, tuple)) else [dtypes])]
        if not found:
            raise ValueError("dtypes= names at least one format, such as ['float16']")
        return found
    if own is not None:
        family: Sequence[Format] = FLOATS if isinstance(own, Float) else INTEGERS
        return [own, *(f for f in family if f is not own)] if own is not BOOL else [BOOL]
    return list(FLOATS if not isinstance(number, int) else INTEGERS)


def _format(dtype: Any) -> Format:
    """The format that a dtype of any library names."""
    name = dtype if isinstance(dtype, str) else getattr(dtype, "name", None) or getattr(dtype, "__name__", str(dtype))
    result = FORMATS.get(str(name).rpartition(".")[2].rstrip("_"))
    if result is None:
        raise ValueError(f"show.bits knows {', '.join(FORMATS)}, and not {dtype!r}")
    return result


def exact_of(thing: Any) -> Number | int:
    """What is wanted: a float that a person wrote is meant as the decimal that it prints as."""
    if isinstance(thing, bool):
        return int(thing)
    if isinstance(thing, float):
        return (
            Fraction(repr(thing))
            if is_finite(thing) and thing != 0
            else thing
            if thing != thing or thing
            else _zero(thing)
        )
    if isinstance(thing, Decimal):
        return Fraction(thing) if thing.is_finite() else float(thing)
    return thing


def _zero(thing: float) -> Number:
    return thing if str(thing).startswith("-") else Fraction(0)


# -- one number ------------------------------------------------------------------------------------


def _number(thing: Any, dtypes: Sequence[Any] | None, label: str = "", own: Format | None = None) -> Picture:
    if own is BOOL or isinstance(thing, bool):
        return _truth(bool(thing), label)
    if own is None:
        wanted: Number | int = exact_of(thing)
    else:
        # An element is what its bits say, not what it prints as.
        value = float(thing) if isinstance(own, Float) else int(thing)
        wanted = Fraction(value) if isinstance(value, float) and is_finite(value) and value else value
        wanted = _zero(wanted) if isinstance(wanted, float) and wanted == 0 else wanted
    return Picture(number_blocks(_name(thing, wanted), wanted, _formats(wanted, dtypes, own), label, own))


def number_blocks(
    name: str, wanted: Number | int, formats: Sequence[Format], label: str = "", own: Format | None = None
) -> list[Block]:
    """One number in many formats: its bits, what is stored of it, and the number line."""
    floats = [f for f in formats if isinstance(f, Float)]
    whole = [f for f in formats if isinstance(f, Integer)]
    blocks: list[Block] = [Title(*_title(name, wanted, formats, label))]
    if floats:
        blocks.append(BitRows(tuple(_row(f, wanted) for f in floats), _endless(wanted)))
    rows = [BitRow(f.name, f, f.encode(cut)) for f in whole if (cut := _cut(f, wanted)) is not None]
    if rows:
        blocks += [Gap(8)] if floats else []
        blocks.append(BitRows(tuple(rows)))
    blocks += [Gap(10), _table(wanted, formats)]
    if floats and is_finite(wanted):
        near = [f for f in floats if not wanted or _stored(f, wanted) != 0]
        blocks += number_lines(Fraction(wanted), name, [(f.name, f) for f in near])
    blocks.append(_sentence(wanted, formats))
    blocks += [Note(line) for line in _remarks(wanted, formats, own)]
    return blocks


def _name(thing: Any, wanted: Number | int) -> str:
    return (
        decimal(wanted, 18)
        if not isinstance(thing, (bool, float, int))
        else str(thing)
        if len(str(thing)) <= 22
        else scientific(wanted, 6)
    )


def _title(name: str, wanted: Number | int, formats: Sequence[Format], label: str) -> tuple[str, str]:
    exact = [f.name for f in formats if _stored(f, wanted) == wanted]
    head = f"{label} = {name}" if label else name
    head += f" in {spell(len(formats))} {'format' if len(formats) == 1 else 'formats'}"
    if not is_finite(wanted):
        return head, ""
    if not exact:
        return head, f"what is stored is never exactly {name}"
    if len(exact) == len(formats):
        return head, "exact in each" if len(formats) > 1 else "exact"
    return head, f"exact in {', '.join(exact[:3])}{' …' if len(exact) > 3 else ''}"


def _row(form: Float, wanted: Number | int) -> BitRow:
    number = wanted if isinstance(wanted, float) else Fraction(wanted)
    bits = form.encode(number)
    return BitRow(form.name, form, bits, frozenset(boxed_bits(form, bits, number)))


def boxed_bits(form: Float, bits: int, number: Number) -> list[int]:
    """The places of the mantissa's bits that are not the digits of the number itself."""
    stored = form.decode(bits)
    if isinstance(number, float) or not number or not is_finite(stored) or not stored:
        return []
    if form.is_beyond(number):
        return []  # larger numbers become the largest one
    power = max(power_of(abs(number)), 1 - form.bias)
    if power != max(power_of(abs(Fraction(stored))), 1 - form.bias):
        return list(range(1 + form.exponent, form.width))
    plain = digits(abs(number), power - 1, form.mantissa)
    start = 1 + form.exponent
    return [start + k for k, (a, b) in enumerate(zip(plain, f"{bits:0{form.width}b}"[start:], strict=True)) if a != b]


def _endless(wanted: Number | int) -> str:
    """The first digits of a mantissa that never ends."""
    if isinstance(wanted, float) or not wanted:
        return ""
    size = Fraction(wanted)
    if size.denominator & (size.denominator - 1) == 0:
        return ""
    text = digits(abs(size), power_of(abs(size)) - 1, 12)
    return f"{text[:4]} {text[4:8]} {text[8:]} …"


def _as_integer(wanted: Number | int) -> int | None:
    """Cut towards zero, as casts do; None for what is not a number."""
    return int(wanted) if is_finite(wanted) else None


def _cut(form: Format, wanted: Number | int) -> int | None:
    """What a format without fractions is given: of a bool, whether the number is 0."""
    return int(wanted != 0) if isinstance(form, Truth) else _as_integer(wanted)


def _stored(form: Format, wanted: Number | int) -> Number | int | None:
    if isinstance(form, Float):
        return form.decode(form.encode(wanted if isinstance(wanted, float) else Fraction(wanted)))
    cut = _cut(form, wanted)
    return None if cut is None else form.decode(form.encode(cut))


def _digits(number: int) -> str:
    """All digits of a whole number, or of one that no format holds its magnitude."""
    return f"{number:,}" if abs(number) < 10**25 else scientific(number, 6)


def _table(wanted: Number | int, formats: Sequence[Format]) -> Sheet:
    heads: tuple[Line, ...] = (
        "",
        "what is stored, exactly",
        "error",
        "gap to the next",
        "bytes in storage, lowest first",
    )
    rows = tuple(_describe(form, wanted) for form in formats)
    return Sheet(heads, rows, (108, 264, 92, 160, 190))


def _describe(form: Format, wanted: Number | int) -> tuple[Line, ...]:
    stored = _stored(form, wanted)
    if stored is None:
        return form.name, "no integer", "", "1", ""
    if isinstance(form, Integer):
        bits, gap = form.encode(_cut(form, wanted) or 0), "" if isinstance(form, Truth) else "1"
    else:
        bits = form.encode(wanted if isinstance(wanted, float) else Fraction(wanted))
        step = form.gap(bits)
        gap = "" if step is None else _power(step)
    held = str(bool(stored)) if isinstance(form, Truth) else decimal(stored, 33)
    return form.name, held, _error(stored, wanted), gap, in_fours(bits.to_bytes(form.nbytes, "little"))


def in_fours(data: bytes) -> Line:
    """Bytes in hexadecimal; lines break behind four of them."""
    fours = [Ink(data[k : k + 4].hex(" "), "white-space:nowrap") for k in range(0, len(data), 4)]
    return tuple(part for four in fours for part in (" ", four))[1:]


def _power(step: Fraction) -> str:
    """A gap as a power of two, for it is one: `2^-23 = 1.2e-07`."""
    power = power_of(step)
    return f"2^{power} = {scientific(step)}" if not -4 < power < 10 else f"2^{power} = {decimal(step)}"


def _error(stored: Number | int, wanted: Number | int) -> str:
    if not is_finite(wanted):
        return "" if str(stored) == str(wanted) else "lost"
    if not is_finite(stored):
        return "overflow"
    off = Fraction(stored) - Fraction(wanted)
    if not off:
        return "exact"
    return (
        f"{off.numerator:+,}"
        if off.denominator == 1 and abs(off) < 10**7
        else f"{'+' if off > 0 else ''}{scientific(off)}"
    )


def _sentence(wanted: Number | int, formats: Sequence[Format]) -> Sentence:
    lost = (f for f in formats if isinstance(f, Integer) and _cut(f, wanted) != _stored(f, wanted))
    form = next((f for f in formats if f.name == "float32"), None) or next(lost, formats[0])
    stored = _stored(form, wanted)
    if isinstance(form, Truth):
        return Sentence(form.name, f"{decimal(wanted, 33)} is {bool(stored)}", "Whatever is not 0 is True.")
    if isinstance(form, Integer):
        cut = _as_integer(wanted)
        if cut is None or stored is None:
            return Sentence(form.name, f"{decimal(wanted)} is not an integer", "", "clash")
        if stored == cut:
            return Sentence(form.name, f"{form.low:,} .. {form.high:,}: {cut:,} fits", _cut_note(wanted))
        said = (
            f"{_digits(cut)} does not fit into {form.low:,} .. {form.high:,}: the lowest {form.width} bits are {stored}"
        )
        return Sentence(form.name, said, _cut_note(wanted), "clash")
    bits = form.encode(wanted if isinstance(wanted, float) else Fraction(wanted))
    said = form.formula(bits)
    if stored is not None and is_finite(stored):
        said += f" = {decimal(stored, 40)}"
    return Sentence(form.name, said, _rounding(wanted, formats))


def _cut_note(wanted: Number | int) -> str:
    return "A cast to an integer cuts towards zero." if not isinstance(wanted, int) and wanted != int(wanted) else ""


def _rounding(wanted: Number | int, formats: Sequence[Format]) -> str:
    """How the last digits came about."""
    if not is_finite(wanted) or not wanted:
        return ""
    floats = [f for f in formats if isinstance(f, Float)]
    rows = [_row(f, wanted) for f in floats]
    parts = []
    if any(row.boxed for row in rows):
        parts.append("Boxed bits are not the number's own digits: they were rounded up.")
    down = next(
        (
            f
            for f, r in zip(floats, rows, strict=True)
            if not r.boxed
            and _stored(f, wanted) != wanted
            and is_finite(_stored(f, wanted) or 0)
            and not f.is_beyond(wanted)
        ),
        None,
    )
    if down is not None:
        power = max(power_of(abs(Fraction(wanted))), 1 - down.bias)
        after = digits(abs(Fraction(wanted)), power - 1 - down.mantissa, 3)
        if after[0] == "0":
            parts.append(f"{down.name} is cut where the next digits are {after}…, less than half, so it rounds down.")
        else:
            parts.append(f"{down.name} is cut exactly in the middle, and ties go to the even neighbour.")
    if parts and any(_stored(f, wanted) != wanted for f in floats):
        parts.append("The red bar is the error.")
    return " ".join(parts)


def _remarks(wanted: Number | int, formats: Sequence[Format], own: Format | None) -> list[str]:
    lines = []
    if FLOAT16 in formats and FLOAT32 in formats and is_finite(wanted) and _stored(FLOAT16, wanted):
        low, high = map(FLOAT16.decode, FLOAT16.around(abs(Fraction(wanted))))
        if is_finite(low) and is_finite(high):
            # The bits of positive floats count them.
            between = FLOAT32.encode(high) - FLOAT32.encode(low) - 1
            lines.append(f"Between two float16 ticks lie {between:,} float32 values, too close to draw.")
    if FLOAT8_E4M3FN in formats and FLOAT8_E4M3FN.is_beyond(wanted):
        lines.append("float8_e4m3fn has no infinity: PyTorch stores its largest number, 448; ml_dtypes stores NaN.")
    small = [
        f.name for f in formats if isinstance(f, Float) and is_finite(wanted) and wanted and _stored(f, wanted) == 0
    ]
    if small:
        lines.append(f"{', '.join(small)}: too small, rounded to 0.")
    whole = _as_integer(wanted)
    lost = [
        f
        for f in formats
        if isinstance(f, Integer) and not isinstance(f, Truth) and whole is not None and whole != _stored(f, wanted)
    ]
    if lost:
        verb = "loses" if len(lost) == 1 else "lose"
        refused = [f.name for f in lost if whole is not None and (whole > f.high or whole < (f.low or -f.high))]
        written = whole if whole is not None and abs(whole) < 10**25 else "…"
        tensor = f"; torch.tensor({written}, dtype=torch.{refused[-1]}) is refused" if refused else ""
        lines.append(f"{', '.join(f.name for f in lost)} {verb} the bits above, since a cast wraps around{tensor}.")
    if not any(isinstance(f, Integer) for f in formats) and own is None and whole is not None and whole != wanted:
        lines.append(f"A cast to an integer type cuts it to {whole if abs(whole) < 10**25 else _digits(whole)}.")
    return lines


def _truth(value: bool, label: str) -> Picture:
    head = f"{label} = {value}" if label else str(value)
    row = BitRow("bool", BOOL, int(value))
    text = Sheet(
        ("", "what is stored", "bytes in storage"), (("bool", str(value), f"{int(value):02x}"),), (108, 160, 160)
    )
    after = "One bit would do; memory is addressed in bytes, so a bool takes eight."
    return Picture(
        [
            Title(f"{head}, one byte", "bool"),
            BitRows((row,)),
            Gap(10),
            text,
            Sentence("bool", f"{value} is {int(value)}", after),
        ]
    )


# -- the elements of an array ----------------------------------------------------------------------


def _elements(layout: Layout, label: str) -> Picture:
    form = FORMATS[layout.dtype]
    if not layout.numel:
        raise TypeError(f"{label} has no element")
    indices = list(layout.window.indices())[:MOST]
    values = list(layout.values or ())[:MOST]
    rows, lines = [], []
    for index, value in zip(indices, values, strict=True):
        number = _element(form, value)
        bits = form.encode(number)  # type: ignore[arg-type]
        rows.append(BitRow(index_text(index), form, bits))
        lines.append(
            (
                index_text(index),
                str(bool(number)) if isinstance(form, Truth) else decimal(number, 40),
                in_fours(bits.to_bytes(form.nbytes, "little")),
                layout.sum_of(index),
            )
        )
    heads: tuple[Line, ...] = ("", "value, exactly", "bytes in storage, lowest first", "place")
    total = prod(layout.size)
    blocks: list[Block] = [
        Title(f"The bits of {label}", f"{form.name}, {count(total, 'element')}"), BitRows(tuple(rows)), Gap(10),
        Sheet(heads, tuple(lines), (84, 240, 210, 290)),
    ]  # fmt: skip
    first = rows[0]
    said = form.formula(first.bits) if isinstance(form, Float) else f"{form.low:,} .. {form.high:,}"
    if isinstance(form, Truth):
        said = f"{bool(first.bits)} is {first.bits}"
    blocks.append(
        Sentence(label + first.label, said, f"{form.nbytes} bytes each." if form.nbytes > 1 else "One byte each.")
    )
    if total > len(rows):
        left = total - len(rows)
        blocks.append(Note(f"{count(left, 'element')} {'is' if left == 1 else 'are'} not drawn."))
    return Picture(blocks)


def _element(form: Format, value: Any) -> Number | int:
    if isinstance(form, Integer):
        return int(value)
    number = float(value)
    return Fraction(number) if is_finite(number) and number else _zero(number) if number == 0 else number
