"""The ops that only quantized tensors have, and those that make such tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

from ...declare.by_parts import declared_in
from ...declare.by_signature import calls
from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...memory import MetaArray
from ...tensor.tensor import Tensor
from ...types import dtypes
from ...types.dtypes import dtype

if TYPE_CHECKING:
    from ...types.device import device
    from .questions import Report


def _making(name: str, words: str, function: str, *own_ways: str, category: str = "creation") -> Any:
    """Declare an op whose rule and kernel are those of a function in another file, imported at the first call."""

    def declare(run: Callable[..., Any]) -> Any:
        calls(name, words, *own_ways, forms="function", family="creation", category=category)(run)
        file, _, inside = function.partition(".")
        declared_in(OPS[name], f"{__package__}.{file}", inside)
        return run

    return declare


@_making(
    "quantize_per_tensor",
    "Quantizes with one scale and zero point; values beyond the range are clipped.",
    "creation.per_tensor",
)
def quantize_per_tensor(dtype: dtype, **given: Any) -> Any:
    from .creation import per_tensor

    if "input" in given:
        return per_tensor(given["input"], given["scale"], given["zero_point"], dtype)
    return tuple(
        [per_tensor(t, given["scales"][i], given["zero_points"][i], dtype) for i, t in enumerate(given["tensors"])]
    )


@_making(
    "quantize_per_channel",
    "Quantizes with a scale and a zero point for each index along a dimension.",
    "creation.per_channel",
)
def quantize_per_channel(input: Tensor, scales: Tensor, zero_points: Tensor, axis: int, dtype: dtype) -> Tensor:
    if type(input._array) is MetaArray:
        refuse_plain("quantize_per_channel", input, "the elements are quantized, and a meta tensor has none")
    from .creation import per_channel

    return per_channel(input, scales, zero_points, axis, dtype)


@_making(
    "quantize_per_tensor_dynamic",
    "Quantizes with the scale and zero point that fit the range of the values.",
    "creation.dynamic",
)
def quantize_per_tensor_dynamic(input: Tensor, dtype: dtype, reduce_range: bool) -> Tensor:
    if type(input._array) is MetaArray:
        refuse_plain("quantize_per_tensor_dynamic", input, "the elements are quantized, and a meta tensor has none")
    from .creation import dynamic

    return dynamic(input, dtype, reduce_range)


@_making(
    "_make_per_tensor_quantized_tensor",
    "Makes a quantized tensor from integers, with one scale and zero point.",
    "creation.of_rungs",
    "Tensor input, double scale, int64_t zero_point",
)
def _make_per_tensor_quantized_tensor(input: Tensor, scale: float, zero_point: int) -> Tensor:
    from .creation import of_rungs

    return of_rungs(input, scale, zero_point)


@_making(
    "_make_per_channel_quantized_tensor",
    "Makes a quantized tensor from integers, with a scale and zero point per channel.",
    "creation.of_rungs_by_channel",
    "Tensor input, Tensor scale, Tensor zero_point, int64_t axis",
)
def _make_per_channel_quantized_tensor(input: Tensor, scale: Tensor, zero_point: Tensor, axis: int) -> Tensor:
    from .creation import of_rungs_by_channel

    return of_rungs_by_channel(input, scale, zero_point, axis)


@_making(
    "_empty_affine_quantized",
    "Returns an uninitialized quantized tensor with one scale and zero point.",
    "creation.empty",
    "SymIntArrayRef size, *, ScalarType? dtype=None, Device? device=None, double scale=1, int64_t zero_point=0",
)
def _empty_affine_quantized(
    size: Sequence[int],
    dtype: dtype | None = None,
    device: str | int | device | None = None,
    scale: float = 1.0,
    zero_point: int = 0,
) -> Tensor:
    from .creation import empty

    return empty(tuple(size), dtype, device, scale, zero_point)


@_making(
    "_empty_per_channel_affine_quantized",
    "Returns an uninitialized quantized tensor with a scale and zero point per channel.",
    "creation.empty_by_channel",
    "SymIntArrayRef size, *, Tensor scales, Tensor zero_points, int64_t axis, ScalarType? dtype=None, "
    "Device? device=None",
)
def _empty_per_channel_affine_quantized(
    size: Any,
    scales: Tensor,
    zero_points: Tensor,
    axis: int,
    dtype: dtype | None = None,
    device: str | int | device | None = None,
) -> Tensor:
    from .creation import empty_by_channel

    return empty_by_channel(tuple(size), scales, zero_points, axis, dtype)


@_making(
    "fake_quantize_per_tensor_affine",
    "Quantizes and dequantizes with one scale and zero point.",
    "fake.by_tensor",
    category="pointwise",
)
def fake_quantize_per_tensor_affine(
    input: Tensor, scale: Tensor | float, zero_point: Tensor | int, quant_min: int, quant_max: int
) -> Tensor:
    from .fake import by_tensor

    return by_tensor(input, scale, zero_point, quant_min, quant_max)


@_making(
    "fake_quantize_per_channel_affine",
    "Quantizes and dequantizes with a scale and zero point per channel.",
    "fake.by_channel",
    category="pointwise",
)
def fake_quantize_per_channel_affine(
    input: Tensor, scale: Tensor, zero_point: Tensor, axis: int, quant_min: int, quant_max: int
) -> Tensor:
    from .fake import by_channel

    return by_channel(input, scale, zero_point, axis, quant_min, quant_max)


@calls(
    "quantization_report",
    "Reports what quantization does to each value: which are clipped, and how much the others are rounded.",
    "Tensor input, Tensor quantized",
    forms="function",
    family="creation",
    category="utilities",
)
def quantization_report(input: Tensor, quantized: Tensor) -> Report:
    refuse_plain("quantization_report", quantized)


declared_in(OPS["quantization_report"], f"{__package__}.questions", "quantization_report")
OPS["quantization_report"].plain.__annotations__["return"] = "Report"


# -- questions ---------------------------------------------------------------------------------------------------


def _question(name: str, answer: str, words: str) -> None:
    def ask(input: Tensor) -> Any:
        refuse_plain(name, input)

    forms = "method" if name == "qscheme" else "function method"  # the function's name is the class's
    calls(name, words, family="question", category="tensor", forms=forms)(ask)
    declared_in(OPS[name], f"{__package__}.questions", name, kernel=answer == "Tensor")
    OPS[name].plain.__annotations__["return"] = answer


for _name, _answer, _words in (
    ("int_repr", "Tensor", "Returns the integers of a quantized tensor as a plain tensor."),
    ("qscheme", "qscheme", "Returns the quantization scheme: per tensor or per channel."),
    ("q_scale", "float", "Returns the scale of a quantized tensor."),
    ("q_zero_point", "int", "Returns the zero point of a quantized tensor."),
    ("q_per_channel_scales", "Tensor", "Returns the scale of each channel."),
    ("q_per_channel_zero_points", "Tensor", "Returns the zero point of each channel."),
    ("q_per_channel_axis", "int", "Returns the dimension of the channels."),
):
    _question(_name, _answer, _words)


@calls(
    "dequantize",
    "Converts a quantized tensor to float32.",
    family="question",
    category="creation",
)
def dequantize(input: Tensor | None = None, tensors: tuple[int, ...] = ()) -> Any:
    if input is None:
        return tuple([dequantize(t) for t in tensors])
    if type(input._array) is MetaArray:
        refuse_plain("dequantize.self", input)
    return input if input._dtype is dtypes.float32 else input.to(dtypes.float32)


declared_in(OPS["dequantize"], f"{__package__}.questions", "dequantize")


def refuse_plain(name: str, input: Tensor, because: str = "this is a question about quantized tensors") -> NoReturn:
    """PyTorch's refusal of a tensor that is not quantized."""
    if type(input._array) is MetaArray:
        message = (
            f"aten::{name}: attempted to run this operator with Meta tensors, but there was no fake impl or Meta "
            "kernel registered."
        )
    else:
        message = f"Could not run 'aten::{name}' with arguments from the 'CPU' backend."
    refuse(
        NotImplementedError,
        message,
        because,
        "torch.quantize_per_tensor(x, scale, zero_point, torch.quint8)",
        rule="quantized.plain",
    )
