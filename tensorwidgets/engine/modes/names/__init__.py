"""Named dimensions: the names of the result are derived, and the op itself runs on tensors without names.

A named tensor has the key of names in `_keys`, and its names in its `__dict__`. Nothing here but `rows` is loaded
before the first of them is made.
"""
