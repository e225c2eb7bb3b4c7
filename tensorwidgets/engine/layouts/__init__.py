"""Kinds of tensor that do not keep each element where its strides say. The rooms in here know nothing of each other."""
