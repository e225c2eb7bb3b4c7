"""What `autograd.Function` and what its nodes keep answer: as PyTorch 2.13 does."""

from __future__ import annotations

import weakref
from typing import Any

import pytest

import tensorwidgets as torch

Function = torch.autograd.Function


class Flat(Function):
    """A view that says that it is nothing else."""

    @staticmethod
    def forward(ctx: Any, x: Any, *rest: Any) -> Any:
        ctx._is_pure_view = True
        return x.view(-1)

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        raise AssertionError("a write through the view is recorded without it")


def test_a_write_through_a_pure_view_is_recorded_by_the_view() -> None:
    a = torch.ones(2, 1, requires_grad=True)
    base = a * 1
    view = Flat.apply(base)
    view.mul_(2)
    assert base.grad_fn.name() == "torch::autograd::CopySlices"
    assert view.grad_fn.name() == "AsStridedBackward0"
    base.sum().backward()
    assert a.grad.tolist() == [[2.0], [2.0]]
    outside = torch.ones(2, 1)
    Flat.apply(outside).mul_(a[0])
    assert outside.grad_fn.name() == "torch::autograd::CopySlices"


def test_a_pure_view_of_a_leaf_is_refused_as_any_view_of_it() -> None:
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad is being used in an in-place"):
        Flat.apply(torch.ones(2, 1, requires_grad=True)).mul_(2)


def test_a_pure_view_is_of_one_tensor() -> None:
    with pytest.raises(RuntimeError, match="Pure view custom Function can only have one input Tensor and one output"):
        Flat.apply(torch.ones(2), torch.ones(2))


class Once(Function):
    """Lets go of what it saved as soon as it has read it."""

    clear_saved_tensors_on_access: Any = True

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        (x,) = ctx.saved_tensors
        reference = weakref.ref(x)
        del x
        assert reference() is None
        return grad


def test_saved_tensors_that_are_read_once_can_be_freed_in_backward() -> None:
    x = torch.ones(2, requires_grad=True)
    y = Once.apply(x.clone())
    y.sum().backward(retain_graph=True)
    assert x.grad.tolist() == [1.0, 1.0]
    with pytest.raises(
        RuntimeError, match="saved_tensors can only be accessed once when clear_saved_tensors_on_access"
    ):
        y.sum().backward()
    assert y.grad_fn._raw_saved_tensors == ()


def test_whether_saved_tensors_are_read_once_is_a_bool() -> None:
    class Three(Once):
        """Says something else."""

        clear_saved_tensors_on_access = 3

    with pytest.raises(RuntimeError, match="clear_saved_tensors_on_access must be a bool, got int"):
        Three.apply(torch.ones(2, requires_grad=True)).grad_fn.saved_tensors  # noqa: B018


def test_a_function_without_a_derivative_says_so_when_it_is_asked() -> None:
    for name, message in (
        ("backward", "You must implement either the backward or vjp method"),
        ("vjp", "You must implement either the backward or vjp method"),
        ("jvp", "You must implement the jvp function for custom autograd.Function"),
    ):
        with pytest.raises(NotImplementedError, match=message):
            getattr(Function, name)(None, 1)


def test_only_inputs_are_dirty() -> None:
    class Other(Function):
        """Marks a view of a tensor of its own."""

        @staticmethod
        def forward(ctx: Any, x: Any, marked: Any) -> Any:
            out = marked(x)
            ctx.mark_dirty(out)
            return out

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad, None

    x = torch.ones(1, requires_grad=True)
    message = r"ctx.mark_dirty\(\) received a tensor that was not an input"
    with pytest.raises(RuntimeError, match=message):
        Other.apply(x, lambda t: t.clone().view(1))
    with pytest.warns(UserWarning, match=message):
        Other.apply(x, lambda t: t.clone())
    with pytest.raises(RuntimeError, match="a leaf Variable that requires grad has been used in an in-place operation"):
        Other.apply(x, lambda t: t[:])


def test_a_saved_tensor_shows_what_is_kept() -> None:
    a = torch.tensor(2.0, requires_grad=True)
    b = a.exp()
    c = b * b
    kept, result = c.grad_fn._raw_saved_self, b.grad_fn._raw_saved_result
    assert kept.data is b
    assert kept.unpack() is b
    assert kept.unpack_hook is None
    assert result.data is not b
    assert not result.data.requires_grad
    unpack = lambda packed: packed[0]  # noqa: E731
    kept.register_hooks(lambda t: (t, 1), unpack)
    assert kept.data[1] == 1
    assert kept.unpack_hook is unpack
    c.backward()
    assert kept.data is kept.unpack_hook is result.data is None
    with pytest.raises(RuntimeError, match="Trying to backward through the graph a second time"):
        kept.unpack()


def test_a_hook_of_several_gradients_waits_for_those_that_come() -> None:
    a, b = torch.ones(2, requires_grad=True) * 2, torch.ones(2, requires_grad=True)
    came: list[Any] = []
    torch.autograd.graph.register_multi_grad_hook((a, b), lambda grads: came.append([g is not None for g in grads]))
    (b * 3).sum().backward(inputs=(a, b))
    assert came == [[False, True]]


@pytest.mark.filterwarnings("ignore:index_reduce")
@pytest.mark.parametrize("call", ["scatter_reduce", "index_reduce"])
def test_products_of_several_zeros_have_no_second_derivative(call: str) -> None:
    start = torch.ones(1, requires_grad=True)
    source = torch.zeros(2, requires_grad=True)
    product = getattr(torch, call)(start, 0, torch.tensor([0, 0]), source, "prod")
    own, other = torch.autograd.grad(product.sum(), (start, source), create_graph=True)
    assert other.grad_fn.name() == "torch::autograd::Error"
    with pytest.raises(
        RuntimeError, match=rf"{call}\(\): Double backward is unsupported for (src|source) when >1 zeros"
    ):
        torch.autograd.grad(other.sum(), start)


def test_set_gives_a_leaf_a_new_place_in_graphs() -> None:
    a = torch.nn.Parameter(torch.ones(3))
    before = a * 2
    with torch.no_grad():
        a.set_(a[1:])
    after = a * 3
    assert before.grad_fn.next_functions[0][0] is not after.grad_fn.next_functions[0][0]
    after.sum().backward()
    assert a.grad.tolist() == [3.0, 3.0]
    a.grad = None
    before.sum().backward()
    assert a.grad.tolist() == [2.0, 2.0, 2.0]


def test_inference_mode_resizes_what_requires_a_gradient() -> None:
    a = torch.ones(1, 3, requires_grad=True)
    with torch.inference_mode():
        a.resize_(1, 2)
    assert a.shape == (1, 2)
    assert a._version == 1
    with torch.inference_mode():
        b = torch.ones(1, 3, requires_grad=True)
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor outside InferenceMode is not allowed"):
        b.resize_(1, 2)
    assert b.detach_().requires_grad
