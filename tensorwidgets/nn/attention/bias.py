"""torch.nn.attention.bias: masks of attention that are described by their sizes, and made when they are needed.

>>> import tensorwidgets as torch
>>> from tensorwidgets.nn.attention.bias import causal_lower_right
>>> causal_lower_right(2, 3)
tensor([[ True,  True, False],
        [ True,  True,  True]])
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from ...engine.dispatch.registry import OPS
from ...engine.errors.reasons import refuse
from ...engine.errors.warnings import warn
from ...engine.tensor.tensor import Tensor
from ...engine.types.dtypes import bool_


class CausalVariant(IntEnum):
    """Which corner the triangle of a mask starts from."""

    UPPER_LEFT = 1
    LOWER_RIGHT = 2


class CausalBias(Tensor, stays=False):
    """A mask that hides later steps from a query: a triangle, from one of two corners.

    Its own elements mean nothing; attention asks for the mask that they describe.
    """

    def __init__(self, variant: CausalVariant, seq_len_q: int, seq_len_kv: int):
        if not isinstance(variant, CausalVariant):
            message = f"variant must be a CausalVariant, got {type(variant).__name__}"
            refuse(AssertionError, message, "there are two triangles", "causal_lower_right(…)", rule="attention.mask")
        self.variant = variant
        self.seq_len_q = seq_len_q
        self.seq_len_kv = seq_len_kv
        if variant is CausalVariant.LOWER_RIGHT and seq_len_q > seq_len_kv:
            warn("Lower right causal bias will produce NaNs in the output when seq_len_q > seq_len_kv!")

    def _materialize(self, device: Any = None) -> Tensor:
        """The mask: True for what a query sees."""
        offset = self.seq_len_kv - self.seq_len_q if self.variant is CausalVariant.LOWER_RIGHT else 0
        shown: Tensor = OPS["ones"].function((self.seq_len_q, self.seq_len_kv), dtype=bool_, device=device)
        return shown.tril(offset)

    def __repr__(self, *, tensor_contents: Any = None) -> str:
        return repr(self._materialize())

    def _for_inputs(self, query: Tensor, key: Tensor, value: Tensor, is_causal: bool) -> tuple[Tensor | None, bool]:
        """The mask that attention takes in the place of this one, and whether it makes the triangle itself."""
        if is_causal:
            message = "CausalBias should not be used with causal=True"
            refuse(ValueError, message, "the bias is causal itself", "is_causal=False", rule="attention.mask")
        if self.variant is CausalVariant.UPPER_LEFT or self.seq_len_q == self.seq_len_kv:
            return None, True
        _check_inputs(query, key, value)
        return self._materialize(query.device), False


def _check_inputs(query: Tensor, key: Tensor, value: Tensor) -> None:
    """Refuse what PyTorch refuses before it makes the mask."""
    for name, of in (("dtype", lambda t: t.dtype), ("device", lambda t: t.device)):
        found = [of(t) for t in (query, key, value)]
        if len(set(found)) > 1:
            listed = f"query.{name}: {found[0]}, key.{name}: {found[1]}, and value.{name}: {found[2]}"
            kind = "device type" if name == "device" else name
            message = f"Expected query, key, and value to have the same {kind}, but got {listed} instead."
            refuse(ValueError, message, "they are multiplied with one another", rule=f"attention.{name}")
    dims = [t.dim() for t in (query, key, value)]
    if min(dims) < 2:
        listed = f"query.dim: {dims[0]}, key.dim: {dims[1]} and value.dim: {dims[2]}"
        refuse(
            ValueError,
            f"Expected query, key, and value to all be  at least 2 dimensional, but got {listed} instead.",
            "the last two dimensions are the steps and the numbers of each step",
            rule="attention.ndim",
        )


def causal_upper_left(*size: int) -> CausalBias:
    """The first query sees the first key, the second the first two, and so on."""
    return _bias(CausalVariant.UPPER_LEFT, "causal_upper_left", size)


def causal_lower_right(*size: int) -> CausalBias:
    """The last query sees all keys, the one before it all but the last, and so on."""
    return _bias(CausalVariant.LOWER_RIGHT, "causal_lower_right", size)


def _bias(variant: CausalVariant, name: str, size: tuple[int, ...]) -> CausalBias:
    if len(size) != 2:
        message = f"{name} only supports 2D tensors"
        refuse(AssertionError, message, "a mask has a row for each query, a column for each key", rule="attention.mask")
    return CausalBias(variant, *size)


__all__ = ["CausalBias", "CausalVariant", "causal_lower_right", "causal_upper_left"]
