"""Formats signatures as the text of a stub file.

The package has dtypes called ``int``, ``float`` and ``bool``, and Tensor has methods of these names. So stubs import
Python's own types, and other types with such names, under an alias.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from inspect import Parameter, Signature

NAMES = {
    **dict.fromkeys(("int", "float", "bool", "complex", "type")),
    **dict.fromkeys(("Generator", "Report", "Size", "device", "dtype", "layout", "memory_format", "qscheme")),
    **{n: n for n in ("str", "tuple", "list", "dict", "object", "None", "Any", "Sequence", "Iterator", "Callable")},
    **{n: n for n in ("Tensor", "TypedStorage", "UntypedStorage", "ndarray", "slice", "EllipsisType")},
    "Number": "_Number", "Index": "_Index",
}  # fmt: skip
"""Type names and their aliases in stubs: by default, the name with an underscore."""

_IMPORTS = {
    **{f"_{n}": ("builtins", n) for n in ("bool", "complex", "float", "int", "type")},
    **{n: ("collections.abc", n) for n in ("Callable", "Iterator", "Sequence")},
    "EllipsisType": ("types", "EllipsisType"),
    **{n: ("typing", n) for n in ("Any", "NamedTuple", "TypeAlias", "overload")},
    "ndarray": ("numpy", "ndarray"),
    "_device": (".types.device", "device"), "_dtype": (".types.dtypes", "dtype"),
    "_layout": (".types.formats", "layout"),
    "_memory_format": (".types.formats", "memory_format"), "_Generator": (".tensor.generator", "Generator"),
    "_qscheme": (".types.formats", "qscheme"), "_Report": (".layouts.quantized.questions", "Report"),
    "_Size": (".types.size", "Size"), "Tensor": (".tensor.tensor", "Tensor"),
    "TypedStorage": (".tensor.storages.typed", "TypedStorage"),
    "UntypedStorage": (".tensor.storages.untyped", "UntypedStorage"),
}  # fmt: skip
"""The module and name of each import in stubs; modules that start with a dot belong to the engine."""

WIDTH = 110
"""The most that a line holds."""


def type_text(written: str) -> str:
    """A type as a stub writes it; a word that stubs do not know is refused.

    >>> type_text("int | Sequence[int] | None"), type_text("return_types.max")
    ('_int | Sequence[_int] | None', 'max_result')
    """

    def named(match: re.Match) -> str:
        word = match.group()
        if word.startswith("return_types."):
            return word.removeprefix("return_types.") + "_result"
        if word not in NAMES:
            raise KeyError(f"the type {written!r} is written with {word!r}, which stubs do not know")
        return NAMES[word] or f"_{word}"

    return re.sub(r"[A-Za-z_][\w.]*", named, written.replace("np.ndarray", "ndarray"))


def definitions(name: str, ways: Sequence[Signature], words: str = "", indent: str = "", note: str = "") -> list[str]:
    """The lines that declare a function with all its overloads; the docstring is below the first."""
    lines = []
    for i, way in enumerate(ways):
        if len(ways) > 1:
            lines.append(f"{indent}@overload")
        documented = i == 0 and words
        lines += _head(name, way, indent, ("" if documented else " ...") + note)
        if documented:
            lines += docstring(words, indent + "    ")
    return lines


def _head(name: str, way: Signature, indent: str, tail: str) -> list[str]:
    parameters = _parameters(way)
    returns = "Any" if way.return_annotation is Signature.empty else type_text(str(way.return_annotation))
    one_line = f"{indent}def {name}({', '.join(parameters)}) -> {returns}:{tail}"
    if len(one_line) <= WIDTH:
        return [one_line]
    inside = f"{indent}    {', '.join(parameters)}"
    body = [inside] if len(inside) <= WIDTH else [f"{indent}    {p}," for p in parameters]
    return [f"{indent}def {name}(", *body, f"{indent}) -> {returns}:{tail}"]


def _parameters(way: Signature) -> list[str]:
    results = []
    starred = False
    for p in way.parameters.values():
        if p.kind is Parameter.VAR_POSITIONAL:
            starred = True
        elif p.kind is Parameter.KEYWORD_ONLY and not starred:
            starred = True
            results.append("*")
        results.append(_parameter(p))
    return results


def _parameter(p: Parameter) -> str:
    star = "*" if p.kind is Parameter.VAR_POSITIONAL else "**" if p.kind is Parameter.VAR_KEYWORD else ""
    if p.name == "self":
        return p.name
    annotation = "Any" if p.annotation is Parameter.empty else type_text(str(p.annotation))
    text = f"{star}{p.name}: {annotation}"
    return text if p.default is Parameter.empty else f"{text} = {_default(p.default)}"


def _default(value: object) -> str:
    """Format a default: literals as they are, all other values as `...`."""
    return repr(value) if type(value) in (int, float, bool, str, tuple, type(None)) else "..."


def docstring(words: str, indent: str) -> list[str]:
    """Format a description as a docstring.

    >>> docstring("The sum.", "  ")
    ['  \"""The sum.\"""']
    """
    quote = '"""'
    wrapped = textwrap.wrap(words, WIDTH - len(indent) - 6)
    if len(wrapped) == 1:
        return [f"{indent}{quote}{words}{quote}"]
    return [f"{indent}{quote}{wrapped[0]}", *[indent + line for line in wrapped[1:]], indent + quote]


def imports(body: str, engine: str, more: Sequence[tuple[str, str, str]] = (), own: Sequence[str] = ()) -> list[str]:
    """Returns the imports that a body needs, sorted.

    `more` are further ones, as (module, name, alias); `own` are names that need no import.
    """
    used = set(re.findall(r"\w+", re.sub(r'""".*?"""|#[^\n]*', "", body, flags=re.S)))
    wanted = {(module, name, alias) for alias, (module, name) in _IMPORTS.items() if alias in used and alias not in own}
    result = {(engine + m if m.startswith(".") else m, n, a) for m, n, a in wanted} | set(more)
    plain: dict[str, list[str]] = {}
    lines: list[tuple[tuple, str]] = []
    for module, name, alias in result:
        if name == alias and (module, name, alias) not in more:
            plain.setdefault(module, []).append(name)
        else:
            text = f"from {module} import {name} as {alias}"
            if len(text) > 120:
                text = f"from {module} import (\n    {name} as {alias},\n)"
            lines.append(((*_place(module), 0, not name[0].isupper(), name.lower(), alias), text))
    for module, names in plain.items():
        lines.append(((*_place(module), 1), f"from {module} import {', '.join(sorted(names))}"))
    lines.sort(key=lambda line: line[0])
    texts: list[str] = []
    for i, (place, text) in enumerate(lines):
        if i and lines[i - 1][0][0] != place[0]:
            texts.append("")
        texts.append(text)
    return texts


def _place(module: str) -> tuple[int, str]:
    """Sort key: the standard library, then NumPy, then this package."""
    return (2 if module.startswith(".") else 1 if module == "numpy" else 0, module)
