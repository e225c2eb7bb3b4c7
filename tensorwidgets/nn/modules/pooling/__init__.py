"""Which layers make one element of each window?"""

from .average import AdaptiveAvgPool1d, AdaptiveAvgPool2d, AdaptiveAvgPool3d, AvgPool1d, AvgPool2d, AvgPool3d
from .average import _AdaptiveAvgPoolNd as _AdaptiveAvgPoolNd
from .average import _AvgPoolNd as _AvgPoolNd
from .fractional import FractionalMaxPool2d, FractionalMaxPool3d
from .fractional import _FractionalMaxPoolNd as _FractionalMaxPoolNd
from .largest import AdaptiveMaxPool1d, AdaptiveMaxPool2d, AdaptiveMaxPool3d, MaxPool1d, MaxPool2d, MaxPool3d
from .largest import _AdaptiveMaxPoolNd as _AdaptiveMaxPoolNd
from .largest import _MaxPoolNd as _MaxPoolNd
from .norms import LPPool1d, LPPool2d, LPPool3d
from .norms import _LPPoolNd as _LPPoolNd
from .unpooling import MaxUnpool1d, MaxUnpool2d, MaxUnpool3d
from .unpooling import _MaxUnpoolNd as _MaxUnpoolNd

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveAvgPool3d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
    "AdaptiveMaxPool3d", "AvgPool1d", "AvgPool2d", "AvgPool3d", "FractionalMaxPool2d", "FractionalMaxPool3d",
    "LPPool1d", "LPPool2d", "LPPool3d", "MaxPool1d", "MaxPool2d", "MaxPool3d", "MaxUnpool1d", "MaxUnpool2d",
    "MaxUnpool3d",
]  # fmt: skip
