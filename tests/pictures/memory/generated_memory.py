"""`%%memory` compared with what a generator of cells knows.

    python -m tests.pictures.memory.generated_memory --count 500

For every line it compares the bytes allocated, freed, alive at the peak and alive after it, the storages made and
released, the places written and the names bound. For the whole cell it compares what is alive although no name leads to
it, what keeps that alive, and which storages are kept for a part of them. The text of the picture has to agree as well.
"""

from __future__ import annotations

import argparse
import gc
import io
from collections import Counter
from contextlib import redirect_stdout
from typing import Any

from IPython.core.interactiveshell import InteractiveShell

from tensorwidgets.pictures.arrays.values import bytes_text
from tensorwidgets.pictures.memory import memory as map_of_memory
from tensorwidgets.pictures.memory.cells.leaks import pattern
from tensorwidgets.pictures.memory.cells.line_rows import LINES
from tensorwidgets.pictures.memory.cells.trace import Trace
from tensorwidgets.pictures.memory.memory_words import held

from .generated_cells import KINDS, MODULE, Machine, Truth

START = """\
class Thing: pass
thing = Thing(); thing._kept = []
box, table = [], {}
"""


class Bench:
    """A shell in which generated cells run, one after the other, and what `%%memory` finds of each."""

    def __init__(self, shell: InteractiveShell, kinds: tuple[str, ...]):
        self.shell = shell
        self.kinds = kinds
        self.own = set(shell.user_ns)
        gc.collect()
        gc.freeze()  # what is there already is no cell's

    def differences(self, seed: int) -> list[str]:
        """Where the picture and the books differ, in words."""
        machine = Machine(seed, self.kinds)
        machine.write_a_cell()
        for name in set(self.shell.user_ns) - self.own:
            if not name.startswith("_"):
                del self.shell.user_ns[name]
        gc.collect()
        gc.disable()
        try:
            trace, now, text = self._run(machine)
        finally:
            gc.enable()
        found = [*_lines(machine, trace), *_left(machine, trace, now), *_text(machine, trace, text)]
        return [f"seed {seed}, {words}" for words in found]

    def _run(self, machine: Machine) -> tuple[Trace, Any, str]:
        seen: list[Any] = []
        drawn = map_of_memory.memory

        def noted(now: Any, changed: Any, sources: Any, cell: str, trace: Trace, *rest: Any) -> Any:
            seen.extend((trace, now))
            return drawn(now, changed, sources, cell, trace, *rest)

        with redirect_stdout(io.StringIO()):
            self._cell(START + "\n".join(machine.before))
            map_of_memory.memory = noted  # type: ignore[assignment]
            try:
                picture = self.shell.run_cell_magic("memory", "", "\n".join(machine.lines))
            finally:
                map_of_memory.memory = drawn
        trace, now = seen
        return trace, now, repr(picture)

    def _cell(self, code: str) -> None:
        result = self.shell.run_cell(code)
        if not result.success:
            raise AssertionError(f"a generated cell fails: {result.error_in_exec}\n{code}")


def _lines(machine: Machine, trace: Trace) -> list[str]:
    """Every line: bytes, storages, places and names."""
    assert trace.log is not None
    found = []
    log, did = trace.log, {one.number: one for one in trace.did}
    truths = dict(machine.truth)
    for number, line in enumerate(trace.lines):
        truth = truths.get(line.number, Truth())
        spent, one = log.by_line.get(number), did.get(number)
        if spent is None or line.source.startswith(("def ", "for ", "if ", "try:", "1 / 0")):
            if spent is not None and (spent.allocated or spent.freed or one is not None):
                found.append(f"line {line.number} did something")
            continue
        if ";" in machine.lines[line.number - 1]:
            continue  # several statements are one line of the books
        what = {
            "allocated": (spent.allocated, truth.allocated),
            "freed": (spent.freed, truth.freed),
            "peak": (spent.peak, truth.peak),
            "after it": (spent.end, truth.end),
            "made": (Counter(n for _, n, _ in one.made) if one else Counter(), truth.made),
            "let go": (Counter(n for _, n in one.freed) if one else Counter(), truth.gone),
            "left without a name": (Counter(n for _, n in one.hidden) if one else Counter(), truth.hidden),
            "wrote": (Counter(w.count for _, w in one.wrote) if one else Counter(), truth.wrote),
            "rewrote": (len(one.rewrote) if one else 0, truth.rewrote),
            "bound": ({name for name, _ in one.bound} if one else set(), truth.bound),
        }
        for name, (said, wanted) in what.items():
            if said != wanted:
                found.append(f"line {line.number} `{line.source}` {name}: {said} for {wanted}")
    whole = {"start": (log.start, machine.start), "peak": (log.peak, machine.peak), "end": (log.alive, machine.alive)}
    found += [f"{name} of the cell: {said} for {wanted}" for name, (said, wanted) in whole.items() if said != wanted]
    return found


