"""Cells from a seed, with what each line of them does to memory, known from how they are made.

A *machine* writes a line of code and does the same to its own model of memory: storages with a number of bytes, and
names that lead to some of their elements. It knows nothing of `%%memory`, and runs no code.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, field
from math import gcd

import numpy as np

ITEM = {"float32": 4, "float64": 8, "int64": 8}
KINDS = ("numpy", "ours", "torch")
MODULE = {"numpy": "np", "ours": "tw", "torch": "torch"}


@dataclass(eq=False)
class Store:
    """Memory that one line allocated."""

    nbytes: int
    kind: str
    dtype: str
    line: int
    values: np.ndarray
    """Its numbers, because a place that is written the number that it has is not seen."""


@dataclass(eq=False)
class View:
    """Some elements of a storage, by their number there, in the shape of the array."""

    store: Store
    index: np.ndarray


@dataclass
class Truth:
    """What a line did in all its runs; and what could be seen of its last one."""

    allocated: int = 0
    freed: int = 0
    peak: int = 0
    end: int = 0
    made: Counter[int] = field(default_factory=Counter)
    """How many storages of so many bytes it made that have names."""
    wrote: Counter[int] = field(default_factory=Counter)
    """How many times so many places of a storage were written."""
    rewrote: int = 0
    """How many storages were written what they had, where the library counts writes."""
    bound: set[str] = field(default_factory=set)
    gone: Counter[int] = field(default_factory=Counter)
    """How many storages of so many bytes lost their last name and were freed."""
    hidden: Counter[int] = field(default_factory=Counter)
    """How many lost their last name and live on."""


class Machine:
    """Writes a cell and keeps the books of it."""

    def __init__(self, seed: int, kinds: tuple[str, ...] = KINDS):
        self.dice = random.Random(seed)
        self.kinds = kinds
        self.names: dict[str, View] = {}
        """What code leads to which view: `x3`, `box[0]`, `table['k']`, `thing.w`."""
        self.kept: dict[str, list[View]] = {}
        """What leads there, and no name does, by the words that say so."""
        self.before: list[str] = []
        self.lines: list[str] = []
        self.truth: dict[int, Truth] = {}
        """By the number of the line in the cell, counted from 1."""
        self.watched = False
        self.count = 0
        self.value = 10
        self.box = 0
        self.functions = 0
        self.caught: list[Store] = []
        self.alive = self.peak = 0
        """Bytes, of what had a name at the beginning or came later."""
        self._counted: set[Store] = set()
        self._passing = 0

    # -- the books ------------------------------------------------------------------------------------

    def living(self) -> set[Store]:
        views = [*self.names.values(), *(view for kept in self.kept.values() for view in kept)]
        return {view.store for view in views}

    def named(self) -> set[Store]:
        return {view.store for view in self.names.values()}

    def begin(self) -> None:
        """From here on the cell is watched."""
        self.watched = True
        self._counted = self.named()
        self.start = self.alive = self.peak = sum(store.nbytes for store in self._counted)

    def take(self, truth: Truth, nbytes: int) -> None:
        """Bytes are allocated by the line that runs."""
        self.alive += nbytes
        truth.allocated += nbytes
        truth.peak = max(truth.peak, self.alive)
        self.peak = max(self.peak, self.alive)

    def give(self, truth: Truth, nbytes: int) -> None:
        self.alive -= nbytes
        truth.freed += nbytes

    def run(self, number: int, events: list[int], act: object, wrote: Store | None = None, places: int = 0) -> None:
        """One run of a line: bytes taken and given on the way, then what becomes of the names."""
        truth = self.truth.setdefault(number, Truth())
        names, named, living = dict(self.names), self.named(), self.living()
        assert callable(act)
        if not self.watched:
            act()
            return
        truth.peak = max(truth.peak, self.alive)
        for nbytes in events:
            if nbytes > 0:
                self.take(truth, nbytes)
            else:
                self.give(truth, -nbytes)
        act()
        now, alive = self.named(), self.living()
        self._counted |= {store for store in alive if store not in living}
        gone = living - alive
        for store in gone & self._counted:
            self.give(truth, store.nbytes)
        truth.end = self.alive
        truth.made = Counter(store.nbytes for store in now - named if store not in living)
        truth.gone = Counter(store.nbytes for store in named - now if store in gone)
        truth.hidden = Counter(store.nbytes for store in named - now if store not in gone)
        truth.wrote = Counter([places] if places else [])
        truth.rewrote = int(wrote is not None and not places and wrote.kind != "numpy")
        truth.bound = {
            name
            for name, view in self.names.items()
            if (name not in names or names[name].store is not view.store) and view.store in living
        }

    def unit(self, store: Store) -> int:
        """Bytes of a place: what all views of a storage have in common."""
        item = unit = ITEM[store.dtype]
        views = [view for view in self.names.values() if view.store is store]
        unit = 0
        for view in views:
            unit = gcd(unit, item)
            if view.index.size:
                unit = gcd(unit, int(view.index.flat[0]) * item)
            for axis, size in enumerate(view.index.shape):
                if size > 1:
                    step = int(view.index.take(1, axis).flat[0] - view.index.take(0, axis).flat[0])
                    unit = gcd(unit, abs(step) * item)
        return unit or 1

    # -- writing a cell -------------------------------------------------------------------------------

    def add(self, *code: str) -> int:
        """The number of the first of some lines of code."""
        lines = self.lines if self.watched else self.before
        lines.extend(code)
        return len(lines) - len(code) + 1

    def name(self) -> str:
        if self.names and self.dice.random() < 0.2:
            plain = [name for name in self.names if name.isidentifier()]
            if plain:
                return self.dice.choice(plain)
        self.count += 1
        return f"x{self.count}"

    def pick(self, least: int = 1) -> tuple[str, View] | None:
        found = [(name, view) for name, view in self.names.items() if view.index.size >= least]
        return self.dice.choice(found) if found else None

    def fresh(self, number: int, kind: str, values: np.ndarray) -> View:
        return View(Store(values.nbytes, kind, str(values.dtype), number, values), np.arange(values.size))

    def made(self, kind: str, dtype: str, size: int) -> tuple[str, np.ndarray]:
        """The code of a new array, and its numbers."""
        what = self.dice.choice(["zeros", "ones"])
        return f"{MODULE[kind]}.{what}({size}, dtype={MODULE[kind]}.{dtype})", getattr(np, what)(size, dtype)

    def sort(self) -> tuple[str, str, int]:
        dice = self.dice
        kind, dtype = dice.choice(self.kinds), dice.choice(list(ITEM))
        large = dice.random() < 0.04
        return kind, dtype, dice.randint(270_000, 300_000) if large else dice.randint(6, 4000)

    def bind(self, name: str, view: View) -> object:
        return lambda: self.names.__setitem__(name, view)

    def allocate(self) -> None:
        kind, dtype, size = self.sort()
        name = self.name()
        code, values = self.made(kind, dtype, size)
        number = self.add(f"{name} = {code}")
        view = self.fresh(number, kind, values)
        self.run(number, [view.store.nbytes], self.bind(name, view))

    def view(self) -> None:
        found = self.pick(6)
        if found is None:
            return self.allocate()
        source, view = found
        size = view.index.shape[0]
        start, step = self.dice.randint(0, size // 3), self.dice.choice([1, 1, 2, 3])
        stop = self.dice.randint(start + 1, size)
        ways = [(f"{source}[{start}:{stop}:{step}]", view.index[start:stop:step])]
        if view.index.ndim == 1 and size % 2 == 0:
            ways.append((f"{source}.reshape(2, -1)", view.index.reshape(2, -1)))
        if view.index.ndim == 2:
            ways = [(f"{source}.T", view.index.T), (f"{source}[{size - 1}]", view.index[size - 1])]
        if not step == 1 and view.index.ndim == 1 and len(ways) == 2 and self._is_strided(view):
            ways.pop()
        code, index = self.dice.choice(ways)
        name = self.name()
        self.run(self.add(f"{name} = {code}"), [], self.bind(name, View(view.store, index)))

    def _is_strided(self, view: View) -> bool:
        return bool(view.index.size > 1 and view.index.flat[1] - view.index.flat[0] != 1)

    def compute(self) -> None:
        """`y = x * 2 + 1`: a temporary, and the result."""
        found = self.pick()
        if found is None:
            return self.allocate()
        source, view = found
        kind, dtype = view.store.kind, view.store.dtype
        nbytes = view.index.size * ITEM[dtype]
        if nbytes <= 16:
            return self.allocate()
        name = self.name()
        copy = "copy" if kind == "numpy" else "clone"
        old = view.store.values[view.index]
        forms = [(f"{source} + {source}", 1, old + old), (f"{source} * 3", 1, old * 3), (f"{source}.{copy}()", 1, old)]
        if nbytes < 200_000 or kind != "numpy":  # NumPy writes into a large temporary
            forms.append((f"{source} * 2 + 1", 2, old * 2 + 1))
        code, arrays, values = self.dice.choice(forms)
        number = self.add(f"{name} = {code}")
        result = self.fresh(number, kind, values.ravel())
        if view.index.ndim == 2:
            rows, columns = view.index.shape
            result.index = result.index.reshape(rows, columns)
            down, across = (abs(int(view.index[k] - view.index[0, 0])) for k in ((-1, 0), (0, -1)))
            if across > down and rows > 1 and columns > 1 and not code.endswith(".copy()"):
                # What is computed of a transposed view lies as that does.
                result.index = np.arange(values.size).reshape(columns, rows).T
                result.store.values = values.T.ravel().copy()
        events = [nbytes] if arrays == 1 else [nbytes, nbytes, -nbytes]
        self.run(number, events, self.bind(name, result))

    def waste(self) -> None:
        """A line that leaves nothing."""
        found = self.pick()
        if found is None:
            return self.allocate()
        source, view = found
        nbytes = view.index.size * ITEM[view.store.dtype]
        number = self.add(f"size = len({source} + {source})")
        events = [nbytes, -nbytes] if nbytes > 16 else []
        self.run(number, events, lambda: None)

    def write(self) -> None:
        found = self.pick()
        if found is None:
            return self.allocate()
        source, view = found
        self.value += 1
        old = view.store.values.copy()
        size = view.index.shape[0]
        start = self.dice.randint(0, size - 1)
        stop, step = self.dice.randint(start + 1, size), self.dice.choice([1, 1, 2, 3])
        part = view.index[start:stop:step]
        code, index = self.dice.choice(
            [
                (f"{source}[{start}] = {self.value}", view.index[start]),
                (f"{source}[{start}:{stop}:{step}] = {self.value}", part),
                (f"{source}[:] = {self.value}", view.index),
                (f"{source} += {self.value}", view.index),
                (f"{source}[{start}] = {source}[{start}]", view.index[:0]),
            ]
        )
        view.store.values[index] = old[index] + self.value if "+=" in code else self.value
        places = self._places(view.store, np.flatnonzero(view.store.values != old))
        self.run(self.add(code), [], lambda: None, view.store, places)

    def _places(self, store: Store, index: np.ndarray) -> int:
        unit, item = self.unit(store), ITEM[store.dtype]
        places = index * item // unit
        return len(set(places.tolist())) * max(item // unit, 1)

    def delete(self) -> None:
        plain = [name for name in self.names if name.isidentifier()]
        if not plain:
            return self.allocate()
        name = self.dice.choice(plain)
        self.run(self.add(f"del {name}"), [], lambda: self.names.pop(name))

    def contain(self) -> None:
        """Arrays in lists, dictionaries and attributes."""
        kind, dtype, size = self.sort()
        way = self.dice.choice(["append", "append", "key", "attribute", "pop", "share"])
        if way == "pop" and self.box:
            number = self.add("box.pop() is None")
            self.box -= 1
            last = f"box[{self.box}]"
            return self.run(number, [], lambda: self.names.pop(last))
        if way == "share" and self.names:
            source = self.dice.choice(list(self.names))
            number = self.add(f"box.append({source})")
            name = f"box[{self.box}]"
            self.box += 1
            return self.run(number, [], self.bind(name, self.names[source]))
        code, values = self.made(kind, dtype, size)
        if way in ("append", "pop", "share"):
            name, line = f"box[{self.box}]", f"box.append({code})"
            self.box += 1
        else:
            name = self.dice.choice(["table['a']", "table['b']"] if way == "key" else ["thing.w", "thing.bias"])
            line = f"{name} = {code}"
        number = self.add(line)
        view = self.fresh(number, kind, values)
        self.run(number, [view.store.nbytes], self.bind(name, view))

    def hide(self) -> None:
        """Memory that lives on where no name of the map leads."""
        kind, dtype, size = self.sort()
        way = self.dice.choice(["attribute", "closure", "cycle", "share"])
        code, values = self.made(kind, dtype, size)

        def keep(words: str, view: View) -> object:
            return lambda: self.kept.setdefault(words, []).append(view)

        if way == "share" and self.names:
            source = self.dice.choice(list(self.names))
            words = f"thing._kept[{self._hidden()}]"
            number = self.add(f"thing._kept.append({source})")
            return self.run(number, [], keep(words, self.names[source]))
        if way in ("attribute", "share"):
            words = f"thing._kept[{self._hidden()}]"
            number = self.add(f"thing._kept.append({code})")
        elif way == "closure":
            self.functions += 1
            words = f"the variable k of f{self.functions}"
            number = self.add(f"f{self.functions} = (lambda k: lambda: k)({code})")
        else:
            words = "only a cycle of objects"
            number = self.add(f"ring = [{code}]; ring.append(ring); del ring")
        view = self.fresh(number, kind, values)
        self.run(number, [view.store.nbytes], keep(words, view))

    def _hidden(self) -> int:
        return sum(words.startswith("thing._kept") for words in self.kept)

    def loop(self) -> None:
        """A loop, whose lines are told apart."""
        if not self.watched:
            return self.allocate()
        kind, dtype, size = self.sort()
        size = min(size, 3000)
        times = self.dice.randint(2, 5)
        nbytes = size * ITEM[dtype]
        name = self.name()
        code, values = self.made(kind, dtype, size)
        self.value += 1
        first = self.add(f"for i in range({times}):", f"    {name} = {code} * (i + 2)", f"    {name}[i] = {self.value}")
        for i in range(times):
            view = self.fresh(first + 1, kind, values * (i + 2))
            self.run(first + 1, [nbytes, nbytes, -nbytes], self.bind(name, view))
            view.store.values[i] = self.value
            self.run(first + 2, [], lambda: None, view.store, 1)

    def call(self) -> None:
        """A function of the cell, which allocates and lets go."""
        if not self.watched:
            return self.allocate()
        kind, dtype, size = self.sort()
        nbytes = size * ITEM[dtype]
        self.functions += 1
        f = f"f{self.functions}"
        code, values = self.made(kind, dtype, size)
        name = self.name()
        lines = [f"def {f}(n):", f"    inner = {code}", f"    size = len(inner + inner) if n else {size}"]
        self.add(*lines, "    return inner[2:]")
        number = self.add(f"{name} = {f}({self.dice.choice([0, 1])})")
        twice = self.lines[-1].endswith("(1)")
        view = self.fresh(number, kind, values)
        view.index = view.index[2:]
        self.run(number, [nbytes, nbytes, -nbytes] if twice else [nbytes], self.bind(name, view))

    def layer(self) -> None:
        """A module that is an attribute: its parameters have names."""
        kinds = [kind for kind in self.kinds if kind != "numpy"]
        if not kinds:
            return self.allocate()
        kind = self.dice.choice(kinds)
        size = self.dice.randint(6, 900)
        number = self.add(f"thing.layer = {MODULE[kind]}.nn.LayerNorm({size}).requires_grad_(False)")
        made = [self.fresh(number, kind, values(size, np.float32)) for values in (np.ones, np.zeros)]

        def act() -> None:
            self.names.update({"thing.layer.weight": made[0], "thing.layer.bias": made[1]})

        self.run(number, [view.store.nbytes for view in made], act)

    def fail(self) -> None:
        """A line that fails, and what is caught; both lines allocate."""
        if not self.watched:
            return self.allocate()
        made = [(self.sort(), self.name()) for _ in range(2)]
        codes = [self.made(*sort) for sort, _ in made]
        first = self.add(
            "try:",
            f"    {made[0][1]} = {codes[0][0]}",
            "    1 / 0",
            "except ZeroDivisionError:",
            f"    {made[1][1]} = {codes[1][0]}",
        )
        for number, (_, values), (sort, name) in zip((first + 1, first + 4), codes, made, strict=True):
            view = self.fresh(number, sort[0], values)
            self.run(number, [view.store.nbytes], self.bind(name, view))

    def decide(self) -> None:
        """A condition, of which one branch runs."""
        found = self.pick()
        if found is None or not self.watched:
            return self.allocate()
        source, view = found
        kind, dtype, size = self.sort()
        name = self.name()
        code, values = self.made(kind, dtype, size)
        other = self.dice.random() < 0.5
        test = f"{source}.ndim == {view.index.ndim + other}"
        first = self.add(f"if {test}:", f"    {name} = {code}", "else:", f"    {name} = {code}")
        number = first + 1 + 2 * other
        made = self.fresh(number, kind, values)
        self.run(number, [made.store.nbytes], self.bind(name, made))

    def write_a_cell(self) -> None:
        """What runs before, and the cell."""
        steps = [
            (self.allocate, 5), (self.view, 4), (self.compute, 4), (self.waste, 2), (self.write, 6), (self.delete, 3),
            (self.contain, 3), (self.hide, 2), (self.loop, 1), (self.call, 1),
            (self.fail, 1), (self.decide, 1), (self.layer, 1),
        ]  # fmt: skip
        acts, weights = zip(*steps, strict=True)
        for _ in range(self.dice.randint(0, 5)):
            self.dice.choices(acts, weights)[0]()
        self.begin()
        for _ in range(self.dice.randint(1, 10)):
            self.dice.choices(acts, weights)[0]()

    # -- what is left ---------------------------------------------------------------------------------

    def leaks(self) -> Counter[tuple[str, int]]:
        """What is alive after the cell without a name, and was named or not there before it."""
        found: Counter[tuple[str, int]] = Counter()
        named = self.named()
        told: set[Store] = set()
        for words, views in self.kept.items():
            hidden = {view.store for view in views if view.store in self._counted} - named - told
            told |= hidden
            if hidden:
                found[words, sum(store.nbytes for store in hidden)] += 1
        return found

    def holds(self) -> Counter[tuple[int, int]]:
        """Bytes that are read of each storage, and bytes that it has, where it is not read whole."""
        found: Counter[tuple[int, int]] = Counter()
        for store in self.named():
            views = [view for view in self.names.values() if view.store is store]
            item = ITEM[store.dtype]
            marks = np.zeros(len(store.values), bool)
            for view in views:
                marks[view.index.ravel()] = True
            read = int(marks.sum()) * item
            if read < store.nbytes and all(view.index.size for view in views):
                found[read, store.nbytes] += 1
        return found
