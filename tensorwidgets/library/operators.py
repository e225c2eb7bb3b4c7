"""Operators of a program's own: how one is called, by which function, and what its gradients are."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from ..engine.autograd.edges import increment_version
from ..engine.errors.warnings import warn
from ..engine.tensor.grad_mode import grad_enabled, no_grad
from ..engine.tensor.tensor import Tensor
from .schemas import Argument, arguments_of

NO_FORMULA = (
    "{}: an autograd kernel was not registered to the Autograd key(s) but we are trying to backprop through it. This "
    "may lead to silently incorrect behavior. This behavior is deprecated and will be removed in a future version of "
    "PyTorch. If your operator is differentiable, please ensure you have registered an autograd kernel to the correct "
    "Autograd key (e.g. DispatchKey::Autograd, DispatchKey::CompositeImplicitAutograd). If your operator is not "
    "differentiable, or to squash this warning and use the previous behavior, please register "
    "torch::CppFunction::makeFallthrough() to DispatchKey::Autograd."
)
NO_META = (
    "{}: attempted to run this operator with Meta tensors, but there was no fake impl or Meta kernel registered. You "
    "may have run into this message while using an operator with PT2 compilation APIs (torch.compile/torch.export); in "
    "order to use this operator with those APIs you'll need to add a fake impl. Please see the following for next "
    "steps:  https://pytorch.org/tutorials/advanced/custom_ops_landing_page.html"
)

DEFINED: dict[str, CustomOpDef] = {}
"""All of them, by name: `mine::f`."""


class CustomOpDef:
    """An operator of a program's own. `torch.library.custom_op` makes it from a function."""

    __module__ = "torch._library.custom_ops"

    def __init__(self, qualname: str, schema: str, by_schema: bool = False):
        self.by_schema = by_schema
        """Whether it was declared by its schema alone: until it has a formula, autograd records what it does."""
        self._qualname, self._arguments = qualname, arguments_of(schema)
        self._schema = re.sub(r"(=-?\d+\.)0(?=[,)])", r"\1", schema)
        self._kernels: dict[str | None, Callable] = {}
        self._fake: Callable | None = None
        self._backward: tuple[Callable, Callable | None] | None = None
        self.recorded = False
        """Whether autograd records what the function does, instead of the operator."""

    def __repr__(self) -> str:
        return f"<CustomOpDef({self._qualname})>"

    def register_kernel(self, device_types: Any, fn: Callable | None = None, /) -> Callable:
        """Give it a function for some kinds of devices, or for all if none is named."""
        if fn is None:
            return lambda given: self.register_kernel(device_types, given)
        for kind in [device_types] if device_types is None or isinstance(device_types, str) else device_types:
            self._kernels[kind] = fn
        return fn

    def register_fake(self, fn: Callable, /) -> Callable:
        """Say which tensors it returns, without their elements."""
        self._fake = fn
        return fn

    def register_autograd(self, backward: Callable, /, *, setup_context: Callable | None = None) -> None:
        """Give it a formula for gradients."""
        if any("!" in argument.kind for argument in self._arguments):
            raise RuntimeError(
                f"Cannot register autograd formula for non-functional operator {self} with schema "
                f"{self._qualname}{self._schema}. Please create a functional operator and register an autograd formula "
                "for that."
            )
        self._backward = backward, setup_context

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        given = self._read(args, kwargs)
        recorded = grad_enabled() and not self.recorded and any(t.requires_grad for t in _tensors(given.values()))
        if recorded and self.by_schema and self._backward is None:
            return self._without_formula(given)
        if recorded and not any("!" in argument.kind for argument in self._arguments):
            return self._with_gradients(given)
        return self._computed(given)

    def _without_formula(self, given: dict[str, Any]) -> Any:
        """The result of the function, as autograd records its inside; a backward pass through it warns."""
        result = self._computed(given, inside=True)

        def warned(grad: Any) -> None:
            warn(NO_FORMULA.format(self._qualname))

        for t in _tensors(result if isinstance(result, (list, tuple)) else [result]):
            if t.requires_grad:
                t.register_hook(warned)
        return result

    def _read(self, args: tuple, kwargs: dict[str, Any]) -> dict[str, Any]:
        """The arguments by name."""
        declared = f"Declaration: {self._qualname}{self._schema}"
        places = [argument for argument in self._arguments if not argument.keyword_only]
        if len(args) > len(places) or len(args) + len(kwargs) > len(self._arguments):
            raise RuntimeError(
                f"{self._qualname}() expected at most {len(places)} argument(s) but received "
                f"{len(args) + len(kwargs)} argument(s). {declared}"
            )
        given = {argument.name: value for argument, value in zip(places, args, strict=False)}
        known = {argument.name for argument in self._arguments}
        for argument in self._arguments:
            if argument.name not in given:
                if argument.name in kwargs:
                    given[argument.name] = kwargs[argument.name]
                elif not argument.has_default:
                    raise RuntimeError(
                        f"{self._qualname}() is missing value for argument '{argument.name}'. {declared}"
                    )
        if unknown := [name for name in kwargs if name not in known]:
            message = f"Unknown keyword argument '{unknown[0]}' for operator '{self._qualname}'. "
            raise RuntimeError(message + declared.replace("Declaration", "Schema", 1))
        for argument in self._arguments:
            if argument.name in given:
                self._check(argument, given[argument.name])
        return given

    def _check(self, argument: Argument, value: Any) -> None:
        kind = argument.kind
        wanted = "int" if kind == "SymInt" else kind
        fits = {"Tensor": Tensor, "int": int, "float": (int, float), "str": str, "bool": bool}.get(wanted)
        if fits is not None and not isinstance(value, (Tensor, fits) if wanted != "str" else fits):  # type: ignore[arg-type]
            raise RuntimeError(
                f"{self._qualname}() Expected a value of type '{wanted}' for argument '{argument.name}' but instead "
                f"found type '{type(value).__name__}'."
            )

    def _computed(self, given: dict[str, Any], inside: bool = False) -> Any:
        """What the function for the device of the tensors returns; autograd may record its inside."""
        tensors = list(_tensors(given.values()))
        args, kwargs = self._called_with(given)
        if any(t.is_meta for t in tensors) and not (self.by_schema and self._fake is None and None in self._kernels):
            if self._fake is None and self.by_schema:
                raise NotImplementedError(NO_META.format(self._qualname))
            if self._fake is None:
                raise RuntimeError(
                    f"There was no fake impl registered for {self}. This is necessary for torch.compile/export/fx "
                    f"tracing to work. Please use `{self._name}.register_fake` to add an fake impl."
                )
            return self._fake(*args, **kwargs)
        function = self._kernels.get(tensors[0].device.type if tensors else None, self._kernels.get(None))
        if function is None:
            kind = tensors[0].device.type.upper() if tensors else "BackendSelect"
            raise NotImplementedError(f"Could not run '{self._qualname}' with arguments from the '{kind}' backend.")
        if self.recorded or inside:
            return function(*args, **kwargs)
        with no_grad():
            result = function(*args, **kwargs)
        if not self.by_schema:
            self._check_aliases(tensors, result)
        for argument in self._arguments:
            if "!" in argument.kind and given.get(argument.name) is not None:
                increment_version(list(_tensors([given[argument.name]])))
        return result

    @property
    def _name(self) -> str:
        return self._qualname.partition("::")[2]

    def _called_with(self, given: dict[str, Any]) -> tuple[list[Any], dict[str, Any]]:
        """The arguments as a function takes them: by place until one is left out, the others by name."""
        args: list[Any] = []
        kwargs: dict[str, Any] = {}
        for argument in self._arguments:
            if argument.name not in given:
                continue
            if argument.keyword_only or len(args) < self._arguments.index(argument):
                kwargs[argument.name] = given[argument.name]
            else:
                args.append(given[argument.name])
        return args, kwargs

    def _check_aliases(self, tensors: list[Tensor], result: Any) -> None:
        """Refuse a result that shares memory with an argument: a gradient would not know of it."""
        returned = result if isinstance(result, (list, tuple)) else [result]
        taken = {t.untyped_storage()._cdata for t in tensors}
        for t in _tensors(returned):
            if t.untyped_storage()._cdata in taken:
                raise RuntimeError(
                    f"{self._name} (with implementation in {self.__module__}): The output of this custom operator (1) "
                    "must not also be an input to this custom operator and (2) may not alias any inputs to this custom "
                    "operator or other returns. The most common way to trigger this error is if we have y = "
                    "custom_op(x) and y and x are the same Tensor. Please instead return a clone of the offending "
                    "output tensor(s) (e.g. return x.clone()) or refactor the custom operator to not return y."
                )
            taken.add(t.untyped_storage()._cdata)

    def _with_gradients(self, given: dict[str, Any]) -> Any:
        """The same, as one node of the graph."""
        from ..engine.autograd.functions.function import Function

        args, kwargs = self._called_with(given)
        formulas, op = self._backward, f"{self._qualname.replace('::', '.')}.default"

        def forward(ctx: Any, *args: Any) -> Any:
            result = self._computed(given)
            if formulas is not None and formulas[1] is not None:
                more = {"keyword_only_inputs": kwargs} if kwargs else {}
                formulas[1](ctx=ctx, inputs=tuple(args), output=result, **more)
            return result

        def backward(ctx: Any, *gradients: Any) -> Any:
            if formulas is None:
                raise RuntimeError(
                    f"Trying to backward through {op} but no autograd formula was registered. Please use "
                    "register_autograd to add one."
                )
            return formulas[0](ctx, *gradients)

        name = f"GeneratedBackwardFor_{op.replace('.', '_')}"
        node: Any = type(name, (Function,), {"forward": staticmethod(forward), "backward": staticmethod(backward)})
        return node.apply(*args)


