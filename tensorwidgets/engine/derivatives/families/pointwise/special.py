"""Functions of mathematical physics and statistics: error functions, gamma, Bessel, zeta."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ....tensor.grad_mode import grad_enabled
from ...backward_rows import of_sigmoid, sigmoid_backward
from ...beside import ones_beside, places_beside
from ...declaring import differentiate, not_differentiable, not_implemented, parts
from ...helpers import but, less, over, plus, times
from ...number_rows import add_number, mul_number
from ...ops import torch
from .arithmetic import is_number

if TYPE_CHECKING:
    from ....tensor.tensor import Tensor

# -- logistic ----------------------------------------------------------------------------------------------------

differentiate("sigmoid", input=lambda grad, result: _sigmoid_backward(grad, result))


def _sigmoid_backward(grad: Tensor, result: Tensor) -> Any:
    """grad * (1 - result) * result"""
    return sigmoid_backward(grad, result) if grad_enabled() else of_sigmoid(grad, result)


differentiate("sigmoid_backward", node="SigmoidBackwardBackward0",
              grad_output=lambda grad, output: _sigmoid_backward(grad, output.conj()),
              output=lambda grad, grad_output, output: (
                  grad.conj() * grad_output * plus(times(output.conj(), -2), 1)))  # fmt: skip


def of_logit(grad: Tensor, input: Tensor, eps: float | None = None) -> Any:
    """1 / (x (1 - x)); outside zero where `eps` clamps, NaN where nothing does."""
    low, outside = (0.0, math.nan) if eps is None else (eps, 0.0)
    return torch.where((input >= low) & (input <= 1 - low), grad / (input * (ones_beside(input, ()) - input)), outside)


differentiate("logit", input=of_logit)

# -- error functions ---------------------------------------------------------------------------------------------

differentiate("erf", input=lambda grad, input: times((-input.pow(2)).exp(), 2 / math.sqrt(math.pi)) * grad)
differentiate("erfc", input=lambda grad, input: times((-input.pow(2)).exp(), -2 / math.sqrt(math.pi)) * grad)
differentiate("erfinv", input=lambda grad, input: times(input.erfinv().pow(2).exp(), math.sqrt(math.pi) / 2) * grad)
differentiate(
    "special.erfcx", input=lambda grad, input, result: less(times(input, 2) * result, 2 / math.sqrt(math.pi)) * grad
)
differentiate(
    "special.log_ndtr",
    input=lambda grad, input, result: over(grad, math.sqrt(2 * math.pi)) * (-(result + over(input.pow(2), 2))).exp(),
)
differentiate(
    "special.ndtri", input=lambda grad, result: times(grad, math.sqrt(2 * math.pi)) * over(result.pow(2), 2).exp()
)
differentiate("special.entr", input=lambda grad, input: grad * -plus(input.log(), 1))


@parts("special.ndtr")
def ndtr(input: Tensor) -> Any:
    """(1 + erf(x / sqrt 2)) / 2"""
    return mul_number(add_number(torch.erf(mul_number(input, math.sqrt(0.5))), 1), 0.5)


# -- gamma -------------------------------------------------------------------------------------------------------

differentiate("lgamma", input=lambda grad, input: grad * input.digamma())
differentiate("digamma", input=lambda grad, input: grad * torch.polygamma(1, input))
differentiate("polygamma", input=lambda grad, input, n: grad * torch.polygamma(n + 1, input))
differentiate(
    "polygamma_", node="PolygammaBackward1", input=lambda grad, input, n: grad * torch.polygamma(n + 1, input)
)


def of_mvlgamma(grad: Tensor, input: Tensor, p: int) -> Any:
    """The sum of digamma(x - i / 2) for i from 0 to p - 1."""
    steps = places_beside(input, p).to(input.dtype) / -2
    return grad * (steps + input.unsqueeze(-1)).digamma().sum(-1)


differentiate("mvlgamma", input=of_mvlgamma)
differentiate(
    "igamma",
    input=lambda grad: not_implemented("igamma: input"),
    other=lambda grad, input, other: grad * density(input, other),
)
differentiate(
    "igammac",
    input=lambda grad: not_implemented("igammac: input"),
    other=lambda grad, input, other: -grad * density(input, other),
)


def density(input: Tensor, other: Tensor) -> Any:
    """The density of the gamma distribution with shape `input` at `other`."""
    return ((input - 1) * other.log() - other - input.lgamma()).exp()


# -- Bessel functions --------------------------------------------------------------------------------------------

differentiate("i0", input=lambda grad, input: grad * torch.special.i1(input))
differentiate(
    "special.i0e",
    input=lambda grad, input, result: grad * (torch.special.i1e(input) - input.sgn() * result),
    node="SpecialI0EBackward0",
)


def _or_half_at_zero(input: Tensor, slope: Tensor) -> Any:
    """A slope, and its limit 1/2 where the input is so small that the quotient in it means nothing."""
    return torch.where(input.abs() > torch.finfo(input.dtype).eps, slope, 0.5)


def of_i1(grad: Tensor, input: Tensor, result: Tensor) -> Any:
    """i0(x) - i1(x) / x"""
    safe = _apart_from_zero(input)
    return grad * _or_half_at_zero(input, torch.i0(safe) - result * safe.reciprocal())


def of_i1e(grad: Tensor, input: Tensor, result: Tensor) -> Any:
    """i0e(x) - i1e(x) (sgn(x) + 1 / x)"""
    safe = _apart_from_zero(input)
    slope = torch.special.i0e(safe) - result * (safe.sgn() + safe.reciprocal())
    return grad * _or_half_at_zero(input, slope)


def _apart_from_zero(input: Tensor) -> Any:
    """The input, with its smallest values replaced, so that the derivative of a quotient by it is not NaN."""
    eps = torch.finfo(input.dtype).eps
    return torch.where(input.abs() > eps, input, eps)


differentiate("special.i1", input=of_i1)
differentiate("special.i1e", node="SpecialI1EBackward0", input=of_i1e)

# -- x log y and zeta ------------------------------------------------------------------------------------------------


def of_factor(grad: Tensor, input: Tensor, other: Tensor | float) -> Any:
    """The gradient times log(other); zero where zero times a logarithm of nothing was taken as zero."""
    if is_number(other) and other > 0:
        return torch.xlogy(grad, other)
    return but(torch.xlogy(grad, other), (input == 0) & (other <= 0))


def of_factor_of_log1p(grad: Tensor, input: Tensor, other: Tensor | float) -> Any:
    """The gradient times log(1 + other); zero as above."""
    return but(torch.special.xlog1py(grad, other), (input == 0) & (other <= -1))


differentiate(
    "xlogy",
    node="XlogyBackward1",
    when=lambda call: is_number(call["input"]),
    other=lambda grad, input, other: times(grad, input) / other,
)
differentiate(
    "xlogy",
    node="XlogyBackward2",
    when=lambda call: is_number(call["other"]),
    input=of_factor,
)
differentiate(
    "xlogy",
    input=of_factor,
    other=lambda grad, input, other: grad * input / other,
)


differentiate(
    "special.xlog1py",
    node="SpecialXlog1PyBackward1",
    when=lambda call: is_number(call["input"]),
    other=lambda grad, input, other: grad * input / plus(other, 1),
)
differentiate(
    "special.xlog1py",
    node="SpecialXlog1PyBackward2",
    when=lambda call: is_number(call["other"]),
    input=of_factor_of_log1p,
)
differentiate(
    "special.xlog1py",
    node="SpecialXlog1PyBackward0",
    input=of_factor_of_log1p,
    other=lambda grad, input, other: grad * input / plus(other, 1),
)
differentiate(
    "special.zeta",
    node="SpecialZetaBackward1",
    when=lambda call: is_number(call["input"]),
    other=lambda grad, input, other: grad * -input * torch.special.zeta(input + 1.0, other),
)
differentiate(
    "special.zeta",
    node="SpecialZetaBackward2",
    when=lambda call: is_number(call["other"]),
    input=lambda grad: not_implemented("zeta"),
)
differentiate(
    "special.zeta",
    input=lambda grad: not_implemented("zeta"),
    other=lambda grad, input, other: grad * -input * torch.special.zeta(input + 1.0, other),
)

# -- no derivative -----------------------------------------------------------------------------------------------

not_differentiable(
    "special.airy_ai special.spherical_bessel_j0 special.bessel_j0 special.bessel_j1 special.bessel_y0 "
    "special.bessel_y1 special.modified_bessel_i0 special.modified_bessel_i1 special.modified_bessel_k0 "
    "special.modified_bessel_k1 special.scaled_modified_bessel_k0 special.scaled_modified_bessel_k1 "
    "special.chebyshev_polynomial_t special.shifted_chebyshev_polynomial_t special.chebyshev_polynomial_u "
    "special.shifted_chebyshev_polynomial_u special.chebyshev_polynomial_v special.shifted_chebyshev_polynomial_v "
    "special.chebyshev_polynomial_w special.shifted_chebyshev_polynomial_w special.hermite_polynomial_h "
    "special.hermite_polynomial_he special.laguerre_polynomial_l special.legendre_polynomial_p"
)
