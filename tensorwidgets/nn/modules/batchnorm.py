"""Normalization of channels over a batch as modules, with running statistics: BatchNorm1d to 3d, SyncBatchNorm."""

from __future__ import annotations

import sys
from typing import Any

from ...engine.derivatives.ops import torch
from ...engine.errors.reasons import refuse
from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .. import init
from ..uninitialized import UninitializedBuffer, UninitializedParameter
from .lazy import LazyModuleMixin
from .module import Module
from .normalization import new_parameters


class _NormBase(Module):
    """What normalizations of channels share: parameters, running statistics, their names in files."""

    _version = 2
    __constants__ = ["track_running_stats", "momentum", "eps", "num_features", "affine"]
    dims: tuple[int, ...] = ()
    """How many dimensions an input may have."""

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.num_features, self.eps, self.momentum = num_features, eps, momentum
        self.affine, self.track_running_stats = affine, track_running_stats
        new_parameters(self, num_features, {"weight": affine, "bias": affine and bias}, device, dtype)
        tracked = track_running_stats
        self.register_buffer("running_mean", torch.zeros(num_features, device=device, dtype=dtype) if tracked else None)
        self.register_buffer("running_var", torch.ones(num_features, device=device, dtype=dtype) if tracked else None)
        count = torch.tensor(0, dtype=torch.long, device=device) if tracked else None
        self.register_buffer("num_batches_tracked", count)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Set the running mean to 0, the running variance to 1, and the count to 0."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Reset the statistics, the weight to 1 and the bias to 0."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
            if self.bias is not None:
                init.zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() not in self.dims:
            wanted = " or ".join(f"{n}D" for n in self.dims)
            raise ValueError(f"expected {wanted} input (got {input.dim()}D input)")

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, missing_keys: list,
        unexpected_keys: list, error_msgs: list,
    ) -> None:  # fmt: skip
        version = local_metadata.get("version", None)
        key = f"{prefix}num_batches_tracked"
        if (version is None or version < 2) and self.track_running_stats and key not in state_dict:
            counted = self.num_batches_tracked  # files of version 1 do not hold the count
            known = counted is not None and not counted.is_meta
            state_dict[key] = counted if known else torch.tensor(0, dtype=torch.long)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )


