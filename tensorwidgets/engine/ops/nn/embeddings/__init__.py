"""Which vectors of a table belong to these numbers, one by one or in bags?"""

from . import bags, tables

__all__ = ["bags", "tables"]
