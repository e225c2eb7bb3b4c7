"""Dimensions with names: they are worked out, taken off, and put on again around a call that knows nothing of them.

A named tensor has the key of names in `_keys`, and its names in its `__dict__`. Nothing here but `rows` is loaded
before the first of them is made.
"""
