"""What do all losses share? A reduction, and the weight of each class or element."""

from __future__ import annotations

from ....engine.ops.nn.losses.reduction import reduction_by_name
from ....engine.tensor.tensor import Tensor
from ..module import Module


class _Loss(Module):
    """What all losses have: a reduction, which the two old arguments may name as well."""

    reduction: str

    def __init__(self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean") -> None:
        super().__init__()
        self.reduction = reduction_by_name(reduction, size_average, reduce, type(self).__name__)


class _WeightedLoss(_Loss):
    """A loss with a weight for each class or element, which is a buffer."""

    def __init__(
        self, weight: Tensor | None = None, size_average: bool | None = None, reduce: bool | None = None,
        reduction: str = "mean",
    ) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.weight: Tensor | None
