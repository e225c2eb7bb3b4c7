"""Images, sequences and volumes at another size, as modules."""

from __future__ import annotations

from typing import Any

from ...engine.tensor.tensor import Tensor
from .. import functional as F
from .module import Module


class Upsample(Module):
    """Resamples to a size, or by a factor.

    >>> import tensorwidgets as torch
    >>> Upsample(scale_factor=2)
    Upsample(scale_factor=2.0, mode='nearest')
    >>> Upsample(scale_factor=2)(torch.tensor([[[1.0, 2.0]]]))
    tensor([[[1., 1., 2., 2.]]])
    """

    __constants__ = ["size", "scale_factor", "mode", "align_corners", "name", "recompute_scale_factor"]

    def __init__(
        self, size: Any = None, scale_factor: Any = None, mode: str = "nearest", align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        self.name, self.size, self.mode, self.align_corners = type(self).__name__, size, mode, align_corners
        self.scale_factor: Any = float(scale_factor) if scale_factor and not isinstance(scale_factor, tuple) else None
        if isinstance(scale_factor, tuple):
            self.scale_factor = tuple(float(factor) for factor in scale_factor)
        self.recompute_scale_factor = recompute_scale_factor

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(
            input, self.size, self.scale_factor, self.mode, self.align_corners,
            recompute_scale_factor=self.recompute_scale_factor,
        )  # fmt: skip

    def __setstate__(self, state: dict[str, Any]) -> None:
        state.setdefault("recompute_scale_factor", True)  # what older files meant
        super().__setstate__(state)

    def extra_repr(self) -> str:
        chosen = f"size={self.size!r}" if self.scale_factor is None else f"scale_factor={self.scale_factor!r}"
        return f"{chosen}, mode={self.mode!r}"


class UpsamplingNearest2d(Upsample):
    """Resizes images by copying the nearest elements."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="nearest")


class UpsamplingBilinear2d(Upsample):
    """Resizes images bilinearly, with `align_corners=True`."""

    def __init__(self, size: Any = None, scale_factor: Any = None) -> None:
        super().__init__(size, scale_factor, mode="bilinear", align_corners=True)
