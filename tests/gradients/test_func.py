"""`functional_call` for objects with parameters; what `torch.func` lacks."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import tensorwidgets as tw


class Line:
    """A straight line: an object with parameters, as a layer is one."""

    def __init__(self) -> None:
        self.weight = tw.tensor([2.0], requires_grad=True)
        self.same = self.weight
        self._buffers = {"offset": tw.tensor([1.0])}

    def named_parameters(self, remove_duplicate: bool = True) -> Iterator[tuple[str, tw.Tensor]]:
        yield "weight", self.weight
        if not remove_duplicate:
            yield "same", self.same

    def named_buffers(self) -> Iterator[tuple[str, tw.Tensor]]:
        yield from self._buffers.items()

    def __call__(self, x: tw.Tensor, *, times: float = 1) -> tw.Tensor:
        return (x * self.weight * self.same + self._buffers["offset"]) * times


class Two:
    """Two lines, one after the other."""

    def __init__(self) -> None:
        self.first, self.second = Line(), Line()

    def named_parameters(self) -> Iterator[tuple[str, tw.Tensor]]:
        for name in ("first", "second"):
            yield from ((f"{name}.{own}", t) for own, t in getattr(self, name).named_parameters())

    def __call__(self, x: tw.Tensor) -> tw.Tensor:
        return self.second(self.first(x))


def test_other_tensors_are_used_for_one_call() -> None:
    line = Line()
    weight, x = line.weight, tw.ones(2)
    call = tw.func.functional_call
    assert call(line, {"weight": tw.tensor([3.0])}, x).tolist() == [10, 10]  # `same` is replaced with it
    assert call(line, {"weight": tw.tensor([3.0])}, x, tie_weights=False).tolist() == [7, 7]
    assert call(line, ({"weight": tw.tensor([1.0])}, {"offset": tw.zeros(1)}), (x,), {"times": 5}).tolist() == [5, 5]
    assert line.weight is weight and line(x).tolist() == [5, 5]
    assert call(Two(), {"second.weight": tw.zeros(1)}, x).tolist() == [1, 1]


def test_what_was_replaced_is_put_back_after_an_error() -> None:
    line = Line()
    with pytest.raises(RuntimeError):
        tw.func.functional_call(line, {"weight": tw.ones(2)}, tw.ones(3))
    assert line.weight.tolist() == [2]


def test_gradients_by_parameters() -> None:
    line = Line()

    def loss(parameters: dict[str, tw.Tensor]) -> tw.Tensor:
        return tw.func.functional_call(line, parameters, tw.tensor([1.0, 2.0])).sum()

    found = tw.func.grad(loss)({"weight": tw.tensor([5.0])})
    assert found["weight"].tolist() == [30]  # (1 + 2) * 2 * 5
    assert line.weight.grad is None


@pytest.mark.parametrize(
    ("parameters", "options", "error", "message"),
    [
        (3, {}, ValueError, "Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got <"),
        ([{"weight": 1}, {"weight": 1}], {}, ValueError, "['weight'] appeared in multiple dictionaries; behavior of "),
        ({"weigh": tw.ones(1)}, {"strict": True}, RuntimeError, "Error(s) in reparametrizing for Line:\n\tUnexpected"),
        ({"weight": tw.ones(1)}, {"strict": True}, RuntimeError, "Error(s) in reparametrizing for Line:\n\tMissing"),
        ({"weight": 3}, {"tie_weights": False}, TypeError, "3 is not an instance of torch.Tensor"),
        ({"a.b": tw.ones(1)}, {}, AttributeError, "Line has no attribute `a`"),
        ({"weigh": tw.ones(1)}, {}, AttributeError, "Line has no attribute `weigh`"),
    ],
)
def test_refusals(parameters: object, options: dict, error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        tw.func.functional_call(Line(), parameters, tw.ones(2), **options)
    assert str(caught.value).startswith(message)


def test_transforms_record_in_inference_mode() -> None:
    x = tw.tensor([1.0, 2.0])
    with tw.inference_mode():
        made_inside = tw.tensor([1.0, 2.0])
        found = tw.func.grad(lambda t: (t**2).sum())(x)
        assert found.tolist() == [2.0, 4.0]
        assert not found.is_inference()
        value, times_jacobian = tw.func.vjp(lambda t: (t**2).sum(), x)
        assert not value.is_inference()
        assert times_jacobian(tw.tensor(1.0))[0].tolist() == [2.0, 4.0]
        assert tw.func.jacrev(lambda t: t**2)(x).tolist() == [[2.0, 0.0], [0.0, 4.0]]
        assert tw.func.hessian(lambda t: (t**3).sum())(x).tolist() == [[6.0, 0.0], [0.0, 12.0]]
        assert tw.is_inference_mode_enabled()
    assert tw.func.grad(lambda t, u: (t * u).sum())(made_inside, made_inside).tolist() == [1.0, 2.0]


def test_what_vjp_returns_is_recorded_if_calls_are_then() -> None:
    x = tw.tensor(2.0, requires_grad=True)
    with tw.no_grad():
        value, times_jacobian = tw.func.vjp(lambda t: t**2, x)
    assert not value.requires_grad
    (found,) = times_jacobian(tw.tensor(1.0))
    assert tw.autograd.grad(found, x)[0].item() == 2.0
    with tw.no_grad():
        assert not times_jacobian(tw.tensor(1.0))[0].requires_grad
    assert not times_jacobian(tw.tensor(1.0), create_graph=False)[0].requires_grad


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda f: f.grad(tw.mul, argnums=(0, -2)), RuntimeError, r"argnums elements must be unique, got \(0, 0\)"),
        (lambda f: f.grad(tw.mul, argnums=()), RuntimeError, "argnums must be non-empty"),
        (
            lambda f: f.grad(tw.mul, argnums=None),
            RuntimeError,
            r"argnums must be int or Tuple\[int, ...\], got: <class",
        ),
        (
            lambda f: f.grad(lambda x, y: (x, None), has_aux=True),
            RuntimeError,
            "Expected tensors, got unsupported type",
        ),
        (
            lambda f: f.jacrev(lambda x, y: ()),
            RuntimeError,
            r"Expected f to be a function that has non-empty output \(got",
        ),
        (lambda f: f.jacrev(lambda x, y: None), RuntimeError, r"non-empty output \(got output = \[None\]\)"),
        (lambda f: f.jacrev(lambda x, y: x.long()), RuntimeError, "All outputs of f must be floating-point or complex"),
        (lambda f: f.jacrev(lambda x, y: x * 1j), RuntimeError, "jacrev: Expected all outputs to be real but received"),
        (
            lambda f: lambda x, y: f.jacrev(tw.mul)(x * 1j, y),
            RuntimeError,
            "jacrev: Expected all inputs to be real but",
        ),
        (
            lambda f: lambda x, y: f.hessian(tw.mul)(x * 1j, y),
            RuntimeError,
            "jacfwd: Expected all inputs to be real but",
        ),
        (lambda f: lambda x, y: f.jacrev(tw.mul)(x, other=y), TypeError, "got an unexpected keyword argument 'other'"),
        (lambda f: f.grad(lambda x, y: _Old.apply(x)), RuntimeError, "it must override the setup_context staticmethod"),
    ],
)
def test_transforms_refuse_as_pytorch_does(call: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        call(tw.func)(tw.tensor(1.0), tw.tensor(2.0))


class _Old(tw.autograd.Function):
    """Saves in `forward`, which a transform cannot take apart."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        return grad * 2


