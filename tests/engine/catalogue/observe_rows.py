"""What computes each row, seen while it computes; writes the table that `route` reads.

    python -m tests.engine.catalogue.observe_rows            # writes tensorwidgets/engine/dispatch/computed_by.tsv
    python -m tests.engine.catalogue.observe_rows svd sort   # prints what these rows call, and how often

The engine is imported with a listener at every call, operator and index of its source, so that no NumPy function
escapes, ufuncs and operators included. Each is noted for the innermost row at work. Run as a script: the listener has
to be there before the engine is imported.
"""

from __future__ import annotations

import ast
import builtins
import gc
import importlib.machinery
import json
import math
import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from contextvars import Context
from functools import partial
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[3]
ENGINE = ROOT / "tensorwidgets" / "engine"
CALLS = Path(__file__).with_name("row_calls.txt")
SAMPLES_EACH = 2
"""Samples of PyTorch's database for each operator, variant and dtype."""

OPERATORS = {
    "Add": "add", "Sub": "subtract", "Mult": "multiply", "Div": "divide", "FloorDiv": "floor_divide",
    "Mod": "remainder", "Pow": "power", "MatMult": "matmul", "LShift": "left_shift", "RShift": "right_shift",
    "BitAnd": "bitwise_and", "BitOr": "bitwise_or", "BitXor": "bitwise_xor", "USub": "negative", "Invert": "invert",
    "UAdd": "positive", "Not": "bool", "Eq": "equal", "NotEq": "not_equal", "Lt": "less", "LtE": "less_equal",
    "Gt": "greater", "GtE": "greater_equal",
}  # fmt: skip


# -- the listener in the source ----------------------------------------------------------------------------------


class Listening(ast.NodeTransformer):
    """Puts a listener around what is called, what operators take and what indexes."""

    def __init__(self, file: str):
        self.file = file
        self.names: dict[str, ast.expr] = {}

    def heard(self, listener: str, value: ast.expr, *more: str) -> ast.expr:
        called = self.once(listener, ast.Name, ast.Load())
        texts = [self.once(text, ast.Constant) for text in (*more, self.file)]
        return ast.copy_location(ast.Call(called, [value, *texts], []), value)

    def once(self, text: str, kind: Callable[..., ast.expr], *more: Any) -> ast.expr:
        """A name or a text, the same node wherever it stands: a tenth of all nodes would be such."""
        return self.names.setdefault(text, kind(text, *more, lineno=1, col_offset=0))

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        if not (isinstance(node.func, ast.Name) and node.func.id in ("super", "locals")):
            node.func = self.heard("_heard_call", node.func)
            if node.args and isinstance(node.args[0], (ast.Name, ast.Attribute)):
                node.args[0] = self.heard("_heard_first", node.args[0])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        name = OPERATORS[type(node.op).__name__]
        node.left = self.heard("_heard_operand", node.left, name)
        node.right = self.heard("_heard_operand", node.right, name)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not) and not isinstance(node.operand, ast.Constant):
            node.operand = self.heard("_heard_operand", node.operand, OPERATORS[type(node.op).__name__])
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        name = OPERATORS.get(type(node.ops[0]).__name__)
        if name is not None:
            node.left = self.heard("_heard_operand", node.left, name)
            node.comparators = [self.heard("_heard_operand", c, name) for c in node.comparators]
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        self.generic_visit(node)
        name = OPERATORS[type(node.op).__name__]
        node.value = self.heard("_heard_operand", node.value, name)
        if not isinstance(node.target, ast.Name):
            return node
        target = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        return [ast.copy_location(ast.Expr(self.heard("_heard_operand", target, name)), node), node]

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        for target in node.targets:
            if isinstance(target, (ast.Subscript, ast.Attribute)):
                target.value = self.heard("_heard_operand", target.value, "copyto")
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node.slice, ast.Tuple):
            keys = node.slice.elts
            node.slice.elts = [self._key(key) for key in keys]
        else:
            node.slice = self._key(node.slice)
        return node

    def _key(self, key: ast.expr) -> ast.expr:
        return key if isinstance(key, (ast.Slice, ast.Starred, ast.Constant)) else self.heard("_heard_key", key)


