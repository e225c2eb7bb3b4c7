"""The derivatives of ops that compute along dimensions: sums, norms, extremes, softmax, running sums."""

from . import counting, cumulative, extremes, norms, products_of_elements, quantiles, slopes, softmax, statistics, sums

__all__ = [
    "counting", "cumulative", "extremes", "norms", "products_of_elements", "quantiles", "slopes", "softmax",
    "statistics", "sums",
]  # fmt: skip
