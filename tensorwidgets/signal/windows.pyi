# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence

from ..engine.tensor.tensor import Tensor
from ..engine.tensor.tensor_methods import _Number as _Number
from ..engine.types.device import device as _device
from ..engine.types.dtypes import dtype as _dtype

def bartlett(
    M: _int,
    *,
    sym: _bool = True,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A triangle."""
def blackman(
    M: _int,
    *,
    sym: _bool = True,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Three cosines, with little outside the main lobe."""
def cosine(
    M: _int,
    *,
    sym: _bool = True,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """The upper half of a sine."""
def exponential(
    M: _int,
    *,
    center: _float | None = None,
    tau: _float = 1.0,
    sym: _bool = True,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A decay to both sides of the centre, with the time tau."""
def gaussian(
    M: _int,
    *,
    std: _float | Tensor = 1.0,
    sym: _bool = True,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """The bell curve with a standard deviation."""
def general_cosine(
    M: _int,
    *,
    a: Sequence[_float],
    sym: _bool = True,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A sum of cosines with the factors a."""
def general_hamming(
    M: _int,
    *,
    alpha: _Number = 0.54,
    sym: _bool = True,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A cosine raised by alpha."""
def hamming(
    M: _int,
    *,
    sym: _bool = True,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A raised cosine that does not quite reach 0."""
def hann(
    M: _int,
    *,
    sym: _bool = True,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A raised cosine."""
def kaiser(
    M: _int,
    *,
    beta: _float = 12.0,
    sym: _bool = True,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """A Bessel function whose beta trades the main lobe for the rest."""
def nuttall(
    M: _int,
    *,
    sym: _bool = True,
    dtype: _dtype | None = None,
    device: _device | str | None = None,
    requires_grad: _bool = False,
) -> Tensor:
    """Four cosines, with very little outside the main lobe."""
