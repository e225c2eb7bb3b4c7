"""Lesson 20, loading data: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from .batches import COLUMNS_FIRST, PADDED
from .chance import MOVED, SAME_CHANCE
from .order import NEVER_SEEN, ORDER
from .own_loader import LOAD
from .rare import TWO_OF_A_HUNDRED, WEIGHTS
from .streams import PART, TWICE
from .tiles import BY_LIGHT
from .workers import COPIES, ELEVEN

ALL = (
    COLUMNS_FIRST, PADDED, NEVER_SEEN, ORDER, COPIES, ELEVEN, SAME_CHANCE, MOVED, TWO_OF_A_HUNDRED, WEIGHTS, TWICE,
    PART, LOAD, BY_LIGHT,
)  # fmt: skip
