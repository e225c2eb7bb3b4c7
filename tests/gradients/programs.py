"""Programs of gradients, views and in-place writes: run on two engines, looked at, made small where they differ.

python -m tests.gradients.programs --count 20000 --seed 0     fresh programs, ours beside PyTorch's
python -m tests.gradients.programs --kind calls               another vocabulary: hooks, `out=`, functions, layers
python -m tests.gradients.programs --kind nodes               a third one: nodes, edges, flags, modes, contexts
python -m tests.gradients.programs --kind writes              a fourth one: writes into views, modes, flags, other data
python -m tests.gradients.programs --engine torch             PyTorch beside itself, which tests the test
python -m tests.gradients.programs --freeze                   writes some with PyTorch's answers to programs.json.gz,
                                                              or to calls.json.gz, nodes.json.gz, writes.json.gz

A program is a list of lines of Python over ``torch``; its tensors are its variables. Looking at a tensor changes what
an engine has to know of it (a view finds its new node when somebody asks), so of four programs one is looked at after
each line, the others only at their end.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import importlib
import json
import math
import multiprocessing
import multiprocessing.connection
import os
import re
import signal
import struct
import sys
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from tests.gradients.functions import custom_functions  # noqa: E402  # threads are counted when NumPy is imported
from tests.gradients.graphs import graph  # noqa: E402
from tests.gradients.scope import call_scope  # noqa: E402
from tests.python_words import in_words_of_3_11  # noqa: E402

FROZEN = {
    kind: Path(__file__).with_name(f"{file}.json.gz")
    for kind, file in (("views", "programs"), ("calls", "calls"), ("nodes", "nodes"), ("writes", "writes"))
}
COUNT_FROZEN = 400
VARIABLES = frozenset("abcdefgh")
SECONDS = 10

Program = list[str]
Seen = dict[str, Any]
Outcome = tuple[str, str, dict[str, int]]
"""The kind of a difference, the program made small with what differs, and what PyTorch did."""


def looks_each(seed: int) -> bool:
    """Whether the program of this seed is looked at after every line."""
    return seed % 4 == 0


def scope_for(torch: Any) -> dict[str, Any]:
    """What the lines of a program can name."""
    log: list[Any] = []
    return {"torch": torch, "log": log, **custom_functions(torch), **call_scope(torch, log)}


def writer_of(kind: str) -> Callable[[int, Any], Program]:
    """What writes the programs of a kind: the program of a seed, written beside an engine."""
    name = {"views": "writer", "calls": "caller", "nodes": "walker", "writes": "mixer"}[kind]
    return importlib.import_module(f"tests.gradients.{name}").write


def run(program: Program, torch: Any, each: bool = True) -> list[Seen]:
    """Execute a program and write down, a line each, how it was refused and what the tensors are then."""
    scope = scope_for(torch)
    found = []
    try:
        for at, line in enumerate(program):
            seen = execute(line, scope)
            if each or at == len(program) - 1:
                seen["tensors"] = {name: look(scope[name], torch) for name in sorted(VARIABLES & scope.keys())}
                seen["log"] = [str(entry) for entry in scope["log"]]
            found.append(seen)
    finally:
        torch.set_grad_enabled(True)
    return found


def execute(line: str, scope: dict[str, Any]) -> Seen:
    """Run one line; its refusal, if there is one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            exec(compile(line, "<line>", "exec"), scope)
        except Exception as error:
            return {"error": [type(error).__name__, in_words_of_3_11(str(error).strip().split("\n")[0])]}
    return {}


def look(value: Any, torch: Any) -> Any:
    """Everything about a variable that two engines could disagree on."""
    if isinstance(value, torch.Tensor):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return tensor(value)
    if isinstance(value, (tuple, list)):
        return [look(v, torch) for v in value]
    return type(value).__name__ if value is None or not isinstance(value, (int, float, str)) else repr(value)


