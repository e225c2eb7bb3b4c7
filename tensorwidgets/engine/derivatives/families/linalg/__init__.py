"""Derivatives of products, solutions and decompositions of matrices."""

from . import product_parts, products

__all__ = ["product_parts", "products"]
