"""What `torch.func` refuses: arguments that are not there, and results without a derivative."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...errors.reasons import refuse
from ...tensor.grad_flag import can_require
from ...tensor.tensor import Tensor
from .trees import leaves


def chosen_places(argnums: Any, args: tuple) -> tuple[int, ...]:
    """The places of the arguments that `argnums` names, counted from the first."""
    if not isinstance(argnums, (int, tuple)):
        _refuse_argnums(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    places = []
    for number in argnums if isinstance(argnums, tuple) else (argnums,):
        if not isinstance(number, int):
            _refuse_argnums(f"argnum must be int, got: {type(number)}")
        if not -len(args) <= number < len(args):
            _refuse_argnums(f"Got argnum={number}, but only {len(args)} positional inputs")
        places.append(number % len(args))
    if not places:
        _refuse_argnums("argnums must be non-empty")
    if len(set(places)) != len(places):
        _refuse_argnums(f"argnums elements must be unique, got {tuple(places)}")
    return tuple(places)


def _refuse_argnums(message: str) -> None:
    refuse(RuntimeError, message, "argnums says by which positional arguments", "argnums=0", rule="func.argnums")


def with_aux(output: Any, has_aux: bool, who: str) -> tuple[Any, Any]:
    """The result of a function, and what it returns beside it."""
    if not has_aux:
        return output, None
    if not (isinstance(output, tuple) and len(output) == 2):
        refuse(
            RuntimeError,
            f"{who}: output of function f should be a tuple: (output, aux) if has_aux is True",
            "has_aux=True promises a pair",
            "has_aux=False",
            rule="func.aux",
        )
    return output


def tensors_only(aux: Tensor | int) -> Any:
    """What a function returns beside its result, refused unless it is tensors."""
    for t in leaves(aux):
        if not isinstance(t, Tensor):
            refuse(
                RuntimeError,
                f"Expected tensors, got unsupported type {type(t)}",
                "what a function returns beside its result is tensors, too",
                rule="func.aux",
            )
    return aux


def must_be_tensors(outputs: tuple) -> None:
    """Refuse results that have no derivative."""
    if not outputs or outputs == (None,):
        refuse(
            RuntimeError,
            f"vjp(f, *primals): Expected f to be a function that has non-empty output (got output = {list(outputs)})",
            "only tensors have a derivative",
            rule="func.type",
        )
    for t in outputs:
        if not isinstance(t, Tensor):
            refuse(
                RuntimeError,
                f"vjp(f, *primals): expected f(*primals) to return only tensors, got unsupported type {type(t)}",
                "only tensors have a derivative",
                rule="func.type",
            )
    for t in outputs:
        if not can_require(t):
            refuse(
                RuntimeError,
                "vjp(f, ...): All outputs of f must be floating-point or complex Tensors, got Tensor with dtype "
                f"{t.dtype}",
                "whole numbers change in steps, and have no derivative",
                "y.double()",
                rule="func.dtype",
            )


def must_be_real(values: Any, begin: str) -> None:
    """Refuse complex numbers; `begin` is how the refusal begins."""
    for number, t in enumerate(leaves(values)):
        if isinstance(t, Tensor) and t.dtype.is_complex:
            refuse(
                RuntimeError,
                f"{begin} to be real but received complex tensor at flattened input idx: {number}",
                "a complex number has a real and an imaginary part, so that its Jacobian is ambiguous",
                "torch.view_as_real(z)",
                rule="func.complex",
            )


def must_be_number(output: Tensor | float) -> None:
    """Refuse a result that is not one number in a tensor."""
    if not isinstance(output, Tensor):
        refuse(
            RuntimeError,
            f"grad_and_value(f)(*args): Expected f(*args) to return a Tensor, got {type(output)}",
            "a gradient is taken of one number, in a tensor",
            rule="func.number",
        )
    if output.dim() != 0:
        refuse(
            RuntimeError,
            "grad_and_value(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with "
            f"{output.dim()} dims. Maybe you wanted to use the vjp or jacrev APIs instead?",
            "a gradient is taken of one number",
            "lambda x: f(x).sum()",
            rule="func.number",
        )


def must_match(outputs: tuple, cotangents: Iterable) -> None:
    """Refuse vectors of other sizes than the results."""
    for number, (o, c) in enumerate(zip(outputs, cotangents, strict=True)):
        if isinstance(c, Tensor) and o.shape != c.shape:
            refuse(
                RuntimeError,
                f"Mismatch in shape: grad_output[{number}] has a shape of {c.shape} and output[{number}] has a shape "
                f"of {o.shape}.",
                "a vector has the shape of its result",
                rule="autograd.size",
            )


def must_be_differentiable(primals: list) -> None:
    """PyTorch computes second derivatives in forward mode, which has another message for whole numbers."""
    for t in leaves(primals):
        if isinstance(t, Tensor) and not (t.is_floating_point() or t.is_complex()):
            refuse(
                ValueError,
                f"Expected primal to be floating point or complex, but got: {t.dtype}",
                "whole numbers have no derivatives",
                "x.float()",
                rule="autograd.type",
            )
