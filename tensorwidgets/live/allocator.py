"""AllocatorExplorer: allocate and free by hand, or walk through what an allocator did."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import traitlets as t

from ..engine.errors.out_of_memory import OutOfMemoryError
from ..engine.errors.reasons import Reason
from ..engine.memory.caching import Block as Held
from ..engine.memory.caching import CachingAllocator, SimulatedDriver, read_settings
from ..engine.memory.caching.history import History
from ..pictures.arrays.allocations import recording_of
from ..pictures.drawing.scene import Block
from ..pictures.memory.allocator import states_picture
from ..pictures.memory.allocator_history import moment_of
from ..pictures.memory.allocator_rows import unit_of
from ..pictures.memory.allocator_states import States, name_of
from . import traits
from .controls import Button, Control, Slider, Text
from .explorer import Explorer, refusal
from .typed.integers import integer
from .typed.nbytes import typed_bytes

MOST_BUTTONS = 12
"""How many blocks have a button to free them: those that were allocated last."""
MOST_STEPS = 2_000
"""How many steps are made by hand at most."""


class AllocatorExplorer(Explorer):
    """A caching allocator. Without a source it is a new one of so much `memory`, to allocate and free by hand.

    >>> w = AllocatorExplorer(memory="44 MiB")
    >>> a, b = w.allocate("6 MiB"), w.allocate("5 MiB")
    >>> w.free(a)
    >>> w.status
    'Step 3 of 3: a freed, 6,291,456 bytes: 5 MiB in use, 20 MiB reserved.'
    >>> w.step = 1
    >>> w.status
    'Step 1 of 3: a allocated, 6,291,456 bytes: 6 MiB in use, 20 MiB reserved.'
    """

    step = traits.Whole(0, help="How many steps are done.")
    size = t.Any("6 MiB", help="How much is allocated next.")

    STATE = ("step", "size")

    def __init__(
        self, source: Any = None, *, memory: Any = "44 MiB", settings: str = "", device: int | None = None,
        step: int | None = None, predict: bool = False,
    ):  # fmt: skip
        total = typed_bytes(memory)
        if total is None:
            raise ValueError(f"memory={memory!r} is not a number of bytes: write '44 MiB'")
        self._gpu: CachingAllocator | None = None
        self._held: dict[str, Held] = {}
        self._refusals: dict[int, Reason] = {}
        if source is None:
            self._gpu = CachingAllocator(SimulatedDriver(total), read_settings(settings))
            self._gpu.record, self._gpu.what = History(context=None), "pretended GPU"
            source = self._gpu
        self._states = source if isinstance(source, States) else States(recording_of(source, device))
        super().__init__()
        with self._at_once():
            self.predict = predict
            self.step = self._last if step is None else step % (self._last + 1)

    # -- by hand -----------------------------------------------------------------------------------------------------

    def allocate(self, size: Any) -> str:
        """Allocates a block, and returns its name; an empty text if it is refused."""
        nbytes, gpu = typed_bytes(size), self._own()
        if nbytes is None:
            raise ValueError(f"{size!r} is not a number of bytes: write '6 MiB'")
        name = ""
        with self._at_once():
            if self._last >= MOST_STEPS:
                return name
            try:
                block = gpu.allocate(nbytes)
            except OutOfMemoryError as error:
                self._look_again()
                self._refusals[self._last] = error.reason  # type: ignore[attr-defined]
            else:
                self._look_again()
                name = name_of(self._states.about[-1])
                self._held[name] = block
        return name

    def free(self, name: str) -> None:
        """Frees a block by its name."""
        gpu = self._own()
        with self._at_once():
            if name not in self._held:
                raise KeyError(f"no block in use is called {name!r}")
            gpu.free(self._held.pop(name))
            self._look_again()

    def empty_cache(self) -> None:
        """Returns the segments without a block in use to the driver."""
        gpu = self._own()
        with self._at_once():
            gpu.empty_cache()
            self._look_again()

    def _own(self) -> CachingAllocator:
        if self._gpu is None:
            raise ValueError("this is a recording: nothing can be allocated or freed in it")
        return self._gpu

    def _look_again(self) -> None:
        """Read the history up to now, and show its end."""
        self._states = States(recording_of(self._gpu))
        self.step = self._last

    # -- the explorer ------------------------------------------------------------------------------------------------

    @property
    def _last(self) -> int:
        return len(self._states.steps)

    @property
    def _at(self) -> int:
        asked = integer(self.step)
        return min(max(asked if asked is not None else 0, 0), self._last)

    def _moved(self, name: str, value: Any) -> None:
        if name == "step":
            self.step = value
        elif name in ("before", "after"):
            self.step = min(max(self._at + (1 if name == "after" else -1), 0), self._last)
        elif name == "refusal":
            self.step = self._next_refusal()
        elif name == "size":
            self.size = str(value)[:60]
        elif self._gpu is None:
            return
        elif name == "allocate" and typed_bytes(self.size) is not None:
            self.allocate(self.size)
        elif name == "empty":
            self.empty_cache()
        elif name == "again":
            self._start_again()
        elif name.startswith("free ") and name[5:] in self._held:
            self.free(name[5:])

    def _start_again(self) -> None:
        """An empty allocator of the same memory and settings."""
        old = self._own()
        self._gpu = CachingAllocator(SimulatedDriver(old.driver.total), old.settings)
        self._gpu.record, self._gpu.what = History(context=None), old.what
        self._held, self._refusals = {}, {}
        self._look_again()

    def _next_refusal(self) -> int:
        """The next step that was refused, from the start again behind the last."""
        refused = self._states.refused
        return next((k for k in refused if k > self._at), refused[0] if refused else self._at)

    def _controls(self) -> list[Control]:
        out: list[Control] = []
        if self._gpu is not None:
            wrong = typed_bytes(self.size) is None
            out.append(Text("size", "size", str(self.size)[:60], 10, wrong, group="allocate"))
            out.append(Button("allocate", "allocate", f"torch.empty({self.size}, device='cuda')", group="allocate"))
            for name in list(self._held)[-MOST_BUTTONS:]:
                out.append(Button(f"free {name}", f"free {name}", f"del {name}", group="free"))
            out.append(Button("empty", "empty_cache()", "torch.cuda.empty_cache()", group="free"))
            out.append(Button("again", "start again", "an empty allocator", group="step"))
        if self._last:
            out.append(Button("before", "◀ back", "one step back", group="step"))
            out.append(Slider("step", "", self._at, 0, self._last, shown=f"{self._at} of {self._last}", group="step"))
            out.append(Button("after", "next ▶", "one step on", group="step"))
        if self._states.refused:
            out.append(Button("refusal", "next refusal", "to where memory was refused", group="step"))
        return out

    def _scene(self) -> Sequence[Block]:
        blocks = list(states_picture(self._states, self._at).blocks)
        if self._gpu is not None and typed_bytes(self.size) is None:
            self.reason = Reason(
                "allocator.size", ValueError, f"{str(self.size)[:60]!r} is not a number of bytes",
                "a size is a number with a unit; without one it counts MiB", ("6 MiB", "512 bytes"),
            )  # fmt: skip
            blocks[1:1] = [refusal(self.reason, "size")]
        else:
            self.reason = self._refusals.get(self._at)
        return blocks

    def _status_text(self) -> str:
        if not self._at:
            return f"Before the first of {self._last} steps." if self._last else "Nothing was allocated yet."
        unit = unit_of(self._states)
        moment = moment_of(self._states, self._at, unit)
        return f"Step {self._at} of {self._last}: {moment.words}."

    def _quiz(self) -> tuple[str, str] | None:
        if not self._at:
            return None
        unit = unit_of(self._states)
        subject = moment_of(self._states, self._at, unit).sign.removesuffix(" ✕")
        reserved = unit.number(self._states.reserved[self._at])
        return f"{subject}: how many {unit.name} are reserved after it?", reserved

    def _covered(self) -> Sequence[Block]:
        return states_picture(self._states, self._at - 1).blocks
