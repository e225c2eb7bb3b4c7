"""Derivatives of attention: of the one op, and of the products and the softmax that other calls are recorded as."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ....ops.nn.attention.fused import FUSED
from ....ops.nn.attention.scaled_dot_product import attend
from ....ops.nn.ways_back import BACK
from ....tensor.grad_mode import grad_enabled
from ...backward_rows import softmax_backward_data
from ...declaring import constant, differentiate, parts, refused
from ...number_rows import mul_number

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor


def _of_softmax(grad: Tensor, result: Tensor, dim: int) -> Any:
    """The gradient of a softmax, as a row if it is recorded."""
    if grad_enabled():
        return softmax_backward_data(grad, result, dim)
    weighted = grad * result
    return weighted - result * weighted.sum(dim, True)


differentiate(
    "_safe_softmax", node="SafeSoftmaxBackward0", input=lambda grad, result, dim: _of_softmax(grad, result, dim)
)


constant(FUSED, FUSED, "attn_mask")
differentiate(
    FUSED,
    node="ScaledDotProductFlashAttentionForCpuBackward0",
    results=(0,),
    called=("output", "logsumexp"),
    together=("query key value", lambda grad, query, key, value, result, result1, dropout_p=0.0, is_causal=False,
    attn_mask=None, scale=None: BACK[f"{FUSED}_backward"](
        grad, query, key, value, result, result1, is_causal, attn_mask, scale)),
)  # fmt: skip
refused(f"{FUSED}_backward", f"aten::{FUSED}_backward")


@parts("nn.functional.scaled_dot_product_attention")
def _attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    """The same ops; numbers are multiplied by nodes of their own name."""
    return attend(query, key, value, attn_mask, dropout_p, is_causal, scale, enable_gqa, mul_number)
