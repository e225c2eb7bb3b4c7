"""Quantised tensors: whole numbers that stand for others, by a scale and a zero point.

`rows` declares the ops that only they have, and is light; `tensors` and `kernels` come with the first such tensor.
"""
