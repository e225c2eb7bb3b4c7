"""Derivatives of products, solutions and decompositions of matrices."""

from . import determinants, inverses, product_parts, products

__all__ = ["determinants", "inverses", "product_parts", "products"]
