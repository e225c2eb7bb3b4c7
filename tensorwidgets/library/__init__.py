"""torch.library: operators of a program's own, with formulas for their gradients. Tensors of other libraries fit in.

>>> import numpy as np
>>> import tensorwidgets as torch
>>> @torch.library.custom_op("docs::sine", mutates_args=())
... def sine(x: torch.Tensor) -> torch.Tensor:
...     return torch.from_numpy(np.sin(x.numpy()))
>>> torch.library.register_autograd(
...     "docs::sine",
...     lambda ctx, g: g * ctx.saved_tensors[0].cos(),
...     setup_context=lambda ctx, inputs, output: ctx.save_for_backward(*inputs),
... )
>>> x = torch.zeros(2, requires_grad=True)
>>> sine(x).sum().backward()
>>> x.grad, torch.ops.docs.sine(torch.zeros(1))
(tensor([1., 1.]), tensor([0.]))
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from .operators import CustomOpDef, defined, operator
from .schemas import infer_schema

__all__ = [
    "CustomOpDef", "Library", "custom_op", "define", "impl", "infer_schema", "register_autograd", "register_fake",
    "register_kernel",
]  # fmt: skip


def custom_op(
    name: str, fn: Callable | None = None, /, *, mutates_args: str | Iterable[str], device_types: Any = None,
    schema: str | None = None, tags: Any = None,
) -> Any:  # fmt: skip
    """Make a function an operator, `torch.ops.namespace.name`, whose inside autograd does not record."""

    def made(function: Callable) -> CustomOpDef:
        arguments = infer_schema(function, mutates_args=mutates_args) if schema is None else schema
        made = defined(name, arguments)
        made.register_kernel(device_types, function)
        return made

    return made if fn is None else made(fn)


def register_fake(op: Any, func: Callable | None = None, /, *, lib: Any = None, **options: Any) -> Any:
    """Say which tensors an operator returns, without their elements: what it computes on the device meta."""
    if func is not None:
        return operator(op).register_fake(func)
    return lambda given: operator(op, needed=False).register_fake(given)


def register_kernel(op: Any, device_types: Any, func: Callable | None = None, /, *, lib: Any = None) -> Any:
    """Give an operator another function for some kinds of devices."""
    return operator(op).register_kernel(device_types, func)


def register_autograd(
    op: Any, backward: Callable, /, *, setup_context: Callable | None = None, lib: Any = None
) -> None:
    """Give an operator a formula for its gradients, and a function that keeps what the formula needs."""
    operator(op).register_autograd(backward, setup_context=setup_context)


def define(qualname: str, schema: str, *, lib: Any = None, tags: Any = ()) -> None:
    """Make an operator that has no function yet: `define("mine::f", "(Tensor x) -> Tensor")`."""
    defined(qualname, schema, once=True)


def impl(qualname: Any, types: Any, func: Callable | None = None, *, lib: Any = None) -> Any:
    """Give an operator its function for some kinds of devices, or for all with "default". As a decorator, too: the name
    of the function is None afterwards, as it is with PyTorch.
    """
    kinds = None if types == "default" else types

    def register(given: Callable) -> None:
        operator(qualname).register_kernel(kinds, given)

    return register if func is None else register(func)


class Library:
    """The operators of one namespace.

    >>> mine = Library("docs_library", "DEF")
    >>> mine.define("twice(Tensor x) -> Tensor")
    'twice'
    >>> mine.impl("twice", lambda x: 2 * x, "CPU")
    >>> import tensorwidgets as torch
    >>> torch.ops.docs_library.twice(torch.ones(1))
    tensor([2.])
    """

    def __init__(self, ns: str, kind: str, dispatch_key: str = ""):
        if kind not in ("IMPL", "DEF", "FRAGMENT"):
            raise ValueError(f"Unsupported kind: {kind}")
        self.ns, self.kind, self.dispatch_key = ns, kind, dispatch_key

    def define(self, schema: str, alias_analysis: str = "", *, tags: Any = ()) -> str:
        """Make an operator from its name and its arguments, as in "name(Tensor x) -> Tensor"."""
        name, bracket, rest = schema.partition("(")
        if not bracket:
            raise RuntimeError("Tried to parse a function schema but only the operator name was given")
        namespace, colons, own = name.strip().rpartition("::")
        if colons and namespace != self.ns:
            block = "TORCH_LIBRARY" + ("_FRAGMENT" if self.kind == "FRAGMENT" else "")
            raise RuntimeError(
                f"Explicitly provided namespace ({namespace}) in schema string does not match namespace of enclosing "
                f"{block} block ({self.ns}).  Move this definition to the (unique) TORCH_LIBRARY block corresponding "
                "to this namespace (and consider deleting the namespace from your schema string.)"
            )
        defined(f"{self.ns}::{own}", bracket + rest, once=True)
        return namespace + colons + own.partition(".")[0]

    def impl(self, op_name: Any, fn: Callable, dispatch_key: str = "", **options: Any) -> None:
        """Give an operator its function for the tensors that a key names: "CPU", "Meta", or all of them."""
        name = op_name if isinstance(op_name, str) else str(op_name).partition(".")[2]
        key = (dispatch_key or self.dispatch_key).removeprefix("Composite").lower()
        op = operator(name if "::" in name else f"{self.ns}::{name.partition('.')[0]}")
        if key == "meta":
            op.register_fake(fn)
        elif key in ("", "cpu", "cuda", "implicitautograd", "explicitautograd"):
            op.register_kernel(key if key in ("cpu", "cuda") else None, fn)
            op.recorded = key == "implicitautograd" or not key


def __getattr__(name: str) -> Any:
    from ..engine.compat.to_come import to_come

    if name in ("fallthrough_kernel", "get_ctx", "opcheck", "register_autocast", "register_torch_dispatch",
                "register_vmap", "triton_op", "wrap_triton", "impl_abstract"):  # fmt: skip
        return to_come(__name__, name)
    from ..engine.errors.missing_names import missing

    missing(__name__, name, __all__)
