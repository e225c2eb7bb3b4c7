"""`backward` and `autograd.grad`: reading their arguments, and PyTorch's refusals."""

from __future__ import annotations

import math
from collections.abc import Mapping
from operator import index
from typing import Any, NoReturn

import numpy as np

from ..derivatives.ops import torch
from ..dispatch import stations
from ..dispatch.registry import watching
from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..tensor.keys import KEY_AUTOGRAD
from ..tensor.tensor import Tensor
from ..tensor.thread_state import transforms
from ..tensor.wrapping import wrap
from ..types.dtypes import float32, float64
from .edges import GradientEdge, as_edge, as_several, facts_of, inputs_as_several
from .nodes import Node
from .origin import tracked
from .passes.running import run

CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
    "which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you "
    "have to use this function, make sure to reset the .grad fields of your parameters to None after use to break the "
    "cycle and avoid the leak."
)


def backward(
    tensors: Any,
    grad_tensors: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    grad_variables: Tensor | None = None,
    inputs: Any = None,
) -> None:
    """Computes the gradients of tensors with respect to the leaves of their graph, and adds them to `.grad`."""
    if transforms.under_way:
        _refuse_transformed()
    if grad_variables is not None:
        grad_tensors = _by_one_name(grad_tensors, grad_variables)
    into = None
    if inputs is not None:
        _check_mapping("backward", inputs)
        into = inputs_as_several(inputs)
        if not into:
            refuse(
                RuntimeError,
                "`inputs` argument to `backward()` cannot be empty.",
                "gradients are computed for the tensors in it",
                "y.backward(), for all leaves",
                rule="autograd.inputs",
            )
    outputs = as_several(tensors)
    if _is_handed_on(values := outputs + (into or ())):
        named = {"grad_tensors": grad_tensors, "retain_graph": retain_graph, "create_graph": create_graph}
        stations.handle_torch_function(backward, values, outputs, **named, inputs=into)  # type: ignore[misc]
        return
    given = (outputs, grad_tensors, retain_graph, create_graph, into)
    if watching and stations.pass_watcher is not None:
        stations.pass_watcher("backward", outputs, into, lambda: _backward(*given))
    else:
        _backward(*given)


def _is_handed_on(values: tuple) -> bool:
    """Whether a mode, or the class of one of the tensors, is asked about a backward pass."""
    for t in values:
        if type(t) is not Tensor:
            return stations.has_torch_function is not None and stations.has_torch_function(values)
    return bool(watching) and stations.has_torch_function is not None and stations.has_torch_function(())


def _refuse_transformed() -> NoReturn:
    refuse(
        RuntimeError,
        "backward() called inside a functorch transform. This is not supported, please use functorch.grad or "
        "functorch.vjp instead or call backward() outside of functorch transforms.",
        "the transform computes gradients of what the function returns",
        "torch.func.grad(f)(x)",
        rule="func.inside",
    )


def backward_of(t: Tensor, gradient: Any, retain_graph: Any, create_graph: Any, inputs: Any) -> None:
    """What `t.backward()` does. The usual call needs few checks."""
    if transforms.under_way:
        _refuse_transformed()
    origin = t._origin if t._keys & KEY_AUTOGRAD else None
    if inputs is None and create_graph is False and isinstance(origin, Node) and not watching:
        if retain_graph is None or retain_graph is True or retain_graph is False:
            if gradient is None:
                run([(origin, _one_for(t))], retain_graph is True, False)
                return
            if type(gradient) is Tensor:
                _check_grad(0, t, gradient)
                run([(origin, gradient)], retain_graph is True, False)
                return
    backward(t, gradient, retain_graph, create_graph, inputs=inputs)


def _by_one_name(grad_tensors: Any, grad_variables: Any) -> Any:
    """The gradients that are given by an old name."""
    warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning)
    if grad_tensors is not None:
        refuse(
            RuntimeError,
            "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only "
            "use `grad_tensors`.",
            "both names mean the same",
            rule="argument",
        )
    return grad_variables