class Loader(importlib.machinery.SourceFileLoader):
    """Compiles the engine's files with the listener in them."""

    def get_code(self, fullname: str) -> CodeType:
        path = Path(self.get_filename(fullname))
        traced_by = sys.gettrace()
        sys.settrace(None)  # a module may be imported in the middle of a call
        try:
            tree = ast.parse(path.read_bytes(), str(path))
            Listening(path.relative_to(ENGINE).as_posix()).visit(tree)
            return compile(tree, str(path), "exec", dont_inherit=True)
        finally:
            sys.settrace(traced_by)


class Finder:
    """Finds the engine's files for the loader above."""

    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> Any:
        if not name.startswith("tensorwidgets.engine"):
            return None
        spec = importlib.machinery.PathFinder.find_spec(name, path, target)
        if spec is not None and spec.origin and spec.origin.endswith(".py"):
            spec.loader = Loader(name, spec.origin)
        return spec


# -- what is heard -----------------------------------------------------------------------------------------------

current: list[str] = []
"""The rows at work, outermost first."""
stack: list[FrameType] = []
"""The frame that began each of them."""
numbers: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
"""By row: the calls in which a library function was called, with the file that called it."""
entered: defaultdict[str, Counter[str]] = defaultdict(Counter)
"""By row: the calls in which another row was entered."""
runs: Counter[str] = Counter()
"""By row: the calls."""
busy: Counter[str] = Counter()
"""By row: the calls in which it did more than make an array or look at one."""
this_run: set[tuple[str, str, str]] = set()
rows_run: set[str] = set()
last_called: Any = None
functions_met: dict[FunctionType, str] = {}
"""By function: its library name."""

IN_ORDER = {
    "ordered_sum": "numpy.add.reduce", "ordered_norm": "numpy.add.reduce", "ordered_product": "numpy.multiply.reduce",
}  # fmt: skip
"""Modules that add and multiply in PyTorch's order, and which function of NumPy does the same in another one."""


PLAIN = {int, bool, float, str, tuple, list, dict, type(None)}
"""What most operands are: no library computes with them."""


def _heard_first(function: Any, file: str) -> Any:
    """The first argument of a call: what `Context.run` is given is called by it."""
    if current and isinstance(getattr(last_called, "__self__", None), Context):
        _heard_call(function, file)
    return function


def _heard_call(function: Any, file: str) -> Any:
    global last_called
    if current:
        last_called = function
        if type(function) is FunctionType:  # most are, and of these most are ours
            name = functions_met.get(function)
            if name is None:
                name = functions_met[function] = library_name(function)
        else:
            name = library_name(function)
        if name:
            this_run.add((current[-1], name, file))
    return function


def _heard_operand(value: Any, name: str, file: str) -> Any:
    if current and type(value) not in PLAIN:
        if isinstance(value, np.ndarray):
            this_run.add((current[-1], f"numpy.{name}", file))
        elif type(value).__module__.startswith("scipy.sparse"):
            this_run.add((current[-1], f"scipy.sparse {name}", file))
    return value


def _heard_key(key: Any, file: str) -> Any:
    if current:
        for part in key if isinstance(key, tuple) else (key,):
            if isinstance(part, np.ndarray) and part.ndim:
                this_run.add((current[-1], "numpy indexing", file))
    return key


def library_name(function: Any) -> str:
    """The name of a function of NumPy or SciPy; nothing for all others."""
    while isinstance(function, partial):
        function = function.func
    owner = getattr(function, "__self__", None)
    if isinstance(function, np.ufunc):
        return _of_ufunc(function)
    if isinstance(owner, np.ufunc):
        return f"{_of_ufunc(owner)}.{function.__name__}"
    if type(function).__name__ == "fortran":
        return _of_fortran(function)
    if owner is not None and not isinstance(owner, type(np)):
        kind = owner if isinstance(owner, type) else type(owner)
        if kind.__module__.partition(".")[0] in ("numpy", "scipy"):
            return f"{_public(kind.__module__)}.{kind.__name__}.{function.__name__}"
        return ""
    module = getattr(function, "__module__", None) or ""
    if module.rpartition(".")[2] in IN_ORDER:
        return IN_ORDER[module.rpartition(".")[2]]
    if module.partition(".")[0] in ("numpy", "scipy"):
        return f"{_public(module)}.{getattr(function, '__name__', type(function).__name__)}"
    return ""