class _LazyNormBase(LazyModuleMixin):
    """What lazy normalizations share: parameters and statistics get one number for each channel."""

    num_features: int
    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any

    def __init__(
        self, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True, track_running_stats: bool = True,
        device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(0, eps, momentum, False, False, device=device, dtype=dtype, bias=False)
        self.affine, self.track_running_stats = affine, track_running_stats
        if affine:
            self.weight = UninitializedParameter(device=device, dtype=dtype)
            if bias:
                self.bias = UninitializedParameter(device=device, dtype=dtype)
        if track_running_stats:
            self.running_mean = UninitializedBuffer(device=device, dtype=dtype)
            self.running_var = UninitializedBuffer(device=device, dtype=dtype)
            self.num_batches_tracked = torch.tensor(0, dtype=torch.long, device=device)

    def reset_parameters(self) -> None:
        if not self.has_uninitialized_params() and self.num_features != 0:
            super().reset_parameters()  # type: ignore[misc]

    def initialize_parameters(self, input: Tensor) -> None:
        if not self.has_uninitialized_params():
            return
        self.num_features = input.shape[1]
        for tensor in (self.weight, self.bias, self.running_mean, self.running_var):
            if tensor is not None:
                tensor.materialize((self.num_features,))
        self.reset_parameters()


class _BatchNorm(_NormBase):
    """Normalizes by the batch's statistics in training, and by the running ones afterwards."""

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        factor = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                factor = 1.0 / float(self.num_batches_tracked)
        own = self.training or (self.running_mean is None and self.running_var is None)
        read = not self.training or self.track_running_stats
        mean, var = (self.running_mean, self.running_var) if read else (None, None)
        return F.batch_norm(input, mean, var, self.weight, self.bias, own, factor, self.eps)


class BatchNorm1d(_BatchNorm):
    """Gives each channel mean 0 and variance 1 over a batch of vectors or sequences.

    >>> BatchNorm1d(3)
    BatchNorm1d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    dims = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Gives each channel mean 0 and variance 1 over a batch of images.

    >>> import tensorwidgets as torch
    >>> layer = torch.nn.BatchNorm2d(3)
    >>> layer(torch.ones(2, 3, 4, 4)).shape
    torch.Size([2, 3, 4, 4])
    """

    dims = (4,)


class BatchNorm3d(_BatchNorm):
    """Gives each channel mean 0 and variance 1 over a batch of volumes."""

    dims = (5,)


class SyncBatchNorm(_BatchNorm):
    """Gives each channel mean 0 and variance 1 over the batches of all ranks.

    In a single process, it is an ordinary `BatchNorm`. PyTorch refuses several ranks without GPUs, and so does this
    layer.

    >>> import tensorwidgets as torch
    >>> torch.nn.SyncBatchNorm.convert_sync_batchnorm(torch.nn.Sequential(torch.nn.BatchNorm1d(2)))
    Sequential(
      (0): SyncBatchNorm(2, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    )
    """

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
        track_running_stats: bool = True, process_group: Any = None, device: Any = None, dtype: Any = None, *,
        bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)
        self.process_group = process_group

    def _check_input_dim(self, input: Tensor) -> None:
        if input.dim() < 2:
            raise ValueError(f"expected at least 2D input (got {input.dim()}D input)")
        if input.size(1) == 0:
            raise ValueError("SyncBatchNorm number of input channels should be non-zero")

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        distributed = sys.modules.get(f"{__name__.partition('.')[0]}.distributed")
        if self.training and distributed is not None and distributed.is_initialized():
            _refuse_other_ranks(input, distributed.get_world_size(self.process_group))
        return super().forward(input)

    @classmethod
    def convert_sync_batchnorm(cls, module: Module, process_group: Any = None) -> Module:
        """A module whose layers of batch norms are of this class, with the same parameters."""
        result: Any = module
        if isinstance(module, _BatchNorm):
            result = SyncBatchNorm(
                module.num_features, module.eps, module.momentum, module.affine, module.track_running_stats,
                process_group, bias=module.bias is not None,
            )  # fmt: skip
            if module.affine:
                result.weight, result.bias = module.weight, module.bias
            for name in ("running_mean", "running_var", "num_batches_tracked"):
                setattr(result, name, getattr(module, name))
            result.training = module.training
        for name, child in module.named_children():
            result.add_module(name, cls.convert_sync_batchnorm(child, process_group))
        return result


def _refuse_other_ranks(input: Tensor, world_size: int) -> None:
    ways = (
        "BatchNorm, whose running statistics are rank 0's; in eval mode all ranks use the same",
        "or GroupNorm or LayerNorm, which need no other sample",
    )
    if input.device.type != "cuda":
        message = "SyncBatchNorm expected input tensor to be on GPU or XPU or privateuseone"
        refuse(ValueError, message, "the batches of several ranks are only joined on GPUs", *ways, rule="device.kind")
    if world_size > 1:
        message = "torch.nn.SyncBatchNorm of several ranks is for later"
        because = "it takes means and variances over the batches of all ranks, in forward and backward"
        refuse(NotImplementedError, message, because, *ways, rule="name.later")


class LazyBatchNorm1d(_LazyNormBase, BatchNorm1d):  # type: ignore[misc]
    """A `BatchNorm1d` that takes `num_features` from the first input."""

    cls_to_become = BatchNorm1d


class LazyBatchNorm2d(_LazyNormBase, BatchNorm2d):  # type: ignore[misc]
    """A `BatchNorm2d` that takes `num_features` from the first input.

    >>> import tensorwidgets as torch
    >>> layer = LazyBatchNorm2d()
    >>> y = layer(torch.ones(2, 3, 4, 4))
    >>> layer
    BatchNorm2d(3, eps=1e-05, momentum=0.1, affine=True, bias=True, track_running_stats=True)
    """

    cls_to_become = BatchNorm2d


class LazyBatchNorm3d(_LazyNormBase, BatchNorm3d):  # type: ignore[misc]
    """A `BatchNorm3d` that takes `num_features` from the first input."""

    cls_to_become = BatchNorm3d
