"""Lesson 19, training: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from .adam import ADAM, FIRST_STEP, FOUR_TIMES
from .by_heart import ACCURACY, BY_HEART
from .digits import LEARN, TRUE_OR_FALSE
from .loop import BOUNCES, FIT, MOMENTUM, UNTRAINED
from .waves import WAVES

ALL = (
    UNTRAINED, FIT, BOUNCES, MOMENTUM, FIRST_STEP, ADAM, FOUR_TIMES, BY_HEART, ACCURACY, LEARN, TRUE_OR_FALSE,
    WAVES,
)  # fmt: skip
