"""Which ops copy elements: casts, joins, stacks, rearrangements, diagonals?"""

from . import arranging, complex_parts, copying, diagonals, joining, stacking

__all__ = ["arranging", "complex_parts", "copying", "diagonals", "joining", "stacking"]
