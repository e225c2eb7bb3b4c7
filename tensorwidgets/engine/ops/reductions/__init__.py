"""Which ops reduce or accumulate elements along dimensions?"""

from . import basic, counting, cumulative, hashing, histograms, medians, quantiles, segments, softmax, statistics

__all__ = [
    "basic", "counting", "cumulative", "hashing", "histograms", "medians", "quantiles", "segments", "softmax",
    "statistics",
]  # fmt: skip
