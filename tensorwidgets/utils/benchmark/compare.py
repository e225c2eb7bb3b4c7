"""A table of measurements: one for each label, a row for each statement, a column for each description."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor, log10

from .measurement import Measurement, select_unit

_NAMES = {"ns": "nanosecond", "us": "microsecond", "ms": "millisecond", "s": "second"}


class Compare:
    """Measurements side by side.

    >>> from .measurement import TaskSpec
    >>> def took(seconds, size, way):
    ...     return Measurement(1, [seconds], TaskSpec("", "", label="sum", sub_label=size, description=way))
    >>> table = Compare([took(1e-5, "small", "loop"), took(4e-6, "small", "torch"), took(3e-4, "large", "loop")])
    >>> for line in str(table).strip().split("\\n"):
    ...     print(line.rstrip())
    [------------ sum ------------]
                 |   loop  |  torch
    1 threads: --------------------
          small  |   10.0  |   4.0
          large  |  300.0  |
    <BLANKLINE>
    Times are in microseconds (us).
    """

    def __init__(self, results: Sequence[Measurement]):
        self._results: list[Measurement] = []
        self._trim = False
        self.extend_results(results)

    def extend_results(self, results: Sequence[Measurement]) -> None:
        """Add measurements."""
        for result in results:
            if not isinstance(result, Measurement):
                raise ValueError(f"Expected an instance of `Measurement`, got {type(result)} instead.")
        self._results.extend(results)

    def trim_significant_figures(self) -> None:
        """Show no digits that mean nothing."""
        self._trim = True

    def colorize(self, rowwise: bool = False) -> None:
        """Tables are plain text here: no colours."""

    def highlight_warnings(self) -> None:
        """Tables are plain text here: measurements with warnings look like others."""

    def print(self) -> None:
        """Print the tables."""
        print(str(self))

    def __str__(self) -> str:
        merged = Measurement.merge(self._results)
        labels = dict.fromkeys(result.label for result in merged)
        return "\n".join("\n".join(self._table([r for r in merged if r.label == label])) for label in labels)

    def _table(self, results: list[Measurement]) -> Iterator[str]:
        unit, length = select_unit(min(r.median for r in results))
        columns = list(dict.fromkeys(r.description for r in results))
        several = len({r.env for r in results}) > 1
        rows = list(dict.fromkeys((r.num_threads, _place(r, several), r.as_row_name) for r in results))
        rows.sort(key=lambda row: row[0])
        cells = {(r.num_threads, _place(r, several), r.as_row_name, r.description): r for r in results}
        places, names = max(6, *(len(place) for _, place, _ in rows)), max(len(name) for _, _, name in rows)
        shown = [self._column([cells.get((*row, column)) for row in rows], column or "", length) for column in columns]
        gap = "  " if several else ""
        head = _line(" " * places + gap + " " * names, [column[0] for column in shown])
        label = results[0].label
        yield f"[{(f' {label} ' if label else '').center(len(head) - 2, '-')}]"
        yield head
        threads = None
        for n, (number, place, name) in enumerate(rows, 1):
            if number != threads:
                yield f"{number} threads: ".ljust(len(head), "-")
                threads = number
            yield _line(place.rjust(places) + gap + name.ljust(names), [column[n] for column in shown])
        yield f"\nTimes are in {_NAMES[unit]}s ({unit}).\n"

    def _column(self, cells: list[Measurement | None], title: str, length: float) -> list[str]:
        """A title and the times below it, of one width."""
        decimals = 1
        if self._trim:
            decimals = min([1, *(max(0, _digits(r, length)) for r in cells if r is not None)])
        texts = ["" if r is None else f"{self._shown(r, length):.{decimals}f}" for r in cells]
        longest = max(len(text) for text in texts)
        width = max(len(title), longest)
        return [title.center(width), *(text.rjust(longest).center(width) for text in texts)]

    def _shown(self, result: Measurement, length: float) -> float:
        value = result.median / length
        return round(value, _digits(result, length)) if self._trim else value


def _digits(result: Measurement, length: float) -> int:
    """How many digits after the point mean something."""
    return result.significant_figures - 1 - floor(log10(result.median / length))


def _place(result: Measurement, several: bool) -> str:
    return f"({result.env})" if several else ""


def _line(name: str, cells: list[str]) -> str:
    return "  |  ".join((name, *cells))
