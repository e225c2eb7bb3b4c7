"""`torch.func`: functions that compute the derivatives of a function.

Each calls the function with tensors of its own, which stand for the arguments, and records the call even under
`no_grad`. A derivative keeps its graph only if it depends on something else that requires a gradient: an argument, or
a tensor that the function finds elsewhere. So the functions can be nested.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from ...calling.for_users import call_users
from ...derivatives.beside import zeros_beside
from ...derivatives.ops import torch
from ...errors.reasons import refuse
from ...tensor.grad_flag import can_require, start
from ...tensor.grad_mode import enable_grad, grad_enabled, inference_enabled, inference_mode
from ...tensor.handing_on import WithoutAny
from ...tensor.keys import KEY_CLASS, KEY_INFERENCE
from ...tensor.tensor import Tensor
from ...tensor.thread_state import transforms
from ...tensor.versions import bump_version
from ..hooks.on_saved import disable_saved_tensors_hooks
from ..nodes import Node, inputs_of, next_number
from ..origin import edge_of, node_of, tracked
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
            call = _Call(func, args, kwargs, _chosen(argnums, args), isinstance(argnums, int))
            output, aux = _with_aux(call.output, has_aux, "grad_and_value(f)(*args)")
            _must_be_number(output)
            with _recorded(), WithoutAny():
                found = gradients((output,), call.inputs, create_graph=True)
                call.tidy((*found, *leaves(output)), call.began)
                result = call.in_form(found)
                value = call.kept(output)
        if has_aux:
            return result, (value, mapped(call.kept, _tensors_only(aux)))
        return result, value

    return gradient


def vjp(func: Callable, *primals: Any, has_aux: bool = False) -> tuple:
    """The results of a function, and a function that multiplies a vector by its Jacobian.

    >>> import tensorwidgets as torch
    >>> y, times_jacobian = vjp(torch.exp, torch.tensor([0.0, 1.0]))
    >>> times_jacobian(torch.tensor([1.0, 0.0]))
    (tensor([1., 0.]),)
    """
    with disable_saved_tensors_hooks(WITHOUT_HOOKS):
        call = _Call(func, primals, {}, tuple(range(len(primals))))
    output, aux = _with_aux(call.output, has_aux, "vjp(f, *primals)")
    if has_aux:
        _tensors_only(aux)
    flat = tuple(leaves(output))
    _must_be_tensors(flat)

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
        _must_match(flat, tuple(leaves(cotangents)))
        before = next_number()
        with _recorded():
            given = tuple(leaves(_saveable(cotangents)))
            with WithoutAny():
                found = gradients(flat, call.inputs, given, retain_graph=retain_graph, create_graph=True)
            call.tidy(found, before)
            call.recorded = recorded
            return call.in_form(found)

    with _recorded():
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
        _must_be_real(args, f"{called}: Expected all inputs")
        chosen = _chosen(argnums, args)
        if called == "jacfwd":
            _must_be_differentiable([args[n] for n in chosen])

        def of_chosen(*given: Any) -> Any:
            every = [_plain(value) for value in args]
            for number, value in zip(chosen, given, strict=True):
                every[number] = value
            return call_users(func, *every)

        output, times_jacobian, *aux = vjp(of_chosen, *[args[n] for n in chosen], has_aux=has_aux)
        flat = list(leaves(output))
        _must_be_real(flat, f"{called}: Expected all outputs")

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
            if (
                passed and parts
            ):  # PyTorch writes all rows into zeros at once, and a derivative that passes them on is these
                for t in leaves(whole):
                    bump_version(t)
            return whole

        result = refilled(output, [by_one(number) for number in range(len(flat))])
        return (result, aux[0]) if has_aux else result

    return rows


def _must_be_differentiable(primals: list) -> None:
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


# -- a call ------------------------------------------------------------------------------------------------------


_past: weakref.WeakKeyDictionary[Node, Any] = weakref.WeakKeyDictionary()
"""The nodes of tensors that stood for others in calls that are over, and the edges of these."""


@contextmanager
def _recorded() -> Iterator[None]:
    """Record calls, in inference mode too."""
    with inference_mode(False) if inference_enabled() else enable_grad():
        yield


@contextmanager
def _transforming() -> Iterator[None]:
    before = transforms.under_way
    transforms.under_way = True
    try:
        yield
    finally:
        transforms.under_way = before


class _Call:
    """A function called with tensors of our own in the place of some arguments; `single` if one was asked for alone."""

    def __init__(self, func: Callable, args: tuple, kwargs: dict, chosen: tuple[int, ...], single: bool = False):
        self.single = single
        self.recorded = grad_enabled()
        self.began = next_number()
        with _recorded(), _transforming():
            given = [_plain(_saveable(value)) for value in args]
            self.fresh: set[int] = set()
            self.aliases: dict[int, Any] = {}
            """The nodes of our tensors that stand for tensors in a graph, by number, and the edges of these."""
            self.past: dict[Node, Any] = {}
            inputs: list[Tensor] = []
            for number in chosen:
                given[number] = mapped(self._input, given[number])
                inputs += leaves(given[number])
            self.inputs = tuple(inputs)
            self.primals = tuple([args[number] for number in chosen])
            self.output = call_users(func, *given, **_saveable(kwargs))

    def _input(self, t: Tensor | float) -> Tensor:
        if not isinstance(t, Tensor):
            refuse(
                ValueError,
                f"Thing passed to transform API must be Tensor, got {type(t)}",
                "a derivative is taken with respect to a tensor",
                f"torch.tensor({t!r})" if isinstance(t, (int, float)) else "",
                rule="func.type",
            )
        if tracked(t):
            inner: Tensor = t.view_as(t)
            node: Any = node_of(inner)
            self.aliases[node.number] = self.past[node] = edge_of(t)
            return inner
        own = t.detach()
        own._keys &= ~KEY_INFERENCE  # what stands for a tensor is none of inference mode
        start(own)
        self.fresh.add(id(own))
        return own

    def tidy(self, results: Iterable[Any], since: int) -> None:
        """Let the nodes made `since` lead to the arguments themselves, and nowhere where that is to our own tensors."""
        if since == self.began:
            _past.update(self.past)
        whole: dict[int, bool] = {}
        stack = [node_of(t) for t in results if isinstance(t, Tensor) and tracked(t)]
        while stack:
            node = stack.pop()
            if node is None or node.number <= since or whole.get(node.number):
                continue
            if node.number not in whole:
                whole[node.number] = False
                stack += [node, *inputs_of(node)]
                continue
            whole[node.number] = True
            node.edges = tuple([self._edge(edge, since) for edge in node.edges])

    def _edge(self, edge: Any, since: int) -> Any:
        if edge is None or isinstance(edge, Tensor):
            return None if id(edge) in self.fresh else edge
        node = edge[0] if type(edge) is tuple else edge
        past = self.aliases.get(node.number, _past.get(node, edge))
        if past is not edge:
            return self._edge(past, since)
        if node.number > since:
            return edge if any(inner is not None for inner in node.edges) else None
        return edge if node.number <= self.began or self._reaches_others_from(edge) else None

    def in_form(self, found: tuple) -> Any:
        """Gradients in the form of the arguments, zeros for None."""
        whole = [torch.zeros_like(t) if g is None else self.kept(g) for g, t in zip(found, self.inputs, strict=True)]
        result = refilled(self.primals, whole)
        return result[0] if self.single else result

    def kept(self, t: Tensor) -> Any:
        """A tensor with its graph if it depends on more than our own tensors, and without it otherwise."""
        if not isinstance(t, Tensor) or not tracked(t):
            return t
        if self.recorded and self._reaches_others(t):
            return t
        base = None if t._base is None else t._base.detach()  # older than its view
        result = t.detach()
        if base is not None:
            result._base = base  # a view is one without a graph too
        return result

    def _reaches_others(self, t: Tensor) -> bool:
        """Whether the graph of a tensor has a leaf that is not one of ours."""
        return self._reaches_others_from(edge_of(t))

    def _reaches_others_from(self, edge: Any) -> bool:
        seen: set[int] = set()
        stack = [edge]
        while stack:
            edge = stack.pop()
            if isinstance(edge, Tensor):
                if id(edge) not in self.fresh:
                    return True
                continue
            node: Node = edge[0] if type(edge) is tuple else edge
            if node is not None and node.number not in seen:
                seen.add(node.number)
                stack += node.edges
        return False


def _saveable(value: Any) -> Any:
    """Arguments with copies of those tensors that were made in inference mode, so that the call can save them."""
    return mapped(lambda t: t.clone() if isinstance(t, Tensor) and t.is_inference() else t, value)


def _plain(value: Any) -> Any:
    """Arguments with plain tensors in the place of those of a user's class: a transform knows no classes."""
    return mapped(lambda t: t.as_subclass(Tensor) if isinstance(t, Tensor) and t._keys & KEY_CLASS else t, value)


