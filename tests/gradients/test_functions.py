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


def _changed_after(write: Any) -> Any:
    """The gradient of squares of what is written to before the backward pass."""
    a = torch.tensor([1.0, 2.0], requires_grad=True)
    b = a.clone()
    loss = (b**2).sum()
    write(b)
    loss.backward()
    return a.grad.tolist()


WRITES = {
    "in place": lambda b: b.sin_(),
    "through a view": lambda b: b[1:].mul_(10),
    "by brackets": lambda b: b.__setitem__(0, 5.0),
    "by an augmented assignment": lambda b: b.__iadd__(1),
    "by out": lambda b: torch.neg(torch.ones(2), out=b.detach()),
}


@pytest.mark.parametrize("name", WRITES)
def test_what_is_saved_may_be_written_to_where_it_is_copied_before(name: str) -> None:
    with pytest.raises(RuntimeError, match="has been modified by an inplace operation"):
        _changed_after(WRITES[name])
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as block:
        assert _changed_after(WRITES[name]) == [2.0, 4.0]
        assert len(block.cloned) == 0


def test_copies_of_what_is_saved_live_as_long_as_nodes_need_them() -> None:
    with torch.autograd.graph.allow_mutation_on_saved_tensors() as block:
        a = torch.ones(2, requires_grad=True).clone()
        first = a**2
        a.sin_()
        second = a**2
        a.sin_()
        assert (len(block.cloned), len(block.tid_to_weakhandle)) == (2, 4)
        del first
        assert (len(block.cloned), len(block.tid_to_weakhandle)) == (1, 3)
        second.sum().backward()
        assert len(block.cloned) == 0
        with pytest.raises(RuntimeError, match="allow_mutation_on_saved_tensors contexts cannot be nested"):
            torch.autograd.graph.allow_mutation_on_saved_tensors().__enter__()
        loss = (torch.ones(2, requires_grad=True) ** 2).sum()
    with pytest.raises(AssertionError, match="Trying to backward outside of the 'allow_mutation_on_saved_tensors' con"):
        loss.backward()


def test_a_new_tensor_at_the_address_of_an_old_one_is_not_taken_for_it() -> None:
    x = torch.ones(3, requires_grad=True)
    losses = []
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        for number in range(1, 6):
            t = torch.full((3,), float(number))
            losses.append((x * t).sum())
            t.mul_(100)
            del t
        sum(losses).backward()
    assert x.grad is not None and x.grad.tolist() == [15.0, 15.0, 15.0]


class Deep(Function):
    """Its backward runs a pass through another one of these, until there were as many as asked."""

    @staticmethod
    def forward(ctx: Any, x: Any, left: int) -> Any:
        ctx.left = left
        return x.clone()

    @staticmethod
    def backward(ctx: Any, grad: Any) -> Any:
        if not ctx.left:
            if not grad.isfinite():
                raise ValueError("deep inside")
            return grad * 3, None
        assert not torch.is_grad_enabled()
        with torch.enable_grad():
            inner = torch.ones((), requires_grad=True)
            result = Deep.apply(inner, ctx.left - 1)
        (found,) = torch.autograd.grad(result, inner, grad)
        return found, None


def test_passes_run_inside_each_other_deeper_than_python_nests_calls() -> None:
    x = torch.ones((), requires_grad=True)
    Deep.apply(x, 300).backward()
    assert x.grad.item() == 3.0
    with pytest.raises(ValueError, match="deep inside"):
        Deep.apply(x, 300).backward(torch.tensor(float("inf")))
    Deep.apply(x, 100).backward()
    assert x.grad.item() == 6.0


LAST_STEPS = {
    "conj": (lambda b: b[0].conj(), "ConjBackward0"),
    "adjoint": (lambda b: b.mH, "ConjBackward0"),
    "view_as_real": (lambda b: torch.view_as_real(b.t()), "ViewAsRealBackward0"),
    "select of conj": (lambda b: b.conj()[0], "AsStridedBackward0"),
    "select of view_as_real": (lambda b: torch.view_as_real(b)[0], "AsStridedBackward0"),
}


@pytest.mark.parametrize("name", LAST_STEPS)
def test_a_view_of_complex_numbers_is_read_again_by_its_last_step(name: str) -> None:
    look, node = LAST_STEPS[name]
    x = torch.tensor([[1 + 2j, 3 - 1j], [2j, 4.0]], requires_grad=True)
    base = x.clone()
    view = look(base)
    base.mul_(2)
    assert view.grad_fn.name() == node
    assert view.tolist() == (look(x.detach()) * 2).tolist()
    view.abs().sum().backward()
    found, x.grad = x.grad, None
    (look(x) * 2).abs().sum().backward()
    assert found.tolist() == x.grad.tolist()
