"""Which layers say how far a result is from what was wanted?"""

from .base import _Loss as _Loss
from .base import _WeightedLoss as _WeightedLoss
from .classes import CrossEntropyLoss, LinearCrossEntropyLoss, NLLLoss, NLLLoss2d
from .differences import HuberLoss, L1Loss, MSELoss, SmoothL1Loss
from .distances import CosineEmbeddingLoss, TripletMarginLoss, TripletMarginWithDistanceLoss
from .distributions import GaussianNLLLoss, KLDivLoss, PoissonNLLLoss
from .margins import HingeEmbeddingLoss, MarginRankingLoss, MultiLabelMarginLoss, MultiMarginLoss
from .sequences import CTCLoss
from .yes_or_no import BCELoss, BCEWithLogitsLoss, MultiLabelSoftMarginLoss, SoftMarginLoss

__all__ = [
    "BCELoss", "BCEWithLogitsLoss", "CTCLoss", "CosineEmbeddingLoss", "CrossEntropyLoss", "GaussianNLLLoss",
    "HingeEmbeddingLoss", "HuberLoss", "KLDivLoss", "L1Loss", "LinearCrossEntropyLoss", "MSELoss",
    "MarginRankingLoss", "MultiLabelMarginLoss", "MultiLabelSoftMarginLoss", "MultiMarginLoss", "NLLLoss", "NLLLoss2d",
    "PoissonNLLLoss", "SmoothL1Loss", "SoftMarginLoss", "TripletMarginLoss", "TripletMarginWithDistanceLoss",
]  # fmt: skip
