"""Which ops compare elements with each other: sorting, searching, unique?"""

from . import searching, sorting, topk, unique

__all__ = ["searching", "sorting", "topk", "unique"]
