"""What does a call do with named tensors? It derives the names of its result, then runs the op without names.

Which rule an op follows is in `table`. The arithmetic on tuples of names is in `dimension_names`.

A named tensor has the key of names in `_keys`, and its names in its `__dict__`. Nothing here but `rows` is loaded
before the first of them is made.
"""
