"""What a notebook shows for `why`: the refusal as a picture, from the reason alone.

A reason keeps sizes and strides, not the tensors, so cells hold places in place of values.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Sequence

from ...engine.errors.reasons import Reason
from ..drawing.picture import Picture
from ..drawing.scene import Note
from .broadcast.broadcast import broadcast_picture
from .einsum.einsum import einsum_picture
from .steps import steps
from .two_devices import devices_picture

LONGEST = 24
"""The longest expression that names an operand."""
MOST = 100_000
"""The largest storage that is made up to draw a refused view."""
SIGNS: dict[type[ast.operator], str] = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/"}
PRODUCTS: dict[tuple[int, ...], str] = {(2, 2): "ij,jk->ik", (2, 1): "ij,j->i", (1, 2): "i,ij->j", (1, 1): "i,i->"}


def reason_picture(reason: Reason, labels: Sequence[str] = (), call: str = "") -> Picture | None:
    """The picture of a reason, if there is one for its rule."""
    draw = DRAWN.get(reason.rule)
    if draw is None:
        return devices_picture(reason, labels, call) if reason.rule == "device.mixed" else None
    try:
        return draw(reason, call)
    except Exception:  # the text says it all the same
        return None


def operands_of(call: str, count: int) -> list[str]:
    """The operands as they are written, if they are short; letters otherwise.

    >>> operands_of("x @ w.T", 2), operands_of("torch.add(x, b)", 2), operands_of("x.add(b)", 2), operands_of("", 2)
    (['x', 'w.T'], ['x', 'b'], ['x', 'b'], ['a', 'b'])
    """
    written = [ast.unparse(node) for node in _operands(_expression(call))]
    if len(written) != count or max(map(len, written)) > LONGEST:
        return ["a", "b", "c", "d"][:count]
    return written


def _expression(call: str) -> ast.expr | None:
    try:
        return ast.parse(call, mode="eval").body
    except SyntaxError:
        return None


def _operands(node: ast.expr | None) -> list[ast.expr]:
    if isinstance(node, ast.BinOp):
        return [node.left, node.right]
    if not isinstance(node, ast.Call):
        return []
    of = node.func.value if isinstance(node.func, ast.Attribute) else None
    method = of is not None and not (isinstance(of, ast.Name) and of.id in ("torch", "tw", "np", "tensorwidgets"))
    return [*([of] if method and of is not None else []), *node.args]


def _broadcast(reason: Reason, call: str) -> Picture | None:
    shapes = reason.facts["shapes"]
    if len(shapes) != 2:
        return None
    node = _expression(call)
    sign = SIGNS.get(type(node.op), "+") if isinstance(node, ast.BinOp) else "+"
    return broadcast_picture(shapes, operands_of(call, 2), sign)


def _product(reason: Reason, call: str) -> Picture | None:
    sizes = reason.facts["sizes"]
    equation = PRODUCTS.get(tuple(len(size) for size in sizes))
    return einsum_picture(equation, sizes, operands_of(call, 2)) if equation else None


def _view(reason: Reason, call: str) -> Picture | None:
    """The refused view, or the copy, with its row of jumps."""
    size, stride, shape = reason.facts["size"], reason.facts["stride"], reason.facts["shape"]
    span = 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    if span > MOST or min(stride, default=0) < 0 or 0 in size:
        return None
    library = sys.modules["tensorwidgets"]
    tensor = library.arange(span).as_strided(size, stride)
    method = "reshape" if ".reshape(" in call or ".flatten(" in call else "view"
    picture = steps(f"tensor.{method}({', '.join(map(str, shape))})", {"tensor": tensor})
    return Picture([*picture.blocks, Note("The numbers are places: 0 is the first element that the tensor reads.")])


DRAWN: dict[str, Callable[[Reason, str], Picture | None]] = {
    "broadcast.clash": _broadcast,
    "matmul.size": _product,
    "view.span": _view,
}
"""By rule: how its refusal is drawn."""
