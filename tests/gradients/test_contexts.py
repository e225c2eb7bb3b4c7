"""What a Function keeps in its context, what a backward pass leaves set, and what anomaly mode says of errors."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Callable
from typing import Any

import pytest

import tensorwidgets as torch

NAMES = (
    "number edges size dtype code at extra shortcut writes casts takes_undefined release where function values "
    "versions derivative own shape"
).split()
"""Names that nodes have for themselves, and one that they do not have."""


def _function(forward: Callable, backward: Callable) -> Any:
    """A Function of two functions."""
    members = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    make: Any = type(torch.autograd.Function)
    return make("Own", (torch.autograd.Function,), members)


def _leaf(*size: int, device: str = "cpu") -> Any:
    """Ones that require a gradient."""
    return torch.ones(*size, device=device, requires_grad=True)


# -- contexts ----------------------------------------------------------------------------------------------------


def test_a_context_keeps_the_size_that_the_user_means() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.size, ctx.dtype = x.size(), x.dtype
        return x.sum().double()

    function = _function(forward, lambda ctx, g: g.expand(ctx.size).to(ctx.dtype))
    x = _leaf(3, 2)
    (function.apply(x * 2) * 3).backward()
    assert x.grad.tolist() == [[6.0, 6.0]] * 3


@pytest.mark.parametrize("name", NAMES)
def test_a_context_takes_an_attribute_of_any_name(name: str) -> None:
    seen = []

    def forward(ctx: Any, x: Any) -> Any:
        seen.append(hasattr(ctx, name))
        setattr(ctx, name, "mine")
        return x.sum(0)

    def backward(ctx: Any, grad: Any) -> Any:
        seen.append(getattr(ctx, name))
        return grad.expand(3)

    x = _leaf(3)
    _function(forward, backward).apply(x).backward()
    assert seen == [False, "mine"]
    assert x.grad.tolist() == [1.0] * 3


def test_a_context_is_seen_as_the_node() -> None:
    kept = []

    def forward(ctx: Any, x: Any) -> Any:
        kept.append(ctx)
        ctx.factor = 3
        return x * 3

    y = _function(forward, lambda ctx, g: g * ctx.factor).apply(torch.ones(1, requires_grad=True))
    node = y.grad_fn
    assert kept[0] == node and hash(kept[0]) == hash(node) and repr(kept[0]) == repr(node)
    assert isinstance(kept[0], torch.autograd.function.FunctionCtx)
    assert node.factor == 3 and kept[0].name() == "OwnBackward"
    assert kept[0].__dict__ == {"factor": 3} and "factor" in dir(kept[0])
    with pytest.raises(AttributeError, match="^'OwnBackward' object has no attribute 'other'$"):
        _ = kept[0].other


def test_what_belongs_to_the_node_cannot_be_replaced() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.saved_tensors = ()
        return x

    with pytest.raises(AttributeError, match="^attribute 'saved_tensors' of 'torch._C._FunctionBase' objects is not"):
        _function(forward, lambda ctx, g: g).apply(torch.ones(1, requires_grad=True))


def test_only_a_flag_says_whether_gradients_become_zeros() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.set_materialize_grads(0)
        return x

    with pytest.raises(TypeError, match=r"^set_materialize_grads received an invalid combination of arguments - got"):
        _function(forward, lambda ctx, g: g).apply(torch.ones(1, requires_grad=True))


@pytest.mark.parametrize(("as_zeros", "expected"), [(True, torch.zeros(())), (False, None)])
def test_a_result_without_a_gradient_gives_zeros_or_none(as_zeros: bool, expected: Any) -> None:
    seen = []

    def forward(ctx: Any, x: Any) -> Any:
        a, b = x * 2, x * 3
        ctx.mark_non_differentiable(b)
        ctx._materialize_non_diff_grads = as_zeros
        return a, b

    def backward(ctx: Any, first: Any, second: Any) -> Any:
        seen.append(second)
        return first * 2

    _function(forward, backward).apply(torch.tensor(1.0, requires_grad=True))[0].backward()
    assert seen == [expected]


def test_what_was_marked_and_saved_is_not_kept_twice() -> None:
    seen = []

    def forward(ctx: Any, x: Any) -> Any:
        a = x * 2
        seen.append((ctx.to_save, ctx.dirty_tensors, ctx.non_differentiable))
        ctx.mark_non_differentiable(a)
        return a, x * 3

    def backward(ctx: Any, first: Any, second: Any) -> Any:
        seen.append((ctx.to_save, ctx.dirty_tensors, ctx.non_differentiable))
        return second

    gc.disable()
    try:
        a, b = _function(forward, backward).apply(torch.ones(2, requires_grad=True))
        there = weakref.ref(a)
        del a
        assert there() is None
    finally:
        gc.enable()
    b.sum().backward()
    assert seen == [(None, None, None)] * 2


def test_a_call_that_a_checkpoint_ends_leaves_nothing_behind() -> None:
    made = []

    def forward(ctx: Any, x: Any) -> Any:
        y = x.clone()
        ctx.save_for_backward(y)
        made.append(weakref.ref(y))
        return y

    def backward(ctx: Any, grad: Any) -> Any:
        return grad * ctx.saved_tensors[0]

    function = _function(forward, backward)
    gc.disable()
    try:
        torch.utils.checkpoint.checkpoint(
            function.apply, torch.ones(2, requires_grad=True), use_reentrant=False
        ).sum().backward()
        assert [there() for there in made] == [None, None]
    finally:
        gc.enable()


def test_an_attribute_error_in_an_unpack_hook_is_the_users() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2

    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t.nonsense):
        y = _function(forward, lambda ctx, g: ctx.saved_tensors[0]).apply(torch.ones(2, requires_grad=True))
    with pytest.raises(AttributeError, match="^'Tensor' object has no attribute 'nonsense'$"):
        y.sum().backward()


def test_a_large_gradient_on_another_device_is_refused() -> None:
    function = _function(lambda ctx, x: x * 2, lambda ctx, g: torch.ones(2, device="meta"))
    with pytest.raises(RuntimeError, match="^Function OwnBackward returned an invalid gradient at index 0 - expected"):
        function.apply(torch.ones(2, requires_grad=True)).sum().backward()


def test_a_function_may_hand_out_its_saved_tensors_once() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2

    function = _function(forward, lambda ctx, g: g * ctx.saved_tensors[0])
    function.clear_saved_tensors_on_access = True
    y = function.apply(torch.ones(1, requires_grad=True))
    assert len(y.grad_fn.saved_tensors) == 1
    assert y.grad_fn._raw_saved_tensors == ()
    with pytest.raises(RuntimeError, match="^saved_tensors can only be accessed once when clear_saved_tensors_on_"):
        y.backward()


def test_a_function_may_get_its_gradients_in_one_list() -> None:
    seen = []

    def backward(ctx: Any, grads: list) -> Any:
        seen.append(list(grads))
        return grads.pop(0)

    function = _function(lambda ctx, x: (x * 2, x * 3), backward)
    function.boxed_grads_call = True
    x = _leaf(1)
    function.apply(x)[0].backward()
    assert seen == [[torch.ones(1), torch.zeros(1)]]
    assert x.grad.item() == 1


@pytest.mark.parametrize("name", ["clear_saved_tensors_on_access", "boxed_grads_call"])
def test_a_setting_of_a_function_is_a_flag(name: str) -> None:
    function = _function(lambda ctx, x: x, lambda ctx, g: g)
    setattr(function, name, 1)
    with pytest.raises(RuntimeError, match=f"^{name} must be a bool, got int"):
        function.apply(torch.ones(1))


def test_nothing_is_left_to_read_after_the_pass_even_if_nothing_was_saved() -> None:
    y = _function(lambda ctx, x: x * 2, lambda ctx, g: g).apply(torch.ones(1, requires_grad=True))
    assert y.grad_fn.saved_tensors == ()
    y.backward()
    with pytest.raises(RuntimeError, match="^Trying to backward through the graph a second time"):
        _ = y.grad_fn.saved_tensors


def test_saved_tensors_are_freed_early_if_the_graph_is_not_kept() -> None:
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * 2

    def backward(ctx: Any, grad: Any) -> Any:
        ctx.maybe_clear_saved_tensors()
        return grad * ctx.saved_tensors[0]

    y = _function(forward, backward).apply(torch.ones(1, requires_grad=True))
    y.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="^Trying to backward through the graph a second time"):
        y.backward()


def test_a_hook_gives_back_the_tensor_itself() -> None:
    seen = []
    x, y = torch.ones(2, requires_grad=True), torch.ones(2)

    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(y)
        return x * 2

    def backward(ctx: Any, grad: Any) -> Any:
        seen.append(ctx.saved_tensors[0])
        return grad, None

    torch.utils.checkpoint.checkpoint(_function(forward, backward).apply, x, y, use_reentrant=False).sum().backward()
    assert seen[0] is y


def test_a_saved_input_is_always_called_output_0() -> None:
    _, mean = torch.var_mean(_leaf(2, 2), 0)
    y = mean * mean
    with torch.no_grad():
        mean.add_(1)
    with pytest.raises(
        RuntimeError, match=r"\[torch.FloatTensor \[2\]\], which is output 0 of VarMean, is at version 1;"
    ):
        y.sum().backward()


def test_a_view_that_a_function_returns_as_it_got_it_takes_no_write() -> None:
    x = torch.ones(2)
    y = _function(lambda ctx, x: x, lambda ctx, g: g).apply(x)
    with pytest.raises(RuntimeError, match="This view was created inside a custom Function"):
        y.add_(_leaf(2))


# -- gradients without numbers -----------------------------------------------------------------------------------


def test_zeros_for_an_undefined_gradient_are_where_the_result_is() -> None:
    x = _leaf(2, 3, device="meta")
    seen = []

    def backward(ctx: Any, first: Any, second: Any) -> Any:
        seen.extend([first.device.type, second.device.type])
        return first + second

    a, b = _function(lambda ctx, x: (x * 2, x.sum()), backward).apply(x)
    assert a.grad_fn._input_metadata[0].device.type == "meta"
    b.backward()
    assert seen == ["meta", "meta"] and x.grad.is_meta


def test_a_write_into_a_part_has_a_gradient_without_numbers() -> None:
    x = _leaf(2, 3, device="meta")
    y = x.clone()
    y[0] = 1
    y.sum().backward()
    assert x.grad.is_meta


@pytest.mark.parametrize(("device", "other"), [("cpu", "meta"), ("meta", "cpu")])
def test_a_gradient_that_is_passed_must_be_where_its_tensor_is(device: str, other: str) -> None:
    x = torch.ones(2, device=device, requires_grad=True)
    for y in (x, x * 2):
        with pytest.raises(
            RuntimeError, match=f"^invalid gradient at index 0 - expected device {device} but got {other}"
        ):
            y.backward(torch.ones(2, device=other))


# -- what is set in a backward pass ------------------------------------------------------------------------------


def test_what_a_backward_function_sets_ends_with_it() -> None:
    seen = []

    def backward(ctx: Any, grad: Any) -> Any:
        seen.append(torch.is_grad_enabled())
        torch.set_grad_enabled(True)
        torch.inference_mode().__enter__()
        return grad * 2

    function = _function(lambda ctx, x: x * 2, backward)
    x = _leaf(2)
    x.register_hook(lambda grad: seen.append(torch.is_grad_enabled()))
    function.apply(function.apply(x)).sum().backward()
    assert seen == [False] * 3 and x.grad.grad_fn is None
    assert torch.is_grad_enabled() and not torch.is_inference_mode_enabled()


def test_hooks_on_saved_tensors_that_a_hook_opens_end_with_the_pass() -> None:
    packed: list[Any] = []
    x = _leaf(2)
    y = x * 2

    def hook(grad: Any) -> None:
        torch.autograd.graph.saved_tensors_hooks(packed.append, lambda t: t).__enter__()

    y.register_hook(hook)
    y.sum().backward()
    (x * x).sum().backward()
    assert packed == []


def test_an_error_in_a_hook_leaves_nothing_set() -> None:
    def hook(grad: Any) -> None:
        torch.set_grad_enabled(True)
        raise ValueError("mine")

    x = _leaf(2)
    y = x * 2
    y.register_hook(hook)
    with torch.no_grad():
        with pytest.raises(ValueError, match="^mine$"):
            y.backward(torch.ones(2))
        assert not torch.is_grad_enabled()


def test_a_graph_behind_gradients_is_warned_of_once() -> None:
    before = torch.is_warn_always_enabled()
    x = _leaf(2)
    torch.set_warn_always(True)
    try:
        with pytest.warns(UserWarning, match=r"^Using backward\(\) with create_graph=True will create a reference"):
            (x * x).sum().backward(create_graph=True)
    finally:
        torch.set_warn_always(before)


# -- anomaly mode ------------------------------------------------------------------------------------------------


def _fail(grad: Any) -> None:
    """A hook with an error."""
    raise ZeroDivisionError


def _messages(run: Callable[[], Any]) -> list[str]:
    """The first words of the warnings of a backward pass that fails in anomaly mode."""
    with pytest.warns(UserWarning) as caught, torch.autograd.detect_anomaly(), pytest.raises(ZeroDivisionError):
        run()
    return [str(one.message).strip().partition(". Trace")[0].partition(". No")[0] for one in caught][1:]


def test_an_error_in_a_hook_of_a_leaf_names_its_accumulator() -> None:
    def run() -> None:
        x = _leaf(2)
        x.register_hook(_fail)
        (x * 2).sum().backward()

    assert _messages(run) == ["Error detected in torch::autograd::AccumulateGrad"]


def test_an_error_in_a_hook_of_a_result_names_its_node() -> None:
    def run() -> None:
        y = torch.ones(2, requires_grad=True) * 2
        y.register_hook(_fail)
        y.sum().backward()

    assert _messages(run) == ["Error detected in MulBackward0"]


def test_a_node_that_a_backward_has_made_names_what_made_it() -> None:
    def run() -> None:
        x = torch.zeros(2, requires_grad=True)
        (first,) = torch.autograd.grad((x * x).sum(), x, create_graph=True)
        (second,) = torch.autograd.grad((first * first).sum(), x, create_graph=True)
        second.register_hook(_fail)
        second.sum().backward()

    induced = "Previous calculation was induced by MulBackward0"
    assert _messages(run) == ["Error detected in AddBackward0", induced, induced]


def test_a_trace_ends_at_the_line_of_the_user() -> None:
    def run() -> None:
        x = torch.zeros(1, requires_grad=True)
        (x.sqrt() * 0).sum().backward()

    with pytest.warns(UserWarning) as caught, torch.autograd.detect_anomaly(), pytest.raises(RuntimeError, match="nan"):
        run()
    assert str(caught[1].message).splitlines()[-1].strip() == "(x.sqrt() * 0).sum().backward()"


@pytest.mark.filterwarnings("ignore:Anomaly Detection")
def test_a_trace_is_printed_where_warnings_are_errors(capsys: pytest.CaptureFixture) -> None:
    import warnings

    with torch.autograd.detect_anomaly(), pytest.raises(RuntimeError, match="^Function 'SqrtBackward0' returned nan"):
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            (torch.zeros(1, requires_grad=True).sqrt() * 0).sum().backward()
    assert capsys.readouterr().err.startswith("UserWarning: Error detected in SqrtBackward0. Traceback of forward call")


def test_nan_is_looked_for_behind_the_hooks() -> None:
    y = torch.ones(2, requires_grad=True) * 2
    y.grad_fn.register_hook(lambda into, given: (into[0] * float("nan"), None))
    with pytest.warns(UserWarning), torch.autograd.detect_anomaly():
        with pytest.raises(RuntimeError, match="^Function 'MulBackward0' returned nan values in its 0th output"):
            y.sum().backward()


def test_anomaly_mode_holds_for_threads_that_run_already() -> None:
    ready, made = threading.Event(), []

    def in_another_thread() -> None:
        ready.wait()
        made.append(_leaf(2).sin().grad_fn)

    thread = threading.Thread(target=in_another_thread)
    thread.start()
    with pytest.warns(UserWarning, match="Anomaly Detection"), torch.autograd.detect_anomaly():
        ready.set()
        thread.join()
    assert "in_another_thread" in "".join(made[0].metadata["traceback_"])
    assert "traceback_" not in _leaf(2).sin().grad_fn.metadata
