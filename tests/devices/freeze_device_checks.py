"""Writes down which ops of PyTorch ask whether their tensors are on one device, and the kernels that refusals name.

`python -m tests.devices.freeze_device_checks`, with PyTorch, whose list of native functions says it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import tensorwidgets.engine  # noqa: F401  (the rows)
from tensorwidgets.engine.dispatch.registry import OPS

TARGET = Path(__file__).parents[2] / "tensorwidgets" / "engine" / "devices" / "device_checks.json"


def kernel_of(function: Any) -> str | None:
    """The kernel that a refusal names: "" for an op that walks elements, None for one made of others."""
    from torchgen.model import DeviceCheckType, DispatchKey

    name, overload = str(function.func.name.name), function.func.name.overload_name
    if function.structured or function.structured_delegate:
        kernel = "_".join(filter(None, ("wrapper_CUDA", name, overload)))
    elif DISPATCH[str(function.func.name)] & {DispatchKey.CUDA}:
        kernel = f"wrapper_CUDA_{overload}_{name}"
    else:
        return None
    return "" if function.device_check is DeviceCheckType.NoCheck else kernel


def kernel_with_out(function: Any) -> str | None:
    """The kernel that a refusal names where results are given: "out" for one that compares them with its first tensor.

    Other answers are those of `kernel_of`.
    """
    from torchgen.model import DeviceCheckType, DispatchKey

    name, overload = str(function.func.name.name), function.func.name.overload_name
    if not DISPATCH.get(str(function.func.name), set()) & {DispatchKey.CUDA}:
        return None
    if function.device_check is DeviceCheckType.NoCheck:
        return "out" if function.structured and function.structured_inherits is None else ""
    return f"wrapper_CUDA_{name}_out_{overload}" if function.structured else f"wrapper_CUDA_{overload}_{name}_out"


DISPATCH: dict[str, set[Any]] = {}


def main() -> None:
    import torchgen
    from torchgen.gen import parse_native_yaml

    folder = Path(torchgen.__file__).parent / "packaged" / "ATen" / "native"
    parsed = parse_native_yaml(folder / "native_functions.yaml", folder / "tags.yaml")
    for key, index in parsed.backend_indices.items():
        for name in index.index:
            DISPATCH.setdefault(str(name), set()).add(key)
    wanted = {name: op.name for op in OPS.values() for name in (op.name, *op.aliases)}
    found: dict[str, list] = {}
    for function in parsed.native_functions:
        name, overload = str(function.func.name.name), function.func.name.overload_name
        row = wanted.get(name) or wanted.get(name.replace("linalg_", "linalg.").replace("special_", "special."))
        if row is None or "Dimname" in overload:
            continue
        if function.func.is_out_fn():
            kernel, given = kernel_with_out(function), function.func.arguments.flat_non_out
            key = f"{row} out="
        else:
            kernel, given, key = kernel_of(function), function.func.arguments.flat_all, row
        if kernel is None:
            continue
        arguments = [[a.name, "1" * ("Tensor" in str(a.type))] for a in given]
        if any(kind for _, kind in arguments):
            results = [a.name for a in function.func.arguments.out]
            found.setdefault(key, []).append([kernel, arguments, results] if results else [kernel, arguments])
    lines = [f"{json.dumps(name)}: {json.dumps(ways)}" for name, ways in sorted(found.items())]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
