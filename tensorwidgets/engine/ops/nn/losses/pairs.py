"""The distances between all rows of one matrix."""

from __future__ import annotations

from typing import Any

import numpy as np

from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result
from ....errors.reasons import refuse
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....types.dtype_refusals import refuse_dtype
from ....types.dtypes import FLOAT, HALVES
from ..declaring import nn_row
from ..ways_back import way_back


def _refuse(message: str, because: str, *ways: str) -> None:
    refuse(RuntimeError, message, because, *ways, rule="distance")


@silent
def fill_pairs(target: np.ndarray, x: np.ndarray, p: float) -> None:
    """The distance of each row to each later one, row after row."""
    at = 0
    for i in range(len(x) - 1):
        count = len(x) - 1 - i
        target[at : at + count] = _length(np.abs(x[i + 1 :] - x[i]), p)
        at += count


def _length(apart: np.ndarray, p: float) -> Any:
    if not apart.shape[1]:
        return 0
    if p == 0:
        return np.count_nonzero(apart, axis=1)
    if p == np.inf:
        return apart.max(1)
    if p == 1:
        return apart.sum(1)
    return np.sqrt((apart * apart).sum(1)) if p == 2 else (apart**p).sum(1) ** (1.0 / p)


@silent
def fill_pairs_back(target: np.ndarray, grad: np.ndarray, x: np.ndarray, p: float, distance: np.ndarray) -> None:
    target[...] = 0
    at = 0
    for i in range(len(x) - 1):
        count = len(x) - 1 - i
        apart, here = x[i] - x[i + 1 :], slice(at, at + count)
        pull = _slope(apart, p, distance[here, None]) * grad[here, None]
        target[i] += pull.sum(0)
        target[i + 1 :] -= pull
        at += count


def _slope(apart: np.ndarray, p: float, distance: np.ndarray) -> Any:
    """The derivative of a p-norm by the elements of its vector; zeros where the norm is zero."""
    if p == 0:
        return np.zeros_like(apart)
    if p == 1:
        return np.sign(apart)
    if p == np.inf:
        return np.sign(apart) * (np.abs(apart) == distance)
    powers = apart if p == 2 else np.sign(apart) * np.abs(apart) ** (p - 1)
    return np.where(distance == 0, 0, powers / distance ** (p - 1))


@nn_row("pdist", "The distance of each row to every later one.", fill_pairs, "nn.functional.pdist", out=None)
def pdist(input: Tensor, p: float = 2.0) -> Answer:
    must_be_tensor("pdist", input)
    if input.dim() != 2:
        _refuse(f"pdist only supports 2D tensors, got: {input.dim()}D", "each row is a point", "input[None]")
    d = input._dtype
    if d._kind != FLOAT:
        _refuse("pdist only supports floating-point dtypes", "a distance is seldom a whole number", "input.float()")
    if not p >= 0:
        _refuse("pdist only supports non-negative p values", "p says which norm", "p=2.0")
    if d in HALVES:
        refuse_dtype("pdist", d)
    n = input._array.shape[0]
    return Result((n * (n - 1) // 2,), d), (input._array, float(p))


@way_back("_pdist_backward", "The gradient of the distances between rows.", fill_pairs_back)
def pdist_backward(grad: Tensor, input: Tensor, p: float, distance: Tensor) -> Answer:
    return Result(tuple(input.shape), input._dtype), (grad._array, input._array, float(p), distance._array)