STANDS_FOR = {"inv_boxcox": "exp", "boxcox": "log"}
"""What `few_in_double` calls in place of a function of NumPy, where there are few float32 numbers."""


def _of_ufunc(function: np.ufunc) -> str:
    name = function.__name__
    if name in STANDS_FOR:
        return f"numpy.{STANDS_FOR[name]}"
    return f"numpy.{name}" if getattr(np, name, None) is function else f"scipy.special.{name.lstrip('_')}"


def _of_fortran(function: Any) -> str:
    """A routine of LAPACK or BLAS without the letter of its dtype."""
    text = (function.__doc__ or "").partition("(")[0]
    library = "blas" if "blas" in getattr(function, "module_name", "") else "lapack"
    return f"scipy.linalg.{library}.{text.rpartition('=')[2].strip()[1:]}"


def _public(module: str) -> str:
    """A module as its users write it.

    >>> _public("scipy.linalg._decomp_lu"), _public("numpy._core.fromnumeric"), _public("numpy.linalg._linalg")
    ('scipy.linalg', 'numpy', 'numpy.linalg')
    """
    parts = module.split(".")
    kept = parts[: next((i for i, part in enumerate(parts) if part.startswith("_")), len(parts))]
    return ".".join("numpy.random" if part == "mtrand" else part for part in kept)


# -- which row is at work ----------------------------------------------------------------------------------------


def begin(frame: FrameType, event: str, argument: Any) -> Any:
    """Keeps the rows at work; a trace function, which is called for Python's own calls alone, and for no line."""
    code = frame.f_code
    met = looked_up.get(id(code))
    if met is None:
        met = looked_up[id(code)] = code, by_code.get(code)
    row = row_of(frame, met[1]) if met[1] else None
    if row is None:
        return None
    if current and current[-1].partition("@")[0] != row.partition("@")[0]:
        this_run.add((current[-1], row.partition("@")[0], ""))
    rows_run.add(row)
    stack.append(frame)
    current.append(row)
    frame.f_trace_lines = False
    return end


def end(frame: FrameType, event: str, argument: Any) -> Any:
    """Takes a row away that has returned or raised."""
    if event == "return" and stack and stack[-1] is frame:
        stack.pop()
        current.pop()
    return end


Candidates = list[tuple[str, dict[str, Any]]]
by_code: defaultdict[CodeType, Candidates] = defaultdict(list)
"""By the code of a row's function: the row, and what the function holds."""
looked_up: dict[int, tuple[CodeType, Candidates | None]] = {}
"""What was found there, by the identity of each code that ran: its hash is slow."""


def row_of(frame: FrameType, candidates: Candidates) -> str | None:
    """The row that a frame begins, if it runs one of the row's functions."""
    if len(candidates) == 1 and not candidates[0][1]:
        return candidates[0][0]
    seen = frame.f_locals
    for name, cells in candidates:
        if all(seen.get(variable) is value for variable, value in cells.items()):
            return name
    return None


def learn_rows() -> None:
    """Note the functions of every row, except those that several rows share."""
    from tensorwidgets.engine.dispatch.registry import OPS, Op
    from tensorwidgets.engine.tensor.tensor import Tensor

    owners: dict[int, tuple[FunctionType, set[str]]] = {}

    def own(function: Any, name: str) -> None:
        # A rule that asks the rule of another row does not call that row.
        while isinstance(function, FunctionType) and function is not OPS[name.removesuffix("@")].rule:
            owners.setdefault(id(function), (function, set()))[1].add(name)
            function = getattr(function, "__wrapped__", None)

    for op in OPS.values():
        for function in (op.function, op.plain, op.kernel if _runs(op) else None):
            own(function, op.name)
        for kernel in op.kernels.values():
            own(kernel, op.name if _only_of_a_kind(op) else f"{op.name}@")
    for member in vars(Tensor).values():
        if isinstance(member, FunctionType) and id(member) not in owners:
            cells = _cells(member)
            ops = {v.name for v in cells.values() if isinstance(v, Op)}
            if id(cells.get("slow")) in owners:  # the short way of a row, which leaves other calls to its function
                ops = set(owners[id(cells["slow"])][1])
            if len(ops) == 1:
                own(member, ops.pop())
    for function, names in owners.values():
        if len(names) == 1:
            by_code[function.__code__].append((next(iter(names)), _cells(function)))


