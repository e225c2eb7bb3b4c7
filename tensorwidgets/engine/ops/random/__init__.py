"""Which ops draw random numbers, and from which stream?"""

from . import distributions, draws_by_tensors, in_place, new_tensors, normal_blocks, sampling

__all__ = ["distributions", "draws_by_tensors", "in_place", "new_tensors", "normal_blocks", "sampling"]
