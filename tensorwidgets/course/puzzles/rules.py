"""Does an answer keep to the rules? Read from its source, before anything of it runs.

An answer is one lambda with one expression. What it may call is a list of names, so that no word outside the puzzle
is reached: no other library, no Python function, no loop.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from types import CodeType
from typing import Any

from .puzzle import ARITHMETIC, BITS, BRACKETS, COMPARING, MATMUL, Puzzle

LOOPS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
ALWAYS = (
    ast.Expression, ast.Lambda, ast.arguments, ast.arg, ast.Load, ast.Call, ast.keyword, ast.Attribute, ast.Name,
    ast.Constant, ast.Tuple, ast.List, ast.BinOp, ast.Compare, ast.UnaryOp, ast.USub, ast.Subscript, ast.Slice,
    ast.operator, ast.cmpop, ast.Invert,
)  # fmt: skip
NEEDED: dict[str, tuple[type[ast.AST], ...]] = {
    BRACKETS: (ast.Subscript,),
    ARITHMETIC: (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow),
    COMPARING: (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE),
    BITS: (ast.BitAnd, ast.BitOr, ast.BitXor, ast.Invert, ast.LShift, ast.RShift),
    MATMUL: (ast.MatMult,),
}
SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.BitAnd: "&",
    ast.BitOr: "|", ast.BitXor: "^", ast.Invert: "~", ast.LShift: "<<", ast.RShift: ">>", ast.MatMult: "@",
    ast.Subscript: "[ ]",
}  # fmt: skip


class AgainstTheRules(ValueError):
    """An answer that is not judged; the message says which rule it breaks."""


@dataclass(frozen=True)
class Answer:
    """An answer that keeps to the rules."""

    source: str
    """What follows the colon."""
    code: CodeType
    length: int

    def function(self, library: Any) -> Any:
        """The lambda, which knows the library as `torch` and no other name."""
        return eval(self.code, {"__builtins__": {}, "torch": library})


def allowed(source: str, puzzle: Puzzle) -> Answer | None:
    """The answer in a source; None where there are still dots in place of one.

    >>> from .asked import ALL
    >>> allowed("lambda x: ...", ALL[1]) is None
    True
    >>> allowed("lambda x: [v for v in x]", ALL[1])
    Traceback (most recent call last):
    tensorwidgets.course.puzzles.rules.AgainstTheRules: a loop, however it is spelled, is against the rules
    """
    try:
        tree = ast.parse(source.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError, MemoryError) as wrong:
        raise AgainstTheRules("this is not one expression of Python") from wrong
    written = tree.body
    if isinstance(written, ast.Constant) and written.value is ...:
        return None
    if not isinstance(written, ast.Lambda):
        raise AgainstTheRules(f"write the expression itself, behind {puzzle.signature}")
    if isinstance(written.body, ast.Constant) and written.body.value is ...:
        return None
    _takes_what_is_given(written, puzzle)
    calls = 0
    for node in ast.walk(tree):
        _is_allowed(node, written, puzzle)
        calls += isinstance(node, ast.Call)
    if puzzle.calls is not None and calls > puzzle.calls:
        raise AgainstTheRules(f"there are {calls} calls, and the rule is {puzzle.calls}")
    body = ast.unparse(written.body)
    length = sum(not sign.isspace() for sign in body)
    if length > puzzle.longest:
        raise AgainstTheRules(f"{length} characters are too many: the limit is {puzzle.longest}")
    return Answer(body, compile(tree, "<answer>", "eval"), length)


def _takes_what_is_given(written: ast.Lambda, puzzle: Puzzle) -> None:
    a = written.args
    plain = not (a.posonlyargs or a.kwonlyargs or a.vararg or a.kwarg or a.defaults)
    if not plain or tuple(one.arg for one in a.args) != puzzle.takes:
        raise AgainstTheRules(f"the answer begins with {puzzle.signature}")


def _is_allowed(node: ast.AST, written: ast.Lambda, puzzle: Puzzle) -> None:
    if isinstance(node, LOOPS):
        raise AgainstTheRules("a loop, however it is spelled, is against the rules")
    if not isinstance(node, ALWAYS) or isinstance(node, ast.Lambda) and node is not written:
        raise AgainstTheRules(f"{_called(node)} is not among the tools here")
    if isinstance(node, ast.Attribute) and node.attr not in puzzle.tools:
        raise AgainstTheRules(f"{node.attr} is not among the tools here")
    if isinstance(node, ast.Name) and node.id not in (*puzzle.takes, "torch"):
        raise AgainstTheRules(f"{node.id} is not among the tools here")
    if isinstance(node, ast.Constant) and not isinstance(node.value, (int, float, str, type(None), type(...))):
        raise AgainstTheRules(f"{node.value!r} is not among the tools here")
    for tool, needing in NEEDED.items():
        if isinstance(node, needing) and tool not in puzzle.tools:
            raise AgainstTheRules(f"{SIGNS[type(node)]} is not among the tools here")


def _called(node: ast.AST) -> str:
    """A part of Python as a player calls it."""
    words: dict[type[ast.AST], str] = {
        ast.NamedExpr: ":=", ast.IfExp: "if", ast.BoolOp: "and or or", ast.And: "and", ast.Or: "or", ast.Not: "not",
        ast.Starred: "a star", ast.JoinedStr: "an f-string", ast.Lambda: "a second lambda", ast.Dict: "a dictionary",
        ast.Set: "a set", ast.Await: "await", ast.Yield: "yield", ast.YieldFrom: "yield",
    }  # fmt: skip
    return words.get(type(node), type(node).__name__)
