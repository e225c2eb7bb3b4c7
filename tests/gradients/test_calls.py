"""What programs of calls have found: hooks that see what PyTorch's see, refusals that come when its come."""

from __future__ import annotations

from typing import Any

import pytest

import tensorwidgets as torch


class Halves(torch.autograd.Function):
    """Two results, of which a missing gradient stays None."""

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.set_materialize_grads(False)
        return x * 2, y * 3

    @staticmethod
    def backward(ctx: Any, of_x: Any, of_y: Any) -> Any:
        return of_x, of_y


def test_the_hooks_of_a_leaf_are_called_where_no_gradient_arrives() -> None:
    seen: list[Any] = []
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    node = torch.autograd.graph.get_gradient_edge(y).node
    y.register_hook(lambda grad: seen.append(("hook", grad)))
    node.register_prehook(lambda grads: seen.append(("before", grads)))
    y.register_post_accumulate_grad_hook(lambda leaf: seen.append(("after", leaf.grad)))
    node.register_hook(lambda inputs, outputs: seen.append(("node", inputs, outputs)))
    Halves.apply(x, y)[0].sum().backward()
    assert seen == [("hook", None), ("before", (None,)), ("after", None), ("node", (), (None,))]
    assert y.grad is None
    del seen[:]
    assert torch.autograd.grad(Halves.apply(x, y)[0].sum(), y, allow_unused=True) == (None,)
    assert seen == [("hook", None)]


def test_a_hook_of_a_node_sees_gradients_that_fit_the_inputs() -> None:
    seen: list[Any] = []
    x, y = torch.ones(2, 3, requires_grad=True), torch.ones(3, requires_grad=True, dtype=torch.float64)
    z = x + y
    z.grad_fn.register_hook(lambda inputs, _: seen.extend((tuple(g.shape), g.dtype) for g in inputs))
    z.sum().backward()
    assert seen == [((2, 3), torch.float32), ((3,), torch.float64)]


@pytest.mark.parametrize(
    "gradient, words",
    [
        (lambda g: g + 1j, "Expected isFloatingType(grad.scalar_type())"),
        (lambda g: g.reshape(-1)[:1], "returned an invalid gradient at index 0 - got [1]"),
    ],
)
def test_a_gradient_that_goes_nowhere_must_fit_too(gradient: Any, words: str) -> None:
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return gradient(grad)

    x = torch.ones(2, 2, requires_grad=True)
    y = Wrong.apply(x)
    with pytest.raises(RuntimeError) as error:
        y.sum().backward(inputs=[y])
    assert words in str(error.value)


def test_what_is_saved_is_read_also_where_there_is_no_gradient() -> None:
    x, y, w = (torch.ones(2, requires_grad=True) for _ in range(3))
    a, b = Halves.apply(x, y)
    c = Halves.apply(a * w, b.sum())[1]
    c.backward()
    with pytest.raises(RuntimeError, match="a second time"):
        c.backward()


def test_a_gradient_that_a_hook_gave_back_becomes_the_gradient_of_the_leaf() -> None:
    x = torch.ones(2, requires_grad=True)
    y = x.exp()
    y.grad_fn.register_hook(lambda inputs, _: tuple(g * 1 for g in inputs))
    y.sum().backward()
    assert x.grad._version == 0


def test_a_hook_of_several_does_not_count_where_backward_begins() -> None:
    seen: list[Any] = []
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    z = y * 3
    handles = [torch.autograd.graph.register_multi_grad_hook([z, y], lambda grads: seen.append(grads))]
    z.backward(torch.ones(2))
    assert [[g if g is None else g.tolist() for g in grads] for grads in seen] == [[[1, 1], None], [None, [3, 3]]]
    handles[0].remove()
    torch.autograd.graph.register_multi_grad_hook([x], lambda grads: seen.append(grads))
    assert torch.autograd.grad(x, x, torch.ones(2))[0].tolist() == [1, 1]
    assert len(seen) == 2


def test_a_view_of_inference_mode_has_no_edge() -> None:
    x = torch.ones(2, 2, requires_grad=True)
    with torch.inference_mode():
        y = x.reshape(-1)
    for ask in (
        torch.autograd.graph.get_gradient_edge,
        lambda t: torch.autograd.graph.register_multi_grad_hook([t], print),
    ):
        with pytest.raises(AssertionError, match="Expected gradient function to be set"):
            ask(y)


