"""Read off PyTorch in which ways its functions and methods are called, and write that down for the engine's refusals.

    python tests/engine/calls/freeze_ways.py

PyTorch keeps the notation of each function as a text in its library, and reads the arguments by it. The texts are taken
from there. Which of several texts of one name belong to the function and which to the method, and in which order they
are tried, is asked of PyTorch by calling it with nonsense. Functions that Python runs have a signature of Python's.
"""

from __future__ import annotations

import inspect
import re
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import torch

import tensorwidgets as tw
from tensorwidgets.engine import calling
from tensorwidgets.engine.calling.notation import notation
from tensorwidgets.engine.calling.readers import shown_name

WAYS = Path(calling.__file__).with_name("torch_signatures.txt")
ROOMS = {
    "": "torch", "Tensor.": "torch.Tensor", "linalg.": "torch.linalg", "fft.": "torch.fft", "special.": "torch.special",
    "nn.functional.": "torch.nn.functional", "sparse.": "torch.sparse", "signal.windows.": "torch.signal.windows",
}  # fmt: skip


HIDDEN_BY_PYTHON = {
    "unique": "def (input, sorted=True, return_inverse=False, return_counts=False, dim=None)",
    "unique_consecutive": "def (input, return_inverse=False, return_counts=False, dim=None)",
    "lu": "def (A, pivot=True, get_infos=False, out=None)",
}
"""Functions of which Python says only that they take anything."""
CALLED_BY_PYTHON = (
    "_sparse_sum _unique2 unique_dim unique_consecutive _lu_with_info cdist split split_with_sizes broadcast_tensors "
    "cartesian_prod block_diag chain_matmul pad stft "
    "adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d adaptive_max_pool3d binary_cross_entropy col2im "
    "cross_entropy_loss elu embedding_renorm_ fractional_max_pool2d fractional_max_pool3d glu "
    "hardtanh huber_loss "
    "im2col leaky_relu max_pool2d_with_indices max_pool3d_with_indices multi_margin_loss "
    "multilabel_margin_loss nll_loss_nd smooth_l1_loss soft_margin_loss "
).split()
"""Functions of the library that PyTorch's Python calls; their names are written with a > before them."""


class Odd:
    """What fits no argument."""


def texts() -> dict[str, list[str]]:
    """The notations in PyTorch's library, by name."""
    library = Path(torch.__file__).parent / "lib" / "libtorch_python.so"
    found: dict[str, list[str]] = {}
    for name, way in re.findall(rb"(?<=\0)([a-zA-Z_]\w*)\(([^\0]*\)(?:\|deprecated)?)\0", library.read_bytes()):
        way = way.decode(errors="replace").replace(")|deprecated", "|deprecated").removesuffix(")")
        if re.fullmatch(r"[\w \[\]?*,=.:<>{}()\"'|-]*", way):
            found.setdefault(name.decode(), []).append(way)
    return found


def listed(function: Callable, first: tuple) -> list[str]:
    """The ways that a refusal lists, as it prints them; nothing where there is only one."""
    for count in range(14):
        try:
            function(*first, *[Odd()] * count)
        except TypeError as error:
            message = str(error)
            if "expected one of:" in message:
                return re.findall(r"^ \* \((.*)\)$", message, re.M)
            shown = re.search(r"but expected \((.*)\)$", message.partition("\n")[0])
            if shown:
                return [shown.group(1)]
        except Exception:  # another refusal, which lists nothing
            continue
    return []


def no_arguments(function: Callable, first: tuple) -> str:
    """A sign for what takes no argument at all, or exactly one."""
    try:
        function(*first, Odd(), Odd())
    except TypeError as error:
        if "takes no arguments" in str(error):
            return "-"
        return "-1" if "takes exactly one argument" in str(error) else ""
    except Exception:
        return ""
    return ""


def ways_of(name: str, method: bool, function: Any, known: dict[str, list[str]]) -> list[str]:
    """The notations by which one function or method reads its arguments, in their order."""
    if name in HIDDEN_BY_PYTHON and not method:
        return [HIDDEN_BY_PYTHON[name]]
    if inspect.isfunction(function):
        return ["def " + without_annotations(inspect.signature(function))]
    first = (torch.ones(2),) if method else ()
    sign = no_arguments(function, first)
    if sign:
        return [sign]
    candidates = known.get(shown_name(name), [])
    shown = listed(function, first) if candidates else []  # an old name of another function has no texts
    if shown:
        old = [way for way in candidates if way.endswith("|deprecated") and takes_input(way) != method]
        return old + [_matching(name, text, candidates) for text in shown]
    return [way for way in candidates if takes_input(way) != method][:1] or candidates[:1]


def takes_input(way: str) -> bool:
    return bool(re.search(r"\b(input|self)\b", way))


def _matching(name: str, text: str, candidates: list[str]) -> str:
    for way in candidates:
        if notation(way).text == text:
            return way
    raise AssertionError(f"{name}: {text!r} is not among {[notation(way).text for way in candidates]}")


def without_annotations(s: inspect.Signature) -> str:
    """A signature of Python's with its names and defaults alone; a default that is no literal is written as None."""
    empty = inspect.Parameter.empty
    given = [p.replace(annotation=empty) for p in s.parameters.values()]
    plain = (empty, *map(type, (True, 1, 1.0, "")))
    return str(
        inspect.Signature(
            [p if p.default is empty or type(p.default) in plain else p.replace(default=None) for p in given]
        )
    )


def callables() -> Iterator[tuple[str, bool, Any]]:
    """The name of each function and method that both have, whether it is a method, and PyTorch's own."""
    for prefix, path in ROOMS.items():
        theirs: Any = torch
        ours: Any = tw
        for part in path.split(".")[1:]:
            theirs, ours = getattr(theirs, part), getattr(ours, part)
        for name in sorted(dir(theirs)):
            function = getattr(theirs, name)
            if name.startswith("_") or not callable(function) or isinstance(function, type):
                continue
            if callable(getattr(ours, name, None)):
                yield prefix + name, prefix == "Tensor.", function


def main() -> None:
    warnings.simplefilter("ignore")
    known, lines = texts(), []
    for name, method, function in callables():
        ways = ways_of(name.removeprefix("Tensor."), method, function, known)
        if ways:
            lines.append("\t".join((name, *ways)))
        else:
            print("no notation:", name, type(function).__name__)
    for name in CALLED_BY_PYTHON:
        lines.append("\t".join((f">{name}", *[way for way in known[name] if re.match(r"Tensor |TensorList ", way)])))
    WAYS.write_text("\n".join(sorted(lines)) + "\n", encoding="utf-8")
    print(f"{len(lines)} functions and methods, {WAYS.stat().st_size} bytes")


if __name__ == "__main__":
    main()
