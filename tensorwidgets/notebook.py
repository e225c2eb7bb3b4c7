"""`%load_ext tensorwidgets`: `%%memory`, `%%steps` and `%%calls` for the cell below them, `%memory` for what is there.

They work on whatever the cell is made of: tensors of ours, NumPy's arrays, PyTorch's tensors.
"""

from __future__ import annotations

import ast
import tokenize
from contextlib import AbstractContextManager, nullcontext
from io import StringIO
from typing import TYPE_CHECKING, Any

from .pictures.drawing.picture import Picture

if TYPE_CHECKING:
    from .pictures.memory.lines import Watch


def load_ipython_extension(shell: Any) -> None:
    """Registers the magics with the notebook's shell, and leaves frames of ours out of its tracebacks."""
    from .engine.backends.numpy.without_warnings import quietly
    from .engine.errors.tracebacks import hide_frames
    from .pictures.arrays.tracing.numpy_blocks import stay

    hide_frames(shell)
    stay()
    quietly(stay)  # the engine calls NumPy in a context of its own
    shell.events.register("pre_run_cell", lambda *_: stay())
    magics = Magics(shell)
    shell.register_magic_function(magics.memory, "line_cell", "memory")
    shell.register_magic_function(magics.steps, "cell", "steps")
    shell.register_magic_function(magics.calls, "cell", "calls")


class Magics:
    """The magics of one notebook."""

    def __init__(self, shell: Any):
        from .pictures.memory.cells.growth import Looks

        self.shell = shell
        self.looks = Looks()
        """What was there when `%memory` or `%%memory` last looked."""

    def memory(self, line: str, cell: str | None = None) -> Picture:
        """`%memory`: everything alive. `%%memory`: the same after the cell, with what each line did.

        `%%memory whole` compares what is there before and after the cell, and traces nothing.
        """
        from .pictures.memory.lines import Watch
        from .pictures.memory.memory import assignments, memory

        if cell is None:
            return memory(self._own(self.shell.user_ns), sources=assignments(self._history()), looks=self.looks)
        if line.strip() not in ("", "whole"):
            raise ValueError(
                f"%%memory traces each line, and %%memory whole traces nothing; {line.strip()!r} is neither"
            )
        watch = Watch(lambda: self._own(self.shell.user_ns), _our_large_arrays, not line.strip())
        self._run(cell, watch)
        after, changed = watch.finish()
        sources = assignments([*self._history(), self.shell.transform_cell(cell)])
        return memory(after, changed, sources, cell, watch.trace(), self.looks)

    def steps(self, line: str, cell: str) -> Picture:
        """Runs the cell; draws the steps of the expression that it ends with."""
        from .pictures.operations.steps import steps

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
        from .pictures.operations.calls import TorchLog, calls

        log = TorchLog()
        with recording() as ours, log.watch():
            self._run(cell)
        return calls([*(_called(call) for call in ours), *log.calls])

    def _run(self, cell: str, watch: Watch | None = None) -> None:
        """Runs code as a cell of the notebook, statement by statement; what it raises, it raises.

        The last expression is shown, as always. `watch` looks between the statements.
        """
        shell = self.shell
        source = shell.transform_cell(cell)
        name = shell.compile.cache(source, shell.execution_count, raw_code=cell)
        tree = shell.transform_ast(ast.parse(source, name))
        last = tree.body[-1] if tree.body and isinstance(tree.body[-1], ast.Expr) else None
        quiet = _is_silenced(source)

        def run_one(statement: ast.stmt) -> None:
            # The shell's compiler, and not compile(), which would hand on the __future__ imports of this file.
            if statement is not last:
                exec(shell.compile(ast.Module([statement], []), name, "exec"), shell.user_ns)
                return
            value = eval(shell.compile(ast.Expression(last.value), name, "eval"), shell.user_ns)
            if value is not None and not quiet:
                from IPython.display import display

                with watch.log.resting() if watch is not None else nullcontext():
                    display(value)

        if watch is not None:
            watch.run(tree, source, run_one, shell.user_ns)
        else:
            for statement in tree.body:
                run_one(statement)

    def _own(self, space: dict[str, Any]) -> dict[str, Any]:
        """The notebook's own names, without those that IPython puts there."""
        hidden = getattr(self.shell, "user_ns_hidden", {})
        return {k: v for k, v in space.items() if k not in hidden or hidden[k] is not v}

    def _history(self) -> list[str]:
        return [str(source) for source in self.shell.user_ns.get("In", [])[-200:]]


def _our_large_arrays(log: Any) -> AbstractContextManager[None]:
    """Tells a log how large the arrays are that would come from the pool."""
    from .engine.memory.unpooled import unpooled

    return unpooled(log.expect)


def _is_silenced(source: str) -> bool:
    """Whether a semicolon ends the cell, which keeps its last value from being shown.

    >>> _is_silenced("x;  # the end"), _is_silenced("x  # the end;")
    (True, False)
    """
    ends = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.DEDENT, tokenize.ENDMARKER)
    told = [token.string for token in tokenize.generate_tokens(StringIO(source).readline) if token.type not in ends]
    return told[-1:] == [";"]


def _called(call: Any) -> Any:
    """A call of ours in the words that the picture takes."""
    from .pictures.operations.calls import Called

    answered = call.gave().removeprefix(f"{call.outcome}: ").removeprefix(f"{call.outcome} of ")
    answered = answered.removeprefix(f"{call.outcome} ").removesuffix(f", {call.allocated} bytes")
    return Called(call.op, call.asked(), call.outcome, answered, call.allocated, call.keeps())