def _chosen(argnums: Any, args: tuple) -> tuple[int, ...]:
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


def _with_aux(output: Any, has_aux: bool, who: str) -> tuple[Any, Any]:
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


def _tensors_only(aux: Tensor | int) -> Any:
    for t in leaves(aux):
        if not isinstance(t, Tensor):
            refuse(
                RuntimeError,
                f"Expected tensors, got unsupported type {type(t)}",
                "what a function returns beside its result is tensors, too",
                rule="func.aux",
            )
    return aux


def _must_be_tensors(outputs: tuple) -> None:
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


def _must_be_real(values: Any, begin: str) -> None:
    for number, t in enumerate(leaves(values)):
        if isinstance(t, Tensor) and t.dtype.is_complex:
            refuse(
                RuntimeError,
                f"{begin} to be real but received complex tensor at flattened input idx: {number}",
                "a complex number has a real and an imaginary part, so that its Jacobian is ambiguous",
                "torch.view_as_real(z)",
                rule="func.complex",
            )


def _must_be_number(output: Tensor | float) -> None:
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


def _must_match(outputs: tuple, cotangents: Iterable) -> None:
    for number, (o, c) in enumerate(zip(outputs, cotangents, strict=True)):
        if isinstance(c, Tensor) and o.shape != c.shape:
            refuse(
                RuntimeError,
                f"Mismatch in shape: grad_output[{number}] has a shape of {c.shape} and output[{number}] has a shape "
                f"of {o.shape}.",
                "a vector has the shape of its result",
                rule="autograd.size",
            )


__all__ = ["grad", "grad_and_value", "hessian", "jacrev", "vjp"]
