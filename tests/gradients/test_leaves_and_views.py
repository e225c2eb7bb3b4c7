"""Leaves with other data, views that are leaves, and what is left of gradients: what PyTorch 2.13 answers, by hand."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import tensorwidgets as torch
from tests.gradients.functions import custom_functions


def test_a_leaf_keeps_the_size_that_its_graph_was_recorded_for() -> None:
    a = torch.ones(2, 3, requires_grad=True)
    kept = a * 2
    a.data = torch.ones(4)
    with pytest.raises(RuntimeError, match=r"MulBackward0 returned an invalid gradient at index 0 - got \[4\] but"):
        (a * 2).sum().backward()
    with pytest.raises(RuntimeError, match=r"^invalid gradient at index 0 - got \[4\] but expected shape"):
        a.backward(torch.ones(4))
    with pytest.raises(RuntimeError, match=r"size of tensor a \(4\) must match the size of tensor b \(3\)"):
        kept.sum().backward()


def test_without_a_graph_a_leaf_has_its_new_size() -> None:
    a = torch.ones(2, 3, requires_grad=True)
    a * 2
    a.data = torch.ones(4)
    (a * 2).sum().backward()
    assert a.grad.tolist() == [2.0] * 4


def test_a_gradient_of_the_old_size_is_laid_out_as_the_new_data_if_it_can_be() -> None:
    a = torch.ones(3, requires_grad=True)
    b = a * 2
    a.data = torch.ones(2, 3)
    b.sum().backward()
    assert a.grad.tolist() == [[2.0] * 3] * 2
    assert a.grad._version == 1
    a = torch.ones(2, requires_grad=True)
    b = a * 2
    a.data = torch.ones(())
    b.sum().backward()
    assert a.grad.tolist() == [2.0, 2.0]


def test_data_of_inference_mode_takes_a_leaf_out_of_calls_of_its_own() -> None:
    a = torch.ones(3, requires_grad=True)
    with torch.inference_mode():
        a.data = torch.full((3,), 2.0)
        a.add_(a)
    assert a.requires_grad
    assert a._version == 0
    assert not (a * a).requires_grad
    assert not a.view(-1)._is_view()
    assert (a + torch.ones(3)).grad_fn.name() == "AddBackward0"


def test_a_view_of_no_grad_stays_one_when_it_becomes_a_leaf() -> None:
    a = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        b = a[:1]
    b.requires_grad = True
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode and is being modified inplace"):
        b.add_(1)
    (b * 3).sum().backward()
    assert b.grad.tolist() == [3.0]
    assert a.grad is None
    with torch.no_grad():
        a.add_(1)
    with pytest.raises(RuntimeError, match="its base or another view of its base has been modified inplace"):
        b.grad_fn  # noqa: B018  # it is the question that is refused


def test_views_join_a_base_that_requires_a_gradient() -> None:
    a = torch.ones(3)
    v = a[:2]
    a.requires_grad_()
    assert v.requires_grad
    assert v.is_leaf
    with torch.no_grad():
        a.add_(1)
    assert v.grad_fn.name() == "AsStridedBackward0"
    w = torch.ones(3)
    x = w[:2]
    w.requires_grad_()
    w.requires_grad_(False)
    assert not x.requires_grad


def test_a_call_that_returns_its_input_asks_for_no_node() -> None:
    a = torch.ones(2, 2, requires_grad=True)
    views = a.unbind(0)
    with torch.no_grad():
        a.mul_(2)
    for same in (views[0].float(), views[0].conj(), views[0].to("cpu")):
        assert same is views[0]
    with pytest.raises(RuntimeError, match="Output 0 of Unbind is a view and its base"):
        views[0].double()


def test_a_gradient_that_is_a_view_of_the_pass_may_not_be_written_to() -> None:
    a = torch.ones(2, requires_grad=True)
    found = torch.autograd.grad(a.sum(), [a, a])
    with pytest.raises(RuntimeError, match="A view was created in no_grad mode and is being modified inplace"):
        found[1][0].add_(a[0])


@pytest.mark.parametrize("name", ["sort", "max", "topk", "kthvalue", "cummax", "mode"])
def test_indices_are_no_result_of_a_node(name: str) -> None:
    for size in ((3,), ()):
        a, seen = torch.zeros(size, requires_grad=True), list[tuple[int, int]]()
        values = getattr(a, name)(*((1,) if name in ("topk", "kthvalue") else (0,)))[0]
        values.grad_fn.register_hook(lambda gi, go, seen=seen: seen.append((len(gi), len(go))))
        values.sum().backward()
        assert seen == [(1, 1)]
        assert a.grad._version == 2


def test_how_often_gradients_were_written_to() -> None:
    a = torch.ones(2, requires_grad=True)
    b = a.view(2, 1)
    (b * b).backward(torch.ones(2, 1))  # a sum in place, seen through a view
    assert a.grad._version == 1
    a = torch.ones(3, 4, requires_grad=True)
    b = a * a
    b += a
    b.mT.add_(-1)
    b.sum().backward()  # sums go into the memory that CopySlices has written to twice
    assert a.grad._version == 4
    a = torch.ones(3).unfold(-1, 2, 1).requires_grad_()
    a.backward(torch.ones(2, 2))  # a clone, for a leaf whose layout no gradient can have
    assert a.grad._version == 0


def test_a_complex_gradient_of_a_real_number_is_no_view() -> None:
    a = torch.tensor(2.0, requires_grad=True)
    grad = torch.ones(2, dtype=torch.complex64)
    (found,) = torch.autograd.grad(torch.ones(2, dtype=torch.complex64) * a, a, grad)
    assert not found._is_view()


def test_what_is_saved_is_checked_though_the_gradient_goes_nowhere() -> None:
    a = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        b = a.view(-1)
    c = b.exp()
    c.sum().backward()
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        c.sum().backward()


def test_hooks_after_a_gradient_run_for_a_leaf_that_requires_none_any_longer() -> None:
    a, seen = torch.ones(2, requires_grad=True), []
    a.register_post_accumulate_grad_hook(lambda p: seen.append(p.grad))
    b = a * 2
    a.requires_grad_(False)
    b.sum().backward()
    assert seen == [None]


def test_a_view_that_a_function_returns_is_known_as_such_under_no_grad_too() -> None:
    class Same(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.view_as(x)

    a = torch.ones(2, requires_grad=True)
    for mode in (torch.no_grad(), torch.inference_mode()):
        with mode:
            b = Same.apply(a)
        with pytest.raises(RuntimeError, match=r"with grad mode enabled\. This view was created inside a custom Fun"):
            b.neg_()


def test_the_hooks_of_a_view_stay_together() -> None:
    a, seen = torch.ones(2, requires_grad=True), []
    views = a.unbind(0)
    views[1].register_hook(seen.append)
    with torch.no_grad():
        a.add_(1)
    views[1].register_hook(seen.append)
    with pytest.raises(RuntimeError, match="Output 0 of Unbind is a view and its base"):
        views[0].register_hook(seen.append)
    v = (a * 2).view(2)
    v.register_hook(lambda g: seen.append("before"))
    v.mul_(2)
    v.register_hook(lambda g: seen.append("after"))
    v.sum().backward()
    assert "after" in seen


def test_a_kept_gradient_ends_where_a_function_writes_to_its_tensor() -> None:
    b = torch.ones(2, requires_grad=True) * 2
    b.retain_grad()
    b.sum().backward()
    assert b.grad.tolist() == [1.0, 1.0]
    custom_functions(torch)["Tripled"].apply(b)
    assert b.grad is None


def test_what_is_made_of_a_tensor_goes_back_to_it() -> None:
    x = torch.ones(2, requires_grad=True)
    assert torch.as_tensor(x, dtype=torch.float32) is x
    made = torch.as_tensor(x, dtype=torch.float64)
    assert repr(made) == "tensor([1., 1.], dtype=torch.float64, grad_fn=<ToCopyBackward0>)"
    (made * 3).sum().backward()
    assert repr(x.grad) == "tensor([3., 3.])"
    assert not torch.as_tensor(x, dtype=torch.int64).requires_grad
    assert repr(torch.asarray(x, copy=True, requires_grad=True)) == "tensor([1., 1.], grad_fn=<CloneBackward0>)"
    with pytest.raises(RuntimeError, match="^Only Tensors of floating point and complex dtype can require"):
        torch.asarray(x, dtype=torch.int64, requires_grad=True)


def test_a_sparse_result_prints_its_node() -> None:
    x = torch.eye(2, requires_grad=True)
    for result, node in (
        (x.to_sparse(), "ToSparseBackward1"),
        (x.to_sparse() * 2, "MulBackward0"),
        (x.to_sparse_csr(), "ToSparseCsrBackward0"),
        (x.to_sparse_bsr((1, 1)), "ToSparseBsrBackward0"),
    ):
        assert repr(result).endswith(f"grad_fn=<{node}>)")
    assert repr(torch.eye(2).to_sparse().requires_grad_()).endswith("requires_grad=True)")


@pytest.mark.parametrize("unrecorded", [torch.no_grad, torch.inference_mode])
def test_a_function_that_writes_where_nothing_is_recorded_leaves_its_input_in_the_graph(unrecorded: Any) -> None:
    tripled = custom_functions(torch)["Tripled"].apply
    leaf, computed = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True) * 2
    for t in (leaf, computed):
        with unrecorded():
            result = tripled(t)
        assert t.requires_grad and not result.requires_grad
        assert result.tolist() == t.tolist()
    assert leaf.is_leaf and computed.grad_fn.name() == "MulBackward0"


def test_a_leaf_that_is_set_to_other_memory_leaves_its_graphs_behind() -> None:
    x = torch.ones(2, requires_grad=True)
    edge = torch.autograd.graph.get_gradient_edge(x)
    y = (x * 2).sum()
    with torch.no_grad():
        x.set_(torch.zeros(2))
    with pytest.raises(RuntimeError, match="^The differentiated Tensor at index 0 appears to not have been used"):
        torch.autograd.grad(y, x, retain_graph=True)
    assert torch.autograd.grad(y, edge, retain_graph=True)[0].tolist() == [2.0, 2.0]
    y.backward()
    assert x.grad.tolist() == [2.0, 2.0]


def test_a_view_with_a_new_node_takes_hooks_there() -> None:
    called = []
    x = torch.ones(1, requires_grad=True).clone()
    view = x[:]
    view.register_hook(lambda grad: called.append("old"))
    x.mul_(2)
    view.grad_fn  # noqa: B018 -- looks for the new node
    view.register_hook(lambda grad: called.append("new"))
    (view + x).sum().backward()
    assert called == ["new"]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [(3, "increment_version expect a Iterable"), ([3], "increment_version expects each element of the iterable")],
)
def test_only_tensors_have_a_version(wrong: Any, message: str) -> None:
    with pytest.raises(RuntimeError, match=f"^{message}"):
        torch.autograd.graph.increment_version(wrong)


def test_a_node_takes_no_arguments_by_name() -> None:
    y = torch.ones(1, requires_grad=True) * 2
    with pytest.raises(TypeError, match="^keyword arguments are not supported$"):
        y.grad_fn(grad=torch.ones(1))


def test_only_inputs_may_have_names() -> None:
    x = torch.ones((), requires_grad=True)
    assert torch.autograd.grad(x * 2, {"x": x})["x"].item() == 2
    with pytest.raises(AssertionError, match="^Expected output to be a torch.Tensor"):
        torch.autograd.grad({"y": x * 2}, x)


def test_a_convolution_shows_what_it_saved_under_pytorchs_names() -> None:
    x = torch.ones(1, 1, 4, requires_grad=True)
    node = torch.nn.functional.conv1d(x, torch.ones(1, 1, 1), stride=2).grad_fn
    assert {"_saved_input", "_saved_weight", "_saved_bias_sym_sizes_opt"} <= set(dir(node))
    assert node._saved_bias_sym_sizes_opt == (0,) and node._saved_stride == (2,)
    assert node._saved_weight.shape == (1, 1, 1)


def test_leaves_get_other_numbers_without_a_look_at_every_object_where_no_graph_was_made(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked = []
    every = gc.get_objects
    monkeypatch.setattr(gc, "get_objects", lambda: looked.append(1) or every())
    a = torch.ones(3, requires_grad=True)
    graph = a * 2
    a.data = torch.ones(3, dtype=torch.float64)
    assert len(looked) == 1
    a.data = torch.ones(4)
    torch.nn.Linear(2, 2).double()
    assert len(looked) == 1
    assert graph.grad_fn.next_functions[0][0].variable is a
    graph.sum().backward()
    assert a.grad is None or a.grad.dtype is not torch.float64
