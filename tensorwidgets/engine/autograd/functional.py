"""Jacobians, Hessians, and their products with vectors, of a Python function of tensors.

`torch.autograd.functional`: each function takes a function, its inputs (a tensor or a tuple) and returns numbers. With
`create_graph=True` these can be differentiated again. `strict=True` refuses derivatives that are zero because nothing
depends on an input.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..derivatives.ops import torch
from ..errors.reasons import refuse
from ..tensor.grad_mode import enable_grad, grad_enabled, set_grad_enabled
from ..tensor.tensor import Tensor
from .place import tracked
from .tuples import (  # fmt: skip
    NOT_ALLOWED,
    as_tuple,
    filled,
    finished,
    gradients,
    in_form,
    in_forms,
    must_depend,
    prepared,
    refuse_strict,
    vector,
)


def vjp(func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple:
    """The results of a function, and the product of a vector with its Jacobian.

    The vector has the size of the results; it may be left out for a result of one element.

    >>> import tensorwidgets as torch
    >>> vjp(lambda x: x ** 2, torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    with enable_grad():
        several, given = as_tuple(inputs, "inputs", "vjp")
        given = prepared(given, create_graph, True)
        many, outputs = as_tuple(func(*given), "outputs of the user-provided function", "vjp")
        must_depend(outputs, "outputs", strict)
        if v is not None:
            v = vector(v, outputs, many, create_graph, "vjp")
        elif len(outputs) != 1 or outputs[0].nelement() != 1:
            _refuse_no_vector("the user-provided function returns a single Tensor with a single element.")
    with set_grad_enabled(create_graph or grad_enabled()):
        found = gradients(outputs, given, v, create_graph=create_graph)
        product = filled(found, given, strict, create_graph, "first")
    return in_form(finished(outputs, create_graph), many), in_form(finished(product, create_graph), several)


def jvp(func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple:
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
        many, outputs = as_tuple(func(*given), "outputs of the user-provided function", "jvp")
        must_depend(outputs, "outputs", strict)
        # A gradient is linear in the gradient of the results. Its own derivative, by that, is the Jacobian turned over.
        towards = tuple([torch.zeros_like(o, requires_grad=True) for o in outputs])
        found = gradients(outputs, given, towards, create_graph=True)
        must_depend(found, "gradients", strict)
    with set_grad_enabled(create_graph or grad_enabled()):
        found = gradients(found, towards, v, create_graph=create_graph)
        product = filled(found, outputs, strict, create_graph, "first forward")
    return in_form(finished(outputs, create_graph), many), in_form(finished(product, create_graph), many)


def vhp(func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple:
    """The result of a function of one number, and the product of a vector with its Hessian.

    >>> import tensorwidgets as torch
    >>> vhp(lambda x: (x ** 3).sum(), torch.tensor([1.0, 2.0]), torch.tensor([1.0, 10.0]))
    (tensor(9.), tensor([  6., 120.]))
    """
    with enable_grad():
        several, given, v, outputs, jacobian_ = _first_order("vhp", func, inputs, v, create_graph, strict)
    with set_grad_enabled(create_graph or grad_enabled()):
        found = gradients(jacobian_, given, v, create_graph=create_graph)
        product = filled(found, given, strict, create_graph, "second")
    return finished(outputs, create_graph)[0], in_form(finished(product, create_graph), several)


def hvp(func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple:
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
    with set_grad_enabled(create_graph or grad_enabled()):
        found = gradients(twice, towards, v, create_graph=create_graph)
        product = filled(found, given, strict, create_graph, "second forward")
    return finished(outputs, create_graph)[0], in_form(finished(product, create_graph), several)


def jacobian(
    func: Callable,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    strategy: str = "reverse-mode",
) -> Any:
    """The derivatives of all results by all inputs: one backward pass for each element of a result.

    For one input and one result it is a tensor, whose shape is the result's followed by the input's; otherwise a tuple
    for each result or input. `vectorize` changes nothing.

    >>> import tensorwidgets as torch
    >>> jacobian(lambda x: x.sum() * x, torch.tensor([1.0, 2.0]))
    tensor([[4., 1.],
            [2., 5.]])
    """
    _check_strategy(strategy, "jacobian")
    with enable_grad():
        several, given = as_tuple(inputs, "inputs", "jacobian")
        given = prepared(given, create_graph, True)
        many, outputs = as_tuple(func(*given), "outputs of the user-provided function", "jacobian")
        must_depend(outputs, "outputs", strict)
        if vectorize and strict:
            refuse(
                RuntimeError,
                "torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not supported together. "
                "Please either set `strict=False` or `vectorize=False`.",
                "vectorize changes nothing here",
                rule="functional.strict",
            )
        rows = tuple([_rows(o, number, given, create_graph, strict) for number, o in enumerate(outputs)])
    return in_forms(tuple([finished(row, create_graph) for row in rows]), many, several)


def _rows(output: Tensor, number: int, inputs: tuple, create_graph: bool, strict: bool) -> tuple:
    """The derivatives of one result by each input."""
    columns: list[list[Tensor]] = [[] for _ in inputs]
    flat = output.reshape(-1)
    for at in range(output.nelement()):
        found = gradients((flat[at],), inputs, retain_graph=True, create_graph=create_graph)
        for place, (column, g, t) in enumerate(zip(columns, found, inputs, strict=True)):
            if g is None and strict:
                refuse_strict(
                    f"Output {number} of the user-provided function is independent of input {place}. {NOT_ALLOWED}."
                )
            if g is not None and strict and create_graph and not tracked(g):
                refuse_strict(
                    f"The jacobian of the user-provided function is independent of input {number}. {NOT_ALLOWED} when "
                    "create_graph=True."
                )
            column.append(torch.zeros_like(t) if g is None else g)
    return tuple(
        [torch.stack(column).view((*output.shape, *t.shape)) for column, t in zip(columns, inputs, strict=True)]
    )


def hessian(
    func: Callable,
    inputs: Any,
    create_graph: bool = False,
    strict: bool = False,
    vectorize: bool = False,
    outer_jacobian_strategy: str = "reverse-mode",
) -> Any:
    """The second derivatives of a function of one number by all pairs of inputs.

    >>> import tensorwidgets as torch
    >>> hessian(lambda x: x.sum() ** 2 + x[0] ** 2, torch.tensor([1.0, 2.0]))
    tensor([[4., 2.],
            [2., 2.]])
    """
    several, given = as_tuple(inputs, "inputs", "hessian")
    _check_strategy(outer_jacobian_strategy, "hessian")

    def one_number(*args: Tensor) -> Tensor:
        result = func(*args)
        many, flat = as_tuple(result, "outputs of the user-provided function", "hessian")
        must_depend(flat, "outputs", strict)
        return _one_number(flat, many, "hessian").squeeze()

    def first(*args: Tensor) -> tuple:
        rows: tuple = jacobian(one_number, args, create_graph=True)
        must_depend(rows, "jacobian", strict)
        return rows

    rows = jacobian(first, given, create_graph=create_graph, strict=strict, vectorize=vectorize)
    return in_forms(rows, several, several)


# -- what several of them do -------------------------------------------------------------------------------------


def _first_order(function: str, func: Callable, inputs: Any, v: Any, create_graph: bool, strict: bool) -> tuple:
    """Arguments read, the function called, and its gradient."""
    several, given = as_tuple(inputs, "inputs", function)
    given = prepared(given, create_graph, True)
    v = _vector_for_inputs(v, given, several, create_graph, function)
    many, outputs = as_tuple(func(*given), "outputs of the user-provided function", function)
    must_depend(outputs, "outputs", strict)
    _one_number(outputs, many, function)
    found = gradients(outputs, given, create_graph=True)
    must_depend(found, "jacobian", strict)
    return several, given, v, outputs, found


def _one_number(outputs: tuple, many: bool, function: str) -> Tensor:
    """The only element of a function's only result; anything else is refused."""
    if many:
        refuse(
            RuntimeError,
            f"The function given to {function} should return a single Tensor",
            "a Hessian is of one number",
            "lambda x: f(x)[0]",
            rule="functional.number",
        )
    result: Tensor = outputs[0]
    if result.nelement() != 1:
        refuse(
            RuntimeError,
            f"The Tensor returned by the function given to {function} should contain a single element",
            f"a Hessian is of one number, and the result has {result.nelement()}",
            "lambda x: f(x).sum()",
            rule="functional.number",
        )
    return result


def _vector_for_inputs(v: Any, given: tuple, several: bool, create_graph: bool, function: str) -> Any:
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


def _check_strategy(strategy: str, function: str) -> None:
    if strategy == "forward-mode":
        refuse(
            NotImplementedError,
            f"torch.autograd.functional.{function}: forward mode is for later",
            "forward mode carries a derivative along with each call; this package has no code for it yet",
            'strategy="reverse-mode"',
            rule="name.later",
        )
    if strategy != "reverse-mode":
        ends = "" if function == "hessian" else " Hint: If your function has more outputs than inputs, "
        ends += (
            ""
            if function == "hessian"
            else ('"forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".')
        )
        refuse(
            AssertionError,
            'Expected strategy to be either "forward-mode" or "reverse-mode".' + ends,
            "there are no other ways",
            rule="functional.strategy",
        )


__all__ = ["hessian", "hvp", "jacobian", "jvp", "vhp", "vjp"]
