"""Write the stubs that tell type checkers and editors what the rows become.

    python -m tensorwidgets.engine.write_stubs

There is one for the face (`tensorwidgets/__init__.pyi`), one for each of its modules of functions (`fft.pyi` …), and
one for the methods of the class (`engine/tensor/tensor_methods.pyi`), from which Tensor inherits for
checkers alone.
"""

from __future__ import annotations

import ast
import inspect
import re
import sys
from importlib import import_module
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from . import ALSO_FUNCTIONS, FACE
from .dispatch.registry import OPS, Op
from .help import signature_facts
from .help.catalogue import first_line
from .help.lazy_help import method_names, public_names
from .help.pages import words
from .help.signatures import as_method, of_function, parsed, spread, told_apart, ways
from .help.stub_text import definitions, docstring, imports, type_text
from .tensor import tensor
from .tensor.members import is_writable
from .tensor.storages.base import StorageType
from .tensor.storages.typed import TypedStorage
from .tensor.tensor import Tensor
from .types import dtypes, formats

HEADER = "# Written by `python -m tensorwidgets.engine.write_stubs` from the rows; not to be edited by hand.\n"
PACKAGE = Path(__file__).parents[1]
FACE_STUB, METHODS_STUB = PACKAGE / "__init__.pyi", PACKAGE / "engine" / "tensor" / "tensor_methods.pyi"

_WITH_NUMBERS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and", "or", "xor", "lshift", "rshift")
_OPERATORS = {
    **{f"__{n}__": "(self, other: Tensor | Number) -> Tensor" for n in _WITH_NUMBERS},
    **{f"__r{n}__": "(self, other: Number) -> Tensor" for n in _WITH_NUMBERS},
    **{f"__i{n}__": "(self, other: Tensor | Number) -> Tensor" for n in _WITH_NUMBERS},
    **{f"__{n}__": "(self, other: Tensor | Number) -> Tensor" for n in ("lt", "le", "gt", "ge")},
    **{f"__{n}__": "(self, other: object) -> Tensor" for n in ("eq", "ne")},
    **{f"__{n}__": "(self) -> Tensor" for n in ("neg", "pos", "abs", "invert", "reversed")},
    **{f"__{n}__": f"(self) -> {n}" for n in ("bool", "int", "float", "complex")},
    "__matmul__": "(self, other: Tensor) -> Tensor",
    "__rmatmul__": "(self, other: Tensor) -> Tensor",
    "__index__": "(self) -> int",
    "__iter__": "(self) -> Iterator[Tensor]",
    "__contains__": "(self, element: Tensor | Number) -> bool",
    "__getitem__": "(self, key: Index) -> Tensor",
    "__setitem__": "(self, key: Index, value: Tensor | Number) -> None",
    "__array__": "(self, dtype: Any = None) -> ndarray",
}
_UNLIKE_OBJECT = ("__eq__", "__ne__")
_INDEX = "None | bool | int | slice | EllipsisType | Tensor | ndarray | list[Any] | tuple[Any, ...]"


def stubs() -> dict[Path, str]:
    """All stubs: the files and what belongs into them."""
    modules = {PACKAGE / f"{name.replace('.', '/')}.pyi": module_stub(name) for name in modules_of_rows()}
    return {FACE_STUB: face_stub(), METHODS_STUB: methods_stub(), **modules}


# -- the methods -------------------------------------------------------------------------------------------------


def methods_stub() -> str:
    """The methods of Tensor, as a class that it inherits from."""
    body = _aliases_of_types()
    for name in _result_classes():
        fields = signature_facts.RESULTS[name.removesuffix("_result")]
        body += ["", f"class {name}(NamedTuple):", *[f"    {field}: Tensor" for field in fields]]
    body += ["", "class TensorMethods:", *docstring("What the rows of the engine hang on Tensor.", "    ")]
    in_the_class = _written_in_the_class()
    members = {name: member for name, member in vars(Tensor).items() if name not in in_the_class}
    by_row = {name: op for name, op in method_names() if type(members.get(name)) is FunctionType}
    firsts = _first_names(by_row)
    for name in sorted(members, key=lambda name: (not name.startswith("__"), name)):
        if name not in by_row:
            body += _member(name, members[name])
        elif name in firsts:
            body += _row(name, by_row[name], firsts[name], method=True)
    text = "\n".join(body)
    return "\n".join([HEADER, *imports(text, "."), "", text, ""])


