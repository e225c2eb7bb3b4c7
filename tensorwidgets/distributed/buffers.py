"""The elements of a tensor as one NumPy array for MPI, and back: its own memory where that is contiguous.

As in PyTorch, what arrives is not a write that gradients know of: version counters stay.
"""

from __future__ import annotations

import numpy as np

from ..engine.derivatives.ops import torch
from ..engine.tensor.keys import KEY_CONJ, KEY_META, KEY_NEG
from ..engine.tensor.tensor import Tensor


def _plain(t: Tensor) -> bool:
    return type(t._array) is np.ndarray and not t._keys & (KEY_CONJ | KEY_NEG | KEY_META)


def elements(t: Tensor) -> np.ndarray:
    """The elements in a contiguous array, which is the tensor's memory if that is contiguous."""
    if _plain(t):
        return np.ascontiguousarray(t._array).reshape(t._array.shape)
    with torch.no_grad():
        host = t.detach().cpu().resolve_conj().resolve_neg().contiguous()
    return np.ascontiguousarray(host._array).reshape(host._array.shape)


def like(t: Tensor) -> np.ndarray:
    """An array for what arrives: the tensor's memory if that is contiguous."""
    if _plain(t) and t._array.flags.c_contiguous:
        return t._array
    return np.empty(tuple(t.shape), _dtype(t))


def _dtype(t: Tensor) -> np.dtype:
    return np.dtype(t._array.dtype) if type(t._array) is np.ndarray else t.dtype._in_numpy


def put(t: Tensor, values: np.ndarray) -> None:
    """Make the elements of a tensor those of an array, if they are not already."""
    if _plain(t):
        if not np.shares_memory(t._array, values):
            t._array[...] = values.reshape(t._array.shape)
        return
    with torch.no_grad():
        t.detach().copy_(torch.from_numpy(values.reshape(tuple(t.shape))))