def _backward(outputs: tuple, grad_tensors: Any, retain_graph: Any, create_graph: Any, inputs: tuple | None) -> None:
    given = _as_tuple(grad_tensors, len(outputs))
    grads = _grads(outputs, given)
    retain, create = _flags(retain_graph, create_graph)
    roots = _roots(outputs, grads)
    wanted = None if inputs is None else _kept(inputs)
    if create:
        warn(CYCLE, once=True)
    run(roots, retain, create, wanted, True)


def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool | None = None,
    is_grads_batched: bool = False,
    materialize_grads: bool = False,
) -> Any:
    """Computes and returns the gradients of outputs with respect to inputs, by name if these are a dict.

    >>> import tensorwidgets as torch
    >>> w, b = torch.tensor(2.0, requires_grad=True), torch.tensor(1.0, requires_grad=True)
    >>> grad(w * 3 + b, {"weight": w, "bias": b})
    {'weight': tensor(3.), 'bias': tensor(1.)}
    """
    if not only_inputs:
        warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for "
            "other parts of the graph, please use torch.autograd.backward.",
            FutureWarning,
        )
    if materialize_grads and allow_unused is False:
        message = (
            "Expected allow_unused to be True or not passed when materialize_grads=True, but got: allow_unused=False."
        )
        refuse(ValueError, message, "zeros are made where an input is not used", rule="autograd.unused")
    allow = materialize_grads if allow_unused is None else allow_unused
    out = as_several(outputs)
    _check_mapping("grad", inputs)
    into = inputs_as_several(inputs)
    if not into:
        refuse(
            RuntimeError,
            "`inputs` argument to `grad()` cannot be empty.",
            "a gradient is taken with respect to something",
            rule="autograd.inputs",
        )
    given = (out, into, grad_outputs, retain_graph, create_graph, allow, is_grads_batched, materialize_grads)
    if _is_handed_on(values := out + into):
        results = stations.handle_torch_function(  # type: ignore[misc]
            grad, values, out, into, grad_outputs=grad_outputs, retain_graph=retain_graph, create_graph=create_graph,
            only_inputs=only_inputs, allow_unused=allow, is_grads_batched=is_grads_batched,
            materialize_grads=materialize_grads,
        )  # fmt: skip
    elif watching and stations.pass_watcher is not None:
        results = stations.pass_watcher("grad", out, into, lambda: _grad(*given))
    else:
        results = _grad(*given)
    return dict(zip(inputs, results, strict=True)) if type(inputs) is dict else results


def _grad(
    out: tuple,
    into: tuple,
    grad_outputs: Any,
    retain_graph: Any,
    create_graph: Any,
    allow: Any,
    is_grads_batched: bool,
    materialize_grads: bool,
) -> tuple:
    given = _as_tuple(grad_outputs, len(out))
    rows = _rows(out, given) if is_grads_batched else [_grads(out, given)]
    retain, create = _flags(retain_graph, create_graph)
    allow = allow if type(allow) is bool else _byte(allow) != 0
    each = []
    for number, row in enumerate(rows, 1):
        each.append(run(_roots(out, row), retain or number < len(rows), create, _edges(into), False))
    results = _stacked(each) if is_grads_batched else each[0]
    final: list[Any] = []
    for number, (t, result) in enumerate(zip(into, results, strict=True)):
        if result is None and not allow:
            refuse(
                RuntimeError,
                f"The differentiated Tensor at index {number} appears to not have been used in the graph. Set "
                "allow_unused=True if this is the desired behavior.",
                "no operation on this tensor leads to the outputs",
                "allow_unused=True",
                rule="autograd.unused",
            )
        if result is None and materialize_grads:
            if not isinstance(t, Tensor):
                refuse(
                    RuntimeError,
                    "materialize_grads cannot be used when the given input is a GradientEdge",
                    "zeros are made like a tensor, and an edge is not a tensor",
                    "allow_unused=True",
                    rule="autograd.unused",
                )
            result = torch.zeros_like(t, requires_grad=create_graph)
        final.append(result)
    return tuple(final)


grad.__module__ = backward.__module__ = __name__.partition(".")[0] + ".autograd"


