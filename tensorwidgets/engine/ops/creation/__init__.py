"""Which ops make tensors from data, from numbers, or from counting?"""

from . import filled, from_data, grids, ranges, sequences

__all__ = ["filled", "from_data", "grids", "ranges", "sequences"]
