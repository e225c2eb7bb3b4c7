"""Every public callable, called with arguments that do not fit: our refusal beside PyTorch's, in one process.

python -m tests.operators.sweep                        2,000 calls, and what differs
python -m tests.operators.sweep --calls 100000         as many as asked for
python -m tests.operators.sweep --calls 3000 add sort  of some names alone
python -m tests.operators.sweep --extremes             whole numbers out of all measure, one a call
python -m tests.operators.sweep --freeze               writes calls and PyTorch's answers to sweep.json.gz

The calls run in a child process with little memory and a watchdog: what crashes or hangs is named, and the next child
goes on behind it. A call counts as wrong when our engine crashes, hangs, names its own inside, changes an argument
before it fails, or answers with another type of exception than PyTorch.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import multiprocessing
import operator
import re
import resource
import sys
import warnings
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import tensorwidgets as tw
from tensorwidgets.engine.calling.notation import notation, torch_signatures
from tests.engine.calls.calls import plain_message
from tests.operators.sweep_calls import Target, argument_lists, extreme_calls, split, written_calls

FROZEN = Path(__file__).with_name("sweep.json.gz")
SECONDS = 5
"""How long a call may take before it counts as hanging."""
MEMORY = 4 << 30
"""How much address space a child may add to what it starts with."""

INSIDES = re.compile(
    r"\b_(?!unique2|lu_with|convert|_)\w+\(\)|<locals>|<lambda>|tensorwidgets|\bkernel\(\)|ufunc|_array|MetaArray"
    r"|(?<![\w.])numpy(?!\.(ndarray|bool|float32|int64)\b)|'NoneType' object|\.py\b"
    r"|object is not (iterable|subscriptable|callable)|reshape array|broadcast together"
    r"|\b(to|by|of|for|with|in)\s*$",
)
"""What a message of ours must not say, unless PyTorch says the same."""

STATE = re.compile(
    r"(^|\.)(set_|manual_seed|seed|use_|inference_mode|is_inference_mode|no_grad|enable_grad|save|load|get_rng|fork|"
    r"init|share_memory|register_|retain|backward|show|why|route|add_kind|forget|from_file|quantize|q_|fake|dequantize|"
    r"empty|rand|new_empty|resize_as_sparse|sparse|_|initial_seed|default_generator|typename|is_deterministic|are_det|"
    r"get_num|is_anomaly|cuda|pin_memory|is_pinned|map_|map2_|apply_|module_load|reinforce|split_with_sizes_copy|"
    r"multinomial|normal|bernoulli|poisson|binomial|dropout|storage$|__)",
)
"""Callables that change how all others work, or whose answers are left to chance or to what lay in memory."""
STILL_ASKED = frozenset(
    "torch.rand torch.randn torch.randint torch.randperm torch.rand_like torch.randn_like torch.randint_like "
    "torch.empty torch.empty_like torch.multinomial torch.normal torch.bernoulli torch.poisson torch.Tensor.bernoulli_ "
    "torch.Tensor.set_ torch.Tensor.new_empty torch.Tensor.normal_ torch.Tensor.multinomial torch.Tensor.__getitem__ "
    "torch.Tensor.__setitem__ torch.empty_strided torch.empty_permuted torch.Tensor.new_empty_strided".split()
)
"""These are asked all the same: refusals do not depend on chance."""


OPERATORS = (
    "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift lt le gt ge eq ne iadd isub imul itruediv "
    "iand ipow imatmul getitem delitem contains neg abs invert index"
)


class Answer(NamedTuple):
    """What became of a call: nothing in `type` where it gave a result."""

    type: str
    line: str
    changed: str = ""


# --- what is called ---


def targets(wanted: Iterable[str] = ()) -> list[Target]:
    """What both engines have, with the ways in which PyTorch says that it is called."""
    import torch

    found = []
    for module in ("torch", "torch.linalg", "torch.fft", "torch.special", "torch.Tensor"):
        theirs, ours = _at(torch, module), _at(tw, module)
        for name in sorted(dir(theirs)):
            full = f"{module}.{name}"
            if STATE.search(full.removeprefix("torch.")) and full not in STILL_ASKED:
                continue
            if wanted and name not in wanted and full not in wanted:
                continue
            function = getattr(theirs, name)
            with contextlib.suppress(AttributeError):
                if callable(function) and callable(getattr(ours, name)) and not isinstance(function, type):
                    found.append(Target(full, _ways(full)))
        if module == "torch.Tensor":
            for name in OPERATORS.split():
                if not wanted or name in wanted:
                    tensor, anything = ("Tensor", "a", False, False), ("Number", "b", False, False)
                    found.append(Target(f"operator.{name}", ((tensor, anything), (anything, tensor))))
    return found


def _at(torch: Any, path: str) -> Any:
    for part in path.split(".")[1:]:
        torch = getattr(torch, part)
    return torch


def _ways(full: str) -> tuple:
    """The parameters of each way to call a function, as PyTorch's notation has them."""
    found = []
    for way in torch_signatures().get(full.removeprefix("torch."), ()):
        if way.startswith("def "):
            names = re.findall(r"(\w+)(=?)", way[4:].replace("=None", "=").replace("self", ""))
            found.append(tuple([(_GUESSED.get(name, "object"), name, False, bool(equals)) for name, equals in names]))
        elif not way.startswith("-"):
            found.append(tuple([(p.shown, p.name, p.keyword_only, p.optional) for p in notation(way).parameters]))
    return tuple(found)