def _runs(op: Any) -> bool:
    """Whether a row's kernel is the function that a call runs; others are functions on arrays, which rows may share."""
    return not callable(op.rule) or "view" in op.family


def _only_of_a_kind(op: Any) -> bool:
    """Whether only some kinds of tensor have an op; all other rows are heard with plain tensors alone."""
    module = getattr(op.kernel or op.rule, "__module__", None) or ""
    return any(f".{room}." in module for room in ("layouts", "names"))


def _cells(function: FunctionType) -> dict[str, Any]:
    result = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            result[name] = cell.cell_contents
        except ValueError:  # not filled yet
            continue
    return result


def listen(call: Any, *args: Any, **named: Any) -> None:
    """Make a call and count what each row of it did."""
    this_run.clear()
    rows_run.clear()
    stack.clear()
    current.clear()
    sys.settrace(begin)
    try:
        call(*args, **named)
    finally:
        sys.settrace(None)
        stack.clear()
        current.clear()
        for row, name, file in this_run:
            if Path(file).stem in IN_ORDER:
                continue
            if file:
                numbers[row][name, file] += 1
            else:
                entered[row][name] += 1
        runs.update(rows_run)
        busy.update({row for row, name, file in this_run if not file or tier(name) != "trivial"})


# -- the calls ---------------------------------------------------------------------------------------------------


def listen_to_all() -> None:
    """Import the engine with the listener, and run every call."""
    gc.disable()  # half a million nodes of syntax trees are no garbage
    for function in (_heard_call, _heard_first, _heard_operand, _heard_key):
        setattr(builtins, function.__name__, function)
    sys.meta_path.insert(0, Finder)  # type: ignore[arg-type]
    import tensorwidgets as torch
    from tensorwidgets.engine.autograd.formulas import class_of
    from tensorwidgets.engine.derivatives.declaring import TABLE
    from tensorwidgets.engine.dispatch.registry import OPS
    from tests.operators.ask import answer
    from tests.operators.samples import load

    names_seen(torch)  # which brings the kernels of the kinds
    torch.ones(1, requires_grad=True)  # which brings the short ways: they do not ask the rows they stand for
    for op in OPS.values():
        op.quick = op.quick_plain = None
    for derivative in [one for several in TABLE.values() for one in several if one.formulas]:
        class_of(derivative).shortcut = None
    learn_rows()
    warnings.simplefilter("ignore")
    samples, unpacker = load(torch)
    for sample in chosen(samples):
        name, given = sample["op"], unpacker.unpack(sample["given"])
        listen(answer, name, sample["variant"], *given)
        if f"{name}_" in OPS and isinstance(given[0], torch.Tensor):
            input = given[0].clone()
            with suppress(RuntimeError, TypeError):  # the result may not fit into the input
                listen(getattr(input, f"{name}_"), *given[1], **given[2])
    for text in calls_written():
        with suppress(NotImplementedError):  # some copies of parts refuse every tensor, as PyTorch's do
            listen(exec, compile(text, text, "exec"), names_seen(torch))


