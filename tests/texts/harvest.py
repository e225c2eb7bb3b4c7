"""Writes `honest.txt`: the expressions of the lessons and the docs that a text may say, with the names that they use.

    python -m tests.texts.harvest

Each line is an expression and its names: `x.t() ; x=tw float32 2,3`. The cells are run here, once; the test makes
tensors of the same shapes.
"""

from __future__ import annotations

import ast
import contextlib
import io
import json
import os
import re
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

import tensorwidgets as tw
from tensorwidgets.engine.expressions import walk

ROOT = Path(__file__).parents[2]
TABLE = Path(__file__).with_name("honest.txt")


def programs() -> Iterator[list[str]]:
    """The cells of each lesson, and the examples of each page."""
    for path in sorted((ROOT / "tensorwidgets/course/lessons").glob("*.ipynb")):
        cells = json.loads(path.read_text())["cells"]
        yield ["".join(cell["source"]) for cell in cells if cell["cell_type"] == "code"]
    for path in sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md"]):
        blocks = re.findall(r"```(?:pycon|python|py)\n(.*?)```", path.read_text(), re.S)
        yield ["\n".join(re.findall(r"^(?:>>> |\.\.\. )(.*)$", b, re.M)) if ">>>" in b else b for b in blocks]


def spelled(value: Any) -> str | None:
    """A value as the table spells it; None where it cannot."""
    if isinstance(value, (tw.Tensor, np.ndarray)):
        kind = "tw" if isinstance(value, tw.Tensor) else "np"
        name = str(value.dtype).rpartition(".")[2]
        plain = isinstance(value, np.ndarray) or value.layout is tw.strided and not value.is_quantized
        plain = plain and not (isinstance(value, tw.Tensor) and (value.has_names() or value.is_meta))
        known = re.fullmatch(r"float\d+|bfloat16|u?int\d+|bool|complex\d+", name)
        return f"{kind} {name} {','.join(map(str, value.shape))}" if known and plain else None
    return repr(value) if type(value) in (int, float) else None


def expressions(cell: str) -> Iterator[ast.expr]:
    """What a cell computes: what its statements and the arguments of its calls say."""
    for node in ast.walk(ast.parse(cell)):
        if isinstance(node, (ast.Expr, ast.Assign)):
            yield node.value
            if isinstance(node.value, ast.Call):
                yield from node.value.args


def main() -> None:
    found: dict[str, str] = {}
    os.chdir(tempfile.mkdtemp())
    for cells in programs():
        names: dict[str, Any] = {"np": np, "torch": tw, "tw": tw, "tensorwidgets": tw, "__name__": "__main__"}
        for cell in cells:
            try:
                wanted = list(expressions(cell))
            except SyntaxError:
                continue
            with contextlib.suppress(BaseException), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(cell, "cell", "exec"), names)
            for node in wanted:
                text = ast.unparse(node)
                if len(text) > 110 or not isinstance(node, (ast.Call, ast.Subscript, ast.BinOp, ast.Attribute)):
                    continue
                used = sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)} - {"np", "torch", "tw"})
                told = {n: spelled(names.get(n)) for n in used if n in names}
                if None in told.values() or len(told) < len(used):
                    continue
                try:
                    stages = walk(text, names)
                except Exception as error:
                    print(f"refused: {text}: {error}", file=sys.stderr)
                    continue
                if len(stages) > 1 and stages[-1].error is None:
                    found[text] = " ; ".join([text, *(f"{n}={v}" for n, v in told.items())])
    TABLE.write_text("".join(f"{line}\n" for _, line in sorted(found.items())))
    print(len(found))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
