"""Lesson 16, gradients: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from .filters import FIND_FILTER
from .graph import GIVE_BACK, HOW_MANY, TWO_WAYS, WHICH
from .knob import BY_HAND, DAYS, SLOPE, THREE_TIMES
from .off_record import DETACHED, SHARPEN
from .stretched import STRETCHED, UNSTRETCH

ALL = (
    BY_HAND, SLOPE, THREE_TIMES, DAYS, HOW_MANY, WHICH, TWO_WAYS, GIVE_BACK, STRETCHED, UNSTRETCH, DETACHED, SHARPEN,
    FIND_FILTER,
)  # fmt: skip
