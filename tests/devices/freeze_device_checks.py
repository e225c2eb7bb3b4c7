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
        if row is None or overload.endswith("out") or "Dimname" in overload:
            continue
        kernel = kernel_of(function)
        if kernel is None:
            continue
        arguments = [[a.name, "1" * ("Tensor" in str(a.type))] for a in function.func.arguments.flat_all]
        if any(kind for _, kind in arguments):
            found.setdefault(row, []).append([kernel, arguments])
    lines = [f"{json.dumps(name)}: {json.dumps(ways)}" for name, ways in sorted(found.items())]
    TARGET.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
