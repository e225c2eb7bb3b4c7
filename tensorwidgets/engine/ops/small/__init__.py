"""Which small ops fit no family: questions about a tensor, Python functions on elements?"""

from . import leftovers, questions

__all__ = ["leftovers", "questions"]