def _left(machine: Machine, trace: Trace, now: Any) -> list[str]:
    """What no name leads to, and what is kept for a part of it."""
    found = []
    said = {pattern(leak.holder): leak.nbytes for leak in trace.leaks}
    wanted: Counter[str] = Counter()
    for words, nbytes in machine.leaks().elements():
        wanted[pattern(words)] += nbytes
    if said != wanted:
        found.append(f"leaks: {said} for {wanted}")
    holds = Counter((hold.reads, hold.storage.nbytes) for hold in held(now))
    if holds != machine.holds():
        found.append(f"kept for a part: {holds} for {machine.holds()}")
    names = {one.name for one in now.names}
    if names != set(machine.names):
        found.append(f"names: {sorted(names)} for {sorted(machine.names)}")
    return found


def _text(machine: Machine, trace: Trace, text: str) -> list[str]:
    """The rows of the text have the same numbers, and its sentence about the whole."""
    if "\nline  code" not in text:
        return []
    found = []
    rows = text[text.index("\nline  code") + 1 :].splitlines()
    edges = [rows[0].index(head) for head in ("allocated", "freed", "peak", "after it", "what it did")]
    for row in rows[1 : 1 + LINES]:
        if not row[:4].strip().isdigit() or row[4:6] != "  ":
            break
        number = int(row[:4])
        if ";" in machine.lines[number - 1]:
            continue
        truth = machine.truth[number]
        said = [row[start:stop].strip() for start, stop in zip(edges, edges[1:], strict=False)]
        sums = [bytes_text(n) if n else "" for n in (truth.allocated, truth.freed)]
        wanted = [*sums, bytes_text(truth.peak), bytes_text(truth.end)]
        if said != wanted:
            found.append(f"the text of line {number}: {said} for {wanted}")
    end = f"{bytes_text(machine.alive)} after it"
    if f"Timeline: {bytes_text(machine.start)} before the cell" not in text or end not in text:
        found.append(f"the text of the timeline lacks {end!r}")
    return found


def prepared(shell: InteractiveShell, kinds: tuple[str, ...]) -> Bench:
    """A shell that knows the libraries of generated cells."""
    shell.run_cell("import numpy as np\nimport tensorwidgets as tw\n%load_ext tensorwidgets")
    if "torch" in kinds:
        shell.run_cell("import torch")
    # What the libraries allocate once, at the first call.
    first = "a = {0}.ones(9)\nb = a * 2 + a\nb[1] = 3\nb += 1\nc = b.clone()\nb[::2] = 4\ndel a, b, c"
    with redirect_stdout(io.StringIO()):
        for kind in kinds:
            if kind != "numpy":
                shell.run_cell("%%memory\n" + first.format(MODULE[kind]))
    return Bench(shell, kinds)


def main() -> None:
    """Runs cells, and prints where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--first", type=int, default=0, help="the first seed")
    parser.add_argument("--show", type=int, help="print one cell and stop")
    given = parser.parse_args()
    shell = InteractiveShell.instance()
    shell.history_manager.enabled = False
    bench = prepared(shell, KINDS)
    if given.show is not None:
        machine = Machine(given.show)
        machine.write_a_cell()
        print("\n".join([*machine.before, "%%memory", *machine.lines]))
        print("\n".join(bench.differences(given.show)))
        return
    wrong, lines = 0, 0
    for seed in range(given.first, given.first + given.count):
        found = bench.differences(seed)
        wrong += bool(found)
        print(*found, sep="\n", end="\n" if found else "")
        machine = Machine(seed)
        machine.write_a_cell()
        lines += len(machine.lines)
    print(
        f"{given.count - wrong} of {given.count} cells are right, of {lines} lines of NumPy, PyTorch and tensorwidgets"
    )


if __name__ == "__main__":
    main()
