"""PyTorch names that this package lacks: what each is for, and whether it is planned."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from fnmatch import fnmatchcase
from typing import Any, NoReturn

from .reasons import Reason

OUT_OF_SCOPE = {
    "quasirandom": ("numbers that only look random, spread evenly: a SobolEngine", "scipy.stats.qmc.Sobol"),
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
    "*DataPipe DataChunk datapipes functional_datapipe argument_validation runtime_validation*": (
        "datasets made of pipes, which PyTorch no longer develops",
        "torch.utils.data.IterableDataset",
    ),
    "collect_env cpp_extension cpp_backtrace cmake_prefix_path mobile_optimizer ThroughputBenchmark": (
        "tools around PyTorch's own build",
        "torch.__config__.show()",
    ),
    "sym_*": ("sizes that are not known yet, for PyTorch's compiler", "Python's own int, float and bool"),
}
"""Patterns of names that are out of scope: what they are, and what to use instead."""

LATER = {
    "Container"
    " *grouped_mm scaled_mm intrinsic qat quantizable quantized ao": "layers of neural networks and their functions",
    "forward_ad jvp jacfwd linearize": "derivatives that go forward with a call",
    "vmap functionalize": "functions of one example that are called with a batch",
    "distributions": "probability distributions",
    "masked nested jagged": "tensors of which some elements do not count, or of uneven rows",
    "*autocast*": "numbers of two precisions in one program",
    "rpc FullyShardedDataParallel DistributedOptimizer *Store fsdp checkpoint tensor *DeviceMesh *device_mesh"
    " split_group": "several processes",
    "_python_dispatch": "classes that see the ops below a call",
    "export fx trace trace_module freeze script_method": "compilers for models",
    "profiler monitor hub model_zoo onnx package": "tools around models",
    "mtia *memory* nvtx CUDAGraph graphs make_graphed_callables graph_pool_handle cudart jiterator nccl tunable"
    " MemPool use_mem_pool utilization temperature power_draw clock_rate CUDAPluggableAllocator"
    " change_current_allocator default_generators": "devices",
}
"""Patterns of names that are planned, and what they are about."""

UNTIL_THEN = {
    "profiler": ("torch.recording()", "cProfile.Profile()"),
    "forward_ad jvp linearize": ("torch.autograd.functional.jvp(function, x, v)",),
    "jacfwd": ("torch.func.jacrev(function)",),
    "vmap": ("torch.stack([function(x) for x in batch])",),
    "nested jagged": ("torch.nn.utils.rnn.pad_sequence(tensors, batch_first=True)",),
    "masked": ("torch.where(mask, x, 0)",),
    "flex_attention": ("torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask)",),
    "export trace trace_module freeze": ("torch.save(model.state_dict(), 'model.pt')",),
}
"""What does the same in another way until a planned name is there, by patterns."""


def missing(module: str, name: str, known: Iterable[str] | Callable[[], Iterable[str]]) -> NoReturn:
    """Raise AttributeError for a name that a module lacks, and say why. `known` are the names that it has.

    >>> missing("tensorwidgets", "quasirandom", [])
    Traceback (most recent call last):
    AttributeError: module 'tensorwidgets' has no attribute 'quasirandom': torch.quasirandom is out of scope here
    numbers that only look random, spread evenly: a SobolEngine
    Instead: scipy.stats.qmc.Sobol
    """
    if name.startswith("__") and name.endswith("__"):  # asked for by tools: an error before it stays the last one
        raise AttributeError(_no_attribute(module, name))
    reason = reason_of_absence(module, name)
    if reason is not None:
        reason.refuse()
    raise UnknownName(module, name, known).exception()


class UnknownName(Reason):
    """The reason for an unknown name. `hasattr` asks for many, so names near it are only sought when they are read."""

    def __init__(self, module: str, name: str, known: Iterable[str] | Callable[[], Iterable[str]]):
        super().__init__("name.unknown", AttributeError, _no_attribute(module, name), facts={"name": name})
        self.__dict__["_known"] = known

    @property
    def because(self) -> str:  # type: ignore[override]
        found: str | None = self.__dict__.get("_near")
        if found is None:
            name, known = self.facts["name"], self.__dict__["_known"]
            names = known() if callable(known) else known
            near = () if name.startswith("_") else get_close_matches(name, list(names), 3)
            found = self.__dict__["_near"] = "similar names: " + ", ".join(near) if near else ""
        return found

    @because.setter
    def because(self, value: str) -> None:
        """The field of other reasons."""

    def explain(self, error: Any) -> None:
        error.__notes__ = _Notes(self)


class _Notes(list):
    """The note of an exception, made when somebody looks at it."""

    def __init__(self, reason: Reason):
        super().__init__()
        self._reason: Reason | None = reason

    def _made(self) -> list:
        reason, self._reason = self._reason, None
        if reason is not None and (note := reason.note()):
            self.insert(0, note)
        return self

    def __iter__(self) -> Iterator[str]:
        return list.__iter__(self._made())

    def __len__(self) -> int:
        return list.__len__(self._made())

    def __getitem__(self, place: Any) -> Any:
        return list.__getitem__(self._made(), place)

    def __eq__(self, other: object) -> bool:
        return list.__eq__(self._made(), other)

    def __repr__(self) -> str:
        return list.__repr__(self._made())

    __hash__ = None  # type: ignore[assignment]


def reason_of_absence(module: str, name: str, error: type[Exception] = AttributeError) -> Reason | None:
    """The reason why a PyTorch name is missing; None for an unknown name."""
    full_name = f"torch{module.partition('.')[1]}{module.partition('.')[2]}.{name}"
    facts = {"name": name}
    for patterns, (what, instead) in OUT_OF_SCOPE.items():
        if _matches(name, patterns):
            message = f"{_no_attribute(module, name)}: {full_name} is out of scope here"
            return Reason("name.scope", error, message, what, (instead,), facts)
    for patterns, what in LATER.items():
        if _matches(name, patterns):
            message = f"{_no_attribute(module, name)}: {full_name} is for later"
            because = f"{what}: this package is about tensors, and has no code for these yet"
            meanwhile = next((ways for names, ways in UNTIL_THEN.items() if _matches(name, names)), ())
            return Reason("name.later", error, message, because, meanwhile, facts)
    return None


def _no_attribute(module: str, name: str) -> str:
    return f"module {module!r} has no attribute {name!r}"


def _matches(name: str, patterns: str) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns.split())
