"""How far is a result from what was wanted?"""

from . import (
    by_number,
    classes,
    composed,
    ctc,
    distances,
    linear_classes,
    margins,
    mean_square,
    pairs,
    reduction,
    yes_or_no,
)

__all__ = [
    "by_number",
    "classes",
    "composed",
    "ctc",
    "distances",
    "linear_classes",
    "margins",
    "mean_square",
    "pairs",
    "reduction",
    "yes_or_no",
]