def test_hooks_of_saved_tensors_see_the_tensors_of_an_index() -> None:
    seen: list[Any] = []
    x = torch.arange(3.0).reshape(1, 3).requires_grad_()
    with torch.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t.tolist()) or t, lambda t: t):
        y = x[:, [0]]
    y.sum().backward()
    assert seen == [[0]]
    assert x.grad.tolist() == [[1, 0, 0]]


@pytest.mark.parametrize(
    "size, words", [((3,), "dimensions must larger than 1"), ((1, 2, 2), "all dimensions of input must be of equal")]
)
def test_a_row_that_is_recorded_by_its_parts_refuses_in_its_own_words(size: tuple[int, ...], words: str) -> None:
    x = torch.ones(size, requires_grad=True) * 1
    with pytest.raises(RuntimeError, match=words):
        x.fill_diagonal_(2)


def test_a_diagonal_goes_on_below_an_empty_row() -> None:
    x = torch.ones(7, 3, requires_grad=True)
    y = x * 1
    y.fill_diagonal_(5, wrap=True)
    assert (y == 5).nonzero().tolist() == [[0, 0], [1, 1], [2, 2], [4, 0], [5, 1], [6, 2]]
    y.sum().backward()
    assert torch.equal(x.grad, (y != 5).float())


def test_transforms_refuse_hooks_of_saved_tensors() -> None:
    x = torch.ones(2)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        for transform in (torch.func.grad, torch.func.grad_and_value, torch.func.jacrev, torch.func.hessian):
            with pytest.raises(RuntimeError, match="don't yet support saved tensor hooks"):
                transform(lambda v: v.sum())(x)
        with pytest.raises(RuntimeError, match="don't yet support saved tensor hooks"):
            torch.func.vjp(torch.sin, x)


def test_a_size_may_be_spread_over_arguments() -> None:
    assert torch.ones(3).broadcast_to(2, 3).shape == (2, 3)
    with pytest.raises(TypeError):
        torch.broadcast_to(torch.ones(3), 2, 3)


def test_values_are_clipped_in_two_steps_and_only_where_there_are_gradients() -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(RuntimeError, match="nested_tensorlist"):
        torch.nn.utils.clip_grad_value_([x], 1)
    x.grad = torch.ones(2)
    torch.nn.utils.clip_grad_value_([x], 0.5)
    assert x.grad.tolist() == [0.5, 0.5]
    assert x.grad._version == 2


def test_a_product_of_reflections_is_saved() -> None:
    x = torch.eye(2, requires_grad=True)
    y = torch.linalg.householder_product(x, x[0])
    y.mul_(2)
    with pytest.raises(RuntimeError, match="which is output 0 of LinalgHouseholderProduct, is at version 1"):
        y.sum().backward()


def test_hooks_get_saved_tensors_in_the_order_of_their_names() -> None:
    seen: list[str] = []
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    called = {id(x): "x", id(y): "y"}
    with torch.autograd.graph.saved_tensors_hooks(lambda t: seen.append(called.get(id(t), "result")) or t, lambda t: t):
        torch.fmin(x, y)
        torch.pow(x, y)
        torch.addcmul(x, x, y)
    assert seen == ["y", "x", "y", "x", "result", "x", "y"]


def test_what_is_written_may_not_be_read() -> None:
    x = torch.ones(2, 2)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
        torch.stack([x, x], out=x)
    with pytest.raises(RuntimeError, match="some elements of the input tensor and the written-to tensor"):
        x.index_copy_(0, torch.tensor([0]), x)


def test_a_copy_in_which_a_part_is_replaced_is_new() -> None:
    x = torch.ones(2, 2, requires_grad=True)
    assert x.diagonal_scatter(x.diagonal())._version == 0
    assert x.select_scatter(x[0], 0, 0)._version == 0


def test_products_are_differentiated_by_the_ops_that_pytorch_takes() -> None:
    x, v = torch.ones(2, 2, requires_grad=True), torch.ones(2, requires_grad=True)
    (of_v,) = torch.autograd.grad(torch.nn.functional.linear(v, x, v).exp().sum(), v, create_graph=True)
    names, nodes = set(), [of_v.grad_fn]
    while nodes:
        node = nodes.pop()
        names.add(node.name())
        nodes += [edge for edge, _ in node.next_functions if edge is not None]
    assert "TBackward0" in names
    assert "TransposeBackward0" not in names