class Tied(tw.nn.Module):
    """A layer whose weight and buffer have two names each."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = tw.nn.Linear(1, 1, bias=False)
        self.weight = self.layer.weight
        self.offset = tw.nn.Buffer(tw.zeros(1))
        self.again = self.offset

    def forward(self, x: tw.Tensor) -> tw.Tensor:
        self.offset = self.offset + 1
        return self.layer(x) * self.weight + self.again


def test_a_tensor_with_two_names_is_replaced_under_both() -> None:
    two, three = tw.full((1, 1), 2.0), tw.full((1,), 3.0)
    for weight in ("weight", "layer.weight"):
        for offset in ("offset", "again"):
            found = tw.func.functional_call(Tied(), {weight: two, offset: three}, tw.ones(1, 1), strict=True)
            assert found.item() == 7.0
    with pytest.raises(ValueError, match=r"got multiple values for keys \['layer.weight', 'weight'\], which are tied"):
        tw.func.functional_call(Tied(), {"weight": two, "layer.weight": two + 1}, tw.ones(1, 1))
    with pytest.raises(ValueError, match="Expected all elements of parameter_and_buffer_dicts to be dictionaries"):
        tw.func.functional_call(Tied(), ({"weight": two}, 3), tw.ones(1, 1))


def test_what_a_call_puts_in_the_place_of_a_buffer_goes_to_the_dictionary() -> None:
    module, buffers = Tied(), {"offset": tw.full((1,), 3.0)}
    tw.func.functional_call(module, buffers, tw.ones(1, 1))
    assert buffers["offset"].item() == 4.0
    assert module.offset.item() == 0.0