def _rows(outputs: tuple, given: tuple) -> list[list[Any]]:
    """With `is_grads_batched`, the gradients of the outputs for one backward pass after the other."""
    for number, (out, g) in enumerate(zip(outputs, given, strict=False)):
        if isinstance(g, Tensor) and tuple(facts_of(out)[0]) != tuple((first := g[0]).shape):
            if not isinstance(out, Tensor):
                message = "Batched grads are not supported with GradientEdge"
            else:
                message = (
                    "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch "
                    "dimension. The sizes of the remaining dimensions are expected to match the shape of corresponding "
                    f"output, but a mismatch was detected: grad_output[{number}] has a shape of {first.shape[1:]} and "
                    f"output[{number}] has a shape of {out.shape}. If you only want some tensors in `grad_output` to "
                    "be considered batched, consider using vmap."
                )
            refuse(RuntimeError, message, f"each of the gradients has the shape {first.shape}", rule="autograd.size")
    _grads(outputs, tuple([g[0] if isinstance(g, Tensor) else g for g in given]))
    if any(g is None for g in given):
        refuse(
            ValueError,
            "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input is a Tensor of "
            "dimensionality 0 so expected in_dim to satisfy 0 <= in_dim < 0.",
            "an output without gradients has no batch of them",
            rule="autograd.size",
        )
    counts = [len(g) for g in given]
    if len(set(counts)) > 1:
        refuse(
            ValueError,
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{counts} for the mapped dimension",
            "each backward pass takes one gradient of each output",
            rule="autograd.size",
        )
    return [list(row) for row in zip(*given, strict=True)]


def _stacked(each: list[Any]) -> list[Any]:
    """The results of several backward passes, for each input one tensor."""
    return [None if of_input[0] is None else _on_top(of_input) for of_input in zip(*each, strict=True)]


def _on_top(parts: tuple[Any, ...]) -> Any:
    """Gradients of one size on top of each other, each in the order of memory of the first one."""
    first = parts[0]
    if first.is_sparse or first.dim() < 2 or 0 in first.stride() or first.is_contiguous():
        return torch.stack(parts)
    stride = first.stride()
    order = sorted(range(first.dim()), key=lambda d: -stride[d])
    whole = torch.stack([part.permute(order) for part in parts])
    return whole.permute(0, *[1 + order.index(d) for d in range(first.dim())])


def _check_mapping(name: str, inputs: Any) -> None:
    if type(inputs) is not dict and isinstance(inputs, Mapping):
        refuse(
            TypeError,
            f"`inputs` argument to `{name}()` must be a dict, not {type(inputs).__name__}. Other Mapping types are not "
            "supported.",
            "the result of grad is a dict with the same names",
            "dict(inputs)",
            rule="argument.type",
        )


def _flags(retain_graph: Any, create_graph: Any) -> tuple[bool, bool]:
    """Whether the graph stays and whether a new one is made. Numbers count as flags, as in PyTorch; nothing else."""
    if create_graph is False and (retain_graph is None or retain_graph is True):
        return retain_graph is True, False
    retain = None if retain_graph is None else _byte(retain_graph) != 0
    create = _byte(create_graph) != 0
    return create if retain is None else retain, create


def _byte(flag: Any) -> int:
    """A flag as the number that PyTorch reads it as, of 8 bits, or its refusal.

    >>> _byte(True), _byte(7)
    (1, 7)
    """
    n = index(flag)
    if not 0 <= n < 256:
        wrong = f"unsigned byte integer is {'less than minimum' if n < 0 else 'greater than maximum'}"
        too_long = not -(1 << 63) <= n < 1 << 63
        message = "Python int too large to convert to C long" if too_long else wrong
        refuse(OverflowError, message, f"{n} is neither True nor False", rule="argument.type")
    return n


def _kept(inputs: tuple) -> list[Any]:
    """The edges of the inputs of `backward`; those that are not leaves keep their gradients."""
    for t in inputs:
        if isinstance(t, Tensor):
            t.retain_grad()
    return [as_edge(t) for t in inputs]


def _as_tuple(grads: Any, count: int) -> tuple:
    if grads is None:
        return (None,) * count
    if isinstance(grads, Tensor):
        return (grads,)
    return tuple(grads)


def _edges(inputs: tuple) -> list[Any]:
    edges = []
    for t in inputs:
        if isinstance(t, Tensor) and not tracked(t):
            refuse(
                RuntimeError,
                "One of the differentiated Tensors does not require grad",
                "no gradient is computed for this tensor",
                "x.requires_grad_() before the computation",
                rule="autograd.none",
            )
        edges.append(as_edge(t))
    return edges


