# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence

from ..engine.tensor.tensor import Tensor
from ..engine.types.device import device as _device
from ..engine.types.dtypes import dtype as _dtype
from ..engine.types.formats import layout as _layout

def bartlett(
    M: _int,
    *,
    sym: _bool = True,
    dtype: _dtype | None = None,
    layout: _layout = ...,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a Bartlett window: a triangle."""
def blackman(
    M: _int,
    *,
    sym: _bool = True,
    dtype: _dtype | None = None,
    layout: _layout = ...,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a Blackman window."""
def cosine(
    M: _int,
    *,
    sym: _bool = True,
    dtype: _dtype | None = None,
    layout: _layout = ...,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a cosine window."""
def exponential(
    M: _int,
    *,
    center: _float | None = None,
    tau: _float = 1.0,
    sym: _bool = True,
    dtype: _dtype | None = None,
    layout: _layout = ...,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns an exponential window with decay constant tau."""
def gaussian(
    M: _int,
    *,
    std: _float = 1.0,
    sym: _bool = True,
    dtype: _dtype | None = None,
    layout: _layout = ...,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a Gaussian window with standard deviation std."""
def general_cosine(
    M: _int,
    *,
    a: Sequence[_float],
    sym: _bool = True,
    dtype: _dtype | None = None,
    layout: _layout = ...,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a window that is a sum of cosines with the coefficients a."""
def general_hamming(
    M: _int,
    *,
    alpha: _float = 0.54,
    sym: _bool = True,
    dtype: _dtype | None = None,
    layout: _layout = ...,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a generalized Hamming window with coefficient alpha."""
def hamming(
    M: _int,
    *,
    sym: _bool = True,
    dtype: _dtype | None = None,
    layout: _layout = ...,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a Hamming window."""
def hann(
    M: _int,
    *,
    sym: _bool = True,
    dtype: _dtype | None = None,
    layout: _layout = ...,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a Hann window."""
def kaiser(
    M: _int,
    *,
    beta: _float = 12.0,
    sym: _bool = True,
    dtype: _dtype | None = None,
    layout: _layout = ...,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a Kaiser window with shape parameter beta."""
def nuttall(
    M: _int,
    *,
    sym: _bool = True,
    dtype: _dtype | None = None,
    layout: _layout = ...,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Returns a Nuttall window."""
