"""Writes down which of NumPy's names and keywords CuPy has: `python -m tests.devices.freeze_cupy`, with CuPy.

No GPU is needed: CuPy is imported and asked for its names, and its array class is laid over main memory.
"""

from __future__ import annotations

import inspect
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import scipy.special

TARGET = Path(__file__).parents[2] / "tensorwidgets" / "engine" / "devices" / "cupy_names.json"

MODULES = ("", "linalg", "fft", "lib.stride_tricks")


def parameters(of: Any) -> list[str] | None:
    """The names of a function's parameters; None if it takes any."""
    try:
        found = inspect.signature(of).parameters.values()
    except (TypeError, ValueError):
        first = (getattr(of, "__doc__", None) or "").partition("\n")[0]
        text = re.search(r"\((.*)\)", first)
        if text is None:
            return None
        found = [part.strip().partition("=")[0].rpartition(" ")[2] for part in text[1].split(",")]
        return [name for name in found if name.isidentifier() and name != "self"]
    if any(p.kind in (p.VAR_KEYWORD, p.VAR_POSITIONAL) for p in found):
        return None
    return [p.name for p in found if p.name != "self"]


def functions() -> dict[str, list[str] | None]:
    import cupy

    found: dict[str, list[str] | None] = {}
    for module in MODULES:
        theirs: Any = cupy
        ours: Any = np
        for part in filter(None, module.split(".")):
            theirs, ours = getattr(theirs, part), getattr(ours, part)
        for name in dir(ours):
            function = getattr(ours, name)
            if not callable(function) or isinstance(function, (type, np.ufunc)) or name.startswith("_"):
                continue
            if hasattr(theirs, name):
                where = ".".join(filter(None, ("numpy", module)))
                found[f"{where}.{name}"] = parameters(getattr(theirs, name))
    return found


def over_main_memory(a: np.ndarray) -> Any:
    """CuPy's array class over memory that no GPU can reach."""
    import cupy
    from cupy.cuda.memory import MemoryPointer, UnownedMemory

    memory = UnownedMemory(a.ctypes.data, a.nbytes, a, device_id=0)
    return cupy.ndarray(a.shape, a.dtype, MemoryPointer(memory, 0), a.strides)


def has_method(ufunc: np.ufunc, method: str, array: Any) -> bool:
    """Whether CuPy has a method of a ufunc: the call then fails for want of a driver, and not before."""
    try:
        getattr(ufunc, method)(array)
    except (TypeError, NotImplementedError, AttributeError):
        return False
    except Exception as error:
        return "Driver" in str(error)
    return True


def ufuncs() -> tuple[list[str], list[str], list[str]]:
    """The ufuncs that CuPy has, by the name that it looks them up by, and those with `reduce` and with `accumulate`."""
    import cupy
    import cupyx.scipy.special

    array = over_main_memory(np.ones(4))
    found = {}
    for ours, theirs in ((np, cupy), (scipy.special, cupyx.scipy.special)):
        for name in dir(ours):
            ufunc = getattr(ours, name)
            if isinstance(ufunc, np.ufunc) and callable(getattr(theirs, ufunc.__name__, None)):
                found[ufunc.__name__] = ufunc
    two = {name: ufunc for name, ufunc in found.items() if ufunc.nin == 2 and ufunc.nout == 1}
    methods = [sorted(n for n, u in two.items() if has_method(u, m, array)) for m in ("reduce", "accumulate")]
    return sorted(found), methods[0], methods[1]


def members() -> dict[str, list[str] | None]:
    """The members of CuPy's array, and the parameters of those that are methods."""
    import cupy

    return {
        name: parameters(getattr(cupy.ndarray, name)) if callable(getattr(cupy.ndarray, name)) else None
        for name in sorted(dir(np.ndarray))
        if hasattr(cupy.ndarray, name) and not name.startswith("_")
    }


def main() -> None:
    import cupy

    known, reduce, accumulate = ufuncs()
    found = {
        "cupy": cupy.__version__, "ufuncs": known, "reduce": reduce, "accumulate": accumulate,
        "functions": functions(), "members": members(),
    }  # fmt: skip
    TARGET.write_text(json.dumps(found, indent=0, sort_keys=True) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