def _aliases_of_types() -> list[str]:
    number = "bool | int | float | complex"
    return [f"_Number: TypeAlias = {type_text(number)}", f"_Index: TypeAlias = {type_text(_INDEX)}"]


def _result_classes() -> list[str]:
    """The classes of results with names that some row gives."""
    results = {str(way.return_annotation) for op in OPS.values() if op.forms for way in ways(op)}
    return sorted(type_text(text) for text in results if text.startswith("return_types."))


def _written_in_the_class() -> set[str]:
    """What tensor.py itself says of the class, and type checkers read there."""
    (written,) = [
        node
        for node in ast.parse(Path(tensor.__file__).read_text(encoding="utf-8")).body
        if isinstance(node, ast.ClassDef) and node.name == "Tensor"
    ]
    results = {"__module__", "__doc__", "__slots__", "__dict__", "__weakref__"}
    for node in written.body:
        if isinstance(node, ast.FunctionDef):
            results.add(node.name)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)):
            names = (n for n in ast.walk(node) if isinstance(n, ast.Name))
            results |= {n.id for n in names if isinstance(n.ctx, ast.Store)}
    return results


def _member(name: str, member: Any) -> list[str]:
    """The lines for what is not a row: operators, properties, and methods written by hand."""
    if name in _OPERATORS:
        note = "  # type: ignore[override]" if name in _UNLIKE_OBJECT else ""
        return definitions(name, [parsed(_OPERATORS[name])], indent="    ", note=note)
    if isinstance(member, property):
        return _property(name, member)
    if hasattr(object, name) or re.match(r"_[^_]", name) or type(member) is not FunctionType:
        return []
    return definitions(name, [as_method(of_function(member))], first_line(member), "    ")


def _property(name: str, member: property) -> list[str]:
    returned = inspect.signature(member.fget).return_annotation if member.fget is not None else inspect.Signature.empty
    text = type_text(returned) if isinstance(returned, str) else "Any" if name.startswith("__") else "Tensor"
    lines = ["    @property", f"    def {name}(self) -> {text}:", *docstring(first_line(member) or name, "        ")]
    if is_writable(member):
        lines += [f"    @{name}.setter", f"    def {name}(self, value: {text}) -> None: ..."]
    return lines


# -- the face ----------------------------------------------------------------------------------------------------


def face_stub() -> str:
    """The names of the package."""
    known = {name: value for name, value in FACE.items() if "." not in name}
    functional = {name: op for name, op in public_names() if "function" in op.forms}
    rows = {name: op for name, op in functional.items() if _speaks_for(name, known, op)}
    tops = {name for name in import_module("tensorwidgets")._MODULES if not name.startswith("_")}
    brought = [*_later(), *[(".", name, name) for name in sorted(tops)]]
    constants, classes, functions = [], [], []
    firsts = _first_names(rows)
    for name, value in sorted(known.items()):
        if name in rows:
            functions += _row(name, rows[name], firsts[name]) if name in firsts else []
        elif name in ALSO_FUNCTIONS:
            classes.append(f"{name} = Tensor.{name}")
        elif kind := _constant(value):
            constants.append(f"{name}: {kind}")
        elif not hasattr(value, "__name__"):
            module, own = _origin(type(value))
            brought.append((module, own, f"_{own}"))
            constants.append(f"{name}: _{own}")
        elif not _can_be_imported(value):
            base = TypedStorage if isinstance(value, StorageType) else Tensor
            classes.append(f"class {name}({base.__name__}): ...")
        else:
            module, own = _origin(value)
            brought.append((module, own, name if own == name else f"_{own}"))
            if own != name:
                classes.append(f"{name} = _{own}")
    classes.append("Storage = FloatStorage")  # unless the default dtype is another one
    text = "\n".join(["__version__: str", "_VERSION: str", *constants, "", *classes, "", *functions])
    brought += [(".engine.tensor.tensor_methods", n, n) for n in ["_Number", *_result_classes()] if n in text]
    return "\n".join([HEADER, *imports(text, ".engine", brought, own=["Tensor"]), "", text, ""])


