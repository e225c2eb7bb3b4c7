"""What are the derivatives of convolutions, pools and folds?"""

from . import average_pools, blocks, convolutions, max_pools

__all__ = ["average_pools", "blocks", "convolutions", "max_pools"]
