"""How are inputs normalized: over a batch, or each example by itself?"""

from . import batches, examples, weights

__all__ = ["batches", "examples", "weights"]
