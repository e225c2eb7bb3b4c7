# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from collections.abc import Sequence
from typing import overload

from .engine.tensor.tensor import Tensor
from .engine.tensor.tensor_methods import _Number as _Number
from .engine.types.dtypes import dtype as _dtype

def airy_ai(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the Airy function Ai."""
def bessel_j0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the Bessel function of the first kind of order 0."""
def bessel_j1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the Bessel function of the first kind of order 1."""
def bessel_y0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the Bessel function of the second kind of order 0."""
def bessel_y1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the Bessel function of the second kind of order 1."""
def chebyshev_polynomial_t(x: Tensor | _Number, n: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the Chebyshev polynomial of the first kind of degree n."""
def chebyshev_polynomial_u(x: Tensor | _Number, n: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the Chebyshev polynomial of the second kind of degree n."""
def chebyshev_polynomial_v(x: Tensor | _Number, n: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the Chebyshev polynomial of the third kind of degree n."""
def chebyshev_polynomial_w(x: Tensor | _Number, n: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the Chebyshev polynomial of the fourth kind of degree n."""
def entr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the entropy term -x * log(x)."""
def erf(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the error function of each element."""
def erfc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes 1 - erf(x), accurately for large x."""
def erfcx(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the scaled complementary error function, exp(x*x) * erfc(x)."""
def erfinv(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the inverse of the error function."""
def exp2(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes 2 to the power of each element."""
def expit(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the logistic sigmoid, 1 / (1 + exp(-x)), of each element."""
def expm1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes exp(x) - 1, accurately for small x."""
def gammainc(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the regularized lower incomplete gamma function."""
def gammaincc(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the regularized upper incomplete gamma function."""
def gammaln(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the natural logarithm of the absolute value of the gamma function."""
def hermite_polynomial_h(x: Tensor | _Number, n: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the physicists' Hermite polynomial of degree n."""
def hermite_polynomial_he(x: Tensor | _Number, n: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the probabilists' Hermite polynomial of degree n."""
def i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the modified Bessel function of the first kind of order 0."""
def i0e(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes exp(-|x|) * i0(x)."""
def i1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the modified Bessel function of the first kind of order 1."""
def i1e(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes exp(-|x|) * i1(x)."""
def laguerre_polynomial_l(x: Tensor | _Number, n: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the Laguerre polynomial of degree n."""
def legendre_polynomial_p(x: Tensor | _Number, n: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the Legendre polynomial of degree n."""
def log1p(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes log(1 + x), accurately for small x."""
def log_ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the logarithm of ndtr(x), accurately for large negative x."""
def log_softmax(
    input: Tensor, dim: _int, dtype: _dtype | None = None, *, out: Tensor | None = None
) -> Tensor:
    """Computes the logarithm of softmax along a dimension, without overflow."""
def logit(input: Tensor, eps: _float | None = None, *, out: Tensor | None = None) -> Tensor:
    """Computes the logit, log(x / (1 - x)), of each element."""
def logsumexp(
    input: Tensor, dim: _int | Sequence[_int], keepdim: _bool = False, *, out: Tensor | None = None
) -> Tensor:
    """Returns the logarithm of the sum of exponentials, without overflow."""
def modified_bessel_i0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the modified Bessel function of the first kind of order 0."""
def modified_bessel_i1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the modified Bessel function of the first kind of order 1."""
def modified_bessel_k0(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the modified Bessel function of the second kind of order 0."""
def modified_bessel_k1(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the modified Bessel function of the second kind of order 1."""
def multigammaln(input: Tensor, p: _int, *, out: Tensor | None = None) -> Tensor:
    """Computes the logarithm of the multivariate gamma function of dimension p."""
def ndtr(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the cumulative distribution function of the standard normal distribution."""
def ndtri(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the inverse of ndtr: the quantile function of the standard normal distribution."""
def polygamma(n: _int, input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the n-th derivative of the digamma function."""
def psi(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the logarithmic derivative of the gamma function."""
digamma = psi
@overload
def round(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Rounds each element to the nearest integer, ties to even; or to `decimals` places."""
@overload
def round(input: Tensor, *, decimals: _int, out: Tensor | None = None) -> Tensor: ...
def scaled_modified_bessel_k0(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes exp(x) * modified_bessel_k0(x)."""
def scaled_modified_bessel_k1(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes exp(x) * modified_bessel_k1(x)."""
def shifted_chebyshev_polynomial_t(
    x: Tensor | _Number, n: Tensor | _Number, *, out: Tensor | None = None
) -> Tensor:
    """Computes the Chebyshev polynomial of the first kind of degree n at 2x - 1."""
def shifted_chebyshev_polynomial_u(
    x: Tensor | _Number, n: Tensor | _Number, *, out: Tensor | None = None
) -> Tensor:
    """Computes the Chebyshev polynomial of the second kind of degree n at 2x - 1."""
def shifted_chebyshev_polynomial_v(
    x: Tensor | _Number, n: Tensor | _Number, *, out: Tensor | None = None
) -> Tensor:
    """Computes the Chebyshev polynomial of the third kind of degree n at 2x - 1."""
def shifted_chebyshev_polynomial_w(
    x: Tensor | _Number, n: Tensor | _Number, *, out: Tensor | None = None
) -> Tensor:
    """Computes the Chebyshev polynomial of the fourth kind of degree n at 2x - 1."""
def sinc(input: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the normalized sinc, sin(pi x) / (pi x), of each element; 1 at 0."""
def softmax(input: Tensor, dim: _int, dtype: _dtype | None = None, *, out: Tensor | None = None) -> Tensor:
    """Computes softmax along a dimension: exp(x) / sum(exp(x))."""
def spherical_bessel_j0(x: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Computes the spherical Bessel function of the first kind of order 0, sin(x) / x."""
def xlog1py(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes x * log1p(y); 0 where x is 0."""
def xlogy(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes x * log(y); 0 where x is 0."""
def zeta(input: Tensor | _Number, other: Tensor | _Number, *, out: Tensor | None = None) -> Tensor:
    """Computes the Hurwitz zeta function: the sum of 1 / (k + other)**x over k = 0, 1, 2, …"""
