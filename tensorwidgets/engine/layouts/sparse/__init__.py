"""Tensors that keep only some of their elements: by coordinates (COO), or by rows or columns in compressed form.

`rows` declares the ops that only they have, and is light; `kernels` brings the rest, with the first such tensor.
"""
