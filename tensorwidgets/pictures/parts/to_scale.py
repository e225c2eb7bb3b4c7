"""Places and widths in parts of a hundred of a bar, and the colours of the places on it."""

from __future__ import annotations

from ..drawing.tokens import PLACES, place


def placed(left: float, right: float) -> str:
    """The style of what lies between two places, in parts of a hundred.

    >>> placed(25, 37.5)
    'position:absolute;margin-left:25%;width:12.5%'
    """
    return f"position:absolute;margin-left:{number(left)}%;width:{number(right - left)}%"


def number(x: float) -> str:
    """At most three decimals.

    >>> number(12.5), number(100 / 3), number(100.0)
    ('12.5', '33.333', '100')
    """
    return f"{x:.3f}".rstrip("0").rstrip(".")


def ramp(start: int, stop: int, nbytes: int) -> str:
    """The colours of the places from `start` to `stop`, of `nbytes` in all: one for each step of the ramp.

    >>> ramp(0, 4, 1000), ramp(0, 500, 1000).count("#")
    ('#f7f6d3', 17)
    """
    last, stop = max(nbytes - 1, 1), max(stop, start + 1)
    steps = [round(at * (PLACES - 1) / last) for at in (start, stop - 1)]
    stops = []
    for k in range(steps[0], steps[1] + 1):
        end = 100 * ((k + 0.5) * last / (PLACES - 1) - start) / (stop - start)
        stops.append(f"{place(k, PLACES)} 0 {number(min(end, 100.0))}%")
    return stops[0].split()[0] if len(stops) == 1 else f"linear-gradient(90deg,{','.join(stops)})"
