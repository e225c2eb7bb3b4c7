"""Jacobians and Hessians of a Python function of tensors, as whole matrices."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...calling.for_users import call_users
from ...derivatives.ops import torch
from ...errors.reasons import refuse
from ...tensor.grad_mode import enable_grad
from ...tensor.tensor import Tensor
from ..origin import tracked
from .tuples import (
    NOT_ALLOWED,
    as_tuple,
    finished,
    gradients,
    in_forms,
    must_depend,
    one_number,
    prepared,
    refuse_strict,
)


def jacobian(
    func: Callable,
    inputs: Tensor | Sequence[Tensor],
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
    _check_strategy(strategy, "jacobian", create_graph, strict, vectorize)
    with enable_grad():
        several, given = as_tuple(inputs, "inputs", "jacobian")
        given = prepared(given, create_graph, True)
        many, outputs = as_tuple(call_users(func, *given), "outputs of the user-provided function", "jacobian")
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
    inputs: Tensor | Sequence[Tensor],
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
    _check_strategy(outer_jacobian_strategy, "hessian", create_graph, strict, vectorize)

    def only_number(*args: Tensor) -> Tensor:
        result = call_users(func, *args)
        many, flat = as_tuple(result, "outputs of the user-provided function", "hessian")
        must_depend(flat, "outputs", strict)
        return one_number(flat, many, "hessian").squeeze()

    def first(*args: Tensor) -> tuple:
        rows: tuple = jacobian(only_number, args, create_graph=True)
        must_depend(rows, "jacobian", strict)
        return rows

    rows = jacobian(first, given, create_graph=create_graph, strict=strict, vectorize=vectorize)
    return in_forms(rows, several, several)


HINT = (
    " Hint: If your function has more outputs than inputs, "
    '"forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
)


def _check_strategy(strategy: str, function: str, create_graph: bool, strict: bool, vectorize: bool) -> None:
    if strategy == "forward-mode" and (create_graph or strict):
        option, kind = ("create_graph", NotImplementedError) if create_graph else ("strict", RuntimeError)
        refuse(
            kind,
            f'torch.autograd.functional.jacobian: `{option}=True` and `strategy="forward-mode"` are not supported '
            f'together (yet). Please either set `{option}=False` or `strategy="reverse-mode"`.',
            "forward mode carries many derivatives along with one call",
            'strategy="reverse-mode"',
            rule="functional.strategy",
        )
    if strategy == "forward-mode" and not vectorize:
        refuse(
            NotImplementedError,
            "Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly implemented for "
            "`vectorize=True`.",
            "forward mode carries many derivatives along with one call",
            'strategy="reverse-mode"',
            rule="functional.strategy",
        )
    if strategy == "forward-mode":
        refuse(
            NotImplementedError,
            f"torch.autograd.functional.{function}: forward mode is for later",
            "forward mode carries a derivative along with each call; this package has no code for it yet",
            'strategy="reverse-mode"',
            rule="name.later",
        )
    if strategy != "reverse-mode":
        ends = "" if function == "hessian" else HINT
        refuse(
            AssertionError,
            'Expected strategy to be either "forward-mode" or "reverse-mode".' + ends,
            "there are no other ways",
            rule="functional.strategy",
        )


__all__ = ["hessian", "jacobian"]
