# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool

from ..engine.tensor.tensor import Tensor

def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None, *, out: Tensor | None = None) -> Tensor:
    """Multiplies the last dimension by the transposed weight, and adds the bias."""
def mse_loss(
    input: Tensor,
    target: Tensor,
    size_average: _bool | None = None,
    reduce: _bool | None = None,
    reduction: str = 'mean',
    weight: Tensor | None = None,
) -> Tensor:
    """The mean of the squared differences."""
def relu(input: Tensor, inplace: _bool = False) -> Tensor:
    """Sets negative elements to 0; in place if asked."""
