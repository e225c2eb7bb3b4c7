"""finfo and iinfo: the limits of each kind of number, printed as PyTorch prints them."""

from __future__ import annotations

from functools import cache
from math import log2
from typing import Any, NoReturn

import numpy as np

from ..errors.reasons import refuse
from . import dtypes
from .built_in import BuiltIn, Fixed, name_in_messages
from .dtype_refusals import refuse_dtype


def _six_digits(x: float) -> str:
    return f"{x:.6g}"


_put = object.__setattr__


@cache
def _limits_of_parts(d: dtypes.dtype) -> dict[str, Any]:
    """The attributes of `finfo` for a real floating dtype."""
    limits: np.finfo
    if d._numpy is not None and d._numpy.isbuiltin == 1:
        limits = np.finfo(d._in_numpy)
    else:
        import ml_dtypes

        limits = ml_dtypes.finfo(d._in_numpy)
    eps, tiny = float(limits.eps), float(limits.smallest_normal)
    # PyTorch's rule: the power of ten that the digits of the mantissa guarantee.
    digits10 = int(-log2(eps) * 0.30102999566398120)
    return {
        "bits": d.itemsize * 8, "eps": eps, "max": float(limits.max), "min": float(limits.min), "tiny": tiny,
        "smallest_normal": tiny, "resolution": float(f"1e-{digits10}"), "dtype": d._name,
    }  # fmt: skip


class _Limits(Fixed):
    """What both kinds of limits have in common: they are made from a dtype, and neither hashed nor pickled."""

    __slots__ = ()

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"cannot pickle '{name_in_messages(type(self))}' object")


class finfo(_Limits, metaclass=BuiltIn):
    """Limits of a floating dtype; of a complex one, those of its parts.

    >>> finfo(dtypes.float16).max, finfo(dtypes.float16).eps
    (65504.0, 0.0009765625)
    """

    __slots__ = ("bits", "eps", "max", "min", "tiny", "smallest_normal", "resolution", "dtype")
    bits: int
    eps: float
    max: float
    min: float
    tiny: float
    smallest_normal: float
    resolution: float
    dtype: str

    def __init__(self, type: Any = ...):
        d = dtypes.get_default_dtype() if type is ... else dtypes.of_type(type)
        if not isinstance(d, dtypes.dtype):
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
        for name, value in _limits_of_parts(d).items():
            _put(self, name, value)

    def __repr__(self) -> str:
        return (
            f"finfo(resolution={_six_digits(self.resolution)}, min={_six_digits(self.min)}, "
            f"max={_six_digits(self.max)}, "
            f"eps={_six_digits(self.eps)}, smallest_normal={_six_digits(self.smallest_normal)}, "
            f"tiny={_six_digits(self.tiny)}, dtype={self.dtype})"
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, finfo) and self.dtype == other.dtype

    __hash__ = None  # type: ignore[assignment]


class iinfo(_Limits, metaclass=BuiltIn):
    """Limits of an integer dtype.

    >>> iinfo(dtypes.int8)
    iinfo(min=-128, max=127, dtype=int8)
    """

    __slots__ = ("bits", "max", "min", "_type")
    bits: int
    max: int
    min: int
    _type: dtypes.dtype

    def __init__(self, type: Any = ...):
        if type is ...:
            refuse(TypeError, 'iinfo() missing 1 required positional arguments: "type"')
        type = dtypes.of_type(type)
        if not isinstance(type, dtypes.dtype):
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
        limits = np.iinfo(type._in_numpy)
        values = {"bits": limits.bits, "max": int(limits.max), "min": int(limits.min), "_type": type}
        for name, value in values.items():
            _put(self, name, value)

    @property
    def dtype(self) -> str:
        """The name of the dtype. The quantized ones have none here, as in PyTorch, which gives their limits only."""
        if self._type._is_quantized:
            way = "torch.iinfo(q.int_repr().dtype)"
            refuse_dtype("dtype", self._type, "these are the limits of the stored integers", way)
        return self._type._name

    def __repr__(self) -> str:
        return f"iinfo(min={_six_digits(self.min)}, max={_six_digits(self.max)}, dtype={self.dtype})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, iinfo) and self._type is other._type

    __hash__ = None  # type: ignore[assignment]
