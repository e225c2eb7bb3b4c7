"""How an op is declared whose result is not a single array, such as a sparse tensor: by a rule and a kernel.

The rule checks the arguments, as far as metadata can tell. If metadata alone gives the answer, or another op does, the
rule returns it: a number, a part that is shared, a tensor without numbers. Otherwise it returns a `Made`, which says
what the kernel is given, and how the result is made of what the kernel returns.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any, NamedTuple

from ..dispatch.registry import OPS, Op
from .by_signature import calls


class Made(NamedTuple):
    """A result that needs a kernel."""

    make: Callable[..., Any]
    """Makes the result of what the kernel returns."""
    given: tuple
    """The arguments of the kernel."""


def computes(kernel: Callable[..., Any]) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: the function that follows a rule, with this kernel. It keeps both as `rule` and `kernel`.

    >>> @computes(lambda a, b: a * b)
    ... def area(size):
    ...     return 0 if 0 in size else Made(float, size)
    >>> area((0, 3)), area((2, 3))
    (0, 6.0)
    """

    def declare(rule: Callable[..., Any]) -> Any:
        @wraps(rule)
        def run(*args: Any, **named: Any) -> Any:
            answer = rule(*args, **named)
            return answer.make(kernel(*answer.given)) if type(answer) is Made else answer

        run.rule, run.kernel = rule, kernel  # type: ignore[attr-defined]
        return run

    return declare


def chosen(kernel: Callable[..., Any], *given: Any) -> Any:
    """The kernel of a row whose rule chooses one among several, and names it first."""
    return kernel(*given)


class Later:
    """A function of a module that is imported when the function is first needed.

    >>> Later("math", "sqrt")(4)
    2.0
    """

    def __init__(self, module: str, name: str, part: str = ""):
        self.__module__, self.__name__, self.part = module, name, part

    def function(self) -> Callable[..., Any]:
        """The function, or the rule or kernel of a function that `computes` declared."""
        found = getattr(import_module(self.__module__), self.__name__)
        return getattr(found, self.part, found) if self.part else found

    def __call__(self, *args: Any, **named: Any) -> Any:
        return self.function()(*args, **named)

    @property
    def __code__(self) -> Any:
        return self.function().__code__


def declared_in(op: Op, module: str, function: str, kernel: bool = True) -> None:
    """Say where a row's rule is, and its kernel if numbers are computed; the module is not imported for that."""
    op.rule = Later(module, function, "rule")
    op.kernel = Later(module, function, "kernel") if kernel else None


def later_row(
    name: str,
    words: str,
    module: str,
    function: str,
    *own_ways: str,
    forms: str,
    family: str,
    category: str,
    how: str = "kernel",
    answer: str = "Tensor",
) -> None:
    """Declare a row by a function of a module that is imported at its first call.

    `how` says what the function has: a rule and a "kernel"; a "rule" alone; or neither, for a row that is "composite".
    """
    run = Later(module, function)
    calls(name, words, *own_ways, forms=forms, family=family, category=category)(run)
    op = OPS[name]
    if how != "composite":
        declared_in(op, module, function, how == "kernel")
    op.plain.__annotations__["return"] = answer
