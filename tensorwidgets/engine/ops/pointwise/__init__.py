"""Which ops compute each element by itself?"""

from . import (
    activations,
    checks,
    clamping,
    closeness,
    comparison,
    float_parts,
    kernels,
    log_sums,
    polynomials,
    powers,
    prepared,
    rounding,
    rows,
    signs_and_angles,
    special,
    three_operands,
)

__all__ = [
    "activations",
    "checks",
    "clamping",
    "closeness",
    "comparison",
    "float_parts",
    "kernels",
    "log_sums",
    "polynomials",
    "powers",
    "prepared",
    "rounding",
    "rows",
    "signs_and_angles",
    "special",
    "three_operands",
]
