"""How do networks go through sequences step by step?

`steps` has one step of each kind, `layers` all steps of a layer, `networks` several layers and directions, and
`packing` batches of sequences that differ in length.
"""

from . import layers, networks, packing, steps

__all__ = ["layers", "networks", "packing", "steps"]
