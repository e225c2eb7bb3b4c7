"""Fractions as decimals, exact or shortened, also outside the range of floats."""

from __future__ import annotations

from fractions import Fraction

from .number_formats import Number


def decimal(number: Number | int, most: int = 0) -> str:
    """The number as a decimal: exact, because every binary fraction is a finite decimal, or cut with dots.

    >>> decimal(Fraction(563, 512)), decimal(Fraction(1, 3), 8), decimal(Fraction(1, 1 << 30), 12)
    ('1.099609375', '0.33333…', '9.313226e-10')
    """
    if isinstance(number, float):
        return "nan" if number != number else "-0" if number == 0 else "inf" if number > 0 else "-inf"
    number = Fraction(number)
    size = number.denominator
    twos = (size & -size).bit_length() - 1
    fives = 0
    while size % 5 == 0:
        size //= 5
        fives += 1
    ends = size == 1 << twos
    places = max(twos, fives) if ends else most
    whole, rest = divmod(abs(number.numerator) * 10**places // number.denominator, 10**places)
    text = f"{'-' if number < 0 else ''}{whole}" + (f".{rest:0{places}d}" if places else "")
    if not most or (len(text) <= most and ends):
        return text
    if number and (abs(number) < Fraction(1, 1000) or abs(number) >= 10 ** (most - 4)):
        return scientific(number, most - 6)
    return text[: most - 1] + "…"


def scientific(number: Number | int, places: int = 1) -> str:
    """A number as 1.1e-07, also outside the range of floats.

    >>> scientific(Fraction(1, 10), 1), scientific(-Fraction(1, 2**200), 2)
    ('1.0e-01', '-6.22e-61')
    """
    if isinstance(number, float) or not number:
        return f"{float(number):.{places}e}"
    number = Fraction(number)
    size = abs(number)
    power = len(str(size.numerator)) - len(str(size.denominator))
    while size < Fraction(10) ** power:
        power -= 1
    while size >= Fraction(10) ** (power + 1):
        power += 1
    units = round(size / Fraction(10) ** (power - places))
    if units == 10 ** (places + 1):
        units, power = units // 10, power + 1
    text = str(units)
    return f"{'-' if number < 0 else ''}{text[0]}{'.' + text[1:] if places else ''}e{power:+03d}"
