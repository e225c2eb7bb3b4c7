"""Products of vectors with the Jacobian or the Hessian of a Python function of tensors.

No matrix is made for them. With `create_graph=True` the results can be differentiated again. `strict=True` refuses
derivatives that are zero because nothing depends on an input.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ...calling.for_users import call_users
from ...derivatives.ops import torch
from ...errors.reasons import refuse
from ...tensor.grad_mode import enable_grad, grad_enabled, set_grad_enabled
from .tuples import (  # fmt: skip
    as_tuple,
    filled,
    finished,
    gradients,
    in_form,
    must_depend,
    one_number,
    prepared,
    vector,
)

if TYPE_CHECKING:
    from ...tensor.tensor import Tensor


def vjp(
    func: Callable,
    inputs: Tensor | Sequence[Tensor],
    v: Tensor | Sequence[Tensor] | None = None,
    create_graph: bool = False,
    strict: bool = False,
) -> tuple:
    """The results of a function, and the product of a vector with its Jacobian.

    The vector has the size of the results; it may be left out for a result of one element.

    >>> import tensorwidgets as torch
    >>> vjp(lambda x: x ** 2, torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    with enable_grad():
        several, given = as_tuple(inputs, "inputs", "vjp")
        given = prepared(given, create_graph, True)
        many, outputs = as_tuple(call_users(func, *given), "outputs of the user-provided function", "vjp")
        must_depend(outputs, "outputs", strict)
        if v is not None:
            v = vector(v, outputs, many, create_graph, "vjp")
        elif len(outputs) != 1 or outputs[0].nelement() != 1:
            _refuse_no_vector("the user-provided function returns a single Tensor with a single element.")
    with set_grad_enabled(bool(create_graph) or grad_enabled()):
        found = gradients(outputs, given, v, create_graph=create_graph)
        product = filled(found, given, strict, create_graph, "first")
    return in_form(finished(outputs, create_graph), many), in_form(finished(product, create_graph), several)


def jvp(
    func: Callable, inputs: Tensor | Sequence[Tensor], v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple:
    """The results of a function, and the product of its Jacobian with a vector.

    The vector has the size of the inputs; it may be left out for an input of one element.

    >>> import tensorwidgets as torch
    >>> jvp(lambda x: x.sum() * x, torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.0]))
    (tensor([3., 6.]), tensor([4., 2.]))
    """
    with enable_grad():
        several, given = as_tuple(inputs, "inputs", "jvp")
        given = prepared(given, create_graph, True)
        v = _vector_for_inputs(v, given, several, create_graph, "jvp")
        many, outputs = as_tuple(call_users(func, *given), "outputs of the user-provided function", "jvp")
        must_depend(outputs, "outputs", strict)
        # A gradient is linear in the gradient of the results. Its own derivative, by that, is the Jacobian turned over.
        towards = tuple([torch.zeros_like(o, requires_grad=True) for o in outputs])
        found = gradients(outputs, given, towards, create_graph=True)
        must_depend(found, "gradients", strict)
    with set_grad_enabled(bool(create_graph) or grad_enabled()):
        found = gradients(found, towards, v, create_graph=create_graph)
        product = filled(found, outputs, strict, create_graph, "first forward")
    return in_form(finished(outputs, create_graph), many), in_form(finished(product, create_graph), many)


def vhp(
    func: Callable, inputs: Tensor | Sequence[Tensor], v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple:
    """The result of a function of one number, and the product of a vector with its Hessian.

    >>> import tensorwidgets as torch
    >>> vhp(lambda x: (x ** 3).sum(), torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0]))
    (tensor(9.), tensor([  6., 120.]))
    """
    with enable_grad():
        several, given, v, outputs, jacobian_ = _first_order("vhp", func, inputs, v, create_graph, strict)
    with set_grad_enabled(bool(create_graph) or grad_enabled()):
        found = gradients(jacobian_, given, v, create_graph=create_graph)
        product = filled(found, given, strict, create_graph, "second")
    return finished(outputs, create_graph)[0], in_form(finished(product, create_graph), several)


def hvp(
    func: Callable, inputs: Tensor | Sequence[Tensor], v: Any = None, create_graph: bool = False, strict: bool = False
) -> tuple:
    """The result of a function of one number, and the product of its Hessian with a vector.

    For smooth functions it is that of `vhp`, which takes half the work.

    >>> import tensorwidgets as torch
    >>> hvp(lambda x: (x ** 3).sum(), torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0]))
    (tensor(9.), tensor([  6., 120.]))
    """
    with enable_grad():
        several, given, v, outputs, jacobian_ = _first_order("hvp", func, inputs, v, create_graph, strict)
        towards = tuple([torch.zeros_like(t, requires_grad=True) for t in given])
        twice = gradients(jacobian_, given, towards, create_graph=True)
        must_depend(jacobian_, "hessian", strict)
    with set_grad_enabled(bool(create_graph) or grad_enabled()):
        found = gradients(twice, towards, v, create_graph=create_graph)
        product = filled(found, given, strict, create_graph, "second forward")
    return finished(outputs, create_graph)[0], in_form(finished(product, create_graph), several)


# -- what several of them do -------------------------------------------------------------------------------------


def _first_order(
    function: str,
    func: Callable,
    inputs: Tensor | Sequence[Tensor],
    v: Tensor | Sequence[Tensor] | None,
    create_graph: bool,
    strict: bool,
) -> tuple:
    """Arguments read, the function called, and its gradient."""
    several, given = as_tuple(inputs, "inputs", function)
    given = prepared(given, create_graph, True)
    v = _vector_for_inputs(v, given, several, create_graph, function)
    many, outputs = as_tuple(call_users(func, *given), "outputs of the user-provided function", function)
    must_depend(outputs, "outputs", strict)
    one_number(outputs, many, function)
    found = gradients(outputs, given, create_graph=True)
    must_depend(found, "jacobian", strict)
    return several, given, v, outputs, found


def _vector_for_inputs(
    v: Tensor | Sequence[Tensor] | None, given: tuple, several: bool, create_graph: bool, function: str
) -> Any:
    if v is not None:
        return vector(v, given, several, create_graph, function)
    if len(given) != 1 or given[0].nelement() != 1:
        _refuse_no_vector("the input to the user-provided function is a single Tensor with a single element.")
    return None


def _refuse_no_vector(unless: str) -> None:
    refuse(
        RuntimeError,
        f"The vector v can only be None if {unless}",
        "only one number has an obvious vector: 1",
        "torch.ones_like(…)",
        rule="functional.vector",
    )


__all__ = ["hvp", "jvp", "vhp", "vjp"]
