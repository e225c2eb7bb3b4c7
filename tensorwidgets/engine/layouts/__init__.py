"""Kinds of tensor that do not keep each element where its strides say. These rooms do not import each other."""
