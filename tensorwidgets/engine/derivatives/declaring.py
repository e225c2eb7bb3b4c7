"""How the derivative of an op is declared.

A derivative is written in the engine's own ops, one formula for each tensor that the op reads. The names of a formula's
parameters say what has to be kept until the backward pass:

- `grad`: the gradient of the result (of the first result, zeros if it is undefined, where there are several);
- `grads`: the gradients of all results as a tuple, None where one is undefined;
- `result`, `result1`, `result2` …: a result, kept without a cycle;
- `NAME_shape`, `NAME_dtype`, `NAME_device`, `NAME_layout`, `NAME_like`: facts of a tensor argument, which keep no bytes
  (`like` has `shape`, `stride`, `dtype`, `device` and `new_zeros`);
- `needed`: which inputs need a gradient, by name (for formulas that compute several gradients together);
- `NAME`: an argument by PyTorch's name (a tensor is saved with its version). Arguments that the call leaves out have
  the default of the formula's own parameter.

Every row says one of four things: formulas, parts, not differentiable, or refused.

>>> from ..dispatch.registry import OPS
>>> describe("exp")
'input: grad * result.conj()'
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable
from typing import Any, NoReturn

from ..errors.reasons import refuse

FORMULAS, PARTS, NONE, REFUSED = "formulas", "parts", "not differentiable", "refused"


class Formula:
    """The gradients of one input, or of several that are computed together."""

    __slots__ = ("inputs", "function", "parameters", "defaults")

    def __init__(self, inputs: tuple[str, ...], function: Callable):
        code = function.__code__
        self.inputs, self.function = inputs, function
        self.parameters: tuple[str, ...] = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
        values = function.__defaults__ or ()
        self.defaults: dict[str, Any] = dict(zip(self.parameters[code.co_argcount - len(values) :], values))  # noqa: B905
        self.defaults |= function.__kwdefaults__ or {}


class Derivative:
    """What one row says about its derivative; `when` picks one of several that a row has."""

    __slots__ = (
        "op", "says", "node", "formulas", "in_order", "inputs", "keeps", "compose", "when", "message", "inplace",
        "kept_by", "steps", "classes", "views", "results", "called", "casts",
    )  # fmt: skip

    def __init__(self, op: str, says: str, node: str = "", when: Callable[[dict], bool] | None = None):
        self.op, self.says, self.when = op, says, when
        self.node = node or node_name(op)
        self.formulas: tuple[Formula, ...] = ()
        self.in_order: tuple[Formula, ...] = ()
        """The formulas in the order in which PyTorch applies them: by the names of the inputs, of which one is self."""
        self.inputs: tuple[str, ...] = ()
        """The tensors that the node has an edge to, in PyTorch's order."""
        self.keeps: tuple[str, ...] = ()
        """Everything that some formula needs."""
        self.results: tuple[int, ...] | None = None
        """Which results have a gradient; None for all whose dtype allows one."""
        self.called: dict[str, str] = {}
        """What `_saved_NAME` calls a result, where PyTorch has a name for it."""
        self.compose: Callable | None = None
        self.message = ""
        self.casts = True
        """Whether a complex gradient of a real input becomes real; otherwise it is refused."""
        self.inplace = True
        self.kept_by: dict[tuple[bool, ...], tuple[tuple[str, bool, int], ...]] = {}
        """What its nodes keep for the gradients that are needed: each name, whether, and which result it is."""
        self.steps: dict[tuple[bool, ...], tuple] = {}
        """The formulas for the gradients that are needed, as nodes apply them."""
        self.classes: Any = None
        """The class of its nodes, made by the first of them."""


TABLE: dict[str, list[Derivative]] = {}
"""The derivatives by the name of the row; in-place rows use those of the row without `_` unless they have their own."""


def node_name(op: str) -> str:
    """PyTorch's name of a node by the op's name.

    >>> node_name("log_softmax"), node_name("linalg.det")
    ('LogSoftmaxBackward0', 'LinalgDetBackward0')
    """
    words = op.replace(".", "_").split("_")
    return "".join(word[:1].upper() + word[1:] for word in words) + "Backward0"


