"""Normalization of channels over a batch: batch_norm with its running statistics, instance_norm."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np
from numpy import ndarray

from ....backends.numpy.layers import batch_norm as batch_norm_of_many
from ....backends.numpy.layers import channels_apart, few_channels
from ....backends.numpy.rounded_steps import rounding, unchanged
from ....backends.numpy.sums.scaled_rows import are_scalable
from ....backends.numpy.without_warnings import silent
from ....declare.rules import Answer, Result
from ....dispatch.registry import OPS
from ....errors.reasons import refuse
from ....tensor.keys import KEY_META
from ....tensor.must_be_tensor import must_be_tensor
from ....tensor.tensor import Tensor
from ....tensor.write_checks import check_writable
from ....types.dtypes import opmath
from ..declaring import nn_composite, nn_row_without_out
from .examples import array_of, check_batch_size, check_fraction, kept_stride, statistics_dtype


@silent
def fill_batch_norm(
    targets: tuple,
    input: np.ndarray,
    weight: ndarray,
    bias: ndarray | None,
    running_mean: ndarray,
    running_var: ndarray,
    training: bool,
    momentum: float,
    eps: float,
    wide: np.dtype,
) -> None:
    """Normalize each channel; in training by the batch's own statistics, which the running ones follow."""
    result, saved_mean, saved_scale = targets
    if result.dtype == input.dtype and channels_apart.lie_apart(input):
        _fill_apart(targets, input, weight, bias, running_mean, running_var, training, momentum, eps)
        return
    columns = input.reshape(*input.shape[:2], -1)
    dense = input.flags.c_contiguous or np.moveaxis(input, 1, -1).flags.c_contiguous
    beside = not input.flags.c_contiguous or columns.shape[2] == 1
    if dense and result.dtype == input.dtype and few_channels.are_few(columns, training and beside):
        few = (columns, weight, bias, running_mean, running_var)
        np.copyto(result, _of_few(few, targets[1:], beside, training, momentum, eps).reshape(result.shape), "same_kind")
        return
    own = result.dtype == wide and result.flags.c_contiguous and not np.may_share_memory(result, input)
    if own and are_scalable(columns):
        parameters = weight, bias, running_mean, running_var
        if _fill_rows(result.reshape(columns.shape), columns, targets[1:], parameters, training, momentum, eps):
            return
    room = result.reshape(columns.shape) if own else None
    if training:
        saved, running = targets[1:], (running_mean, running_var)
        normal, scale = _by_batch(columns, saved, running, momentum, eps, wide, dense, room)
    else:
        mean = running_mean.astype(wide, copy=False)
        scale = 1 / np.sqrt(running_var.astype(wide, copy=False) + wide.type(eps))
        normal = np.subtract(columns, mean[:, None], dtype=wide, out=room)
    step = unchanged if dense else rounding(saved_mean.dtype, wide)
    if step is not unchanged:  # 16-bit floats that lie apart: PyTorch has no kernel that does all at once
        normal, scale = step(step(normal) * scale.astype(wide)[:, None]), np.ones(len(scale), wide)
    if weight is not None:
        scale = scale * weight
    normal *= scale.astype(wide, copy=False)[:, None]
    if bias is not None:
        normal = np.add(step(normal), bias.astype(wide, copy=False)[:, None], out=room)
    elif weight is not None:
        normal += 0  # a factor below 0 makes a negative zero of 0
    if not own:
        np.copyto(result, normal.reshape(result.shape), casting="unsafe")


def _fill_rows(
    out: ndarray, columns: ndarray, saved: tuple, parameters: tuple, training: bool, momentum: float, eps: float
) -> bool:
    """The same for many numbers that lie row by row; False, and nothing is written, if that would lose digits."""
    weight, bias, running_mean, running_var = parameters
    number = columns.dtype.type
    if training:
        found = batch_norm_of_many.statistics(columns)
        if found is None:
            return False
        mean, squares = found
        count = columns.shape[0] * columns.shape[2]
        scale = 1 / np.sqrt(squares / count + eps)
        np.copyto(saved[0], mean, "same_kind")
        np.copyto(saved[1], scale, "same_kind")
        follow_statistic(running_mean, mean, momentum)
        follow_statistic(running_var, squares / (count - 1), momentum)
    else:
        mean, scale = running_mean, 1 / np.sqrt(running_var + number(eps))
    mean, scale = mean.astype(number, copy=False), scale.astype(number, copy=False)
    weight, bias = [None if a is None else a.astype(number, copy=False) for a in (weight, bias)]
    batch_norm_of_many.normalize(columns, mean, scale, weight, bias, out)
    return True


