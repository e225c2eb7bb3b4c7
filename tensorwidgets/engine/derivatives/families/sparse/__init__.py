"""What is the derivative of each op of sparse tensors?"""

from . import conversions, products, sums

__all__ = ["conversions", "products", "sums"]
