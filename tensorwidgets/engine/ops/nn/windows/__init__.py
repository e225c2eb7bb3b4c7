"""What do convolutions, pools and folds compute, which all go through windows of an image?"""

from . import (
    adaptive_max_pools,
    average_pools,
    convolution_checks,
    convolutions,
    fractional_max_pools,
    max_pools,
    pool_sizes,
    sliding_blocks,
    time_convolutions,
    unpooling,
    window_norms,
)

__all__ = [
    "adaptive_max_pools",
    "average_pools",
    "convolution_checks",
    "convolutions",
    "fractional_max_pools",
    "max_pools",
    "pool_sizes",
    "sliding_blocks",
    "time_convolutions",
    "unpooling",
    "window_norms",
]
