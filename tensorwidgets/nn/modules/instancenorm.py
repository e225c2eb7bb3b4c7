"""Normalization of the channels of each example as modules: InstanceNorm1d to 3d."""

from __future__ import annotations

import warnings
from typing import Any

from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .batchnorm import _LazyNormBase, _NormBase


class _InstanceNorm(_NormBase):
    """Normalizes each channel of each example; the batch dimension may be left out."""

    def __init__(
        self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False,
        track_running_stats: bool = False, device: Any = None, dtype: Any = None, *, bias: bool = True,
    ) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _get_no_batch_dim(self) -> int:
        return self.dims[0]

    def _apply_instance_norm(self, input: Tensor) -> Tensor:
        own = self.training or not self.track_running_stats
        factor = 0.0 if self.momentum is None else self.momentum
        return F.instance_norm(
            input, self.running_mean, self.running_var, self.weight, self.bias, own, factor, self.eps
        )  # fmt: skip

    def forward(self, input: Tensor) -> Tensor:
        self._check_input_dim(input)
        place = input.dim() - self._get_no_batch_dim()
        if input.size(place) != self.num_features:
            if self.affine:
                raise ValueError(
                    f"expected input's size at dim={place} to match num_features ({self.num_features}), but got: "
                    f"{input.size(place)}."
                )
            warnings.warn(
                f"input's size at dim={place} does not match num_features. You can silence this warning by not passing "
                "in num_features, which is not used because affine=False",
                stacklevel=2,
            )
        if input.dim() == self._get_no_batch_dim():
            return self._apply_instance_norm(input.unsqueeze(0)).squeeze(0)
        return self._apply_instance_norm(input)

    def _load_from_state_dict(
        self, state_dict: Any, prefix: str, local_metadata: Any, strict: bool, missing_keys: list,
        unexpected_keys: list, error_msgs: list,
    ) -> None:  # fmt: skip
        if local_metadata.get("version", None) is None and not self.track_running_stats:
            old = [name for name in ("running_mean", "running_var") if prefix + name in state_dict]
            if old:
                kind = type(self).__name__
                error_msgs.append(
                    f"Unexpected running stats buffer(s) {' and '.join(repr(n).replace(chr(39), chr(34)) for n in old)}"
                    f" for {kind} with track_running_stats=False. If state_dict is a checkpoint saved before 0.4.0, "
                    f"this may be expected because {kind} does not track running stats by default since 0.4.0. Please "
                    "remove these keys from state_dict. If the running stats are actually needed, instead set "
                    f"track_running_stats=True in {kind} to enable them. See the documentation of {kind} for details."
                )
                for name in old:
                    state_dict.pop(prefix + name)
        super()._load_from_state_dict(
            state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs
        )


class InstanceNorm1d(_InstanceNorm):
    """Gives each channel of each sequence mean 0 and variance 1.

    >>> InstanceNorm1d(3)
    InstanceNorm1d(3, eps=1e-05, momentum=0.1, affine=False, bias=False, track_running_stats=False)
    """

    dims = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """Gives each channel of each image mean 0 and variance 1."""

    dims = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """Gives each channel of each volume mean 0 and variance 1."""

    dims = (4, 5)


class LazyInstanceNorm1d(_LazyNormBase, InstanceNorm1d):  # type: ignore[misc]
    """An `InstanceNorm1d` that takes `num_features` from the first input."""

    cls_to_become = InstanceNorm1d


class LazyInstanceNorm2d(_LazyNormBase, InstanceNorm2d):  # type: ignore[misc]
    """An `InstanceNorm2d` that takes `num_features` from the first input."""

    cls_to_become = InstanceNorm2d


class LazyInstanceNorm3d(_LazyNormBase, InstanceNorm3d):  # type: ignore[misc]
    """An `InstanceNorm3d` that takes `num_features` from the first input."""

    cls_to_become = InstanceNorm3d