def _by_batch(
    columns: ndarray, saved: tuple, running: tuple, momentum: float, eps: float, wide: np.dtype, dense: bool, room: Any
) -> tuple[ndarray, ndarray]:
    """The distances of numbers to the mean of their channel, in `room` if there is any, and the factor of each channel.

    The statistics of the batch are saved, and the running ones follow them.
    """
    (saved_mean, saved_scale), (running_mean, running_var) = saved, running
    count = columns.shape[0] * columns.shape[2]
    mean = columns.mean((0, 2), dtype=wide)
    rounded = rounding(saved_mean.dtype, wide)
    # PyTorch keeps the sums of bfloat16 in bfloat16; its kernels for float16, and for numbers that lie apart, round no
    # more than the statistics.
    each_step = unchanged if saved_mean.dtype == np.float16 or not dense else rounded
    of_batch, mean = mean, each_step(mean)
    normal = np.subtract(columns, mean[:, None], dtype=wide, out=room)
    squares = each_step(np.einsum("ncl,ncl->c", normal, normal))
    variance = each_step(squares / wide.type(max(count, 1)))
    scale = rounded(1 / np.sqrt(variance + wide.type(eps)))
    if rounded is not each_step:
        mean = rounded(mean)
        normal = np.subtract(columns, mean[:, None], dtype=wide, out=room)
    np.copyto(saved_mean, mean, casting="unsafe")
    np.copyto(saved_scale, scale, casting="unsafe")
    in_16_bits = each_step is not unchanged
    if running_mean is not None and in_16_bits:
        share = each_step(momentum)[()]  # a number, which meets arrays of every device
        mean_step = each_step(share * mean)
        follow_in_bfloat16(running_mean, mean_step, momentum, each_step)
    else:
        follow_statistic(running_mean, of_batch if dense else mean, momentum)
    if running_var is not None and in_16_bits:
        spread = each_step(squares / wide.type(count - 1))
        follow_in_bfloat16(running_var, each_step(momentum)[()] * spread, momentum, each_step)
    elif running_var is not None:
        follow_statistic(running_var, squares / wide.type(count - 1), momentum)
    return normal, scale


def _fill_apart(
    targets: tuple,
    input: ndarray,
    weight: ndarray | None,
    bias: ndarray | None,
    running_mean: ndarray,
    running_var: ndarray,
    training: bool,
    momentum: float,
    eps: float,
) -> None:
    """The same for float32 that lie neither row by row nor with the channels last, as PyTorch rounds each step."""
    result, saved_mean, saved_scale = targets
    mean = running_mean
    if training:
        count = input.size // input.shape[1]
        mean, squares = channels_apart.statistics(input)
        scale = few_channels.inverse_deviation(squares / count, eps)
        np.copyto(saved_mean, mean)
        np.copyto(saved_scale, scale)
        follow_statistic(running_mean, mean.astype(np.float64), momentum)
        follow_statistic(running_var, squares / (count - 1), momentum)
    else:
        scale = 1 / np.sqrt(running_var + running_var.dtype.type(eps))
    channels_apart.normalize(result, input, mean, scale, weight, bias)


def _of_few(given: tuple, saved: tuple, side_by_side: bool, training: bool, momentum: float, eps: float) -> ndarray:
    """The same for few float32, as PyTorch rounds each step. The result is in float64, and is rounded when copied."""
    columns, weight, bias, running_mean, running_var = given
    if training:
        count = columns.size // columns.shape[1]
        mean, squares = few_channels.statistics(columns, side_by_side)
        scale = few_channels.scale_in_training(squares, count, eps)
        few_channels.follow(running_mean, mean, momentum, False)
        few_channels.follow(running_var, squares / squares.dtype.type(count - 1), momentum, True)
        np.copyto(saved[0], mean)
        np.copyto(saved[1], scale)
    else:
        mean = running_mean
        scale = 1 / np.sqrt(running_var + running_var.dtype.type(eps))
    return few_channels.normalized(columns, mean, scale, weight, bias)


def follow_statistic(running: ndarray, value: np.ndarray, momentum: float) -> None:
    """Move a running statistic towards the batch's, in place."""
    if running is not None:
        np.copyto(running, momentum * value + (1 - momentum) * running.astype(value.dtype), casting="unsafe")


def follow_in_bfloat16(running: ndarray, step: ndarray, momentum: float, rounded: Callable[[Any], Any]) -> None:
    """Move a running statistic of bfloat16, in which PyTorch keeps the momentum and products as well."""
    kept = rounded(1 - rounded(momentum))[()]
    np.copyto(running, step + rounded(kept * running.astype(kept.dtype)), casting="unsafe")


@nn_row_without_out("native_batch_norm", "Batch normalization with the mean and the inverse deviation of each channel.",
           fill_batch_norm)  # fmt: skip
def native_batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None,
    running_var: Tensor | None, training: bool, momentum: float, eps: float,
) -> Answer:  # fmt: skip
    d, channels = input._dtype, input._array.shape[1]
    check_fraction(d, "batch_norm")
    inner = statistics_dtype(input, "batch_norm", weight, bias, running_mean, running_var)
    for running in (running_mean, running_var):
        if training and running is not None:
            check_writable(running, alike=True)
    on_meta = input._keys & KEY_META  # where PyTorch keeps statistics outside of training, too, and never as halves
    saved = Result((channels if training or on_meta else 0,), opmath(d) if on_meta else inner)
    given = (
        input._array, array_of(weight), array_of(bias), array_of(running_mean), array_of(running_var), training,
        momentum, eps, opmath(d)._in_numpy,
    )  # fmt: skip
    return (Result(input._array.shape, d, kept_stride(input)), saved, saved), given


