"""How numbers are written in bits: exact arithmetic on fractions, for floats and integers of every width.

>>> bits = FLOAT16.encode(Fraction(11, 10))
>>> f"{bits:016b}", FLOAT16.decode(bits)
('0011110001100110', Fraction(563, 512))
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

Number = Fraction | float
"""A fraction, or a float that is not one: an infinity, a NaN, negative zero."""


@dataclass(frozen=True)
class Float:
    """A floating-point format: a sign, exponent bits and mantissa bits."""

    name: str
    exponent: int
    mantissa: int
    bias: int
    finite: bool = False
    """Whether there is no infinity: what is too large becomes the largest number, and all ones is not a number."""

    @cached_property
    def width(self) -> int:
        return 1 + self.exponent + self.mantissa

    @property
    def nbytes(self) -> int:
        return self.width // 8

    @cached_property
    def sign_bit(self) -> int:
        return 1 << (self.width - 1)

    @cached_property
    def top(self) -> int:
        """The bits of the largest number."""
        ones = ((1 << self.exponent) - 1) << self.mantissa
        return ones + (1 << self.mantissa) - 2 if self.finite else ones - 1

    @property
    def nan(self) -> int:
        """The bits that a cast gives for NaN; PyTorch fills the small ones with ones."""
        if self.width == 8:
            return self.sign_bit - 1
        return self.top + 1 + (1 << (self.mantissa - 1))

    def encode(self, number: Number) -> int:
        """The bits of the nearest number, ties to even, rounded once."""
        if isinstance(number, float):
            if number != number:
                return self.nan
            sign = self.sign_bit if math.copysign(1, number) < 0 else 0
            if math.isinf(number):
                return sign | (self.top if self.finite else self.top + 1)
            number = Fraction(number)
        else:
            sign = self.sign_bit if number < 0 else 0
        number = abs(number)
        if not number:
            return sign
        power = max(power_of(number), 1 - self.bias)
        units = _rounded(number, power - self.mantissa)
        # A carry out of the mantissa adds one to the exponent, and a subnormal has none to add.
        bits = ((power + self.bias - 1) << self.mantissa) + units
        return sign | min(bits, self.top if self.finite else self.top + 1)

    def decode(self, bits: int) -> Number:
        """The number that these bits are."""
        magnitude = bits & (self.sign_bit - 1)
        negative = bool(bits & self.sign_bit)
        if magnitude > self.top:
            if not self.finite and magnitude == self.top + 1:
                return -math.inf if negative else math.inf
            return math.nan
        if not magnitude and negative:
            return -0.0
        power, rest = magnitude >> self.mantissa, magnitude & ((1 << self.mantissa) - 1)
        if power:
            rest += 1 << self.mantissa
        shift = max(power, 1) - self.bias - self.mantissa
        rest = -rest if negative else rest
        return Fraction(rest << shift) if shift >= 0 else Fraction(rest, 1 << -shift)

    def beside(self, bits: int, up: bool) -> int:
        """The bits of the next number above or below; past the largest, what overflow gives."""
        sign = bits & self.sign_bit
        if bits == sign:
            return 1 if up else self.sign_bit | 1
        return bits + (1 if up != bool(sign) else -1)

    def neighbour(self, bits: int, up: bool) -> Number:
        """The next number above or below; past the largest, what overflow gives."""
        return self.decode(self.beside(bits, up))

    def is_beyond(self, number: Number | int) -> bool:
        """Whether a number is stored as the largest one only because there is no infinity.

        >>> [FLOAT8_E4M3FN.is_beyond(n) for n in (448, 464, 465, -1000)], FLOAT16.is_beyond(70000)
        ([False, False, True, True], False)
        """
        if not self.finite or not is_finite(number):
            return False
        largest, below = (Fraction(self.decode(bits)) for bits in (self.top, self.top - 1))
        return abs(Fraction(number)) > largest + (largest - below) / 2

    def around(self, number: Fraction) -> tuple[int, int]:
        """The bits of the neighbours of a positive number: the largest that is not above it, and the next.

        >>> [FLOAT16.decode(bits) for bits in FLOAT16.around(Fraction(1, 3))]
        [Fraction(1365, 4096), Fraction(683, 2048)]
        """
        bits = self.encode(number)
        low = bits - (self.decode(bits) > number)
        return low, low + 1

    def gap(self, bits: int) -> Fraction | None:
        """From a number to the next one further from zero; None where that is not a number."""
        here, there = self.decode(bits & ~self.sign_bit), self.neighbour(bits & ~self.sign_bit, True)
        return Fraction(there) - Fraction(here) if is_finite(here) and is_finite(there) else None

    def fields(self, bits: int) -> tuple[str, str, str]:
        """Sign, exponent and mantissa as digits."""
        text = f"{bits:0{self.width}b}"
        return text[0], text[1 : 1 + self.exponent], text[1 + self.exponent :]

    def formula(self, bits: int) -> str:
        """What the fields say.

        >>> FLOAT32.formula(FLOAT32.encode(Fraction(11, 10)))
        '+1 × 2^(127 - 127) × (1 + 838,861 / 2^23)'
        """
        sign, power, rest = self.fields(bits)
        number = self.decode(bits)
        if isinstance(number, float) and not number == 0:
            return f"exponent {power}, mantissa {rest}: {'not a number' if number != number else 'infinity'}"
        stored, whole = int(power, 2), 1 if int(power, 2) else 0
        part = f"{whole} + {int(rest, 2):,} / 2^{self.mantissa}"
        return f"{'-' if sign == '1' else '+'}1 × 2^({max(stored, 1)} - {self.bias}) × ({part})"


@dataclass(frozen=True)
class Integer:
    """An integer format: two's complement, or unsigned."""

    name: str
    width: int
    signed: bool

    @property
    def nbytes(self) -> int:
        return self.width // 8

    @property
    def low(self) -> int:
        return -(1 << (self.width - 1)) if self.signed else 0

    @property
    def high(self) -> int:
        return (1 << (self.width - self.signed)) - 1

    def encode(self, number: int) -> int:
        """The lowest bits of the number; higher bits are lost."""
        return number & ((1 << self.width) - 1)

    def decode(self, bits: int) -> int:
        return bits - (1 << self.width) if self.signed and bits >> (self.width - 1) else bits


