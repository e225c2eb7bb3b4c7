"""Thirty puzzles on one page: a picture of what goes in, a picture of what is wanted, and one line to write.

>>> import tensorwidgets as torch
>>> puzzle(12, lambda r: r[:, None] + r).line
'12 not yet: [0, 0]: yours 2, wanted 1. The shape is right. This is the table of sums.'
"""

from __future__ import annotations

from .asking import board, puzzle

__all__ = ["board", "puzzle"]
