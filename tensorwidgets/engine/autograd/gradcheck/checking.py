"""`gradcheck` and `gradgradcheck`: derivatives compared with differences of function values."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ...derivatives.ops import torch
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor
from ..backward import grad
from ..nodes import Node, note_device
from ..origin import edge_of, set_origin, tracked
from .jacobians import analytical, numerical


class GradcheckError(RuntimeError):
    """What `gradcheck` and `gradgradcheck` raise where two derivatives differ."""


def gradcheck(
    func: Callable,
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compares the gradients of a function with what small steps of its inputs change.

    Each input that requires a gradient should be of float64 or complex128. `eps` is the size of a step, `atol` and
    `rtol` are those of `torch.allclose`. The gradient is computed twice, and `nondet_tol` is how much the two may
    differ. `fast_mode` compares the whole matrix, too.

    >>> import tensorwidgets as torch
    >>> x = torch.tensor([0.5, 1.0], dtype=torch.float64, requires_grad=True)
    >>> gradcheck(torch.exp, x)
    True
    >>> gradcheck(lambda t: t * t.detach(), x, raise_exception=False)
    False
    """
    _refuse_forward(check_forward_ad or check_batched_forward_grad, check_batched_grad, check_backward_ad)
    given = _as_tuple(inputs)
    try:
        _check_inputs(given)
        results = _as_tuple(func(*given))
        outputs = _recorded(results)
        if any(o.is_sparse or o.is_sparse_csr for o in outputs):
            refuse(
                ValueError,
                "Sparse output is not supported at gradcheck yet. Please call to_dense(masked_grad=...) on the output "
                "of fn for gradcheck.",
                "the Jacobian is a matrix of all elements",
                "lambda x: f(x).to_dense()",
                rule="gradcheck.sparse",
            )
        check = _Check(given, eps, atol, rtol, nondet_tol, check_grad_dtypes)
        check.jacobians(func, results)
        _check_zero(outputs, given)
        if check_undefined_grad:
            _check_undefined(func, given)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable,
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Compares second derivatives of a function with what small steps change in its gradient.

    `grad_outputs` are the gradients of the results, random numbers by default. The other arguments are those of
    `gradcheck`.

    >>> import tensorwidgets as torch
    >>> x = torch.tensor([0.5, 1.0], dtype=torch.float64, requires_grad=True)
    >>> gradgradcheck(torch.exp, x)
    True
    """
    given = _as_tuple(inputs)
    if grad_outputs is None:
        towards = tuple([_random_like(o, gen_non_contig_grad_outputs) for o in _recorded(func(*given))])
    else:
        towards = _as_tuple(grad_outputs)
    count = len(given)
    wanted = [_requires(a) for a in (*given, *towards)]

    def gradients(*args: Any) -> tuple:
        args = tuple([a.requires_grad_() if w else a for a, w in zip(args, wanted, strict=True)])
        into = tuple([a for a, w in zip(args[:count], wanted, strict=False) if w])
        found = grad(_recorded(func(*args[:count])), into, args[count:], create_graph=True, allow_unused=True)
        return tuple([g for g in found if g is not None])

    return gradcheck(
        gradients,
        given + towards,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )


def _random_like(output: Tensor, gaps: bool) -> Tensor:
    """Random numbers between -1 and 1 for a result; with `gaps`, every other element of a larger tensor."""
    size = (*output.shape[:-1], 2 * output.shape[-1]) if gaps and output.dim() else tuple(output.shape)
    numbers: Tensor = torch.empty(size, dtype=output.dtype, device=output.device)
    (torch.view_as_real(numbers) if output.is_complex() else numbers).uniform_(-1, 1)
    return (numbers[..., ::2] if gaps and output.dim() else numbers).requires_grad_()


# -- arguments ---------------------------------------------------------------------------------------------------


def _as_tuple(value: Any) -> tuple:
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _requires(value: Tensor | float) -> bool:
    return isinstance(value, Tensor) and tracked(value)


def _recorded(results: Tensor | Sequence[Tensor]) -> tuple:
    """The results that have a gradient."""
    return tuple([o for o in _as_tuple(results) if o.requires_grad])


def _refuse_forward(forward: bool, batched: bool, backward: bool) -> None:
    if not (forward or backward):
        refuse(
            AssertionError,
            "Expected at least one of check_forward_ad or check_backward_ad to be True",
            "there would be nothing to check",
            rule="gradcheck.arguments",
        )
    if forward or batched:
        refuse(
            NotImplementedError,
            "gradcheck: forward mode and batched gradients are for later",
            "both need calls that carry a derivative or a batch with them; this package has no code for these yet",
            "gradcheck(func, inputs)",
            rule="name.later",
        )


def _check_inputs(inputs: tuple) -> None:
    for number, t in enumerate(inputs):
        if not _requires(t):
            continue
        if t.is_sparse or t.is_sparse_csr:
            refuse(
                NotImplementedError,
                "gradcheck: sparse inputs are for later",
                "each stored element would have to be moved by itself",
                "gradcheck(lambda x: f(x.to_sparse()), x)",
                rule="name.later",
            )
        if t.dtype not in (torch.float64, torch.complex128):
            warnings.warn(
                f"Input #{number} requires gradient and is not a double precision floating point or complex. This "
                "check will likely fail if all the inputs are not of double precision floating point or complex. ",
                stacklevel=3,
            )
        if any(step == 0 and size > 1 for step, size in zip(t.stride(), t.shape, strict=True)):
            refuse(
                RuntimeError,
                f"The {number}th input has a dimension with stride 0. gradcheck only supports inputs that are "
                "non-overlapping to be able to compute the numerical gradients correctly. You should call .contiguous "
                "on the input before passing it to gradcheck.",
                "several elements share one place in memory, so a step of one moves the others",
                "x.contiguous()",
                rule="gradcheck.stride",
            )
    if not any(_requires(t) for t in inputs):
        refuse(
            ValueError,
            "gradcheck expects at least one input tensor to require gradient, but none of them have "
            "requires_grad=True.",
            "there is no gradient to check",
            "x.requires_grad_()",
            rule="gradcheck.arguments",
        )


# -- the checks --------------------------------------------------------------------------------------------------


class _Check:
    """Jacobians compared with differences."""

    def __init__(self, inputs: tuple, eps: float, atol: float, rtol: float, nondet: float, dtypes: bool):
        self.inputs, self.eps, self.atol, self.rtol, self.nondet, self.dtypes = inputs, eps, atol, rtol, nondet, dtypes

    def jacobians(self, func: Callable, results: tuple) -> None:
        """Compare; of complex results first the imaginary parts, then the real ones."""
        if not any(o.is_complex() for o in results):
            return self._compare(func, results, frozenset(), "")
        complexes = frozenset(n for n, o in enumerate(_recorded(results)) if o.is_complex())

        def part_of(take: Callable) -> Callable:
            return lambda *args: tuple([take(o) if o.is_complex() else o for o in _as_tuple(func(*args))])

        for take, name in ((torch.imag, "imaginary"), (torch.real, "real")):
            part = part_of(take)
            prefix = f"While considering the {name} part of complex outputs only, "
            self._compare(part, part(*self.inputs), complexes, prefix)

    def _compare(self, func: Callable, results: tuple, complexes: frozenset, prefix: str) -> None:
        outputs = _recorded(results)
        into = [t for t in self.inputs if _requires(t)]
        by_steps = [numerical(func, self.inputs, t, results, self.eps) for t in into]
        if not outputs:
            if any((matrix != 0).any() for row in by_steps for matrix in row):
                _failed(
                    "Numerical gradient for function expected to be zero",
                    "the results change with the inputs, and nothing was recorded",
                )
            return
        kept = [n for n, o in enumerate(results) if o.requires_grad]
        for number, output in enumerate(outputs):
            exact = self._analytical(output, into)
            for at, matrix in enumerate(exact):
                steps = by_steps[at][kept[number]]
                if not torch.allclose(matrix, steps.to(matrix.dtype), self.rtol, self.atol):
                    _failed(
                        (prefix if number in complexes else "")
                        + f"Jacobian mismatch for output {number} with respect to input {at},\n"
                        f"numerical:{steps}\nanalytical:{matrix}\n",
                        _largest(steps, matrix),
                    )

    def _analytical(self, output: Tensor, into: list[Tensor]) -> list[Tensor]:
        """The Jacobians of one result, computed twice."""
        first, sizes, dtypes = analytical(output, into)
        again, _, _ = analytical(output, into)
        if not dtypes and self.dtypes:
            _failed("Gradient has dtype mismatch", "a gradient has the dtype of its tensor")
        if not sizes:
            _failed("Analytical gradient has incorrect size", "a gradient has the size of its tensor")
        if any(a.numel() and (a - b).abs().max() > self.nondet for a, b in zip(first, again, strict=True)):
            _failed(
                "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times "
                "gives different values, although analytical gradient matches numerical gradient.The tolerance for "
                f"nondeterminism was {self.nondet}.",
                "the same backward pass gave two answers",
                "gradcheck(func, inputs, nondet_tol=1e-7)",
            )
        return first


def _largest(steps: Tensor, exact: Tensor) -> str:
    """Where two matrices differ most."""
    apart = (steps.to(exact.dtype) - exact).abs()
    row, column = divmod(int(apart.nan_to_num(float("inf")).argmax()), exact.shape[1])
    return (
        f"they differ most in row {row}, column {column}: element {row} of the input moves element {column} of the "
        f"output by {steps[row, column].item():.6g}, and the gradient says {exact[row, column].item():.6g}"
    )


def _failed(message: str, because: str, *instead: str) -> NoReturn:
    refuse(GradcheckError, message, because, *instead, rule="gradcheck")


def _check_zero(outputs: tuple, inputs: tuple) -> None:
    """Gradients of zero towards the results must give zeros."""
    into = [t for t in inputs if _requires(t)]
    if not outputs:
        return
    zeros = [torch.zeros_like(o) for o in outputs]
    for t, g in zip(into, grad(outputs, into, zeros, retain_graph=True, allow_unused=True), strict=True):
        if g is not None and g.layout is not t.layout:
            _failed(
                f"grad is incorrect layout ({g.layout} is not {t.layout})", "a gradient has the layout of its tensor"
            )
        if g is not None and (g != 0).any():
            _failed("backward not multiplied by grad_output", "the gradient of the result does not count in it")


# -- undefined gradients -----------------------------------------------------------------------------------------


class UndefinedGrad(Node):
    """Passes no gradient on."""

    __slots__ = ()

    def apply(self, grads: tuple) -> Any:
        return (None,)


def _without_gradient(t: Tensor) -> Tensor:
    """A result whose gradient gets lost on the way back."""
    result: Tensor = t.detach()
    node = UndefinedGrad((edge_of(t),), t._array.shape, t._dtype)
    note_device(node, t)
    set_origin(result, node)
    return result


def _check_undefined(func: Callable, inputs: tuple) -> None:
    """Backward functions must take a gradient that is undefined for zeros: of all results, then of each alone."""
    into = [t for t in inputs if _requires(t)]
    count = len(_recorded(func(*inputs)))
    for lost in [set(range(count)), *([{n} for n in range(count)] if count > 1 else [])]:
        outputs = [_without_gradient(o) if n in lost else o for n, o in enumerate(_recorded(func(*inputs)))]
        if not outputs:
            continue
        wrong = False
        try:
            found = grad(outputs, into, [torch.zeros_like(o) for o in outputs], allow_unused=True)
            wrong = any(g is not None and (g != 0).any() for g in found)
        except RuntimeError:
            _warn_undefined()
            _failed(
                "Expected backward function to handle undefined output grads. Please look at "
                '"Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"',
                "a gradient may be None in a backward that has called ctx.set_materialize_grads(False)",
            )
        if wrong:
            _warn_undefined()
            _failed(
                "Expected all input grads to be undefined or zero when all output grads are undefined or zero. Please "
                'look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"',
                "None means zeros",
            )


def _warn_undefined() -> None:
    warnings.warn(
        "Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it may "
        "break existing callers of this function. If this is true for you, you can call this function with "
        '"check_undefined_grad=False" to disable the feature',
        stacklevel=4,
    )


__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]