_GUESSED = {
    "input": "Tensor", "other": "Tensor", "self": "Tensor", "a": "Tensor", "b": "Tensor", "A": "Tensor", "x1": "Tensor",
    "tensor": "Tensor", "tensors": "tuple of Tensors", "dim": "int", "dims": "tuple of ints", "out": "Tensor",
    "keepdim": "bool", "dtype": "torch.dtype", "p": "Number", "x2": "Tensor", "size": "tuple of ints",
}  # fmt: skip


# --- asking ---


def names(torch: Any) -> dict[str, Any]:
    return {"torch": torch, "np": np}


def answer(torch: Any, text: str) -> Answer:
    """What a call gives. Of our own engine also what changed although the call failed."""
    try:
        args, named = argument_lists(text, names(torch))
    except Exception as error:
        return Answer(type(error).__name__, f"(an argument) {error}")
    before = snapshot((args, named)) if torch is tw else None
    name = split(text)[0]
    try:
        (getattr(operator, name[9:]) if name.startswith("operator.") else _at(torch, name))(*args, **named)
    except Exception as error:
        changed = "" if before is None else _difference(before, snapshot((args, named)))
        return Answer(type(error).__name__, first_line(error), changed)
    return Answer("", "")


def first_line(error: Exception) -> str:
    try:
        return plain_message(str(error)).split("\n")[0]
    except Exception as other:
        return f"a message that cannot be shown: {other!r}"


def snapshot(given: Any) -> list[tuple]:
    """All that can be seen of our tensors and storages among the arguments."""
    found = []
    if isinstance(given, tw.Tensor):
        base = given if given._base is None else given._base
        for t in (given, base):
            array = t._array
            numbers = array.tobytes() if isinstance(array, np.ndarray) and array.size < 4096 else b""
            storage = None if t._storage is None else (id(t._storage), t._storage.nbytes())
            seen = (t.shape, t.stride(), t.storage_offset(), t.dtype, numbers, storage, t._version, t.requires_grad)
            found.append((*seen, t._names, t._keys))
    elif isinstance(given, tw.UntypedStorage):
        found.append((given.nbytes(), given.tolist()))
    elif isinstance(given, (list, tuple)):
        found += [seen for part in given for seen in snapshot(part)]
    elif isinstance(given, dict):
        found += snapshot(list(given.values()))
    return found


_SEEN = ("size", "stride", "offset", "dtype", "numbers", "storage", "version", "requires_grad", "names", "keys")


def _difference(before: list[tuple], after: list[tuple]) -> str:
    told = {
        name
        for one, two in zip(before, after, strict=True)
        for name, a, b in zip(_SEEN, one, two, strict=False)
        # A storage that is made when somebody asks for it is no change.
        if a != b and not (name == "storage" and a is None)
    }
    return ", ".join(sorted(told))


# --- in a child ---


