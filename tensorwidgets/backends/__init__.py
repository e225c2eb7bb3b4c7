"""torch.backends: which libraries compute. Code that asks for a GPU here is told that there is none.

>>> import tensorwidgets as torch
>>> "mps" if torch.backends.mps.is_available() else "cpu"
'cpu'
"""

from __future__ import annotations

from typing import Any

from . import cpu, cuda, cudnn, mha, mkl, mkldnn, mps, openmp, opt_einsum
from .flags import give
from .precision import Precision

__all__ = ["cpu", "cuda", "cudnn", "mha", "mkl", "mkldnn", "mps", "openmp", "opt_einsum"]

give(__name__, {"fp32_precision": Precision("generic")})


def __getattr__(name: str) -> Any:
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
