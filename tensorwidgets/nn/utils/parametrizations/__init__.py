"""torch.nn.utils.parametrizations: which parametrizations are ready-made?"""

from __future__ import annotations

from typing import Any

from .lengths import weight_norm
from .orthogonal import orthogonal
from .stretches import spectral_norm

__all__ = ["orthogonal", "spectral_norm", "weight_norm"]


def __getattr__(name: str) -> Any:
    from ....engine.errors.missing_names import missing

    missing(__name__, name, __all__)
