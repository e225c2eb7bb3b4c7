"""Explain an error of PyTorch or NumPy from its message alone. Each kind of error has a file of patterns."""

from __future__ import annotations

# The first pattern that fits answers. What a worker reports contains another message, so it comes last.
# isort: off
from . import shapes, autograd, layers, tensors, modules, optimizers, files, devices, arrays, data  # noqa: F401
# isort: on
