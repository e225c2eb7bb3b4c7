"""`torch.func`: functions that compute the derivatives of a function.

Each calls the function with tensors of its own, which stand for the arguments, and records the call even under
`no_grad`. A derivative keeps its graph only if it depends on something else that requires a gradient: an argument, or
a tensor that the function finds elsewhere. So the functions can be nested.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ...calling.for_users import call_users
from ...derivatives.beside import zeros_beside
from ...derivatives.ops import torch
from ...errors.reasons import refuse
from ...tensor.grad_mode import grad_enabled
from ...tensor.handing_on import WithoutAny
from ...tensor.tensor import Tensor
from ...tensor.versions import bump_version
from ..hooks.on_saved import disable_saved_tensors_hooks
from ..nodes import next_number
from .transform_checks import (
    chosen_places,
    must_be_differentiable,
    must_be_number,
    must_be_real,
    must_be_tensors,
    must_match,
    tensors_only,
    with_aux,
)
from .transformed_call import TransformedCall, always_recorded, saveable, without_classes
from .trees import form, leaves, mapped, refilled
from .tuples import gradients

WITHOUT_HOOKS = (
    "torch.func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks. "
    "Please open an issue with your use case."
)
"""The words in which hooks of saved tensors are refused while a function is transformed."""


def grad(func: Callable, argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable:
    """A function that returns the gradient of a function of one number.

    `argnums` says by which arguments, each a tensor or nested lists, tuples and dictionaries of tensors. With
    `has_aux` the function returns a pair, whose second part is handed on.

    >>> import tensorwidgets as torch
    >>> grad(torch.sin)(torch.tensor(0.0))
    tensor(1.)
    >>> grad(grad(lambda x: x ** 3))(torch.tensor(2.0))
    tensor(12.)
    """

    @wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        found = grad_and_value(func, argnums, has_aux)(*args, **kwargs)
        return (found[0], found[1][1]) if has_aux else found[0]

    return gradient


def grad_and_value(func: Callable, argnums: int | tuple[int, ...] = 0, has_aux: bool = False) -> Callable:
    """A function that returns the gradient of a function of one number, and that number.

    >>> import tensorwidgets as torch
    >>> grad_and_value(lambda x: (x ** 2).sum())(torch.tensor([1.0, 2.0]))
    (tensor([2., 4.]), tensor(5.))
    """

    @wraps(func)
    def gradient(*args: Any, **kwargs: Any) -> Any:
        with disable_saved_tensors_hooks(WITHOUT_HOOKS):
            call = TransformedCall(func, args, kwargs, chosen_places(argnums, args), isinstance(argnums, int))
            output, aux = with_aux(call.output, has_aux, "grad_and_value(f)(*args)")
            must_be_number(output)
            with always_recorded(), WithoutAny():
                found = _of_number(output, call.inputs)
                call.tidy((*found, *leaves(output)), call.began)
                result = call.in_form(found)
                value = call.kept(output)
        if has_aux:
            return result, (value, mapped(call.kept, tensors_only(aux)))
        return result, value

    return gradient


def _of_number(output: Tensor, inputs: tuple) -> tuple:
    """The gradients of one number; one that does not depend on the inputs may be complex."""
    if output.is_complex():
        found = gradients((output,), inputs, (torch.ones_like(output.detach()),), retain_graph=True)
        if all(g is None for g in found):
            return found
    return gradients((output,), inputs, create_graph=True)


def vjp(func: Callable, *primals: Any, has_aux: bool = False) -> tuple:
    """The results of a function, and a function that multiplies a vector by its Jacobian.

    >>> import tensorwidgets as torch
    >>> y, times_jacobian = vjp(torch.exp, torch.tensor([0.0, 1.0]))
    >>> times_jacobian(torch.tensor([1.0, 0.0]))
    (tensor([1., 0.]),)
    """
    with disable_saved_tensors_hooks(WITHOUT_HOOKS):
        call = TransformedCall(func, primals, {}, tuple(range(len(primals))))
    output, aux = with_aux(call.output, has_aux, "vjp(f, *primals)")
    if has_aux:
        tensors_only(aux)
    flat = tuple(leaves(output))
    must_be_tensors(flat)

    def times_jacobian(cotangents: Any, retain_graph: bool = True, create_graph: bool | None = None) -> Any:
        recorded = grad_enabled() if create_graph is None else create_graph
        if form(cotangents) != form(output):
            refuse(
                RuntimeError,
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
                f"function. cotangents: {form(cotangents)}, primal output: {form(output)}",
                "each result has a vector",
                rule="func.form",
            )
        must_match(flat, tuple(leaves(cotangents)))
        before = next_number()
        with always_recorded():
            given = tuple(leaves(saveable(cotangents)))
            with WithoutAny():
                found = gradients(flat, call.inputs, given, retain_graph=retain_graph, create_graph=True)
            call.tidy(found, before)
            call.recorded = recorded
            return call.in_form(found)

    with always_recorded():
        result = mapped(call.kept, output)
        return (result, times_jacobian, mapped(call.kept, aux)) if has_aux else (result, times_jacobian)


def jacrev(
    func: Callable,
    argnums: int | tuple[int, ...] = 0,
    *,
    has_aux: bool = False,
    chunk_size: int | None = None,
    _preallocate_and_copy: bool = False,
) -> Callable:
    """A function that returns the Jacobian of a function: one backward pass for each element of the results.

    >>> import tensorwidgets as torch
    >>> jacrev(lambda x: x.sum() * x)(torch.tensor([1.0, 2.0]))
    tensor([[4., 1.],
            [2., 5.]])
    """
    if isinstance(chunk_size, float):
        message = "can't multiply sequence by non-int of type 'float'"
        refuse(TypeError, message, "it is a number of rows", f"chunk_size={int(chunk_size)}", rule="func.chunk")
    if chunk_size is not None and chunk_size <= 0:
        refuse(
            ValueError,
            "jacrev: `chunk_size` should be greater than 0.",
            "it changes nothing here: each row is computed by itself",
            rule="func.chunk",
        )

    return _rows_of(func, argnums, has_aux, "jacrev")


def _rows_of(func: Callable, argnums: int | tuple[int, ...], has_aux: bool, called: str) -> Callable:
    """`jacrev`; its refusals name it as it was `called`."""

    @wraps(func)
    def rows(*args: Any) -> Any:
        must_be_real(args, f"{called}: Expected all inputs")
        chosen = chosen_places(argnums, args)
        if called == "jacfwd":
            must_be_differentiable([args[n] for n in chosen])

        def of_chosen(*given: Any) -> Any:
            every = [without_classes(value) for value in args]
            for number, value in zip(chosen, given, strict=True):
                every[number] = value
            return call_users(func, *every)

        output, times_jacobian, *aux = vjp(of_chosen, *[args[n] for n in chosen], has_aux=has_aux)
        flat = list(leaves(output))
        must_be_real(flat, f"{called}: Expected all outputs")

        def by_one(number: int) -> Any:
            parts, passed = [], True
            for at in range(flat[number].numel()):
                ones = [torch.zeros_like(t) for t in flat]
                row = zeros_beside(flat[number], flat[number].numel())
                row[at] = 1
                ones[number] = row.view(flat[number].shape)
                found = times_jacobian(refilled(output, ones))
                passed = passed and all(t._base is row or t is row for t in leaves(found))
                parts.append(found)
            whole = _stacked(parts, [args[n] for n in chosen], tuple(flat[number].shape), isinstance(argnums, int))
            if passed and parts:
                # PyTorch writes all rows into zeros at once, and a derivative that passes them on is these.
                for t in leaves(whole):
                    bump_version(t)
            return whole

        result = refilled(output, [by_one(number) for number in range(len(flat))])
        return (result, aux[0]) if has_aux else result

    return rows


def _stacked(parts: list, primals: list, size: tuple, single: bool) -> Any:
    """Rows put together: for each tensor of the arguments, one of the result's size and its own."""
    tensors = [t for t in leaves(tuple(primals))]
    columns = list(zip(*[list(leaves(part)) for part in parts], strict=True)) or [()] * len(tensors)
    whole = [
        torch.stack(list(column)).view((*size, *t.shape)) if column else zeros_beside(t, (*size, *t.shape))
        for column, t in zip(columns, tensors, strict=True)
    ]
    result = refilled(tuple(primals), whole)
    return result[0] if single else result


def hessian(func: Callable, argnums: int | tuple[int, ...] = 0) -> Callable:
    """A function that returns the second derivatives of a function.

    >>> import tensorwidgets as torch
    >>> hessian(lambda x: (x ** 3).sum())(torch.tensor([1.0, 2.0]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    second = _rows_of(jacrev(func, argnums), argnums, False, "jacfwd")

    @wraps(func)
    def call(*args: Any) -> Any:
        found = second(*args)
        if isinstance(argnums, int) and isinstance(args[argnums], Tensor) and isinstance(found, Tensor):
            return _by_columns(found, args[argnums].dim())
        # PyTorch computes all rows at once, and its products of batches of matrices are sums that begin with zero.
        return mapped(lambda t: (t + 0).view(t.shape), found)

    return call


def _by_columns(matrix: Tensor, ndim: int) -> Any:
    """A matrix of second derivatives with both sides exchanged: PyTorch computes it column by column."""
    first = matrix.dim() - 2 * ndim
    one, other = range(first, first + ndim), range(first + ndim, matrix.dim())
    return matrix.permute((*range(first), *other, *one))


__all__ = ["grad", "grad_and_value", "hessian", "jacrev", "vjp"]