def tensor(t: Any) -> Seen:
    """One tensor. `is_leaf` comes first: to ask for the node would renew it."""
    return {
        "leaf": ask(lambda: t.is_leaf),
        "tracked": ask(lambda: t.requires_grad),
        "version": ask(lambda: t._version),
        **shown(t),
        "graph": ask(lambda: graph(t, 60)),
        "number": ask(lambda: t.output_nr),
        "view": ask(lambda: t._is_view()),
        "inference": ask(lambda: t.is_inference()),
        "retains": ask(lambda: t.retains_grad),
        "grad": ask(lambda: None if t.grad is None else {**shown(t.grad), "version": t.grad._version}),
    }


def shown(t: Any) -> Seen:
    """What a tensor prints, and its numbers with all their digits, which tell rounding from a mistake."""
    return {"text": ask(lambda: repr(t)), "numbers": ask(lambda: list(numbers_in(t.detach().to_dense().tolist())))}


def numbers_in(values: Any) -> Iterator[float]:
    """The numbers of nested lists; a complex one is two."""
    if isinstance(values, list):
        for value in values:
            yield from numbers_in(value)
    else:
        yield from (values.real, values.imag) if isinstance(values, complex) else (float(values),)


def ask(question: Callable[[], Any]) -> Any:
    try:
        return question()
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"


# --- comparing ---


def differences(ours: Seen, theirs: Seen) -> list[str]:
    """Where two engines saw different things after a line, as paths."""
    found = []
    if ours.get("error") != theirs.get("error"):
        found.append(f"error: {ours.get('error')} for {theirs.get('error')}")
    if not same_texts(ours.get("log"), theirs.get("log")):
        found.append(f"log: {ours.get('log')} for {theirs.get('log')}")
    _unlike("", ours.get("tensors"), theirs.get("tensors"), found)
    return found


def _unlike(path: str, a: Any, b: Any, found: list[str]) -> None:
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted((a.keys() | b.keys()) - {"numbers"}):
            if key != "text" or not same_shown(a, b):
                _unlike(f"{path}.{key}" if path else key, a.get(key), b.get(key), found)
    elif isinstance(a, list) and isinstance(b, list) and len(a) == len(b) and any(isinstance(v, dict) for v in a):
        for at, (x, y) in enumerate(zip(a, b, strict=True)):
            _unlike(f"{path}[{at}]", x, y, found)
    elif not same_texts(a, b):
        found.append(f"{path}: {a} for {b}")


PRINTED = re.compile(r"-?(?:\d+\.?\d*(?:e[+-]?\d+)?|inf|nan)j?,?")
"""A number as it is printed in a tensor."""
ALL_DIGITS = re.compile(r"-?\d+\.\d{13,}(?:e[+-]?\d+)?")
"""A float that is printed with all its digits, not rounded to a few."""
ROUNDINGS = 64
"""Numbers differ by rounding if they differ by no more than so many units in the last place of the largest of them, or
of 1. A program has at most 14 lines of a few roundings each, and so has the way back. Its numbers are about 1, so where
two of them cancel, the rest is as inexact as these. A wrong derivative is off by far more.
"""


def same_shown(a: Seen, b: Seen) -> bool:
    """Whether two tensors print the same, or the same but for numbers that differ by rounding. Zeros have a sign."""
    if a["text"] == b["text"]:
        return True
    words = [re.sub(r"[\s+]", "", PRINTED.sub("", each["text"])) for each in (a, b)]
    x, y = a.get("numbers"), b.get("numbers")
    return words[0] == words[1] and isinstance(x, list) and isinstance(y, list) and same_numbers(x, y, a["text"])


def same_numbers(a: list[float], b: list[float], text: str = "") -> bool:
    """Whether numbers are the same but for rounding."""
    unit = 2.0**-23 if "float32" in text or "complex64" in text or all(map(_is_single, (*a, *b))) else 2.0**-52
    near = ROUNDINGS * unit * max([1.0, *[abs(x) for x in a if math.isfinite(x)]])
    return len(a) == len(b) and all(
        math.copysign(1, x) == math.copysign(1, y) if x == y else abs(x - y) <= near or x != x and y != y
        for x, y in zip(a, b, strict=True)
    )


def _is_single(x: float) -> bool:
    return not math.isfinite(x) or abs(x) < 1e30 and struct.unpack("f", struct.pack("f", x))[0] == x