def chosen(samples: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """A few samples of each operator, variant and dtype: those with the most elements."""
    groups = defaultdict(list)
    for sample in samples:
        groups[sample["op"], sample["variant"], sample["dtype"]].append(sample)
    result = []
    for group in groups.values():
        several = [sample for sample in group if _elements(sample) > 1]
        result += sorted(several or group, key=_elements)[-SAMPLES_EACH:]
    return result


def _elements(sample: dict[str, Any]) -> int:
    return sum(math.prod(size) for size in _sizes(sample["given"]))


def _sizes(value: Any) -> Iterator[list[int]]:
    """The sizes of all tensors among packed arguments."""
    if isinstance(value, dict):
        if "tensor" in value:
            yield value["tensor"][1]
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _sizes(part)


def names_seen(torch: Any) -> dict[str, Any]:
    """What the calls beside this script may name."""
    x = torch.arange(1.0, 13.0).reshape(3, 4) / 13
    m = torch.tensor([[4.0, 1, 0], [1, 3, 1], [0, 1, 2]])
    return {
        "torch": torch, "np": np, "x": x, "i": torch.arange(12).reshape(3, 4), "b": x > 0.5, "m": m,
        "c": torch.complex(x, x), "v": torch.arange(1.0, 4.0), "n": x.refine_names("a", "b"),
        "s": m.to_sparse(), "r": m.to_sparse_csr(), "q": torch.quantize_per_tensor(x, 0.1, 0, torch.qint8),
        "p": torch.quantize_per_channel(x, torch.ones(3), torch.zeros(3), 0, torch.qint8),
    }  # fmt: skip


def calls_written() -> Iterator[str]:
    """The calls beside this script, for rows that no sample reaches."""
    for line in CALLS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            pattern, _, names = line.partition(" | ")
            for name in names.split() or [""]:
                yield from pattern.replace("{}", name).split("; ")


# -- the table ---------------------------------------------------------------------------------------------------

ELEMENTWISE = set(OPERATORS.values()) - {"matmul"} | set(
    """absolute sqrt square exp exp2 expm1 log log2 log10 log1p sin cos tan sinh cosh tanh arcsin arccos arctan arctan2
    arcsinh arccosh arctanh sign floor ceil trunc rint hypot copysign reciprocal conjugate conj maximum minimum fmax
    fmin fmod divmod gcd lcm ldexp frexp nextafter heaviside logaddexp logaddexp2 logical_and logical_or logical_xor
    logical_not where clip nan_to_num round add.reduce multiply.reduce maximum.reduce minimum.reduce logical_and.reduce
    logical_or.reduce add.accumulate multiply.accumulate add.at multiply.at maximum.at minimum.at add.reduceat
    maximum.reduceat sum prod cumprod angle signbit blas.axpy""".split()
)
CHECKS = set(
    """any all isfinite isnan isinf less less_equal greater greater_equal equal not_equal min max array_equal isin
    argwhere flatnonzero count_nonzero invert positive bool""".split()
)
MOVES = set(
    """indexing take put_along_axis put take_along_axis concatenate repeat stack flip tile append diagonal tril
    triu fill_diagonal pad tril_indices triu_indices diag""".split()
)
COPIES = set("copyto astype array copy ascontiguousarray __setitem__ fill fromiter tolist".split())
MAKES = set("zeros ones full arange eye ones_like zeros_like full_like fftfreq rfftfreq".split())
TRIVIAL = set(
    """empty empty_like asarray ndarray reshape view transpose swapaxes dtype finfo iinfo may_share_memory broadcast_to
    broadcast_arrays broadcast_shapes as_strided ndindex float32 float64 int64 uint64 bool complex64 moveaxis
    expand_dims ndim atleast_1d result_type can_cast get_lapack_funcs get_blas_funcs item unravel_index
    ravel_multi_index nditer reset sliding_window_view ravel seterr sytrf_lwork einsum_path frombuffer __dlpack__
    squeeze csr_array setbufsize geterrcall errstate""".split()
)
COMPUTING = ("routine", "elementwise", "move")
MASKS = {f"numpy.{name}" for name in "bitwise_and bitwise_or where".split()}
"""Elementwise functions that mostly choose among results; named last."""
OF_PYTHON = ("apply_", "map_")
"""Rows that call a Python function for each element."""
REFUSED = ("chalf", "cuda", "indices_copy")
"""Rows that refuse every call."""
SELDOM, SHARE = 0.1, 0.5
"""A sort of function counts if it is called in this part of the calls; of its functions, those that come near the most
frequent one are named."""


def tier(name: str) -> str:
    """How much a function says about a row: a routine says most, a new array nothing.

    >>> [tier(name) for name in ("numpy.linalg.svd", "numpy.exp", "numpy.isnan", "numpy.ndarray.astype")]
    ['routine', 'elementwise', 'check', 'copy']
    """
    library, _, last = name.replace(" ", ".").partition(".")
    parts = last.split(".")
    short = parts[-1]
    if ".".join(parts[-2:]) in ELEMENTWISE:
        return "elementwise"
    if library == "scipy" and short not in TRIVIAL:
        return "routine"
    kinds = (("trivial", TRIVIAL), ("check", CHECKS), ("move", MOVES), ("copy", COPIES), ("make", MAKES))
    for kind, names in kinds:
        if short in names:
            return kind
    return "elementwise" if short in ELEMENTWISE else "routine"


def heard_of(row: str) -> Counter[str]:
    """How often a row called each library function, wherever it did so."""
    result: Counter[str] = Counter()
    for (name, _), count in numbers[row].items():
        result[name] = max(result[name], count)
    return result


def described(row: str) -> tuple[str, list[str], list[str]]:
    """How a row computes, the library functions that it calls, and the rows that it enters."""
    from tensorwidgets.engine.dispatch.registry import OPS

    if row in OF_PYTHON:
        return "python", [], []
    if row in REFUSED:
        return "refused", [], []
    heard = heard_of(row)
    often = [name for name, count in heard.items() if count >= SELDOM * busy[row]]
    rows = sorted(entered[row], key=lambda name: (-entered[row][name], name))
    copies = any(tier(name) == "copy" for name in often)
    made_of_views = all("view" in OPS[name].family for name in rows)
    seldom = max(entered[row].values(), default=0) < busy[row] / 2
    view = "view" in OPS[row].family
    alone = not view or OPS[row].rule is None and not often
    if rows and alone and not computes(row) and not (copies and (made_of_views or seldom)):
        return "composite", [], rows
    rows = [name for name in rows if entered[row][name] >= SHARE * busy[row]]
    for names in (often, list(heard)):
        for kinds in tiers(row):
            telling = sorted((n for n in names if tier(n) in kinds), key=lambda n: (n in MASKS, -heard[n], n))
            telling = [name for name in telling if heard[name] >= SHARE * max(heard[n] for n in telling)]
            if telling:
                own = kinds[0] in ("elementwise", "check") and len(telling) > 1
                return "view" if view else "own" if own else "library", telling[:4], rows
    return "view" if view else "none", [], rows


def tiers(row: str) -> tuple[tuple[str, ...], ...]:
    """What says most about a row first. Questions about numbers are the work of some rows, and checks in others."""
    from tensorwidgets.engine.dispatch.registry import OPS

    kind = OPS.get(row.removesuffix("_"), OPS[row]).family
    if kind in ("gather", "index"):
        return ("routine", "move"), ("elementwise",), ("copy",), ("make",), ("check",)
    if kind in ("pointwise", "reduction", "comparison", "question"):
        return ("routine",), ("elementwise",), ("move",), ("check",), ("copy",), ("make",)
    return ("routine",), ("elementwise",), ("move",), ("copy",), ("make",), ("check",)


def computes(row: str) -> set[str]:
    """The library functions that a row calls and that change numbers."""
    return {name for name, _ in numbers[row] if tier(name) in COMPUTING}


def all_of(row: str) -> dict[str, Any]:
    """All that was heard of a row."""
    return {
        "calls": runs[row],
        "described": described(row),
        "functions": dict(heard_of(row)),
        "rows": dict(entered[row]),
        "computing": sorted(computes(row)),
    }


def table() -> str:
    """The text of the table."""
    from tensorwidgets.engine.dispatch.registry import OPS

    lines = ["row\tcomputed by\tfunctions\trows"]
    for row in sorted(OPS):
        how, functions, rows = described(row)
        lines.append("\t".join((row, how, ", ".join(functions), ", ".join(rows))).rstrip())
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    listen_to_all()
    from tensorwidgets.engine.dispatch.registry import OPS

    if sys.argv[1:] == ["--json"]:
        print(json.dumps({row: all_of(row) for row in OPS}))
    elif len(sys.argv) > 1:
        for row in sys.argv[1:]:
            print(row, *all_of(row).items(), sep="\n  ")
    else:
        (ENGINE / "dispatch" / "computed_by.tsv").write_text(table(), encoding="utf-8")
