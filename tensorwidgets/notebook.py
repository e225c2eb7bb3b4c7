"""`%load_ext tensorwidgets`: `%%memory`, `%%steps` and `%%calls` for the cell below them, `%memory` for what is there.

They work on whatever the cell is made of: tensors of ours, NumPy's arrays, PyTorch's tensors.
"""

from __future__ import annotations

import ast
from typing import Any

from .pictures.picture import Picture


def load_ipython_extension(shell: Any) -> None:
    """Registers the magics with the notebook's shell, and leaves frames of ours out of its tracebacks."""
    from .engine.tracebacks import hide_frames

    hide_frames(shell)
    magics = Magics(shell)
    shell.register_magic_function(magics.memory, "line_cell", "memory")
    shell.register_magic_function(magics.steps, "cell", "steps")
    shell.register_magic_function(magics.calls, "cell", "calls")


class Magics:
    """The magics of one notebook."""

    def __init__(self, shell: Any):
        self.shell = shell

    def memory(self, line: str, cell: str | None = None) -> Picture:
        """`%memory`: everything alive. `%%memory`: the same after the cell, with what it allocated and wrote."""
        from .pictures.census import census, change
        from .pictures.memory import assignments, memory

        space = self.shell.user_ns
        names = self._own(space)
        if cell is None:
            return memory(names, sources=assignments(self._history()))
        before = census(names)
        self._run(cell)
        after = census(self._own(space))
        sources = assignments([*self._history(), self.shell.transform_cell(cell)])
        return memory(after, change(before, after), sources, cell)

    def steps(self, line: str, cell: str) -> Picture:
        """Runs the cell; draws the steps of the expression that it ends with."""
        from .pictures.steps import steps

        tree = ast.parse(self.shell.transform_cell(cell))
        last = tree.body[-1] if tree.body else None
        value = last.value if isinstance(last, (ast.Expr, ast.Assign)) else None
        if value is None:
            raise ValueError("%%steps draws the expression that a cell ends with, such as x.t()[1:].reshape(-1)")
        first = ast.unparse(ast.Module(tree.body[:-1], []))
        self._run(first)
        picture = steps(ast.unparse(value), self.shell.user_ns)
        if isinstance(last, ast.Assign):
            self._run(ast.unparse(last))
        return picture

    def calls(self, line: str, cell: str) -> Picture:
        """Runs the cell; lists the calls that it made and what each gave."""
        from .engine.modes.recording import recording
        from .pictures.calls import TorchLog, calls

        log = TorchLog()
        with recording() as ours, log.watch():
            self._run(cell)
        return calls([*(_called(call) for call in ours), *log.calls])

    def _run(self, cell: str) -> None:
        """Runs code as a cell of the notebook; what it raises, it raises. The last expression is shown, as always."""
        shell = self.shell
        source = shell.transform_cell(cell)
        name = shell.compile.cache(source, shell.execution_count, raw_code=cell)
        tree = shell.transform_ast(ast.parse(source, name))
        last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, name, "exec"), shell.user_ns)
        if last is not None:
            value = eval(compile(ast.Expression(last.value), name, "eval"), shell.user_ns)
            if value is not None and not cell.rstrip().endswith(";"):
                from IPython.display import display

                display(value)

    def _own(self, space: dict[str, Any]) -> dict[str, Any]:
        """The notebook's own names, without those that IPython puts there."""
        hidden = getattr(self.shell, "user_ns_hidden", {})
        return {k: v for k, v in space.items() if k not in hidden or hidden[k] is not v}

    def _history(self) -> list[str]:
        return [str(source) for source in self.shell.user_ns.get("In", [])[-200:]]


def _called(call: Any) -> Any:
    """A call of ours in the words that the picture takes."""
    from .pictures.calls import Called

    answered = call.answered().removeprefix(f"{call.outcome}: ").removeprefix(f"{call.outcome} of ")
    answered = answered.removeprefix(f"{call.outcome} ").removesuffix(f", {call.allocated} bytes")
    return Called(call.op, call.asked(), call.outcome, answered, call.allocated)
