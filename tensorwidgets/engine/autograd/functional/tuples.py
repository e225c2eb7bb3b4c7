"""One tensor or a tuple of tensors: how arguments are read, and results returned in the same form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from ...calling.for_users import call_users
from ...derivatives.ops import torch
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ..backward import grad
from ..origin import tracked


def as_tuple(value: Any, what: str, function: str) -> tuple[bool, tuple]:
    """Whether a value is a tuple of tensors or a tensor, and the tuple."""
    several = isinstance(value, tuple)
    flat = value if several else (value,)
    for number, t in enumerate(flat):
        if not isinstance(t, Tensor):
            where = f"value at index {number} has" if several else f"given {what} has"
            refuse(
                TypeError,
                f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the {where} type "
                f"{type(t)}.",
                "derivatives are taken of tensors, with respect to tensors",
                rule="functional.type",
            )
    return several, flat


def in_form(results: tuple, several: bool) -> Any:
    """A tuple, or its only element."""
    return results if several else results[0]


def in_forms(rows: tuple, outer: bool, inner: bool) -> Any:
    """A tuple of tuples, each of which may be its only element instead."""
    return in_form(tuple([in_form(row, inner) for row in rows]), outer)


def one_number(outputs: tuple, many: bool, function: str) -> Tensor:
    """The only element of a function's only result; anything else is refused."""
    if many:
        refuse(
            RuntimeError,
            f"The function given to {function} should return a single Tensor",
            "a Hessian is taken of one number",
            "lambda x: f(x)[0]",
            rule="functional.number",
        )
    result: Tensor = outputs[0]
    if result.nelement() != 1:
        refuse(
            RuntimeError,
            f"The Tensor returned by the function given to {function} should contain a single element",
            f"a Hessian is taken of one number, and the result has {result.nelement()}",
            "lambda x: f(x).sum()",
            rule="functional.number",
        )
    return result


def prepared(inputs: tuple, create_graph: bool, recorded: bool) -> tuple:
    """New tensors for a function, different from those that it finds elsewhere.

    A class of the user's own is asked for them, and may add what its tensors carry.
    """
    return tuple([_another(t, create_graph, recorded) for t in inputs])


def _another(t: Tensor, create_graph: bool, recorded: bool) -> Tensor:
    if create_graph and tracked(t):
        seen: Tensor = call_users(t.view_as, t)
        return seen
    alone: Tensor = call_users(call_users(t.detach).requires_grad_, recorded)
    return alone


def finished(results: tuple, create_graph: bool) -> tuple:
    """Results without a graph, unless one is wanted."""
    return results if create_graph else tuple([t.detach() for t in results])


def vector(v: Tensor | Sequence[Tensor], like: tuple, several: bool, create_graph: bool, function: str) -> tuple:
    """The vector of a product: as many tensors as the other side, of the same sizes."""
    _, given = as_tuple(v, "v", function)
    given = prepared(given, create_graph, False)
    if len(given) != len(like):
        refuse(
            RuntimeError,
            f"v is a tuple of invalid length: should be {len(like)} but got {len(given)}."
            if several
            else "The given v should contain a single Tensor.",
            "each tensor has a part of the vector",
            rule="functional.vector",
        )
    for number, (part, t) in enumerate(zip(given, like, strict=True)):
        if part.size() != t.size():
            refuse(
                RuntimeError,
                (f"Entry {number} in " if several else "")
                + f"v has invalid size: should be {t.size()} but got {part.size()}.",
                "the vector has one number for each element",
                rule="functional.vector",
            )
    return given


def gradients(outputs: tuple, inputs: tuple, towards: tuple | None = None, **options: Any) -> tuple:
    """The gradients of the outputs that have one; None for inputs that nothing depends on."""
    pairs = zip(outputs, towards or (None,) * len(outputs), strict=True)
    kept = [(o, g) for o, g in pairs if o is not None and tracked(o)]
    if not kept:
        return (None,) * len(inputs)
    return grad([o for o, _ in kept], inputs, [g for _, g in kept], allow_unused=True, **options)


# -- strict mode -------------------------------------------------------------------------------------------------

NOT_ALLOWED = "This is not allowed in strict mode"


def refuse_strict(message: str) -> NoReturn:
    """Refuse a result that does not depend on an input."""
    refuse(
        RuntimeError,
        message,
        "the derivative is zero whatever the numbers are, which may be a mistake",
        "strict=False, which returns zeros",
        rule="functional.strict",
    )


def must_depend(tensors: tuple, what: str, strict: bool) -> None:
    """In strict mode, refuse tensors that do not depend on the inputs."""
    for number, t in enumerate(tensors if strict else ()):
        if t is None:
            refuse_strict(f"The output of the user-provided function is independent of input {number}. {NOT_ALLOWED}.")
        if not tracked(t):
            refuse_strict(_INDEPENDENT[what].format(number))


_INDEPENDENT = {
    "outputs": "Output {} of the user-provided function does not require gradients. The outputs must be computed in a "
    "differentiable manner from the input when running in strict mode.",
    "gradients": "The gradient with respect to input {} is independent of the inputs of the user-provided function. "
    f"{NOT_ALLOWED}.",
    "jacobian": "While computing the hessian, found that the jacobian of the user-provided function with respect to "
    f"input {{}} is independent of the input. {NOT_ALLOWED}. You should ensure that your function is twice "
    "differentiable and that the jacobian depends on the inputs (this would be violated by a linear function for "
    "example).",
    "hessian": f"The hessian of the user-provided function with respect to input {{}} is independent of the input. "
    f"{NOT_ALLOWED}. You should ensure that your function is thrice differentiable and that the hessian depends on "
    "the inputs.",
}


def filled(found: tuple, like: tuple, strict: bool, create_graph: bool, kind: str) -> tuple:
    """Gradients with zeros for None; in strict mode, None is refused."""
    results = []
    for number, (g, t) in enumerate(zip(found, like, strict=True)):
        if g is None and strict:
            refuse_strict(_NONE[kind].format(number))
        if g is not None and strict and create_graph and not tracked(g):
            what = "hessian" if kind.startswith("second") else "jacobian"
            refuse_strict(
                f"The {what} of the user-provided function is independent of input {number}. {NOT_ALLOWED} when "
                "create_graph=True."
            )
        results.append(torch.zeros_like(t) if g is None else g)
    return tuple(results)


_NONE = {
    "first": f"The output of the user-provided function is independent of input {{}}. {NOT_ALLOWED}.",
    "first forward": "The gradient with respect to the input is independent of entry {} in the grad_outputs when using "
    f"the double backward trick to compute forward mode gradients. {NOT_ALLOWED}.",
    "second": f"The jacobian of the user-provided function is independent of input {{}}. {NOT_ALLOWED}.",
    "second forward": "The hessian of the user-provided function is independent of entry {} in the grad_jacobian. "
    f"{NOT_ALLOWED} as it prevents from using the double backward trick to replace forward mode AD.",
}