def _tensors(values: Any) -> Iterator[Tensor]:
    for value in values:
        if isinstance(value, Tensor):
            yield value
        elif isinstance(value, (list, tuple)):
            yield from _tensors(value)


def defined(qualname: str, schema: str, once: bool = False) -> CustomOpDef:
    """A new operator of that name. What had it before is forgotten, or this is refused."""
    if qualname.count("::") != 1:
        raise ValueError(
            f'Expected `qualname` to be of the form "namespace::name", but got {qualname}. The qualname passed to the '
            "torch.library APIs must consist of a namespace and a name, e.g. aten::sin"
        )
    if once and qualname in DEFINED:
        raise RuntimeError(
            f"Tried to register an operator ({qualname}{schema}) with the same name and overload name multiple times. "
            "Each overload's schema should only be registered with a single call to def()."
        )
    op = DEFINED[qualname] = CustomOpDef(qualname, schema, by_schema=once)
    from .._ops import ops

    getattr(ops, qualname.partition("::")[0]).__dict__.pop(op._name, None)
    return op


def operator(op: Any, needed: bool = True) -> CustomOpDef:
    """The operator that is meant, by its name or by what `torch.ops` has. An unknown one is made if none is needed."""
    if isinstance(op, CustomOpDef):
        return op
    name = op if isinstance(op, str) else getattr(op, "_qualname", str(op).replace(".", "::", 1).partition(".")[0])
    if name in DEFINED:
        return DEFINED[name]
    if needed:
        raise RuntimeError(f"operator {name} does not exist")
    return CustomOpDef(name, "(...) -> ...")