def _grads(outputs: tuple, given: tuple) -> list[Any]:
    """The gradients of the outputs. Gradients beyond the last output are ignored."""
    results: list[Any] = []
    for number, (out, g) in enumerate(zip(outputs, given, strict=False)):
        if not isinstance(out, (Tensor, GradientEdge)):
            message = "Expected output to be a torch.Tensor"
            refuse(AssertionError, message, "only tensors have a graph", rule="autograd.type")
        if isinstance(g, Tensor):
            _check_grad(number, out, g)
            results.append(g)
        elif g is None:
            results.append(_one_for(out) if not isinstance(out, Tensor) or tracked(out) else None)
        else:
            refuse(
                TypeError,
                f"gradients can be either Tensors or None, but got {type(g).__name__}",
                "a gradient is a tensor",
                rule="autograd.type",
            )
    if len(results) != len(outputs):
        refuse(
            RuntimeError,
            f"got {len(outputs)} tensors and {len(results)} gradients",
            "each output has one gradient",
            rule="autograd.count",
        )
    return results


def _check_grad(number: int, out: Any, g: Tensor) -> None:
    if isinstance(out, Tensor) and out._array.shape == g._array.shape and out._dtype is g._dtype:
        return
    size, dtype = facts_of(out)
    if tuple(size) != tuple(g.shape):
        refuse(
            RuntimeError,
            f"Mismatch in shape: grad_output[{number}] has a shape of {g.shape} and output[{number}] has a shape of "
            f"{size}.",
            "a gradient has the shape of its tensor",
            rule="autograd.size",
        )
    if dtype.is_complex != g.dtype.is_complex:
        refuse(
            RuntimeError,
            "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
            f"grad_output[{number}] has a dtype of {g.dtype} and output[{number}] has a dtype of {dtype}.",
            "the gradient of a complex tensor is complex, and that of a real one is real",
            rule="autograd.dtype",
        )


_ONES: dict[Any, np.ndarray] = {float32: np.ones((), np.float32), float64: np.ones(())}


def _one_for(out: Any) -> Tensor:
    plain = isinstance(out, Tensor) and type(out._array) is np.ndarray and not out._keys & ~KEY_AUTOGRAD
    if plain and not out._array.ndim and out._dtype in _ONES:
        one = wrap(_ONES[out._dtype].copy(), out._dtype)
        one._notes["_of_backward"] = True
        return one
    size, dtype = facts_of(out)
    if math.prod(size) != 1:
        refuse(
            RuntimeError,
            "grad can be implicitly created only for scalar outputs",
            f"the output has {math.prod(size)} elements, and a gradient has to say how much each of them counts",
            "y.sum().backward()",
            "y.backward(gradient=torch.ones_like(y))",
            rule="autograd.scalar",
        )
    if not dtype.is_floating_point:
        refuse(
            RuntimeError,
            f"grad can be implicitly created only for real scalar outputs but got {dtype}",
            "a complex number can change in two directions",
            "y.backward(gradient=torch.ones_like(y))",
            rule="autograd.scalar",
        )
    result: Tensor = torch.ones_like(out.detach()) if isinstance(out, Tensor) else torch.ones(size, dtype=dtype)
    result._notes["_of_backward"] = True
    return result


def _roots(outputs: tuple, grads: list[Any]) -> list[tuple[Any, Any]]:
    roots = []
    for number, (out, g) in enumerate(zip(outputs, grads, strict=True)):
        edge = as_edge(out)
        if edge is None:
            refuse(
                RuntimeError,
                f"element {number} of tensors does not require grad and does not have a grad_fn",
                "nothing was recorded for this tensor: none of the tensors that it was computed from requires a "
                "gradient, or it was computed under no_grad",
                "x.requires_grad_() before the computation",
                rule="autograd.none",
            )
        if isinstance(g, Tensor) and g._keys & KEY_AUTOGRAD and g._dtype is not (d := facts_of(out)[1]):
            g = g.to(d)  # recorded, as in PyTorch: the pass begins later
        roots.append((edge, g))
    return roots