def _child(texts: list[str], start: int, pipe: Any, both: bool) -> None:
    warnings.simplefilter("ignore")
    with open("/proc/self/statm", encoding="ascii") as told:
        now = int(told.read().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (now + MEMORY, now + MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    engines: list[Any] = [tw]
    if both:
        import torch

        torch.set_num_threads(1)
        engines.insert(0, torch)
    for i in range(start, len(texts)):
        with np.errstate(all="ignore"):
            for torch in engines:
                pipe.send((i, *answer(torch, texts[i])))
    pipe.send(None)


def asked(texts: list[str], both: bool = True) -> Iterator[tuple[str, Answer, Answer]]:
    """Each call with PyTorch's answer and ours; a call that PyTorch itself does not survive is left out."""
    context = multiprocessing.get_context("fork")
    start = 0
    while start < len(texts):
        reading, writing = context.Pipe(duplex=False)
        child = context.Process(target=_child, args=(texts, start, writing, both))
        child.start()
        writing.close()
        theirs: Answer | None = None if both else Answer("", "")
        end = ""
        while True:
            try:
                told = reading.recv() if reading.poll(SECONDS) else _HANGS
            except EOFError:
                end = "crash"
                break
            if told is _HANGS:
                end = "hang"
                break
            if told is None:
                child.join()
                return
            if theirs is None:
                theirs = Answer(*told[1:])
                continue
            yield texts[start], theirs, Answer(*told[1:])
            start += 1
            theirs = None if both else Answer("", "")
        child.kill()
        child.join()
        if theirs is not None:
            yield texts[start], theirs, Answer(end, "")
        start += 1


_HANGS = object()


# --- judging ---


class Tally:
    """What was wrong, counted."""

    def __init__(self) -> None:
        self.count = self.refused = self.types = self.lines = 0
        self.faults: Counter[str] = Counter()

    def add(self, theirs: Answer, ours: Answer) -> list[str]:
        """What is wrong with our answer."""
        self.count += 1
        found = []
        if ours.type in ("crash", "hang"):
            found.append(ours.type)
        if ours.changed:
            found.append("changed")
        if INSIDES.search(ours.line) and ours.line != theirs.line:
            found.append("insides")
        self.refused += bool(theirs.type)
        if theirs.type != ours.type:
            found.append("type" if theirs.type and ours.type else "accepted" if theirs.type else "refused")
        elif theirs.type:
            self.types += 1
            self.lines += theirs.line == ours.line
            if theirs.line != ours.line:
                found.append("line")
        self.faults.update(found)
        return found

    @property
    def outcomes(self) -> float:
        """The share of calls with PyTorch's outcome: a result, or an exception of the same type."""
        return 1 - sum(self.faults[name] for name in ("type", "accepted", "refused")) / max(1, self.count)

    def __str__(self) -> str:
        faults = ", ".join(f"{name} {count}" for name, count in sorted(self.faults.items()))
        return (
            f"{self.count} calls, {self.refused} refused by PyTorch: the same outcome {self.outcomes:.2%}, "
            f"of its refusals the same type {self.types / max(1, self.refused):.2%}, the same first line "
            f"{self.lines / max(1, self.refused):.2%}; {faults}"
        )


def main() -> None:
    reader = argparse.ArgumentParser(description="Calls with wrong arguments, put to both engines.")
    reader.add_argument("names", nargs="*")
    reader.add_argument("--calls", type=int, default=2000)
    reader.add_argument("--seed", default="")
    reader.add_argument("--show", default="crash hang changed insides type accepted refused")
    reader.add_argument("--extremes", action="store_true", help="whole numbers out of all measure instead")
    reader.add_argument("--freeze", action="store_true")
    chosen = reader.parse_args()
    warnings.simplefilter("ignore")
    if chosen.freeze:
        return freeze(chosen.calls)
    asked_about = targets(chosen.names)
    texts = list(written_calls(asked_about, chosen.calls, chosen.seed))
    if chosen.extremes:
        texts = list(extreme_calls(asked_about))
    tally, shown = Tally(), set(chosen.show.split())
    for text, theirs, ours in asked(texts):
        found = tally.add(theirs, ours)
        if shown.intersection(found):
            told = f"\n    PyTorch: {theirs.type}: {theirs.line}\n    ours:    {ours.type}: {ours.line}"
            print(f"{'+'.join(found)}: {text}{told}{'  CHANGED ' + ours.changed if ours.changed else ''}")
    print(tally)


def freeze(count: int) -> None:
    """Write calls and PyTorch's answers, but for those that ask for much memory, which depend on the machine."""
    texts = list(written_calls(targets(), count, "frozen"))
    rows = []
    for text, theirs, _ in asked(texts):
        large = not theirs.type and re.search(r"2\*\*(31|40|6)|10\*\*", text)
        if not large and "alloc" not in theirs.line:
            rows.append([text, theirs.type, theirs.line])
    data = json.dumps(rows, separators=(",", ":")).encode()
    FROZEN.write_bytes(gzip.compress(data, mtime=0))
    print(f"{len(rows)} calls, {FROZEN.stat().st_size} bytes")


def frozen() -> list[tuple[str, Answer]]:
    """The calls of the file, and PyTorch's answers."""
    return [(text, Answer(type, line)) for text, type, line in json.loads(gzip.decompress(FROZEN.read_bytes()))]


if __name__ == "__main__":
    sys.exit(main())
