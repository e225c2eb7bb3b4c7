"""Views that were made under no_grad or in inference mode, and kept gradients after writes: PyTorch 2.13's answers."""

from __future__ import annotations

import pytest

import tensorwidgets as torch
from tests.gradients.functions import custom_functions

UNTRACKED = "is being modified inplace with grad mode enabled. Given that this use case is ambiguous"
SEVERAL = "is being modified inplace with grad mode enabled. This view is the output of a function that returns"


def test_a_view_of_no_grad_refuses_a_write_that_is_recorded_though_its_base_is_in_no_graph() -> None:
    base, factor = torch.ones(4), torch.ones(4, requires_grad=True).sum()
    with torch.no_grad():
        views = [base.view(2, 2), base[1:], base.t(), base.reshape(4, 1), base.split(2)[0], base.unbind()[1]]
        base[:2].mul_(1)
    for view in (*views, views[0].view(4), views[1][0]):
        with pytest.raises(RuntimeError, match=UNTRACKED):
            view.mul_(factor)
    views[0].mul_(2)  # nothing to record
    base.view(2, 2).mul_(factor)
    assert base.grad_fn.name() == "torch::autograd::CopySlices"


def test_a_view_of_one_of_several_views_is_as_they_are() -> None:
    base, factor = torch.ones(4), torch.ones(1, requires_grad=True)
    part = base.split(2)[0]
    for view in (part, part[:1], part.view(2, 1), part.split(1)[0]):
        with pytest.raises(RuntimeError, match=SEVERAL):
            view.mul_(factor)
    with torch.no_grad():
        again = part.view(2, 1)
    with pytest.raises(RuntimeError, match=UNTRACKED):
        again.mul_(factor)
    with torch.inference_mode():
        inside = base.view(2, 2)
    with pytest.raises(RuntimeError, match="created in inference mode and is being modified inplace in normal mode"):
        inside.split(1)[0].mul_(factor)


def test_a_view_of_no_grad_that_is_a_leaf_says_first_how_it_was_made() -> None:
    with torch.no_grad():
        view = torch.ones(4).view(2, 2)
    view.requires_grad_()
    with pytest.raises(RuntimeError, match=UNTRACKED):
        view.mul_(2)


def test_a_view_that_leads_nowhere_needs_nothing_saved() -> None:
    a = torch.ones(2, requires_grad=True)
    with torch.no_grad():
        view = a.view(-1)
    with torch.inference_mode():
        other = a.exp()
    assert (view * other).grad_fn.next_functions == ((None, 0), (None, 0))
    doubled = a * 2
    with torch.no_grad():
        parts = doubled.split(1)
    squared = parts[0] * parts[0]
    for call in (torch.mean, torch.sum, torch.exp):
        call(parts[1]).sum().backward()
    doubled.fill_(3)
    squared.sum().backward()
    assert a.grad is None


def test_tensors_are_saved_before_anything_is_computed() -> None:
    a = torch.ones(2, requires_grad=True)
    with torch.inference_mode():
        b = torch.ones(3)
    for call in (lambda: a * b, lambda: a / b, lambda: a @ b):
        with pytest.raises(RuntimeError, match="^Inference tensors cannot be saved for backward"):
            call()


def test_of_several_changed_tensors_the_first_by_name_is_refused() -> None:
    parts = torch.ones(3, requires_grad=True).unbind()
    result = torch.addcmul(parts[2], parts[1], parts[0])
    with torch.no_grad():
        parts[0].mul_(2)
    with pytest.raises(RuntimeError, match="^Output 1 of Unbind is a view and its base"):
        result.backward()


def test_a_kept_gradient_stays_with_the_old_node_where_a_tensor_is_turned() -> None:
    a = torch.ones(2, 2, requires_grad=True)
    b = a * 2
    b.retain_grad()
    before = b.sum()
    b.t_()
    (b * 3).sum().backward(retain_graph=True)
    before.backward()
    assert b.grad.tolist() == [[4.0, 4.0], [4.0, 4.0]]
    with pytest.raises(RuntimeError, match=r"^out != nullptr INTERNAL ASSERT FAILED at .*variable.cpp\":207"):
        b.mul_(2)
    assert b.grad_fn.name() == "MulBackward0"


def test_a_kept_gradient_of_a_second_result_does_not_survive_a_write() -> None:
    results = custom_functions(torch)["Both"].apply(torch.ones(2, requires_grad=True))
    results[1].retain_grad()
    results[1][0].mul_(2)
    results = custom_functions(torch)["Both"].apply(torch.ones(2, requires_grad=True))
    results[1].retain_grad()
    with pytest.raises(RuntimeError, match="^out != nullptr INTERNAL ASSERT FAILED"):
        results[1].mul_(2)


def test_a_kept_gradient_of_a_view_goes_along_with_every_write() -> None:
    base = torch.ones(2, requires_grad=True).sign()
    view = base.view(-1)
    view.retain_grad()
    for write in (lambda: view.mul_(2), lambda: view[0].mul_(2), lambda: base.mul_(2)):
        write()
        view.sum().backward(retain_graph=True)
    assert view.grad.tolist() == [3.0, 3.0]
