"""What are the derivatives of losses?"""

from . import classes, once, squares, yes_or_no

__all__ = ["classes", "once", "squares", "yes_or_no"]
