"""Views of quantized tensors: the same integers, and the quantizer that fits the new shape.

Per-tensor quantization needs no work. For per-channel quantization, a tensor of channel numbers with stride 0 in all
other dimensions undergoes the same view, and then shows along which dimension the channels are and which remain.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...dispatch.registry import Op
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ...tensor.wrapping import wrap
from ...types.dtypes import dtype, int64
from .quantizers import PerChannel, PerTensor, Quantizer
from .tensors import give, is_quantized, quantizer_of

KEEP_CHANNELS = frozenset(
    "select narrow split split_with_sizes chunk tensor_split hsplit vsplit dsplit unbind squeeze unsqueeze squeeze_ "
    "unsqueeze_ view view_as reshape reshape_as flatten ravel unflatten detach_ unsafe_split unsafe_chunk "
    "unsafe_split_with_sizes getitem".split()
)
"""The views that PyTorch supports for per-channel tensors."""


def follow(op: Op, args: tuple, kwargs: dict) -> Any:
    """Create the view, or views, of an op."""
    for a in (*args[1:], *kwargs.values()):
        if isinstance(a, dtype):
            _refuse_other_numbers(a)
    quantizer = quantizer_of(args[0]) if args and is_quantized(args[0]) else None
    if isinstance(quantizer, PerChannel) and op.name not in KEEP_CHANNELS:
        refuse_channels()
    channels: Any = None
    if isinstance(quantizer, PerChannel):
        channels = _channels_of_view(op, channel_numbers(args[0], quantizer), args, kwargs)
    result = op.plain(*args, **kwargs)
    if channels is None:
        adopt(result, quantizer)
    elif isinstance(result, tuple):
        for view, part in zip(result, channels, strict=True):
            adopt(view, _quantizer_of_view(quantizer, part))  # type: ignore[arg-type]
    else:
        adopt(result, _quantizer_of_view(quantizer, channels))  # type: ignore[arg-type]
    return result


def _channels_of_view(op: Op, channels: Tensor, args: tuple, kwargs: dict) -> Any:
    """The same view of the channel numbers, refused if no strides describe it."""
    try:
        result = op.plain(channels, *args[1:], **kwargs)
    except RuntimeError as error:
        if getattr(getattr(error, "reason", None), "rule", "") != "view.span":
            raise
        refuse_channels()
    for view in result if isinstance(result, tuple) else (result,):
        if view is not channels and view._base is not channels:
            refuse_channels()
    return result


def adopt(value: Tensor | Sequence[Tensor], quantizer: Quantizer | None) -> None:
    """Give results their quantizer, unless they are views that find the same one below them."""
    if isinstance(value, (tuple, list)):
        for one in value:
            adopt(one, quantizer)
    elif isinstance(value, Tensor) and value._dtype._is_quantized and quantizer is not None:
        if value._base is None or quantizer is not quantizer_of(value._base):
            give(value, quantizer)


def channel_numbers(t: Tensor, quantizer: PerChannel) -> Tensor:
    """The number of its channel for each element, with a stride in no other dimension than that of the channels."""
    strides = [8 if dim == quantizer.axis else 0 for dim in range(t._array.ndim)]
    numbers = np.arange(len(quantizer.scales))
    return wrap(np.lib.stride_tricks.as_strided(numbers, t._array.shape, strides), int64)


def _quantizer_of_view(quantizer: PerChannel, channels: Tensor) -> Quantizer:
    """The quantizer of a view, from the channel number of each of its elements."""
    array = channels._array
    axes = [dim for dim in range(array.ndim) if array.strides[dim] and array.shape[dim] > 1]
    if not array.size and array.ndim > quantizer.axis and array.shape[quantizer.axis] == len(quantizer.scales):
        return quantizer  # of an empty tensor, which keeps its channels
    if len(axes) > 1 or not array.size:
        refuse_channels()
    if not axes:
        channel = int(array.flat[0])
        return PerTensor(float(quantizer.scales[channel]), quantizer.zero_points[channel].item())
    kept = array[tuple([slice(None) if dim == axes[0] else 0 for dim in range(array.ndim)])]
    return PerChannel(quantizer.scales[kept], quantizer.zero_points[kept], axes[0])


def refuse_channels() -> Any:
    """PyTorch's refusal of views in which the channels do not lie along one dimension, or might not."""
    refuse(
        RuntimeError,
        "Setting strides is possible only on uniformly quantized tensor",
        "each channel has its own scale, so the channels must stay along one dimension",
        "x.dequantize()",
        rule="quantized.channels",
    )


def _refuse_other_numbers(d: dtype) -> None:
    refuse(
        RuntimeError,
        f"view: a quantized tensor cannot be viewed as {d}",
        "its integers have no value without the scale and the zero point",
        "x.int_repr()",
        "x.dequantize()",
        rule="quantized.view_dtype",
        dtype=d,
    )
