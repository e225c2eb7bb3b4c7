"""Ask PyTorch in which ways its functions and methods are called, and write that down for the engine's refusals.

    python tests/engine/freeze_ways.py

A function of several ways lists them when it is called with nonsense; of one with a single way, PyTorch's own schema
tells it. The engine's rows that read their arguments by such a notation already are left out.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch

from tensorwidgets.engine import calls
from tensorwidgets.engine.arguments import Signatures
from tensorwidgets.engine.dispatch import OPS

WAYS = Path(calls.__file__).with_name("ways.txt")
KINDS = {
    "Tensor": "Tensor", "number": "Number", "int": "int", "SymInt": "int", "float": "float", "bool": "bool",
    "str": "str", "List[int]": "tuple of ints", "List[SymInt]": "tuple of ints", "List[Tensor]": "tuple of Tensors",
    "List[float]": "tuple of floats", "Scalar": "Number", "Device": "torch.device", "Generator": "torch.Generator",
}  # fmt: skip
NAMED = {"dtype": "torch.dtype", "layout": "torch.layout", "memory_format": "torch.memory_format"}


class Odd:
    """What fits no argument."""


def listed(function: Callable, first: tuple) -> list[str]:
    """The ways that a refusal lists; nothing where there is only one."""
    for count in range(14):
        try:
            function(*first, *[Odd()] * count)
        except TypeError as error:
            message = str(error)
            if "expected one of:" in message:
                return re.findall(r"^ \* \((.*)\)$", message, re.M)
            found = re.search(r"but expected \((.*)\)$", message.partition("\n")[0])
            if found:
                return ["|" + found.group(1)]  # of two ways PyTorch shows one
        except Exception:  # another refusal, which lists nothing
            continue
    return []


def kind_of(argument: Any) -> str | None:
    text = str(argument.type).replace("Optional[", "").rstrip("]") + ("]" if "List[" in str(argument.type) else "")
    return NAMED.get(argument.name) or KINDS.get(text)


def told(schema: Any, method: bool, out: str) -> str | None:
    """A way from a schema."""
    texts, starred = [], False
    for i, argument in enumerate(schema.arguments):
        if method and i == 0:
            continue
        kind = kind_of(argument)
        if kind is None:
            return None
        if argument.kwarg_only and not starred:
            texts.append("*")
            starred = True
        name = "input" if argument.name == "self" else argument.name
        optional = "Optional[" in str(argument.type)
        if argument.has_default_value():
            texts.append(f"{kind} {name} = {argument.default_value!r}".replace(", ", ","))
        else:
            texts.append(f"{kind}{'?' if optional else ''} {name}")
    if out and not method:
        texts += ([] if starred else ["*"]) + [out]
    return ", ".join(texts)


def only_way(name: str, method: bool) -> list[str]:
    """The one way of a function, from the schemas."""
    schemas = [s for s in torch._C._jit_get_schemas_for_operator("aten::" + name.replace(".", "_"))]
    plain = [s for s in schemas if not any(a.name == "out" or a.is_out for a in s.arguments)]
    plain = [s for s in plain if "Dimname" not in str(s) and "name" not in s.overload_name]
    outs = [sum(a.is_out for a in s.arguments) for s in schemas]
    out = "Tensor out = None" if 1 in outs else "tuple of Tensors out = None" if max(outs, default=0) > 1 else ""
    found = [told(s, method, out) for s in plain[:1]]
    return [way for way in found if way is not None]


def function_of(name: str, method: bool) -> Any:
    found: Any = torch.Tensor if method else torch
    for part in name.split("."):
        found = getattr(found, part, None)
    built_in = type(found).__name__ in ("builtin_function_or_method", "method_descriptor")
    return found if built_in else None


def main() -> None:
    warnings.simplefilter("ignore")
    lines = []
    for op in OPS.values():
        if isinstance(op.signature, Signatures) or op.name in calls.CALLS:
            continue
        for name in (op.name, *op.aliases):
            for method in (False, True):
                if ("method" if method else "function") not in op.forms or method and "." in name:
                    continue
                function = function_of(name, method)
                if function is None:
                    continue
                first = (torch.ones(2),) if method else ()
                ways = listed(function, first) or only_way(name, method)
                lines += ["\t".join(("Tensor." * method + name, *ways))] if ways else []
    WAYS.write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
    print(f"{len(lines)} functions and methods, {WAYS.stat().st_size} bytes")


if __name__ == "__main__":
    main()
