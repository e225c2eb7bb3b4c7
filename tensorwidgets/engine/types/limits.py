"""finfo and iinfo: the limits of each kind of number, printed as PyTorch prints them."""

from __future__ import annotations

from math import log2
from typing import Any

import numpy as np

from ..errors.reasons import refuse
from . import dtypes
from .dtypes import dtype


def _six_digits(x: float) -> str:
    return f"{x:.6g}"


class finfo:
    """Limits of a floating dtype; of a complex one, those of its parts.

    >>> finfo(dtypes.float16).max, finfo(dtypes.float16).eps
    (65504.0, 0.0009765625)
    """

    __slots__ = ("bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution", "dtype")

    def __init__(self, type: Any = ...):
        d = dtypes.get_default_dtype() if type is ... else dtypes.of_type(type)
        if not isinstance(d, dtype):
            refuse(
                TypeError,
                f"finfo(): argument 'type' (position 1) must be torch.dtype, not {d.__class__.__name__}",
            )
        d = d.to_real()
        if not d.is_floating_point:
            refuse(
                TypeError,
                "torch.finfo() requires a floating point input type. Use torch.iinfo to handle 'torch.finfo'",
                f"{d} is not a floating type",
                f"torch.iinfo({d})",
            )
        limits: np.finfo
        if d._numpy is not None and d._numpy.isbuiltin == 1:
            limits = np.finfo(d._in_numpy)
        else:
            import ml_dtypes

            limits = ml_dtypes.finfo(d._in_numpy)
        self.bits = d.itemsize * 8
        self.eps, self.max, self.min = float(limits.eps), float(limits.max), float(limits.min)
        self.tiny = self.smallest_normal = float(limits.smallest_normal)
        # PyTorch's rule: the power of ten that the digits of the mantissa guarantee.
        digits10 = int(-log2(self.eps) * 0.30102999566398120)
        self.resolution = float(f"1e-{digits10}")
        self.dtype = d._name

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={_six_digits(self.resolution)}, min={_six_digits(self.min)}, "
            f"max={_six_digits(self.max)}, "
            f"eps={_six_digits(self.eps)}, smallest_normal={_six_digits(self.smallest_normal)}, "
            f"tiny={_six_digits(self.tiny)}, dtype={self.dtype})"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, finfo) and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)


class iinfo:
    """Limits of an integer dtype.

    >>> iinfo(dtypes.int8)
    iinfo(min=-128, max=127, dtype=int8)
    """

    __slots__ = ("bits", "max", "min", "dtype")

    def __init__(self, type: dtype):
        type = dtypes.of_type(type)
        if not isinstance(type, dtype):
            refuse(
                TypeError,
                f"iinfo(): argument 'type' (position 1) must be torch.dtype, not {type.__class__.__name__}",
            )
        if type._kind in (dtypes.FLOAT, dtypes.COMPLEX):
            refuse(
                TypeError,
                "torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'",
                f"{type} is not an integer type",
                f"torch.finfo({type})",
            )
        if type is dtypes.bool_:
            refuse(
                TypeError,
                "torch.bool is not supported by torch.iinfo",
                "a bool is True or False and has no limits",
            )
        if type._is_quantized:
            refuse(
                NotImplementedError,
                f"\"dtype\" not implemented for '{type._type_name}'",
                "the limits of a quantized tensor follow from its scale and zero point",
                "torch.iinfo(q.int_repr().dtype)",
                rule="iinfo.quantized",
            )
        limits = np.iinfo(type._in_numpy)
        self.bits, self.max, self.min, self.dtype = limits.bits, int(limits.max), int(limits.min), type._name

    def __repr__(self) -> str:
        return f"iinfo(min={_six_digits(self.min)}, max={_six_digits(self.max)}, dtype={self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, iinfo) and self.dtype == other.dtype

    def __hash__(self) -> int:
        return hash(self.dtype)
