"""The derivatives of ops that compute along dimensions: sums, norms, extremes, softmax, running sums."""

from . import counting, extremes, norms, products_of_elements, quantiles, running, slopes, softmax, spreads, sums

__all__ = [
    "counting", "extremes", "norms", "products_of_elements", "quantiles", "running", "slopes", "softmax",
    "spreads", "sums",
]  # fmt: skip
