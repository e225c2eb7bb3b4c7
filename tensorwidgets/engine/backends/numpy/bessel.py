"""Modified Bessel functions of the first kind in float32, to the bit as PyTorch computes them.

A sum of Chebyshev polynomials for numbers up to 8, and another one beyond, with the coefficients of the Cephes library.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from . import in_double
from .without_warnings import silent

_NEAR_0 = (
    -4.4153416464793395e-18, 3.3307945188222384e-17, -2.431279846547955e-16, 1.715391285555133e-15,
    -1.1685332877993451e-14, 7.676185498604936e-14, -4.856446783111929e-13, 2.95505266312964e-12,
    -1.726826291441556e-11, 9.675809035373237e-11, -5.189795601635263e-10, 2.6598237246823866e-09,
    -1.300025009986248e-08, 6.046995022541919e-08, -2.670793853940612e-07, 1.1173875391201037e-06,
    -4.4167383584587505e-06, 1.6448448070728896e-05, -5.754195010082104e-05, 0.00018850288509584165,
    -0.0005763755745385824, 0.0016394756169413357, -0.004324309995050576, 0.010546460394594998,
    -0.02373741480589947, 0.04930528423967071, -0.09490109704804764, 0.17162090152220877, -0.3046826723431984,
    0.6767952744094761,
)  # fmt: skip
_FAR_0 = (
    -7.233180487874754e-18, -4.830504485944182e-18, 4.46562142029676e-17, 3.461222867697461e-17,
    -2.8276239805165836e-16, -3.425485619677219e-16, 1.7725601330565263e-15, 3.8116806693526224e-15,
    -9.554846698828307e-15, -4.150569347287222e-14, 1.54008621752141e-14, 3.8527783827421426e-13,
    7.180124451383666e-13, -1.7941785315068062e-12, -1.3215811840447713e-11, -3.1499165279632416e-11,
    1.1889147107846439e-11, 4.94060238822497e-10, 3.3962320257083865e-09, 2.266668990498178e-08,
    2.0489185894690638e-07, 2.8913705208347567e-06, 6.889758346916825e-05, 0.0033691164782556943,
    0.8044904110141088,
)  # fmt: skip
_NEAR_1 = (
    9.381537386495773e-09, -4.445059128796328e-08, 2.0032947535521353e-07, -8.568720264695455e-07,
    3.4702513081376785e-06, -1.3273163656039436e-05, 4.781565107550054e-05, -0.00016176081582589674,
    0.0005122859561685758, -0.0015135724506312532, 0.004156422944312888, -0.010564084894626197,
    0.024726449030626516, -0.05294598120809499, 0.1026436586898471, -0.17641651835783406, 0.25258718644363365,
)  # fmt: skip
_FAR_1 = (
    -3.835380385964237e-09, -2.6314688468895196e-08, -2.512236237870209e-07, -3.882564808877691e-06,
    -0.00011058893876262371, -0.009761097491361469, 0.7785762350182801,
)  # fmt: skip


@silent
def of_order_0(x: Any, scaled: bool = False) -> Any:
    """i0, or i0e if `scaled`: without the exponential of the size.

    >>> of_order_0(np.array([0, 1], "f4")).tolist()
    [0.9999999403953552, 1.2660659551620483]
    """
    size = np.abs(x)
    near, far = _sums(size, _NEAR_0, _FAR_0)
    if not scaled:
        power = in_double.exp(size)
        near, far = power * near, power * far
    return np.where(size <= 8, near, far / np.sqrt(size))


@silent
def of_order_1(x: Any, scaled: bool = False) -> Any:
    """i1, or i1e if `scaled`.

    >>> of_order_1(np.array([-1, 2], "f4"), True).tolist()
    [-0.207910418510437, 0.2152692824602127]
    """
    size = np.abs(x)
    near, far = _sums(size, _NEAR_1, _FAR_1)
    if scaled:
        near = near * size
    else:
        power = in_double.exp(size)
        near, far = power * size * near, power * far
    result = np.where(size <= 8, near, far / np.sqrt(size))
    return np.where(x < 0, -result, result)


def _sums(size: Any, near: tuple[float, ...], far: tuple[float, ...]) -> tuple[Any, Any]:
    single = size.dtype.type
    return _chebyshev(size / single(2) - single(2), near), _chebyshev(single(32) / size - single(2), far)


def _chebyshev(x: Any, coefficients: tuple[float, ...]) -> Any:
    """A sum of Chebyshev polynomials by Clenshaw's way; a product and a difference are rounded at once."""
    single = x.dtype.type
    wide, last, before = x.astype(np.float64), np.full_like(x, single(coefficients[0])), np.zeros_like(x)
    earlier = before
    for coefficient in coefficients[1:]:
        earlier, before = before, last
        last = (wide * before - earlier).astype(x.dtype) + single(coefficient)
    return single(0.5) * (last - earlier)
