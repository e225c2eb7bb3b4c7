"""Derivatives of products, solutions and decompositions of matrices."""

from . import (
    determinants,
    distances,
    factors,
    inverses,
    matrix_functions,
    powers_of_vectors,
    product_parts,
    products,
    reflections,
    spectra,
)

__all__ = [
    "determinants", "distances", "factors", "inverses", "matrix_functions", "powers_of_vectors",
    "product_parts", "products", "reflections", "spectra",
]  # fmt: skip
