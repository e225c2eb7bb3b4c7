"""What a rule of names reads: the arguments of a call by the names of parameters, and the tensors that it writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ...dimension_names import Names, listed
from ...dispatch.registry import Op, tensors_in
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor


class Call:
    """The arguments of a call, by the names of its parameters."""

    __slots__ = ("op", "args", "kwargs", "parameters", "answer")

    def __init__(self, op: Op, args: tuple, kwargs: dict, parameters: tuple[str, ...]):
        self.op, self.args, self.kwargs, self.parameters = op, list(args), dict(kwargs), parameters
        self.answer: Any = None
        """What the call comes to, where the names alone decide."""

    def get(self, parameter: str, otherwise: Any = None) -> Any:
        """The value of a parameter."""
        if parameter in self.kwargs or parameter not in self.parameters:
            return self.kwargs.get(parameter, otherwise)
        place = self.parameters.index(parameter)
        return self.args[place] if place < len(self.args) else otherwise

    def put(self, parameter: str, value: Any) -> None:
        """Give a parameter that is there another value."""
        if parameter in self.kwargs:
            self.kwargs[parameter] = value
        else:
            self.args[self.parameters.index(parameter)] = value

    @property
    def input(self) -> Tensor:
        """The first tensor."""
        result = next(self.operands(), None)
        if result is None:
            raise TypeError(f"{self.op.name} is called without a tensor")
        return result

    def operands(self) -> Iterator[Tensor]:
        """The tensors that the call reads."""
        kwargs = {name: value for name, value in self.kwargs.items() if name != "out"}
        return tensors_in(tuple(self.args), kwargs)

    def targets(self) -> list[Tensor]:
        """The tensors that the call writes to."""
        result = list(tensors_in((), {"out": self.kwargs.get("out")}))
        if self.op.name.endswith("_") or self.op.name == "setitem":
            result.append(self.input)
        return result


def check_target(own: Names, names: Any) -> None:
    """Refuse a target whose names are others than those of what is to be written to it."""
    if any(own) and isinstance(names, tuple) and own != names and len(own) == len(names):
        refuse(
            RuntimeError,
            f"Name mismatch: specified out tensor with names {listed(own)} are not the same as the computed output "
            f"names {listed(names)}. Please rename the out tensor's dims with `Tensor.rename`.",
            f"what is written has the names {listed(names)}, and a target that has names keeps them",
            "out.rename_(None) first: a target without names takes those of the result",
            rule="names.out",
            names=(own, names),
        )