def same_texts(a: Any, b: Any) -> bool:
    """Whether two answers are the same but for rounding in numbers that have all their digits."""
    if a == b:
        return True
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same_texts, a, b))
    if not isinstance(a, str) or not isinstance(b, str) or ALL_DIGITS.sub("", a) != ALL_DIGITS.sub("", b):
        return False
    x, y = [[float(number) for number in ALL_DIGITS.findall(text)] for text in (a, b)]
    return same_numbers(x, y)


def first_difference(ours: list[Seen], theirs: list[Seen]) -> tuple[int, list[str]] | None:
    """The first line after which two runs differ, and how."""
    for at, (a, b) in enumerate(zip(ours, theirs, strict=True)):
        found = differences(a, b)
        if found:
            return at, found
    return None


def compared(program: Program, ours: Any, theirs: Any, each: bool) -> tuple[int, list[str]] | None:
    return first_difference(limited(program, ours, each), limited(program, theirs, each))


def limited(program: Program, torch: Any, each: bool) -> list[Seen]:
    """A run that ends: an engine that loops is told apart from one that answers."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"no end in {SECONDS} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return run(program, torch, each)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def shrink(program: Program, fails: Callable[[Program], bool]) -> Program:
    """The program without the lines that its failure does not need."""
    again = True
    while again:
        again = False
        for at in reversed(range(len(program))):
            shorter = program[:at] + program[at + 1 :]
            if shorter and fails(shorter):
                program, again = shorter, True
    return program


def told(program: Program, ours: Any, theirs: Any, each: bool) -> tuple[Program, list[str]]:
    """A failing program made small, and what differs at its end."""

    found = compared(program, ours, theirs, each)
    assert found is not None
    wanted = kind(found[1])[:40]

    def fails(p: Program) -> bool:
        now = compared(p, ours, theirs, each)
        return now is not None and kind(now[1])[:40] == wanted and all("NameError" not in d for d in now[1])

    small = program[: found[0] + 1]
    small = shrink(small, fails) if fails(small) else shrink(program, fails)
    found = compared(small, ours, theirs, each)
    assert found is not None
    return small[: found[0] + 1], found[1]


# --- the whole ---


def kind(differing: list[str]) -> str:
    """What sort of difference it is, for counting: the first one without names and numbers."""
    return re.sub(r"[\d.]+", "#", re.sub(r"^[a-h](\[\d\])*\.", "", differing[0]))[:90]


def outcome(seed: int, ours: Any, chosen: argparse.Namespace, say: Callable[[str], None]) -> Outcome:
    """What came of the program of a seed. Says when PyTorch has survived it."""
    import torch

    program, each = writer_of(chosen.kind)(seed, torch), looks_each(seed)
    theirs = limited(program, torch, each)
    say("asked")
    lines = [seen.get("error", ["", ""])[1] for seen in theirs]
    did = {
        "programs": 1,
        "lines": len(program),
        "refusals": sum(map(bool, lines)),
        "version errors": any("modified by an inplace" in line for line in lines),
        "CopySlices": "CopySlices" in str(theirs[-1]),
    }
    try:
        found = first_difference(limited(program, ours, each), theirs)
    except Exception as error:
        found = len(program) - 1, [f"crash: {type(error).__name__}: {error}"]
    if found is None:
        return "", "", did
    small, differing = program[: found[0] + 1], found[1]
    if chosen.show and not (chosen.hide and re.search(chosen.hide, kind(found[1]))):
        with contextlib.suppress(Exception):
            small, differing = told(program, ours, torch, each)
        chosen.show -= 1
        head = f"# seed {seed}, looked at {'each line' if each else 'at the end'}"
    else:
        head = ""
    return kind(found[1]), head and "\n".join([head, *small, *[f"    {d[:600]}" for d in differing[:6]]]), did


def _child(seeds: range, chosen: argparse.Namespace, pipe: Any) -> None:
    import torch

    torch.set_num_threads(1)
    ours = importlib.import_module(chosen.engine)
    for seed in seeds:
        pipe.send(seed)
        pipe.send(outcome(seed, ours, chosen, pipe.send))
    pipe.send(None)


def outcomes(chosen: argparse.Namespace) -> Iterator[Outcome]:
    """What came of each seed. Programs run in child processes, so one that crashes costs no more than itself."""
    seeds = range(chosen.seed, chosen.seed + chosen.count)
    context = multiprocessing.get_context("fork")
    at_work: dict[Any, tuple[Any, range]] = {}

    def begin(left: range) -> None:
        reading, writing = context.Pipe(duplex=False)
        child = context.Process(target=_child, args=(left, chosen, writing))
        child.start()
        writing.close()
        at_work[reading] = child, left

    for i in range(chosen.processes):
        begin(seeds[i :: chosen.processes])
    seed, asked = dict[Any, int](), set[Any]()
    while at_work:
        ready = multiprocessing.connection.wait(list(at_work), 4 * SECONDS)
        for pipe in ready or list(at_work):
            child, left = at_work[pipe]
            try:
                said = pipe.recv() if ready else "hang"
            except EOFError:
                said = "crash"
            if said == "asked":
                asked.add(pipe)
            elif isinstance(said, int):
                seed[pipe] = said
                asked.discard(pipe)
            elif isinstance(said, tuple):
                yield said
            else:
                del at_work[pipe]
                child.kill() if said else None
                child.join()
                if said and pipe in asked:
                    yield said, f"# seed {seed[pipe]}: {said}", {"programs": 1}
                elif said and pipe in seed:
                    yield "", "", {f"PyTorch's own {said}": 1}
                if said == "hang" and pipe not in seed:  # on a busy machine PyTorch may take long to start
                    begin(left)
                elif said:
                    begin(left[left.index(seed[pipe]) + 1 :])


def freeze(kind: str) -> None:
    """Write programs with what PyTorch showed."""
    import torch

    write = writer_of(kind)

    def asked(seed: int) -> None:
        run(write(seed, torch), torch, looks_each(seed))

    kept, seed = [], 0
    while len(kept) < COUNT_FROZEN:
        trial = multiprocessing.get_context("fork").Process(target=asked, args=(seed,))
        trial.start()
        trial.join()
        if trial.exitcode == 0:  # PyTorch does not survive all of them
            program, each = write(seed, torch), looks_each(seed)
            seen = run(program, torch, each)
            if "0x" not in str(seen) and seen == run(program, torch, each):  # no addresses, no memory that nobody set
                kept.append({"program": program, "each": each, "seen": seen})
        seed += 1
    data = json.dumps(kept, separators=(",", ":")).encode()
    FROZEN[kind].write_bytes(gzip.compress(data, 9, mtime=0))
    print(f"{len(kept)} programs, {FROZEN[kind].stat().st_size} bytes")


def frozen(kind: str = "views") -> list[dict[str, Any]]:
    """The programs of the file, with what PyTorch showed."""
    return json.loads(gzip.decompress(FROZEN[kind].read_bytes()))


def arguments(given: list[str] | None = None) -> argparse.Namespace:
    """What is asked for on the command line."""
    reader = argparse.ArgumentParser(description="Random programs of gradients, ours beside PyTorch's.")
    reader.add_argument("--count", type=int, default=1000)
    reader.add_argument("--seed", type=int, default=0)
    reader.add_argument("--kind", default="views", choices=sorted(FROZEN), help="which vocabulary the lines are of")
    reader.add_argument("--engine", default="tensorwidgets")
    reader.add_argument(
        "--show", type=int, default=3, help="how many failing programs a process makes small and prints"
    )
    reader.add_argument("--hide", default="", help="show no program whose kind of difference has this pattern")
    reader.add_argument("--processes", type=int, default=2, choices=(1, 2))
    reader.add_argument("--freeze", action="store_true")
    return reader.parse_args(given)


def main() -> None:
    chosen = arguments()
    if chosen.freeze:
        return freeze(chosen.kind)
    wrong, did = Counter[str](), Counter[str]()
    for fault, text, facts in outcomes(chosen):
        did.update(facts)
        wrong[fault] += bool(fault)
        if text:
            print(text + "\n", flush=True)
    for fault, count in (+wrong).most_common(25):
        print(f"{count:6} {fault}")
    print(", ".join(f"{count} {what}" for what, count in did.items()) + f": {sum(wrong.values())} differ")
    sys.exit(bool(+wrong))


if __name__ == "__main__":
    main()
