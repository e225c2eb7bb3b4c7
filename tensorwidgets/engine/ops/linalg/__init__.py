"""Which ops multiply, factor and solve matrices?"""

from . import (
    added_products,
    distances,
    eigen,
    einsum,
    factor,
    inverse,
    ldl,
    least_squares,
    lowrank,
    matrix_functions,
    norms,
    products,
    reflections,
    solve,
    svd,
    tensor_products,
)

__all__ = [
    "added_products",
    "distances",
    "eigen",
    "einsum",
    "factor",
    "inverse",
    "ldl",
    "least_squares",
    "lowrank",
    "matrix_functions",
    "norms",
    "products",
    "reflections",
    "solve",
    "svd",
    "tensor_products",
]
