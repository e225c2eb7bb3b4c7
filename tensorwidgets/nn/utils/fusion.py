"""torch.nn.utils.fusion: a layer and the batch normalization after it, as one layer that computes the same.

In evaluation mode, batch normalization multiplies each channel by a number and adds another. Both can be done to the
weight and the bias of the layer before.
"""

from __future__ import annotations

import copy
from typing import Any

from ...engine.derivatives.ops import torch
from ...engine.tensor.tensor import Tensor
from ..parameter import Parameter

__all__ = ["fuse_conv_bn_eval", "fuse_conv_bn_weights", "fuse_linear_bn_eval", "fuse_linear_bn_weights"]


def fuse_conv_bn_eval(conv: Any, bn: Any, transpose: bool = False) -> Any:
    """A convolution that computes what `bn` makes of the results of `conv`; both are in evaluation mode.

    >>> import tensorwidgets as torch
    >>> conv, bn = torch.nn.Conv2d(3, 6, 3).eval(), torch.nn.BatchNorm2d(6).eval()
    >>> images = torch.ones(1, 3, 5, 5)
    >>> torch.allclose(fuse_conv_bn_eval(conv, bn)(images), bn(conv(images)), atol=1e-6)
    True
    """
    _check_fixed(conv, bn)
    fused = copy.deepcopy(conv)
    _check_statistics(bn)
    fused.weight, fused.bias = fuse_conv_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias, transpose
    )
    return fused


def fuse_conv_bn_weights(
    conv_w: Tensor, conv_b: Tensor | None, bn_rm: Tensor, bn_rv: Tensor, bn_eps: float, bn_w: Tensor | None,
    bn_b: Tensor | None, transpose: bool = False,
) -> tuple[Parameter, Parameter]:  # fmt: skip
    """The weight and the bias of a convolution that normalizes, too; `transpose` if it is a transposed one."""
    of_weight, of_bias = conv_w.dtype, conv_w.dtype if conv_b is None else conv_b.dtype
    conv_b = torch.zeros_like(bn_rm) if conv_b is None else conv_b
    bn_w = torch.ones_like(bn_rm) if bn_w is None else bn_w
    bn_b = torch.zeros_like(bn_rm) if bn_b is None else bn_b
    scale = torch.rsqrt(bn_rv + bn_eps)
    channel = [1, -1] if transpose else [-1, 1]
    weight = conv_w * (bn_w * scale).reshape(channel + [1] * (conv_w.dim() - 2))
    bias = (conv_b - bn_rm) * scale * bn_w + bn_b
    return _parameters(weight.to(of_weight), conv_w, bias.to(of_bias), conv_b)


def fuse_linear_bn_eval(linear: Any, bn: Any) -> Any:
    """A linear layer that computes what `bn` makes of the results of `linear`; both are in evaluation mode."""
    _check_fixed(linear, bn)
    fused = copy.deepcopy(linear)
    if linear.out_features != bn.num_features and bn.num_features != 1:
        raise AssertionError(
            "To fuse, linear.out_features == bn.num_features or bn.num_features == 1, got "
            f"linear.out_features={linear.out_features} and bn.num_features={bn.num_features}"
        )
    _check_statistics(bn)
    fused.weight, fused.bias = fuse_linear_bn_weights(
        fused.weight, fused.bias, bn.running_mean, bn.running_var, bn.eps, bn.weight, bn.bias
    )
    return fused


def fuse_linear_bn_weights(
    linear_w: Tensor, linear_b: Tensor | None, bn_rm: Tensor, bn_rv: Tensor, bn_eps: float, bn_w: Tensor, bn_b: Tensor
) -> tuple[Parameter, Parameter]:
    """The weight and the bias of a linear layer that normalizes, too."""
    of_bias = linear_w.dtype if linear_b is None else linear_b.dtype
    linear_b = torch.zeros_like(bn_rm) if linear_b is None else linear_b
    scale = bn_w * torch.rsqrt(bn_rv + bn_eps)
    weight = linear_w * scale.unsqueeze(-1).to(linear_w.dtype)
    bias = (linear_b - bn_rm) * scale + bn_b
    return _parameters(weight, linear_w, bias.to(of_bias), linear_b)


def _parameters(weight: Tensor, old_weight: Tensor, bias: Tensor, old_bias: Tensor) -> tuple[Parameter, Parameter]:
    return Parameter(weight, old_weight.requires_grad), Parameter(bias, old_bias.requires_grad)


def _check_fixed(layer: Any, bn: Any) -> None:
    if layer.training or bn.training:
        raise AssertionError("Fusion only for eval!")


def _check_statistics(bn: Any) -> None:
    if bn.running_mean is None or bn.running_var is None:
        raise AssertionError("bn.running_mean and bn.running_var must not be None")
