"""Which ops return views: a new size, stride and offset over the same storage?"""

from . import at_least_nd, moving, reshaping, view_copies, views

__all__ = ["at_least_nd", "moving", "reshaping", "view_copies", "views"]
