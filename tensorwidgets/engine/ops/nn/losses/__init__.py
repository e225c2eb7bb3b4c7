"""How far is a result from what was wanted?"""

from . import classes, composed, ctc, distances, linear_classes, margins, mean_square, pairs, reduction, yes_or_no

__all__ = [
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
