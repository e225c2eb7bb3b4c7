"""Which ops compare elements with each other: sort, search, count the distinct?"""

from . import searching, sorting, topk, unique

__all__ = ["searching", "sorting", "topk", "unique"]
