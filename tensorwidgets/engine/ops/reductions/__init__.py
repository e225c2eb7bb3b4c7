"""Which ops reduce or accumulate elements along dimensions?"""

from . import basic, counting, cumulative, histograms, medians, quantiles, segments, softmax, statistics

__all__ = [
    "basic", "counting", "cumulative", "histograms", "medians", "quantiles", "segments", "softmax", "statistics",
]  # fmt: skip
