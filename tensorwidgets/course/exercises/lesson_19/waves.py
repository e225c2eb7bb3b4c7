"""Lesson 19, a picture that a network draws."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made


def _some_places(torch: Any) -> list[Case]:
    def case(places: list[list[float]], n: int) -> Case:
        return Case(f"waves(torch.tensor({places}), {n})", torch.tensor(places), (n,))

    return [
        case([[0.5, -1.0]], 1),
        case([[0.25, 0.0], [-0.5, 0.75]], 2),
        case([[0.1, 0.2], [0.3, 0.4], [-0.1, 0.9]], 3),
        case([[0.3, -0.6]], 0),
    ]


def _wave_by_wave(places: Any, n: int) -> list:
    return [
        row + [f(2**k * pi * place) for k in range(n) for f in (sin, cos) for place in row] for row in places.tolist()
    ]


def _waved(
    x: Any, n: int, *, first: int = 0, base: float = 2, turn: float = pi, own: bool = True, cosines: bool = True,
    sorted_by: bool = False, dim: int = 1, cosines_first: bool = False, times: bool = False,
) -> Any:  # fmt: skip
    speeds = [2 * k if times else base**k if base > 1 else k + 1 for k in range(first, first + n)]
    angles = [speed * turn * x for speed in speeds]
    pairs = [part for angle in angles for part in ([angle.sin(), angle.cos()] if cosines else [angle.sin()])]
    pairs = [angle.cos() if k % 2 == 0 else angle.sin() for angle in angles for k in (0, 1)] if cosines_first else pairs
    parts = [a.sin() for a in angles] + [a.cos() for a in angles] if sorted_by else pairs
    return library_that_made(x).cat([x] * own + parts, dim)


def _waves_of_waves(x: Any, n: int) -> Any:
    for k in range(n):
        x = library_that_made(x).cat([x, (2**k * pi * x).sin(), (2**k * pi * x).cos()], 1)
    return x


WAVES = FunctionExercise(
    number="19.12",
    task="places told by waves",
    function="waves",
    cases=_some_places,
    wanted=_wave_by_wave,
    decimals=3,
    hints=(
        "Collect tables of two columns in a list, and put them side by side at the end. Which call does that?",
        "The list begins with x. Wave number k, from 0, has the angle 2**k * torch.pi * x.",
        "Each wave adds two tables: first the sines of its angle, then the cosines.",
    ),
    mistakes=(
        Mistake(
            lambda x, n: _waved(x, n, own=False),
            "The places themselves are missing. They come first, as they are.",
        ),
        Mistake(
            lambda x, n: _waved(x, n, base=1),
            "Your waves are 1, 2, 3 times as fast. Each should be twice as fast as the one before: 1, 2, 4.",
        ),
        Mistake(
            lambda x, n: _waved(x, n, turn=1),
            "π is missing. The slowest wave is sin(π * x).",
        ),
        Mistake(
            lambda x, n: _waved(x, n, turn=2 * pi),
            "Your slowest wave is twice as fast as it should be: it begins with 2**0, which is 1.",
        ),
        Mistake(
            lambda x, n: _waved(x, n, cosines=False),
            "You have the sines. The cosines of the same angles are missing.",
        ),
        Mistake(
            lambda x, n: _waved(x, n, sorted_by=True),
            "The numbers are right, in another order: after the sines of a wave come its cosines.",
        ),
        Mistake(
            lambda x, n: _waved(x, n, cosines_first=True),
            "The numbers are right, in another order: of each wave, the sines come first.",
        ),
        Mistake(
            lambda x, n: _waved(x, n, times=True),
            "2 * k is 0 for the first wave. The speeds are powers of two: 2**k.",
        ),
        Mistake(
            _waves_of_waves,
            "You put the result into x, so from the second wave on you make waves of waves. Collect the parts under "
            "another name.",
        ),
        Mistake(
            lambda x, n: _waved(x, n, dim=0),
            "Your waves are below each other, so there are more places. Put them side by side, along dimension 1.",
        ),
        Mistake(
            lambda x, n: _waved(x, n + 1),
            "One wave too many: k goes from 0 to n - 1.",
        ),
        Mistake(
            lambda x, n: _waved(x, 1, base=2, turn=pi * 2 ** (n - 1)) if n else x,
            "Only the fastest wave is there. Collect all n of them.",
        ),
    ),
    right=(_waved,),
)
