"""What does each query get of the values, with one head or several?"""

from . import multihead, scaled_dot_product

__all__ = ["multihead", "scaled_dot_product"]
