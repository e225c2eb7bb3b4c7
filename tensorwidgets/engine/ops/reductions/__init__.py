"""Which ops reduce or accumulate elements along dimensions?"""

from . import basic, cumulative, histograms, segments, softmax, statistics

__all__ = ["basic", "cumulative", "histograms", "segments", "softmax", "statistics"]
