"""TrainingExplorer: a training as it goes on, with other runs beside it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from itertools import count as counter
from typing import Any

from ..pictures.arrays.labels import labels_of
from ..pictures.arrays.models.runs import Run, names_of, run_of
from ..pictures.drawing.scene import Block
from ..pictures.learning.training import Look, chosen_width, runs_picture, until
from ..pictures.learning.training_words import best_of, main_series, rises, story
from . import traits
from .controls import Button, Control, Menu, Slider
from .explorer import Explorer
from .typed.integers import integer

SMOOTH = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)
"""Over how many numbers a curve can be averaged."""
WIDTHS = tuple(f"{width:,}" for width in SMOOTH)
SCALES = ("automatic", "linear", "powers of ten")
_numbers = counter(1)


class TrainingExplorer(Explorer):
    """A training: `smooth` is over how many numbers each curve is averaged, `scale` that of the loss.

    While a `TrainingLog` grows, the picture is drawn as often as it takes less than a fortieth of the time. `until` is
    the step up to which is drawn; None follows the log.

    >>> from tensorwidgets.live import TrainingLog
    >>> log = TrainingLog("Adam")
    >>> w = TrainingExplorer(log)
    >>> for k in log.track(range(1, 101)):
    ...     log(loss=1 / k)
    >>> w.status
    'loss 1 → 0.01 in 100 steps, lowest 0.01 at step 100'
    """

    smooth = traits.Whole(None, help="Over how many numbers each curve is averaged; None chooses.")
    scale = traits.Text(SCALES[0], help="The scale of the loss.")
    until = traits.Whole(None, help="Up to which step is drawn; None for all.")

    STATE = ("smooth", "scale", "until")

    _forget: Sequence[Callable[[], None]] = ()
    """What ends the watch of a log; a picture that could not be made watches none."""

    def __init__(
        self, log: Any, *others: Any, labels: Sequence[str] | None = None, smooth: int | None = None,
        scale: str = SCALES[0], until: int | None = None, predict: bool = False,
    ):  # fmt: skip
        sources = (log, *others)
        names = labels_of(sys._getframe(1), len(sources), labels, unnamed="run")
        self._sources = sources
        self._names = names if labels is not None else names_of(sources, names)
        self._runs: list[Run] = []
        self._handle = f"tensorwidgets-training-{next(_numbers)}"
        self._shown = False
        self._read()
        super().__init__()
        self._forget = [one.watch(self._grown) for one in sources if hasattr(one, "watch")]
        with self._at_once():
            self.smooth, self.scale, self.until = smooth, scale, until
            self.predict = predict

    def close(self) -> None:
        for forget in self._forget:
            forget()
        super().close()

    # -- growing -------------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        self._runs = [run_of(one, label) for one, label in zip(self._sources, self._names, strict=True)]

    def _grown(self, last: bool) -> None:
        """The log has more numbers."""
        with self._at_once():
            self._read()
        if last and self._shown:
            self._show_again()

    def _ipython_display_(self) -> None:
        """Shows the widget, or its twin; the output can be replaced, so that the last state is what is saved."""
        from IPython.display import display

        self._shown = True
        data, metadata = self._bundle()
        display(data, metadata=metadata, raw=True, display_id=self._handle)

    def _show_again(self) -> None:
        from IPython.display import update_display

        data, metadata = self._bundle()
        update_display(data, metadata=metadata, raw=True, display_id=self._handle)

    def _bundle(self) -> tuple[dict[str, Any], dict[str, Any]]:
        bundle = self._repr_mimebundle_()
        return bundle if isinstance(bundle, tuple) else (bundle, {})

    # -- the explorer --------------------------------------------------------------------------------------------------

    @property
    def _last(self) -> int:
        return int(max((run.last for run in self._runs), default=0))

    @property
    def _longest(self) -> int:
        """How many numbers the longest series has."""
        return max([len(one.values) for run in self._runs for one in run.series], default=0)

    @property
    def _until(self) -> int | None:
        asked = integer(self.until) if self.until is not None else None
        return None if asked is None or asked >= self._last else max(asked, 0)

    @property
    def _smooth(self) -> int | None:
        asked = integer(self.smooth) if self.smooth is not None else None
        return None if asked is None else min(max(asked, 1), 10_000)

    def _look(self) -> Look:
        total = max([one.total for one in self._sources if getattr(one, "total", None)], default=None)
        log = {SCALES[1]: False, SCALES[2]: True}.get(str(self.scale))
        return Look(self._smooth, log, self._until, None if total is None else float(total))

    def _moved(self, name: str, value: Any) -> None:
        if name == "smooth":
            k = integer(value)
            self.smooth = SMOOTH[min(max(k, 0), len(SMOOTH) - 1)] if k is not None else None
        elif name == "chosen":
            self.smooth = None
        elif name == "scale":
            self.scale = str(value)
        elif name == "until":
            self.until = value
        elif name == "all":
            self.until = None

    def _controls(self) -> list[Control]:
        if not self._last:
            return []
        over = chosen_width(self._longest) if self._smooth is None else min(self._smooth, self._longest)
        most = max(sum(s <= self._longest for s in SMOOTH) - 1, 0)
        k = min(max(sum(s <= over for s in SMOOTH) - 1, 0), most)
        at = self._last if self._until is None else self._until
        scale = str(self.scale) if str(self.scale) in SCALES else SCALES[0]
        return [
            Slider("smooth", "mean over", k, 0, most, shown=f"{over:,}", texts=WIDTHS[: most + 1], group="curves"),
            Button("chosen", "automatic", "smooth = None", self._smooth is None, group="curves"),
            Menu("scale", "loss scale", scale, SCALES, group="curves"),
            Slider("until", "up to", at, 0, self._last, shown=f"{at:,}", group="steps"),
            Button("all", "all", "until = None", self._until is None, group="steps"),
        ]

    def _scene(self) -> Sequence[Block]:
        return runs_picture(self._runs, self._look()).blocks

    def _status_text(self) -> str:
        said = story([until(run, self._until) for run in self._runs])
        return f"{said.subject} {said.reason}"

    def _quiz(self) -> tuple[str, str] | None:
        found = [(run, main) for run in self._runs if (main := main_series(until(run, self._until))) is not None]
        if not found or not found[0][1].finite.size:
            return None
        run, main = found[0]
        name = f"{run.label} {main.name}" if len(self._runs) > 1 else main.name
        word = "highest" if rises(main) else "lowest"
        return f"At which step is {name} {word}?", f"{best_of(main):g}"

    def _covered(self) -> Sequence[Block]:
        return runs_picture(self._runs, self._look()).blocks[:1]
