"""Which ops copy elements as they are: casts, joined, stacked, rearranged and diagonal ones?"""

from . import arranging, complex_parts, copying, diagonals, joining, stacking

__all__ = ["arranging", "complex_parts", "copying", "diagonals", "joining", "stacking"]
