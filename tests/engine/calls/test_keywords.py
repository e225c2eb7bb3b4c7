"""Every argument can be given by the names that PyTorch has for it, and by NumPy's where PyTorch takes them."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwidgets as tw

SQUARE = "linalg.cholesky linalg.cholesky_ex linalg.cond linalg.det linalg.eig linalg.eigh linalg.eigvals \
linalg.eigvalsh linalg.inv linalg.ldl_factor linalg.ldl_factor_ex linalg.lu linalg.matrix_exp linalg.matrix_norm \
linalg.matrix_rank linalg.norm linalg.pinv linalg.qr linalg.svdvals linalg.vector_norm cholesky_inverse trace inverse"
WITH_A = set("linalg.det linalg.inv linalg.lu linalg.qr linalg.svdvals".split())

CALLS = {
    "t.linalg.matrix_power(input=m, n=2)": "t.linalg.matrix_power(m, 2)",
    "t.linalg.householder_product(input=m, tau=x)": "t.linalg.householder_product(m, x)",
    "t.orgqr(input=m, input2=x)": "t.orgqr(m, x)",
    "t.linalg.lstsq(input=m, b=m)[0]": "t.linalg.lstsq(m, m)[0]",
    "t.linalg.tensorsolve(input=m, other=x)": "t.linalg.tensorsolve(m, x)",
    "t.linalg.tensorinv(input=m, ind=1)": "t.linalg.tensorinv(m, 1)",
    "t.cholesky_solve(input=m, input2=m)": "t.cholesky_solve(m, m)",
    "t.special.airy_ai(x=x)": "t.special.airy_ai(x)",
    "t.special.spherical_bessel_j0(x=x)": "t.special.spherical_bessel_j0(x)",
    "t.special.chebyshev_polynomial_t(x=x, n=2)": "t.special.chebyshev_polynomial_t(x, 2)",
    "t.special.legendre_polynomial_p(x=x, n=2)": "t.special.legendre_polynomial_p(x, 2)",
    "t.special.zeta(x1=x, x2=x)": "t.special.zeta(x, x)",
    "t.pow(input=x, exponent=2)": "t.pow(x, 2)",
    "t.pow(self=2, exponent=x)": "t.pow(2, x)",
    "t.float_power(x, exponent=2)": "t.float_power(x, 2)",
    "t.add(x1=x, x2=x)": "t.add(x, x)",
    "t.add(x, x2=x)": "t.add(x, x)",
    "t.exp(x=x)": "t.exp(x)",
    "t.exp(a=x)": "t.exp(x)",
    "t.sum(a=m, axis=0, keepdims=True)": "t.sum(m, 0, True)",
    "t.softmax(x=m, axis=1)": "t.softmax(m, 1)",
    "t.zeros_like(x=m)": "t.zeros_like(m)",
    "t.cdist(x1=m, x2=m)": "t.cdist(m, m)",
    "t.trapezoid(y=x, x=x)": "t.trapezoid(x, x)",
    "t.linalg.vecdot(x=x, y=x)": "t.linalg.vecdot(x, x)",
}


@pytest.mark.parametrize("call", CALLS)
def test_arguments_by_name_are_those_by_position(call: str) -> None:
    names = {"t": tw, "x": tw.tensor([2.0, 3.0]), "m": tw.tensor([[4.0, 1.0], [1.0, 3.0]])}
    assert eval(call, names).equal(eval(CALLS[call], names))


@pytest.mark.parametrize("op", SQUARE.split())
def test_a_matrix_is_called_input_or_a_as_by_pytorch(op: str) -> None:
    function = tw
    for part in op.split("."):
        function = getattr(function, part)
    m = tw.tensor([[4.0, 1.0], [1.0, 3.0]])
    (own, other) = ("A", "input") if op in WITH_A else ("input", "A")
    first = function(m)
    assert str(function(**{own: m})) == str(first)
    with pytest.raises(TypeError):
        function(**{other: m})


def test_two_names_of_one_argument_are_refused() -> None:
    x = tw.ones(2, 2)
    for named in ({"input": x, "a": x}, {"input": x, "dim": 0, "axis": 0}):
        with pytest.raises(TypeError):
            tw.sum(**named)


def test_keywords_that_numpy_uses_for_another_argument_are_an_ops_own() -> None:
    window = tw.signal.windows.general_cosine(3, a=[0.5, 0.5])
    assert window.tolist() == [0.0, 1.0, 0.0]
    q = tw._empty_per_channel_affine_quantized([2], scales=tw.ones(2), zero_points=tw.zeros(2), axis=0, dtype=tw.qint8)
    assert q.q_per_channel_axis() == 0


NUMBERS_ELSEWHERE = {
    "x.diag_embed(one)": "x.diag_embed(1)",
    "x.diagflat(one)": "x.diagflat(1)",
    "x.topk(one).values": "x.topk(1).values",
    "x.norm(2, number)": "x.norm(2, 1)",
    "torch.isin(x, number)": "torch.isin(x, 1)",
    "x.tensor_split(np.int64(2), number)[1]": "x.tensor_split(2, 1)[1]",
    "torch.celu(x - 3, one)": "torch.celu(x - 3, 1)",
    "torch.nn.functional.elu(x - 3, one)": "torch.nn.functional.elu(x - 3, 1)",
}
"""Calls with a tensor of one element, or a number of NumPy's, where a number is asked for."""


@pytest.mark.parametrize("call", NUMBERS_ELSEWHERE)
def test_a_tensor_of_one_element_and_a_number_of_numpys_are_numbers(call: str) -> None:
    scope = {"x": tw.arange(6.0).reshape(2, 3), "one": tw.tensor(1), "number": np.int64(1)}
    scope |= {"torch": tw, "np": np}
    result, wanted = (eval(each, scope) for each in (call, NUMBERS_ELSEWHERE[call]))
    assert result.tolist() == wanted.tolist() and result.dtype is wanted.dtype