def _enter(names: str, says: str, node: str = "", when: Callable | None = None) -> list[Derivative]:
    entered = []
    for name in names.split():
        one = Derivative(name, says, node, when)
        TABLE.setdefault(name, []).append(one)
        entered.append(one)
    return entered


def differentiate(
    names: str,
    /,
    *,
    node: str = "",
    when: Callable[[dict], bool] | None = None,
    together: tuple[str, Callable] | None = None,
    results: tuple[int, ...] | None = None,
    called: tuple[str, ...] = (),
    casts: bool = True,
    **formulas: Callable,
) -> None:
    """Declare the derivative of one row, or of several that have the same.

    Each keyword is a tensor argument by PyTorch's name, in PyTorch's order, with its formula. `together` is
    ``("a b", formula)`` for a formula that returns the gradients of several inputs. `node` is PyTorch's name of the
    node (`MulBackward0` by default for `mul`), and `when` a condition on the arguments of the call (a dictionary by
    PyTorch's names, only with what the call names) for rows with several derivatives: the first that fits is used.
    `results` are the numbers of the results that have a gradient, where others of a floating-point dtype have none, and
    `called` PyTorch's names of the results in `_saved_NAME`. Where a row `casts`, the gradient of a real input is the
    real part of a complex one; where PyTorch forgets it, the backward pass refuses such a gradient.
    """
    declared = [Formula((name,), function) for name, function in formulas.items()]
    inputs = tuple(formulas)
    if together is not None:
        joint = Formula(tuple(together[0].split()), together[1])
        declared.append(joint)
        inputs = (*joint.inputs, *inputs)
    keeps: dict[str, None] = {}
    for formula in declared:
        keeps |= dict.fromkeys(p for p in formula.parameters if p not in ("grad", "grads", "needed"))
    for one in _enter(names, FORMULAS, node, when):
        one.formulas, one.inputs, one.keeps = tuple(declared), inputs, tuple(keeps)
        one.in_order = tuple(sorted(declared, key=_names_in_pytorch))
        one.results, one.casts = results, casts
        one.called = {("result" if k == 0 else f"result{k}"): name for k, name in enumerate(called)}


def _names_in_pytorch(formula: Formula) -> list[str]:
    return ["self" if name == "input" else name for name in formula.inputs]


def parts(names: str, /, when: Callable[[dict], bool] | None = None) -> Callable[[Callable], Callable]:
    """Declare that a row is recorded as the ops of this function, which PyTorch makes it of.

    The function is called with the arguments by PyTorch's names.
    """

    def declare(function: Callable) -> Callable:
        for one in _enter(names, PARTS, when=when):
            one.compose = function
        return function

    return declare


def constant(name: str, called: str, *arguments: str, when: Callable[[dict], bool] | None = None) -> None:
    """Declare arguments of a row that cannot require a gradient; `called` is the name that PyTorch's refusal gives.

    Comes before the row's formulas.
    """

    def asked(call: dict) -> str:
        return next((a for a in arguments if getattr(call.get(a), "requires_grad", False)), "")

    @parts(name, when=lambda call: bool(asked(call)) and (when is None or when(call)))
    def refuse_gradient(**named: Any) -> None:
        """refused where an argument that is not a variable requires a gradient"""
        refuse(
            RuntimeError,
            f"The function '{called}' is not differentiable with respect to argument '{asked(named)}'. This input "
            "cannot have requires_grad True.",
            "PyTorch computes no gradient with respect to this argument",
            f"{asked(named)}.detach()",
            rule="autograd.undefined",
        )


def real_alone(name: str, called: str = "") -> None:
    """Declare that a row is refused where its result is complex and requires a gradient. Comes before its formulas."""

    @parts(name, when=lambda call: any(hasattr(v, "dim") and v.is_complex() for v in call.values()))
    def refuse_complex(**named: Any) -> None:
        """refused for complex numbers"""
        refuse(
            RuntimeError,
            f"{called or name} does not support automatic differentiation for outputs with complex dtype.",
            "PyTorch has no derivative of this op for complex numbers",
            "torch.view_as_real(x)",
            rule="autograd.missing",
        )