def test_a_function_is_told_what_requires_a_gradient_also_where_nothing_is_recorded() -> None:
    seen = []

    class Product(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            seen.append(ctx.needs_input_grad)
            return x * y

    with torch.no_grad():
        assert not Product.apply(torch.ones(2, requires_grad=True), torch.ones(2)).requires_grad
    assert seen == [(True, False)]


@pytest.mark.parametrize("name", ["index_add", "index_copy"])
def test_a_source_that_was_written_to_is_refused(name: str) -> None:
    x, source = torch.ones(3, 2, requires_grad=True), torch.ones(1, 2, requires_grad=True) * 1
    y = getattr(x, name)(0, torch.tensor([1]), source)
    source.mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.sum().backward()


def test_arguments_are_packed_before_a_call_fails() -> None:
    seen: list[Any] = []
    x, y = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: seen.append(t.shape[0]) or t, lambda t: t):
        with pytest.raises(RuntimeError, match="must match the size"):
            x * y
    assert seen == [3, 2]


def test_refusals_come_in_the_order_of_pytorch() -> None:
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        torch.ones(2).backward(torch.ones(3))
    with pytest.raises(RuntimeError, match="mat2 must be a matrix, got 1-D tensor"):
        torch.nn.functional.linear(torch.ones(2), torch.ones(2), torch.ones(1))
    with pytest.raises(IndexError, match="Dimension specified as 0 but tensor has no dimensions"):
        torch.ones(1, 2, 2).baddbmm(torch.ones(()), torch.ones(()))
    with pytest.raises(RuntimeError, match="must be batches of square matrices"):
        torch.linalg.matrix_power(torch.ones(3, 2, requires_grad=True), 1)


def test_a_view_along_which_nothing_moves_is_summed() -> None:
    x = torch.arange(4.0).requires_grad_()
    y = x.as_strided((3, 1, 2), (1, 1, 0))
    (gradient,) = torch.autograd.grad((y * y).sum(), x, create_graph=True)
    assert gradient.tolist() == [0, 4, 8, 0]
    names = []
    node = gradient.grad_fn
    while node is not None and len(names) < 4:
        names.append(node.name())
        node = next((edge for edge, _ in node.next_functions if edge is not None), None)
    assert names == ["AsStridedBackward0", "torch::autograd::CopySlices", "SqueezeBackward1", "SumBackward1"]


def test_a_hook_sees_the_gradients_that_are_wanted_and_no_others() -> None:
    seen: list[Any] = []
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    z = x * y
    z.grad_fn.register_hook(lambda inputs, _: seen.append([g is None for g in inputs]))
    torch.autograd.grad(z.sum(), y, retain_graph=True)
    z.sum().backward(inputs=[x])
    assert seen == [[True, False], [False, True]]


def test_a_sum_over_a_dimension_that_is_not_there_is_refused() -> None:
    for x in (torch.ones(()), torch.ones((), requires_grad=True)):
        with pytest.raises(IndexError, match="Dimension specified as -1 but tensor has no dimensions"):
            torch.tensordot(x, x, ([-1], [-1]))


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.narrow(x, 7, 0, 1), lambda x: torch.diff(x, 1, 7), lambda x: torch.fft.fft(x, 2, 7),
        lambda x: torch.fft.rfftn(x, dim=(0, 7)), lambda x: torch.fft.irfft(x, 2, -7),
        lambda x: torch.linalg.matrix_norm(x, 7), lambda x: torch.linalg.cond(x, 7),
        lambda x: torch.tensordot(x, x, -7),
        lambda x: torch.tensordot(x, x, ([7], [0])), lambda x: torch.linalg.matrix_norm(x, dim=(0, 7)),
    ],
)  # fmt: skip
def test_a_call_that_is_recorded_is_refused_as_one_that_is_not(call: Any) -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.5]])
    with pytest.raises((IndexError, RuntimeError)) as plain:
        call(x)
    with pytest.raises(type(plain.value)) as recorded:
        call(x.clone().requires_grad_())
    assert str(recorded.value) == str(plain.value)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: torch.cdist(x, 7), lambda x: torch.conv1d(x, x, 7), lambda x: torch.group_norm(x, 2, 7),
        lambda x: torch.nan_to_num([x]), lambda x: torch.softmax([x], 1), lambda x: torch.rnn_relu_cell(x, 7, x, x),
    ],
)  # fmt: skip
def test_an_argument_of_a_wrong_kind_is_refused_where_the_call_is_recorded(call: Any) -> None:
    with pytest.raises(TypeError, match="must be Tensor|invalid combination"):
        call(torch.ones(2, 2, requires_grad=True))
