"""A program of gradients is run on an engine, and looked at.

A program is a list of lines of Python over ``torch``; its tensors are its variables. Looking at a tensor changes what
an engine has to know of it (a view finds its new node when somebody asks), so of four programs one is looked at after
each line, the others only at their end.
"""

from __future__ import annotations

import importlib
import signal
import warnings
from collections.abc import Callable, Iterator
from typing import Any

from tests.gradients.functions import custom_functions
from tests.gradients.graphs import graph
from tests.gradients.programs.scope import call_scope
from tests.python_words import in_words_of_3_11

WRITERS = {"views": "writer", "calls": "caller", "nodes": "walker", "writes": "mixer"}
"""The kinds of programs, and what writes them."""
VARIABLES = frozenset("abcdefgh")
SECONDS = 10

Program = list[str]
Seen = dict[str, Any]


def looks_each(seed: int) -> bool:
    """Whether the program of this seed is looked at after every line."""
    return seed % 4 == 0


def scope_for(torch: Any) -> dict[str, Any]:
    """What the lines of a program can name."""
    log: list[Any] = []
    return {"torch": torch, "log": log, **custom_functions(torch), **call_scope(torch, log)}


def writer_of(kind: str) -> Callable[[int, Any], Program]:
    """What writes the programs of a kind: the program of a seed, written beside an engine."""
    return importlib.import_module(f"tests.gradients.programs.{WRITERS[kind]}").write


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


def limited(program: Program, torch: Any, each: bool) -> list[Seen]:
    """A run that ends: a loop without end is stopped by a TimeoutError."""

    def stop(*_: Any) -> None:
        raise TimeoutError(f"no end in {SECONDS} s")

    before = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, SECONDS)
    try:
        return run(program, torch, each)
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)