def not_differentiable(names: str, /, when: Callable[[dict], bool] | None = None) -> None:
    """Declare that the results of these rows never require a gradient."""
    _enter(names, NONE, when=when)


def refused(names: str, /, message: str = "", when: Callable[[dict], bool] | None = None) -> None:
    """Declare that PyTorch refuses to go back through these rows; `message` is the name that its refusal gives."""
    for one in _enter(names, REFUSED, when=when):
        one.message = message


def not_implemented(name: str) -> NoReturn:
    """Refuse the gradient of one input of an op that has formulas for others."""
    refuse(
        NotImplementedError,
        f"the derivative for '{name}' is not implemented.",
        "PyTorch has no derivative of this op with respect to this input",
        "x.detach()",
        rule="autograd.missing",
    )


def find_derivative(op_name: str, bound: dict) -> Derivative | None:
    """The derivative of a call, by its arguments."""
    rows = TABLE.get(op_name)
    if rows is None and op_name.endswith("_"):
        rows = TABLE.get(op_name[:-1])
    if rows is None:
        return None
    for one in rows:
        if one.when is None or one.when(bound):
            return one
    return None


def refuse_derivative(message: str) -> NoReturn:
    """Refuse to differentiate."""
    refuse(NotImplementedError, message, "this derivative does not exist", "x.detach()", rule="autograd.missing")


def describe(op_name: str) -> str:
    """The derivative of a row as text: the formulas as they are declared.

    >>> print(describe("mul"))
    input: grad * conj(other)
    other: grad * conj(input)
    """
    from ..dispatch.registry import find

    lines: list[str] = []
    name = find(op_name).name
    for one in TABLE.get(name) or TABLE.get(name.removesuffix("_"), []):
        if one.says != FORMULAS:
            lines.append(one.says + (f": {inspect.getdoc(one.compose) or one.compose.__name__}" if one.compose else ""))
        lines += [f"{', '.join(f.inputs)}: {source_of(f.function)}" for f in one.formulas]
    return "\n".join(lines)


def source_of(function: Callable) -> str:
    """The text of a formula: the expression of a lambda, the name and first line of a function."""
    code = function.__code__
    if code.co_name != "<lambda>":
        words = (inspect.getdoc(function) or "").split("\n")[0]
        return f"{code.co_name}({', '.join(code.co_varnames[: code.co_argcount])})" + (f": {words}" if words else "")
    lines = [n for start, end, _, _ in code.co_positions() for n in (start, end) if n is not None]
    first, last = min(code.co_firstlineno, *lines), max(lines)
    # With the globals, lines of a zip archive are found, too. A package of .pyc files alone has no text at all.
    text = "".join(linecache.getline(code.co_filename, n, function.__globals__) for n in range(first, last + 1))
    return _body(text, code) if text else f"a function of {', '.join(code.co_varnames[: code.co_argcount])}"


def _body(text: str, code: Any) -> str:
    """The expression after the colon of the lambda with this code, in the lines of a file."""
    names = code.co_varnames[: code.co_argcount]
    wanted = "lambda " + ", ".join(names)
    starts = [i for i in range(len(text)) if text.startswith("lambda", i)]
    for start in starts:
        head = text[start : text.find(":", start)]
        if [n.partition("=")[0].strip() for n in head[6:].split(",")] == list(names) or head == wanted:
            body = _expression(text[text.find(":", start) + 1 :])
            if len(starts) == 1 or _names_in(body) >= set(code.co_names):
                return body
    return text.strip()


def _names_in(text: str) -> set[str]:
    import re

    return set(re.findall(r"\w+", text))


def _expression(text: str) -> str:
    """An expression up to the comma or bracket that ends it."""
    depth = 0
    for i, c in enumerate(text):
        if c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        if depth < 0 or depth == 0 and c == ",":
            return _on_one_line(text[:i])
    return _on_one_line(text)


def _on_one_line(text: str) -> str:
    """An expression without line breaks.

    >>> _on_one_line("f(\\n    grad,\\n)")
    'f(grad)'
    """
    return " ".join(text.split()).replace("( ", "(").replace(", )", ")").replace(" )", ")")
