"""Which numbers did the training give? A log that costs a microsecond a number, with a bar for its progress."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sized
from typing import Any

import numpy as np

from ..pictures.arrays.models.runs import number_of
from .hosts import answers, kernel_of_notebook

SHARE = 40
"""The next drawing waits so many times as long as the last one took: drawing takes less than a fortieth."""
APART = 0.25
"""Seconds between two drawings at least."""


class TrainingLog:
    """Keeps numbers of a training: plain floats, no tensor and no graph.

    Call it with what a step gave. A number that comes a second time begins the next step, so what is logged once in a
    while (the loss of held-out data) belongs to the step at which it came.

    >>> log = TrainingLog("SGD")
    >>> for loss in (2.0, 1.0, 0.5):
    ...     log(loss=loss, lr=0.1)
    >>> log(val_loss=0.75)
    >>> log
    TrainingLog 'SGD': 3 steps; loss 0.5, lr 0.1, val_loss 0.75
    >>> log["loss"]
    [2.0, 1.0, 0.5]

    `show.training(log)` draws it, and `log.live()` while it grows. It works on losses of PyTorch, too.
    """

    def __init__(self, name: str = ""):
        self.name = str(name)
        self.step = 0
        """The step of the last numbers."""
        self.total: int | None = None
        """How many steps there will be, where that is known."""
        self.clock: Callable[[], float] = time.perf_counter
        self._steps: dict[str, list[int]] = {}
        self._values: dict[str, list[float]] = {}
        self._viewers: list[Callable[[bool], None]] = []
        self._due: float | None = None
        self._tracked = 0

    def __call__(self, *, step: int | None = None, **numbers: Any) -> None:
        """Adds the numbers of a step: Python's, or tensors and arrays of one element."""
        steps, values = self._steps, self._values
        plain = {name: number_of(value, name) for name, value in numbers.items()}
        now = self.step
        if step is not None:
            if step < now:
                raise ValueError(f"step {step} comes after step {now}: steps of a log go up")
            now = int(step)
        elif not now:
            now = 1
        else:
            for name in plain:
                if name in steps and steps[name][-1] == now:
                    now += 1
                    break
        self.step = now
        for name, value in plain.items():
            if name not in values:
                values[name], steps[name] = [value], [now]
            elif steps[name][-1] == now:
                values[name][-1] = value
            else:
                values[name].append(value)
                steps[name].append(now)
        if self._viewers:
            at = self.clock()
            if self._due is None:
                self._due = at + APART  # the view has just been drawn, when it was opened
            elif at >= self._due:
                self.draw()

    def __getitem__(self, name: str) -> list[float]:
        """The numbers of one series."""
        return list(self._values[name])

    def __len__(self) -> int:
        return self.step

    def __bool__(self) -> bool:
        return True

    def series(self) -> list[tuple[str, np.ndarray, np.ndarray]]:
        """Name, steps and numbers of each series."""
        return [(name, np.array(self._steps[name], float), np.array(values)) for name, values in self._values.items()]

    def track(self, items: Iterable[Any], total: int | None = None) -> Iterator[Any]:
        """The items one by one, with a bar of tqdm, if it is installed; at the end live views are drawn.

        In a notebook the bar is text, which can still be read in the saved file.

        >>> log = TrainingLog()
        >>> for x in log.track([1.0, 0.5]):
        ...     log(loss=x)
        >>> log
        TrainingLog: 2 steps; loss 0.5
        """
        if total is None:
            total = len(items) if isinstance(items, Sized) else None
        outermost = not self._tracked
        if outermost:
            self.total = self.step + total if total is not None else None
        elif self._tracked == 1 and self.total is not None and total is not None:
            # Epochs around batches: the steps are those of the inner loop.
            self.total = None
        self._tracked += 1
        bar = progress(total, self.name, inner=not outermost)
        if bar is not None and bar.disable:
            bar = None
        try:
            for item in items:
                yield item
                if bar is not None:
                    if bar.n + 1 - bar.last_print_n >= bar.miniters:  # it may be drawn now
                        self._tell(bar)
                    bar.update()
        finally:
            self._tracked -= 1
            if bar is not None:
                self._tell(bar)
                bar.close()
            if outermost:
                self.total = None
                self.draw(last=True)

    def _tell(self, bar: Any) -> None:
        """Write the latest number of the first series behind a bar, where it is seen when the bar is next drawn."""
        if self._values:
            name, values = next(iter(self._values.items()))
            bar.set_postfix_str(f"{name} {values[-1]:.4g}", refresh=False)

    # -- views ---------------------------------------------------------------------------------------------------------

    def live(self, *others: Any, **options: Any) -> Any:
        """The log as a widget that grows with it; `others` are runs beside it."""
        from .training import TrainingExplorer

        return TrainingExplorer(self, *others, **options)

    def watch(self, viewer: Callable[[bool], None]) -> Callable[[], None]:
        """Calls the viewer when it is time to draw, and with True at the end; returns what ends that."""
        self._viewers.append(viewer)

        def forget() -> None:
            if viewer in self._viewers:
                self._viewers.remove(viewer)

        return forget

    def draw(self, last: bool = False) -> None:
        """Draws what is there now. The log does it by itself as often as it costs nearly nothing."""
        start = self.clock()
        for viewer in list(self._viewers):
            viewer(last)
        now = self.clock()
        self._due = now + max(APART, SHARE * (now - start))

    def __repr__(self) -> str:
        from ..pictures.arrays.values import count, short

        said = ", ".join(f"{name} {short(values[-1])}" for name, values in self._values.items())
        name = f" {self.name!r}" if self.name else ""
        return f"TrainingLog{name}: {count(self.step, 'step')}; {said or 'no numbers'}"


def progress(total: int | None, name: str, inner: bool = False) -> Any:
    """A bar of tqdm; None without tqdm, and where no output is shown."""
    in_notebook = kernel_of_notebook() is not None
    if in_notebook and not answers():
        return None
    try:
        from tqdm.std import tqdm
    except ImportError:
        return None
    # Without a terminal the bar knows neither its width nor whether it may be drawn.
    more = {"ncols": 80, "disable": False} if in_notebook else {"disable": None}
    return tqdm(total=total, desc=name or None, leave=not inner, file=sys.stderr, **more)