def _speaks_for(name: str, known: dict[str, Any], op: Op) -> bool:
    """Whether a name of the face is a row's function, under its first name or an alias."""
    return name in known and (name in op.aliases or getattr(known[name], "__doc__", None) is op.function.__doc__)


def _first_names(rows: dict[str, Op]) -> dict[str, list[str]]:
    """The name under which each row is defined, its own where it has one here, and its other names."""
    names: dict[str, list[str]] = {}
    for name, op in rows.items():
        names.setdefault(op.name, []).append(name)
    return {first: sorted(others) for first, *others in names.values()}


def _row(name: str, op: Op, aliases: list[str], method: bool = False) -> list[str]:
    """The lines of a row's function or method, and of its other names."""
    indent = "    " if method else ""
    lines = definitions(name, told_apart(spread(ways(op, method))), words(op), indent)
    return lines + [f"{indent}{alias} = {name}" for alias in aliases]


def modules_of_rows() -> list[str]:
    """The modules of the face whose functions are rows: ``fft.rfft`` belongs to fft."""
    modules = {name.rpartition(".")[0] for name, _ in public_names()}
    return sorted(module for module in modules if module and not module.startswith("_"))


def module_stub(module: str) -> str:
    """The functions of one of these modules."""
    rows = {name.rpartition(".")[2]: op for name, op in public_names() if name.rpartition(".")[0] == module}
    functions = [line for name, others in sorted(_first_names(rows).items()) for line in _row(name, rows[name], others)]
    written = sorted(vars(import_module(f"tensorwidgets.{module}")).keys() & set(ALSO_FUNCTIONS))
    text = "\n".join([*functions, *[f"{name} = Tensor.{name}" for name in written]])
    engine = "." * (module.count(".") + 1) + "engine"
    more = [(f"{engine}.tensor.tensor_methods", n, n) for n in ["_Number", *_result_classes()] if n in text]
    return "\n".join([HEADER, *imports(text, engine, more), "", text, ""])


def _constant(value: Any) -> str:
    if value is None:
        return "None"
    kinds = {float: "float", int: "int", dtypes.dtype: "dtype", formats.layout: "layout"}
    kinds[formats.memory_format] = "memory_format"
    kind = kinds.get(type(value))
    return "" if kind is None else type_text(kind)


def _can_be_imported(value: Any) -> bool:
    """Whether something stands under its own name in a module; classes of one dtype are made when asked for."""
    if isinstance(value, ModuleType):
        return True
    written = _as_written(value)
    if written.__module__ == "tensorwidgets":
        return False  # the stub is of this module
    at_home = getattr(sys.modules.get(written.__module__), written.__name__, None)
    return at_home is written or at_home is not None and at_home is getattr(value, "__wrapped__", None)


def _as_written(value: Any) -> Any:
    """The function of a module of the engine below one that is public in the face."""
    wrapped = getattr(value, "__wrapped__", None)
    return wrapped if wrapped is not None and value.__module__ == "tensorwidgets" else value


def _origin(value: Any) -> tuple[str, str]:
    """Where a name of the face comes from, as (module, name there)."""
    if isinstance(value, ModuleType):
        module, _, own = value.__name__.rpartition(".")
    else:
        written = _as_written(value)
        module, own = written.__module__, written.__name__
    return module.removeprefix("tensorwidgets"), own


def _later() -> list[tuple[str, str, str]]:
    """The names of the face that are loaded when they are first used."""
    face = import_module("tensorwidgets")
    results = [(name, *where) for name, where in face._LATER.items() if _has(*where)]
    return [(module.removeprefix("tensorwidgets"), own, name) for name, module, own in results]


def _has(module: str, name: str) -> bool:
    try:
        return hasattr(import_module(module), name)
    except ModuleNotFoundError:
        return False


def main() -> None:
    """Write both, and say which changed."""
    for path, text in stubs().items():
        same = path.exists() and path.read_text(encoding="utf-8") == text
        path.write_text(text, encoding="utf-8")
        print(f"{path.relative_to(PACKAGE.parent)}: {'as it was' if same else 'written'}")


if __name__ == "__main__":
    main()
