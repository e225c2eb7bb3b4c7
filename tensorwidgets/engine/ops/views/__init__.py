"""Which ops are made of new numbers for size, stride and offset alone?"""

from . import at_least_nd, moving, reshaping, view_copies, views

__all__ = ["at_least_nd", "moving", "reshaping", "view_copies", "views"]
