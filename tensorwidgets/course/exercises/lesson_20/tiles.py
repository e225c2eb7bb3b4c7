"""An order that is worked out: the tiles of a photograph by their light."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.verdict import Mistake


def _tiles(torch: Any) -> list[Case]:
    def case(n: int, step: int, modulus: int) -> Case:
        text = f"by_light((torch.arange({n * 12}).reshape({n}, 3, 2, 2) * {step} % {modulus}).to(torch.uint8))"
        x = (torch.arange(n * 12).reshape(n, 3, 2, 2) * step % modulus).to(torch.uint8)
        return Case(text, x)

    return [case(3, 23, 101), case(4, 29, 251), case(5, 53, 199), case(8, 17, 241)]


def _mean(tile: list) -> float:
    numbers = [number for colour in tile for row in colour for number in row]
    return sum(numbers) / len(numbers)


def _sorted(tiles: Any) -> tuple[int, ...]:
    lights = [_mean(tile) for tile in tiles.tolist()]
    return tuple(sorted(range(len(lights)), key=lights.__getitem__))


def _lights(tiles: Any) -> Any:
    return tiles.float().mean((1, 2, 3))


BY_LIGHT = FunctionExercise(
    number="20.14",
    task="the order of tiles by their light",
    function="by_light",
    cases=_tiles,
    wanted=_sorted,
    hints=(
        "First one number for each tile: its mean over colours, rows and columns. Which dimensions are these?",
        "mean refuses whole numbers. What do you turn them into first?",
        "sort gives the means in order. Which method gives their indices instead?",
    ),
    mistakes=(
        Mistake(
            lambda tiles: tiles.mean((1, 2, 3)).argsort().tolist(),
            "uint8 holds whole numbers only, and a mean is seldom whole. Turn the tiles into floats first.",
        ),
        Mistake(
            lambda tiles: _lights(tiles).argsort(descending=True).tolist(),
            "The brightest comes first. It should come last.",
        ),
        Mistake(
            lambda tiles: _lights(tiles).sort().values.tolist(),
            "This is how bright the tiles are, in order. A sampler needs their indices: argsort.",
        ),
        Mistake(
            lambda tiles: _lights(tiles).argsort().argsort().tolist(),
            "This says which place each tile gets. The loader needs the other way round: which tile comes first, and "
            "which second. One argsort is enough.",
        ),
        Mistake(
            lambda tiles: list(range(len(tiles))),
            "The tiles are where they were. Sort them by their means.",
        ),
        Mistake(
            lambda tiles: tiles.amax((1, 2, 3)).argsort().tolist(),
            "One bright pixel decides here. Take the mean of a tile, not its largest number.",
        ),
        Mistake(
            lambda tiles: tiles[:, 0].float().mean((1, 2)).argsort().tolist(),
            "This looks at red alone. The mean goes over all three colours.",
        ),
        Mistake(
            lambda tiles: tiles.float().mean((0, 2, 3)).argsort().tolist(),
            "These are the means of the three colours. The tiles are dimension 0, so take the mean over the others.",
        ),
        Mistake(
            lambda tiles: _lights(tiles).argsort(),
            "The indices are right, in a tensor. Make a list of them: tolist().",
        ),
    ),
    right=(
        lambda tiles: _lights(tiles).argsort().tolist(),
        lambda tiles: tiles.flatten(1).sum(1).argsort().tolist(),
        lambda tiles: sorted(range(len(tiles)), key=lambda k: tiles[k].sum().item()),
    ),
)
