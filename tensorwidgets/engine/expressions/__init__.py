"""What does an expression compute, step by step? Text is walked over an allow-list, never evaluated.

`walk` returns a `Stage` for each step: the very characters of it, what it was called with, and the value or the error.
Whoever explains steps (`why`) or draws them reads the same stages.

>>> x = np.arange(6).reshape(2, 3)
>>> for stage in walk("x.T[1:].reshape(-1)", {"x": x}):
...     print(stage.text, stage.kind, stage.callee, getattr(stage.value, "shape", None))
x name x (2, 3)
x.T attribute T (3, 2)
x.T[1:] index getitem (2, 2)
x.T[1:].reshape(-1) call reshape (4,)
"""

from __future__ import annotations

import ast
import difflib
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np

from ..interop.foreign_arrays import is_array, is_dtype, is_storage
from . import limits
from . import names as allowed
from .budget import Budget
from .counting import PLAIN, arrays, flat
from .objects import NUMBERS, is_library, is_module, is_operand, kind_of, names_of, speaks_numpy
from .syntax import parse, refuse_text, source_of, span_of

NOTHING: Mapping[str, Any] = MappingProxyType({})


def _itself(value: Any) -> Any:
    return value


@dataclass(frozen=True, eq=False)
class Stage:
    """One step of an expression."""

    text: str
    """The characters of the step, as they were given."""
    kind: str
    """name | attribute | call | index | operator | value (what is not a step: a literal, a list)"""
    callee: str
    """What was done: the name of the function or method, ``getitem``, or PyTorch's name of the operator."""
    args: tuple
    """What it was done to: a method's tensor comes first."""
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    value: Any = None
    error: Exception | None = None
    inputs: tuple[int, ...] = ()
    """Places, in the list of stages, of the steps that this one was made from."""
    of: int | None = None
    """The place of the step that this one was taken on: the one that gave ``args[0]``."""
    do: Callable[[Any], Any] = field(default=_itself, repr=False)
    """The step as a function of ``args[0]``, so that it can be asked what it does to another array."""
    span: tuple[int, int] = (0, 0)
    """Where its characters begin and end in the whole text (without the blanks around that)."""

    @property
    def failed(self) -> bool:
        return self.error is not None


def walk(text: str, names: Mapping[str, Any], known: Mapping[str, Any] = NOTHING) -> list[Stage]:
    """The steps of an expression in the order in which Python takes them.

    The last stage is the whole expression, or the step that failed, with its error. What the text may not say is
    refused with a `Reason` that names it, most of it before anything is computed.

    Where the caller has looked up a part of the text by himself, ``known`` has its value: ``{"self.weight": w}``.

    >>> [stage.text for stage in walk("x.sum() + 1", {"x": np.ones(3)})]
    ['x', 'x.sum()', 'x.sum() + 1']
    """
    walker = _Walker(*parse(text, known), names, known)
    try:
        value, inputs = walker.visit(walker.tree)
        if isinstance(walker.tree, (ast.Name, ast.List, ast.Tuple)):
            walker.check_given(value)
    except _Failed:
        return walker.stages
    if inputs != (len(walker.stages) - 1,):
        whole = (0, len(walker.text))
        walker.stages.append(Stage(walker.text, "value", "", (), NOTHING, value, None, inputs, span=whole))
    return walker.stages


def chain(stages: list[Stage]) -> list[Stage]:
    """The steps that lead one from the other to the last one; those that only made its arguments are left out.

    >>> x = np.arange(6)
    >>> [stage.text for stage in chain(walk("x.reshape(x.ndim, -1).T", {"x": x}))]
    ['x', 'x.reshape(x.ndim, -1)', 'x.reshape(x.ndim, -1).T']
    """
    result = stages[-1:]
    while result and result[0].of is not None:
        result.insert(0, stages[result[0].of])
    return result


def addition(stage: Stage, before: Stage | None, text: str) -> str:
    """What a step adds to the one that it was taken on: `.t()`, `[1:]`, or the call around it with … in its place.

    >>> stages = chain(walk("np.flip((x + 1).T, 0)[0]", {"x": np.ones((2, 3)), "np": np}))
    >>> [addition(s, b, "np.flip((x + 1).T, 0)[0]") for b, s in zip([None, *stages], stages)]
    ['x', '… + 1', '.T', 'np.flip(…, 0)', '[0]']
    """
    if before is None:
        return stage.text
    text = text.strip()
    head, tail = text[stage.span[0] : before.span[0]], text[before.span[1] : stage.span[1]]
    if not head.strip("( \n"):  # nothing but parentheses around what came before
        tail = re.sub(rf"^(\s*\)){{{head.count('(')}}}", "", tail)
        head = ""
    return f"{head}…{tail}" if head or stage.kind == "operator" else tail