def check_channels(channels: int, **given: Tensor | None) -> None:
    """Refuse statistics and parameters without exactly one element for each channel."""
    for name, tensor in given.items():
        if tensor is not None and tensor.numel() != channels:
            refuse(
                RuntimeError,
                f"{name} should contain {channels} elements not {tensor.numel()}",
                f"each channel has its number: the input has {channels} channels, in dimension 1, and {name} has "
                f"{tensor.numel()} numbers",
                f"a layer with {channels} channels" if name.startswith("running") else f"{name} of size [{channels}]",
                rule="norm.channels",
            )


@nn_composite("batch_norm", "Batch normalization: channels get mean 0 and variance 1 over the batch.")
def batch_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None,
    running_var: Tensor | None, training: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Tensor:  # fmt: skip
    if not input.numel():
        empty = input.clone()
        empty = empty if weight is None else empty * weight.select(0, 0)
        return empty if bias is None else empty + bias.select(0, 0)
    channels = input.size(1) if input.dim() > 1 else 0
    for name, tensor in (("running_mean", running_mean), ("running_var", running_var)):
        if tensor is None and not training:
            refuse(
                RuntimeError,
                f"{name} must be defined in evaluation mode",
                "outside of training the numbers are normalized by running statistics",
                "training=True",
                rule="norm.statistics",
            )
        check_channels(channels, **{name: tensor})
    check_channels(channels, weight=weight, bias=bias)
    input.size(1)  # one dimension alone has no channels
    if (running_mean is None) is not (running_var is None):
        refuse(
            ValueError,
            "running_mean and running_var must either both be None or neither be None",
            "a layer keeps both statistics or none",
            rule="norm.statistics",
        )
    function = OPS["native_batch_norm"].function
    return function(input, weight, bias, running_mean, running_var, training, momentum, eps)[0]


@nn_composite(
    "nn.functional.batch_norm", "Gives each channel mean 0 and variance 1 over the batch, then multiplies and adds."
)
def functional_batch_norm(
    input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None,
    bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-05,
) -> Tensor:  # fmt: skip
    must_be_tensor("batch_norm", input)
    if training:
        check_batch_size(input.size())
    if eps < 0 or training and not eps:
        kind = "positive during training" if training else "non-negative"
        refuse(
            ValueError,
            f"batch_norm eps must be {kind}, but got {eps}",
            "eps is added to the variance, so that nothing is divided by 0",
            "eps=1e-5",
            rule="norm.eps",
        )
    function = OPS["batch_norm"].function
    return function(input, weight, bias, running_mean, running_var, training, momentum, eps, True)


# -- instance_norm -----------------------------------------------------------------------------------------------


@nn_composite("instance_norm", "Instance normalization: each channel of each example gets mean 0 and variance 1.")
def instance_norm(
    input: Tensor, weight: Tensor | None, bias: Tensor | None, running_mean: Tensor | None,
    running_var: Tensor | None, use_input_stats: bool, momentum: float, eps: float, cudnn_enabled: bool,
) -> Tensor:  # fmt: skip
    if not use_input_stats and (running_mean is None or running_var is None):
        refuse(
            RuntimeError,
            "Expected running_mean and running_var to be defined when use_input_stats is false",
            "without the input's own statistics others are needed",
            "use_input_stats=True",
            rule="norm.statistics",
        )
    size = tuple(input.size())
    n, channels = input.size(0), input.size(1)  # which refuse dimensions that are not there
    d = (input if weight is None else weight)._dtype  # running statistics may be of any dtype
    running = [None if t is None else t.to(d) for t in (running_mean, running_var)]
    many = [None if t is None else t.repeat(n) for t in (weight, bias, *running)]
    rows = input.contiguous().view(1, n * channels, *size[2:])
    function = OPS["batch_norm"].function
    result = function(rows, *many, use_input_stats, momentum, eps, cudnn_enabled)
    for statistic, new in ((running_mean, many[2]), (running_var, many[3])):
        if statistic is not None and new is not None and use_input_stats:
            statistic.copy_(new.view(n, channels).mean(0))
    return result.view(size)


@nn_composite("nn.functional.instance_norm", "Gives each channel of each example mean 0 and variance 1.")
def functional_instance_norm(
    input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None,
    weight: Tensor | None = None, bias: Tensor | None = None, use_input_stats: bool = True, momentum: float = 0.1,
    eps: float = 1e-05,
) -> Tensor:  # fmt: skip
    must_be_tensor("instance_norm", input)
    if use_input_stats and prod(input.size()[2:]) == 1:
        refuse(
            ValueError,
            f"Expected more than 1 spatial element when training, got input size {input.size()}",
            "a single number has no variance",
            "use_input_stats=False",
            rule="norm.batch",
        )
    function = OPS["instance_norm"].function
    return function(input, weight, bias, running_mean, running_var, use_input_stats, momentum, eps, True)
