"""PyTorch names that this package lacks: what each is for, and whether it is planned."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import NoReturn

from .reasons import Reason, refuse

OUT_OF_SCOPE = {
    "_foreach_*": ("one operation on a list of tensors, made for optimisers", "[torch.{} for x in tensors]"),
    "quasirandom": ("numbers that only look random, spread evenly: a SobolEngine", "scipy.stats.qmc.Sobol"),
    "serialization": (
        "classes that a file may hold besides tensors, and switches of PyTorch's loader; here the list is fixed",
        "torch.save and torch.load",
    ),
    "bit bits* int? uint? float4_* float8_e8m0fnu": (
        "numbers of fewer bits than a byte, or of none in particular, that are stored and not computed with",
        "torch.uint8",
    ),
    "fbgemm_* *cudnn* miopen_* mkldnn_* *_mkldnn quantized_* *vulkan*": (
        "a function of one library that PyTorch is built with",
        "the function of the same name without the library's",
    ),
    "from_file": (
        "a tensor over a file that is mapped into memory; NumPy maps files, and its arrays share their memory with us",
        "torch.from_numpy(numpy.memmap(path, dtype='float32', mode='c'))",
    ),
    "sym_* Sym*": ("sizes that are not known yet, for PyTorch's compiler", "Python's own int, float and bool"),
}
"""Patterns of names that are out of scope: what they are, and what to use instead."""

LATER = {
    "conv_tbc adaptive_max* gru* lstm* rnn_* *_loss cosine_similarity pairwise_distance pixel_* channel_shuffle"
    " affine_grid* grid_sampler*": "layers of neural networks and their functions",
    "forward_ad jvp jacfwd linearize": "derivatives that go forward with a call",
    "vmap functionalize stack_module_state": "functions of one example that are called with a batch",
    "allow_mutation_on_saved_tensors": "copies of saved tensors that are made when they are written to",
    "distributions": "probability distributions",
    "masked nested jagged": "tensors of which some elements do not count, or of uneven rows",
    "data DataLoader": "loading data in batches",
    "amp autocast* GradScaler": "numbers of two precisions in one program",
    "distributed rpc multiprocessing": "several processes",
    "compile export fx script trace freeze ScriptModule ScriptFunction": "compilers for models",
    "profiler monitor hub onnx package library ops make_tensor": "tools around models",
    "xpu mps mtia cpu Stream Event *memory* current_device synchronize get_device_* empty_cache": "devices",
    "get_device_module": "devices",
}
"""Patterns of names that are planned, and what they are about."""


def missing(module: str, name: str, known: Iterable[str]) -> NoReturn:
    """Raise AttributeError for a name that a module lacks, and say why. `known` are the names that it has.

    >>> missing("tensorwidgets", "quasirandom", [])
    Traceback (most recent call last):
    AttributeError: module 'tensorwidgets' has no attribute 'quasirandom': torch.quasirandom is out of scope here
    numbers that only look random, spread evenly: a SobolEngine
    Instead: scipy.stats.qmc.Sobol
    """
    reason = reason_of_absence(module, name)
    if reason is not None:
        reason.refuse()
    near = () if name.startswith("_") else get_close_matches(name, list(known), 3)
    refuse(AttributeError, _no_attribute(module, name), *_suggestions(near), rule="name.unknown", name=name)


def reason_of_absence(module: str, name: str, error: type[Exception] = AttributeError) -> Reason | None:
    """The reason why a PyTorch name is missing; None for an unknown name."""
    full_name = f"torch{module.partition('.')[1]}{module.partition('.')[2]}.{name}"
    facts = {"name": name}
    for patterns, (what, instead) in OUT_OF_SCOPE.items():
        if _matches(name, patterns):
            way = instead.format(name.removeprefix("_foreach_").rstrip("_") + "(x)")
            message = f"{_no_attribute(module, name)}: {full_name} is out of scope here"
            return Reason("name.scope", error, message, what, (way,), facts)
    for patterns, what in LATER.items():
        if _matches(name, patterns):
            message = f"{_no_attribute(module, name)}: {full_name} is for later"
            because = f"{what}: this package is about tensors, and has no code for these yet"
            return Reason("name.later", error, message, because, (), facts)
    return None


def _no_attribute(module: str, name: str) -> str:
    return f"module {module!r} has no attribute {name!r}"


def _matches(name: str, patterns: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns.split())


def _suggestions(near: Iterable[str]) -> tuple[str, ...]:
    listed = ", ".join(near)
    return (f"near it: {listed}",) if listed else ()