class Truth(Integer):
    """A bool: one byte, which is 1 for whatever is not 0."""

    @property
    def high(self) -> int:
        return 1

    def encode(self, number: Number | int) -> int:
        return int(number != 0)


Format = Float | Integer

FLOAT64 = Float("float64", 11, 52, 1023)
FLOAT32 = Float("float32", 8, 23, 127)
BFLOAT16 = Float("bfloat16", 8, 7, 127)
FLOAT16 = Float("float16", 5, 10, 15)
FLOAT8_E5M2 = Float("float8_e5m2", 5, 2, 15)
FLOAT8_E4M3FN = Float("float8_e4m3fn", 4, 3, 7, True)
FLOATS = (FLOAT64, FLOAT32, BFLOAT16, FLOAT16, FLOAT8_E5M2, FLOAT8_E4M3FN)
SIGNED = tuple(Integer(f"int{width}", width, True) for width in (64, 32, 16, 8))
UNSIGNED = tuple(Integer(f"uint{width}", width, False) for width in (64, 32, 16, 8))
INTEGERS = (*SIGNED, UNSIGNED[-1])
BOOL = Truth("bool", 8, False)
_ALL: tuple[Format, ...] = (*FLOATS, *SIGNED, *UNSIGNED, BOOL)
FORMATS = {f.name: f for f in _ALL}


def is_finite(number: Number | int) -> bool:
    return not isinstance(number, float) or math.isfinite(number)


def power_of(number: Fraction) -> int:
    """The largest power of two that is not above a positive number.

    >>> power_of(Fraction(9, 2)), power_of(Fraction(1, 3))
    (2, -2)
    """
    above, below = number.numerator, number.denominator
    power = above.bit_length() - below.bit_length()
    return power if below << max(power, 0) <= above << max(-power, 0) else power - 1


def _rounded(number: Fraction, power: int) -> int:
    """How many times 2**power a number that is not negative is, to the nearest, ties to even."""
    above, below = number.numerator << max(-power, 0), number.denominator << max(power, 0)
    whole, rest = divmod(above, below)
    return whole + (2 * rest > below or 2 * rest == below and whole & 1)


def digits(number: Fraction, first: int, count: int) -> str:
    """Binary digits of a positive number from the place worth 2**first on, cut and not rounded.

    >>> digits(Fraction(11, 10), -1, 12)
    '000110011001'
    """
    last = first - count + 1
    units = (number.numerator << max(-last, 0)) // (number.denominator << max(last, 0))
    return f"{units & ((1 << count) - 1):0{count}b}" if count else ""
