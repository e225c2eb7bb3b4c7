"""torch.optim.lr_scheduler: which schedules of learning rates are there?"""

from __future__ import annotations

from typing import Any

from .schedules.by_function import LambdaLR, MultiplicativeLR
from .schedules.combined import ChainedScheduler, SequentialLR
from .schedules.cosine import CosineAnnealingLR, CosineAnnealingWarmRestarts
from .schedules.cycles import CyclicLR, OneCycleLR
from .schedules.plateau import ReduceLROnPlateau
from .schedules.scheduler import EPOCH_DEPRECATION_WARNING as EPOCH_DEPRECATION_WARNING
from .schedules.scheduler import LRScheduler
from .schedules.steps import ExponentialLR, MultiStepLR, StepLR
from .schedules.warm import ConstantLR, LinearLR, PolynomialLR

__all__ = [
    "ChainedScheduler", "ConstantLR", "CosineAnnealingLR", "CosineAnnealingWarmRestarts", "CyclicLR", "ExponentialLR",
    "LRScheduler", "LambdaLR", "LinearLR", "MultiStepLR", "MultiplicativeLR", "PolynomialLR", "ReduceLROnPlateau",
    "OneCycleLR", "SequentialLR", "StepLR",
]  # fmt: skip


class _LRScheduler(LRScheduler):
    """The first name of LRScheduler. Classes that users wrote long ago are made of it."""


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
