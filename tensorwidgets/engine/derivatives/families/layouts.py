"""Quantized tensors, and rows that make tensors from numbers or answer questions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..declaring import differentiate, not_differentiable, refused
from ..ops import torch

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor

# -- rows whose results come from no tensor that has a gradient --------------------------------------------------

not_differentiable(
    "zeros ones empty full empty_strided empty_permuted eye arange range linspace logspace tril_indices triu_indices "
    "from_numpy frombuffer from_dlpack scalar_tensor unravel_index rand randn randint randperm"
)
not_differentiable(
    "quantize_per_tensor quantize_per_channel quantize_per_tensor_dynamic _make_per_tensor_quantized_tensor "
    "_make_per_channel_quantized_tensor _empty_affine_quantized _empty_per_channel_affine_quantized "
    "quantization_report int_repr qscheme q_scale q_zero_point q_per_channel_scales q_per_channel_zero_points "
    "q_per_channel_axis dequantize"
)
refused("lobpcg")


def _inside(grad: Tensor, input: Tensor, scale: Tensor, zero_point: Tensor, quant_min: int, quant_max: int) -> Any:
    """The gradient where the number was not cut off at the ends of the range."""
    steps = torch.round(input / scale) + zero_point
    return torch.where((steps >= quant_min) & (steps <= quant_max), grad, 0)


differentiate(
    "fake_quantize_per_tensor_affine", node="FakeQuantizePerTensorAffineCachemaskBackward0",
    input=lambda grad, input, scale, zero_point, quant_min, quant_max: _inside(
        grad, input, scale, zero_point, quant_min, quant_max),
)  # fmt: skip
differentiate(
    "fake_quantize_per_channel_affine", node="FakeQuantizePerChannelAffineCachemaskBackward0",
    input=lambda grad, input, scale, zero_point, axis, quant_min, quant_max: _inside(
        grad, input, _along(scale, input, axis), _along(zero_point, input, axis), quant_min, quant_max),
)  # fmt: skip


def _along(of_channels: Tensor, input: Tensor, axis: int) -> Any:
    """One number for each channel, shaped to broadcast against the elements."""
    return of_channels.reshape([-1 if dim == axis else 1 for dim in range(input.dim())])


# -- names -------------------------------------------------------------------------------------------------------

differentiate("refine_names rename", node="AliasBackward0", input=lambda grad: grad)
