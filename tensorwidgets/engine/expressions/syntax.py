"""What an expression given as text may contain. All of it is checked before anything is computed.

>>> parse("x[1:].t()")[0]
'x[1:].t()'
"""

from __future__ import annotations

import ast
import difflib
from collections.abc import Container
from typing import NoReturn

from ..errors.reasons import Reason
from . import limits
from . import names as allowed
from .objects import may_be_said

_READ = (
    ast.Name, ast.Attribute, ast.Call, ast.keyword, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.Constant,
    ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.Starred,
    ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context,
)  # fmt: skip

_WORDS = {
    "Lambda": "a lambda", "ListComp": "a comprehension", "SetComp": "a comprehension", "DictComp": "a comprehension",
    "GeneratorExp": "a comprehension", "IfExp": "a conditional", "Dict": "a dict", "Set": "a set",
    "JoinedStr": "an f-string", "TemplateStr": "a t-string", "NamedExpr": "an assignment", "Await": "await",
    "Yield": "yield", "YieldFrom": "yield",
}  # fmt: skip

UNLISTED = (
    "is not on the list of names that may be used here. It has names that compute, and none that read files, call back "
    "or hand out raw memory."
)

_LITERALS = (int, float, complex, str, bool, type(None), type(Ellipsis))


def refuse_text(
    text: str, what: str, because: str, *instead: str, rule: str, error: type[Exception] = ValueError
) -> NoReturn:
    """Raise the refusal of a piece of text, by its own characters."""
    shown = text if len(text) <= 80 else text[:77] + "..."
    message = f"{shown!r} cannot be read: {what}"
    raise Reason(f"expression.{rule}", error, message, because, instead, {"text": text}).exception()


def parse(text: str, known: Container[str] = ()) -> tuple[str, ast.expr]:
    """A text and its syntax tree, if all of it is allowed; `known` parts are not checked."""
    if not isinstance(text, str):
        because = 'An expression is given as text, such as "x.t().reshape(-1)".'
        refuse_text(repr(text)[:60], "it is not text", because, rule="text", error=TypeError)
    text = text.strip().replace("\r\n", "\n").replace("\r", "\n")
    long = limits.too_long(text)
    if long is not None:
        long.refuse()
    try:
        tree = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        what = getattr(error, "msg", None) or "it is nested too deeply"
        where = f" (at character {error.offset})" if isinstance(error, SyntaxError) and error.offset else ""
        because = _statement_words(text) or _broken_words(what)
        refuse_text(text, what + where, because, rule="syntax", error=SyntaxError)
    _check(tree, text, 0, known)
    return text, tree


def _broken_words(what: str) -> str:
    """Our words for text that is no Python, with those of Python where they say more than that.

    >>> _broken_words("'(' was never closed")
    "It has to be one Python expression: '(' was never closed."
    """
    return "It has to be one Python expression" + ("." if what == "invalid syntax" else f": {what.rstrip('.')}.")


def _statement_words(text: str) -> str:
    """Our words for text that is good Python, and no expression."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        return ""
    if not body:
        return "It is empty."
    if len(body) > 1:
        return f"It has to be one expression, and this is {len(body)} statements."
    kind = {"Assign": "an assignment", "AugAssign": "an assignment", "Import": "an import", "ImportFrom": "an import"}
    return f"It has to be an expression, and this is {kind.get(type(body[0]).__name__, 'a statement')}."


def span_of(text: str, node: ast.AST) -> tuple[int, int]:
    """Where the characters of a node begin and end.

    >>> span_of("é + x.t()", ast.parse("é + x.t()", mode="eval").body.right)
    (4, 9)
    """
    lines = text.split("\n")
    ends = []
    for line, column in ((node.lineno, node.col_offset), (node.end_lineno, node.end_col_offset)):  # type: ignore[attr-defined]
        before = sum(len(one) + 1 for one in lines[: line - 1])
        ends.append(before + len(lines[line - 1].encode()[:column].decode()))  # columns are counted in bytes
    return ends[0], ends[1]


def source_of(text: str, node: ast.AST) -> str:
    """The characters of a node."""
    start, end = span_of(text, node)
    return text[start:end]


def _check(node: ast.AST, text: str, depth: int, known: Container[str]) -> None:
    """Refuse whatever is not on the list, before anything is computed."""
    if known and isinstance(node, ast.expr) and source_of(text, node) in known:
        return
    kind = type(node).__name__
    if depth > limits.DEPTH:
        refuse_text(text, f"it is nested more than {limits.DEPTH} deep", "Take it in two steps.", rule="depth")
    if not isinstance(node, _READ):
        what = _WORDS.get(kind, kind)
        because = "Names, attributes, calls, indices, operators and literals are read; nothing else is."
        refuse_text(source_of(text, node), f"it is {what}", because, rule="syntax")
    if isinstance(node, ast.Attribute):
        _check_attribute(node, text)
    elif isinstance(node, ast.Call):
        if not isinstance(node.func, (ast.Name, ast.Attribute)):
            because = "Methods of tensors and functions of a module are called; what a step returns is not."
            refuse_text(source_of(text, node.func), "it cannot be called", because, rule="callee")
        if any(k.arg is None for k in node.keywords):
            refuse_text(source_of(text, node), "it spreads a dict with **", "Keywords are written out.", rule="syntax")
    elif isinstance(node, ast.Constant):
        if not isinstance(node.value, _LITERALS):
            because = "Numbers, texts, True, False, None and ... are read."
            refuse_text(source_of(text, node), f"it is {type(node.value).__name__}", because, rule="literal")
        big = limits.whole_number("mul", node.value, 1) if type(node.value) is int else None
        if big is not None:
            big.refuse()
    for child in ast.iter_child_nodes(node):
        _check(child, text, depth + 1, known)


def _check_attribute(node: ast.Attribute, text: str) -> None:
    name = node.attr
    if may_be_said(name):
        return
    whole = source_of(text, node)
    if name.startswith("_"):
        refuse_text(whole, f"{name!r} is private", "Only public names of tensors and arrays are read.", rule="private")
    near = difflib.get_close_matches(name, sorted(allowed.ATTRIBUTES), 1, 0.84)
    because = f"{name!r} may not be used here. Did you mean {near[0]!r}?" if near else f"{name!r} {UNLISTED}"
    refuse_text(whole, f"{name!r} is not among the names that may be used", because, *near, rule="name")