# -- taking the steps ----------------------------------------------------------------------------------------------


class _Failed(Exception):
    """A step has failed; its stage holds the error."""


_BINARY: dict[type, tuple[str, Callable]] = {
    ast.Add: ("add", operator.add), ast.Sub: ("sub", operator.sub), ast.Mult: ("mul", operator.mul),
    ast.Div: ("div", operator.truediv), ast.FloorDiv: ("floor_divide", operator.floordiv),
    ast.Mod: ("remainder", operator.mod), ast.Pow: ("pow", operator.pow), ast.MatMult: ("matmul", operator.matmul),
    ast.BitAnd: ("bitwise_and", operator.and_), ast.BitOr: ("bitwise_or", operator.or_),
    ast.BitXor: ("bitwise_xor", operator.xor), ast.LShift: ("lshift", operator.lshift),
    ast.RShift: ("rshift", operator.rshift),
}  # fmt: skip
_UNARY: dict[type, tuple[str, Callable]] = {
    ast.USub: ("neg", operator.neg), ast.UAdd: ("positive", operator.pos),
    ast.Invert: ("bitwise_not", operator.invert), ast.Not: ("not", operator.not_),
}  # fmt: skip
_COMPARE: dict[type, tuple[str, Callable]] = {
    ast.Eq: ("eq", operator.eq), ast.NotEq: ("ne", operator.ne), ast.Lt: ("lt", operator.lt),
    ast.LtE: ("le", operator.le), ast.Gt: ("gt", operator.gt), ast.GtE: ("ge", operator.ge),
    ast.Is: ("is", operator.is_), ast.IsNot: ("is not", operator.is_not),
    ast.In: ("in", lambda a, b: a in b), ast.NotIn: ("not in", lambda a, b: a not in b),
}  # fmt: skip
_BUILTINS: dict[str, Callable] = {
    "len": len, "int": int, "float": float, "bool": bool, "abs": abs, "slice": slice, "tuple": tuple, "list": list,
}  # fmt: skip

_TYPES = {"bool": bool, "int": int, "float": float, "complex": complex}
"""Python's own kinds of number, which name dtypes: ``x.astype(float)``."""


