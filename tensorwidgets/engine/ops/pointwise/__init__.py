"""Which ops compute each element by itself?"""

from . import checks, clamping, closeness, comparison, kernels, more, polynomials, rows, special, three_operands

__all__ = [
    "checks",
    "clamping",
    "closeness",
    "comparison",
    "kernels",
    "more",
    "polynomials",
    "rows",
    "special",
    "three_operands",
]
