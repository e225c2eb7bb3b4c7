"""Which ops turn many elements into fewer, or into running results?"""

from . import basic, cumulative, histograms, segments, softmax, statistics

__all__ = ["basic", "cumulative", "histograms", "segments", "softmax", "statistics"]