class _Walker:
    def __init__(self, text: str, tree: ast.expr, names: Mapping[str, Any], known: Mapping[str, Any]):
        self.text, self.tree, self.names, self.known = text, tree, names, known
        self.stages: list[Stage] = []
        self.budget = Budget()

    def visit(self, node: ast.expr) -> tuple[Any, tuple[int, ...]]:
        """The value of a node, and the stages that it came from."""
        if self.known and (text := source_of(self.text, node)) in self.known:
            value = self.known[text]
            self.budget.give(value)
            return self.take(node, "name", text, (), lambda _: value) if is_array(value) else (value, ())
        return getattr(self, "_" + type(node).__name__.lower())(node)

    def take(self, node: ast.AST, kind: str, callee: str, inputs: tuple[int, ...], do: Callable[[Any], Any],
             args: tuple = (), kwargs: Mapping[str, Any] = NOTHING) -> tuple[Any, tuple[int, ...]]:  # fmt: skip
        """One step: do it to its first operand, and keep what came of it."""
        value: Any = None
        error: Exception | None = None
        try:
            value = do(args[0] if args else None)
        except Exception as result:
            error = result
        of = inputs[0] if inputs and args and self.stages[inputs[0]].value is args[0] else None
        start, end = span_of(self.text, node)
        text = self.text[start:end]
        self.stages.append(Stage(text, kind, callee, args, kwargs, value, error, inputs, of, do, (start, end)))
        if error is not None:
            raise _Failed
        return value, (len(self.stages) - 1,)

    def refuse(
        self, node: ast.AST, what: str, because: str, *instead: str, rule: str, error: Any = ValueError
    ) -> NoReturn:
        refuse_text(source_of(self.text, node), what, because, *instead, rule=rule, error=error)

    def check_given(self, value: Any) -> None:
        """Refuse to return an object that is not for computing: its own code would run when it is shown."""
        for part in flat((value,)):
            if type(part) not in PLAIN and not is_operand(part):
                because = "Tensors, arrays, numbers, dtypes, slices and lists of them are shown."
                self.refuse(self.tree, f"it is {kind_of(part)}", because, rule="argument")

    # -- leaves

    def _constant(self, node: ast.Constant) -> tuple[Any, tuple[int, ...]]:
        return node.value, ()

    def _name(self, node: ast.Name) -> tuple[Any, tuple[int, ...]]:
        name = node.id
        if name in _TYPES and name not in self.names:
            return _TYPES[name], ()
        if name.startswith("__") or name not in self.names:
            near = difflib.get_close_matches(name, [n for n in self.names if isinstance(n, str)], 1)
            given = ", ".join(sorted(n for n in map(str, self.names) if not n.startswith("_"))[:8]) or "none"
            because = f"{name!r} was not given to the call. Known are: {given}."
            instead = near or [f"why({self.text!r}, {name}={name})"]
            self.refuse(node, f"the name {name!r} is unknown", because, *instead, rule="unknown", error=NameError)
        value = self.names[name]
        if isinstance(value, (list, tuple)):
            self.check_argument(node, name, value, False)
        for part in {id(part): part for part in arrays((value,))}.values():
            self.budget.give(part)
        if not is_array(value):
            return value, ()
        return self.take(node, "name", name, (), lambda _: value)

    # -- containers

    def _items(self, nodes: list[ast.expr]) -> tuple[list[Any], tuple[int, ...]]:
        values: list[Any] = []
        inputs: tuple[int, ...] = ()
        for node in nodes:
            if isinstance(node, ast.Starred):
                value, came = self.visit(node.value)
                if not isinstance(value, (list, tuple)):
                    self.refuse(
                        node, f"* spreads a list or a tuple, not {kind_of(value)}", "Items are spread.", rule="star"
                    )
                values += value
            else:
                value, came = self.visit(node)
                values.append(value)
            inputs += came
        if len(values) > limits.ITEMS:
            self.refuse(
                nodes[0], f"it has more than {limits.ITEMS} items", "A tensor can hold more.", rule="repetition"
            )
        return values, inputs

    def _list(self, node: ast.List) -> tuple[Any, tuple[int, ...]]:
        return self._items(node.elts)

    def _tuple(self, node: ast.Tuple) -> tuple[Any, tuple[int, ...]]:
        values, inputs = self._items(node.elts)
        return tuple(values), inputs

    def _slice(self, node: ast.Slice) -> tuple[Any, tuple[int, ...]]:
        bounds = [(None, ()) if part is None else self.visit(part) for part in (node.lower, node.upper, node.step)]
        return slice(*(value for value, _ in bounds)), sum((came for _, came in bounds), ())

    # -- steps

    def _attribute(self, node: ast.Attribute) -> tuple[Any, tuple[int, ...]]:
        owner, inputs = self.visit(node.value)
        name = node.attr
        self.may_ask(node, owner, name)
        module = is_module(owner)
        came: tuple[int, ...] = ()
        if module:
            value = self.found(node, owner, name)
        else:
            if is_array(owner):
                self.charge(name, (owner,))
            value, came = self.take(node, "attribute", name, inputs, lambda o: getattr(o, name), (owner,))
        if callable(value) and not is_operand(value):
            if not module:
                self.stages.pop()
            because = f"{name} is a method, and nothing is computed until it is called."
            self.refuse(node, "it has no parentheses", because, f"{source_of(self.text, node)}(...)", rule="uncalled")
        return value, came

    def found(self, node: ast.Attribute, owner: Any, name: str) -> Any:
        """What a module or a class holds under a name."""
        missing = object()
        value = getattr(owner, name, missing)
        if value is missing:
            whose = owner.__name__ if isinstance(owner, type) else kind_of(owner)
            because = "The name is one of another library, or of another version."
            self.refuse(node, f"{whose} has no {name!r}", because, rule="missing", error=AttributeError)
        return value

    def may_ask(self, node: ast.Attribute, owner: Any, name: str) -> None:
        """Refuse an attribute that is not on the list for this type of object."""
        names = names_of(owner)
        if names is None:
            because = "Attributes are read of tensors, arrays, their storages, sizes and dtypes."
            self.refuse(node, f"{kind_of(owner)} is not a tensor or an array", because, rule="owner")
        if name not in names:
            near = difflib.get_close_matches(name, sorted(names), 1, 0.84)
            because = f"{name!r} is not on the list for {kind_of(owner)}."
            self.refuse(
                node, f"{name!r} is not a name of {kind_of(owner)} that may be used", because, *near, rule="name"
            )

    def _call(self, node: ast.Call) -> tuple[Any, tuple[int, ...]]:
        func = node.func
        owner: Any = None
        came: tuple[int, ...] = ()
        if isinstance(func, ast.Name):
            function, name = self._builtin(func), func.id
        else:
            assert isinstance(func, ast.Attribute)  # `parse` has refused every other callee
            owner, came = self.visit(func.value)
            name = func.attr
            self.may_ask(func, owner, name)
            function = self.found(func, owner if is_module(owner) else type(owner), name)
            if not callable(function) or hasattr(function, "__set__"):
                because = f"{name} is read without parentheses."
                self.refuse(node, f"{name!r} is not a method", because, source_of(self.text, func), rule="callee")
        given, inputs = self._items(node.args)
        kwargs: dict[str, Any] = {}
        for keyword in node.keywords:
            value, more = self.visit(keyword.value)
            kwargs[str(keyword.arg)] = value
            inputs += more
        method = owner is not None and not is_module(owner)
        args = (owner, *given) if method else tuple(given)
        self.check_arguments(node, name, owner, args, kwargs)

        def do(first: Any) -> Any:
            if method:
                return getattr(first, name)(*given, **kwargs)
            return function(*([first, *given[1:]] if given else ()), **kwargs)

        return self.take(node, "call", name, came + inputs, do, args, kwargs)

    def _builtin(self, node: ast.Name) -> Callable:
        if node.id in _BUILTINS and node.id not in self.names:
            return _BUILTINS[node.id]
        because = "Functions are called by the name of their module, and " + ", ".join(_BUILTINS) + " by their own."
        self.refuse(node, f"{node.id!r} is not a function that may be called", because, rule="callee")

    def check_arguments(self, node: ast.AST, name: str, owner: Any, args: tuple, kwargs: Mapping[str, Any]) -> None:
        """Refuse arguments that could make a step run away or call something back."""
        foreign = owner is not None and speaks_numpy(owner, args)
        for value in (*args, *kwargs.values()):
            if name == "einsum" and foreign and value is next(iter(args), None) and type(value) is str:
                continue  # its letters are read before anything is computed
            self.check_argument(node, name, value, foreign)
        if owner is None and any(isinstance(a, str) for a in args):
            self.refuse(
                node, f"{name} is given a text", "Only numbers and tensors can be computed with.", rule="argument"
            )
        self.charge(name, args, kwargs, is_module(owner) and not is_library(owner))

    def charge(self, name: str, args: tuple, kwargs: Mapping[str, Any] = NOTHING, linalg: bool = False) -> None:
        """Count what a step costs before it is taken, and refuse it where that is too much."""
        too_much = self.budget.charge(name, args, kwargs, linalg)
        if too_much is not None:
            too_much.refuse()

    def check_argument(self, node: ast.AST, name: str, value: Any, foreign: bool, level: int = 0) -> None:
        if isinstance(value, (list, tuple)):
            if level > limits.LEVELS:
                because = "A tensor has a dimension for each level."
                self.refuse(node, f"lists are nested more than {limits.LEVELS} deep", because, rule="depth")
            before = None
            for v in value:
                if v is not before and type(v) not in PLAIN:  # a long list holds numbers, or one thing many times
                    self.check_argument(node, name, v, foreign, level + 1)
                before = v
        elif isinstance(value, slice):
            for bound in (value.start, value.stop, value.step):
                self.check_argument(node, name, bound, foreign, level)
        elif not is_operand(value):
            because = "Tensors, arrays, numbers, dtypes, slices and lists of them are computed with."
            self.refuse(node, f"{name} is given {kind_of(value)}", because, rule="argument")
        elif not foreign:
            self.check_elements(node, value)
        elif isinstance(value, str):
            if level or value not in allowed.WORDS:
                because = "NumPy reads dtypes of any size into a text."
                self.refuse(node, f"{value!r} is not among the texts that NumPy may be given", because, rule="argument")
        elif level and (is_dtype(value) or isinstance(value, type)):
            self.refuse(
                node, "a list contains a dtype", "A dtype is one kind of number.", "dtype='float32'", rule="argument"
            )
        else:
            self.check_elements(node, value)

    def check_elements(self, node: ast.AST, value: Any) -> None:
        if isinstance(value, (np.ndarray, np.generic)) and (value.dtype.hasobject or value.dtype.itemsize > 64):
            because = "Elements are numbers, and not Python objects or records."
            self.refuse(node, f"its elements are {value.dtype}", because, rule="object")

    def _subscript(self, node: ast.Subscript) -> tuple[Any, tuple[int, ...]]:
        owner, came = self.visit(node.value)
        key, more = self.visit(node.slice)
        if not (is_array(owner) or is_storage(owner) or isinstance(owner, (list, tuple))):
            self.refuse(
                node,
                f"it picks from {kind_of(owner)}",
                "Only tensors, storages, lists and tuples can be indexed.",
                rule="owner",
            )
        self.check_elements(node, owner)
        self.check_argument(node, "an index", key, False)
        self.charge("getitem", (owner, key))
        return self.take(node, "index", "getitem", came + more, lambda o: o[key], (owner, key))

    def _binop(self, node: ast.BinOp) -> tuple[Any, tuple[int, ...]]:
        (a, came), (b, more) = self.visit(node.left), self.visit(node.right)
        name, function = _BINARY[type(node.op)]
        self.check_operator(node, name, a, b)
        return self.take(node, "operator", name, came + more, lambda o: function(o, b), (a, b))

    def check_operator(self, node: ast.AST, name: str, a: Any, b: Any) -> None:
        both = (a, b)
        lists = [isinstance(v, (list, tuple)) for v in both]
        if any(is_array(v) for v in both) or not any(lists):
            known = all(is_array(v) or isinstance(v, (*NUMBERS, list, tuple)) for v in both)
        else:
            known = name == "mul" and any(isinstance(v, int) for v in both) or name == "add" and all(lists)
        if not known:
            because = "Tensors and numbers are computed with; lists are joined by + and repeated by *."
            what = f"{name} of {kind_of(a)} and {kind_of(b)}"
            self.refuse(node, what, because, rule="operator", error=TypeError)
        for v in both:
            self.check_argument(node, name, v, False)
        alone = not any(is_array(v) for v in both)
        too_large = limits.whole_number(name, a, b) or (limits.repetition(a, b) if alone else None)
        if too_large is not None:
            too_large.refuse()
        if not alone:
            self.charge(name, both)

    def _unaryop(self, node: ast.UnaryOp) -> tuple[Any, tuple[int, ...]]:
        value, came = self.visit(node.operand)
        name, function = _UNARY[type(node.op)]
        if name != "bitwise_not" and isinstance(value, NUMBERS) and isinstance(node.operand, ast.Constant):
            return function(value), came
        if not is_array(value) and not isinstance(value, NUMBERS):
            self.refuse(node, f"{name} of {kind_of(value)}", "Only tensors and numbers can be computed with.",
                        rule="operator", error=TypeError)  # fmt: skip
        self.check_elements(node, value)
        self.charge(name, (value,))
        return self.take(node, "operator", name, came, function, (value,))

    def _boolop(self, node: ast.BoolOp) -> tuple[Any, tuple[int, ...]]:
        stop = isinstance(node.op, ast.Or)
        name = "or" if stop else "and"
        came: tuple[int, ...] = ()
        for part in node.values[:-1]:
            value, more = self.visit(part)
            came += more
            self.check_argument(node, name, value, False)
            truth, _ = self.take(part, "operator", name, more, bool, (value,))
            if truth is stop:
                return value, came
        value, more = self.visit(node.values[-1])
        return value, came + more

    def _compare(self, node: ast.Compare) -> tuple[Any, tuple[int, ...]]:
        if len(node.ops) > 1:
            because = "A chain asks each part for one truth; a tensor has many."
            self.refuse(node, "it is a chain of comparisons", because, "(a < b) & (b < c)", rule="chain")
        (a, came), (b, more) = self.visit(node.left), self.visit(node.comparators[0])
        name, function = _COMPARE[type(node.ops[0])]
        for value in (a, b):
            self.check_argument(node, name, value, False)
            self.check_elements(node, value)
        self.charge(name, (a, b))
        return self.take(node, "operator", name, came + more, lambda o: function(o, b), (a, b))
