"""Random numbers in workers: the same chance twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

SAME_CHANCE = WordPrediction(
    number="20.7",
    question="8 samples, two epochs, two workers, a generator in the dataset. How many different numbers are drawn?",
    subject="the different numbers",
    answer=4,
    reason="4: both workers start with the same copy of the generator, and they do so again in each epoch",
    otherwise={
        16: "that is right without workers. But each worker has a copy of the generator, and copies draw "
        "the same numbers",
        8: "the two workers draw the same four numbers, and they draw them again in the second epoch: the new copies "
        "are made from your generator, which is still where it was",
        2: "each worker loads four samples in an epoch, and its generator moves on between them",
        1: "a generator moves on with each number that is drawn",
        12: "both workers start from the same copy, in each epoch",
    },
)


def _corners(torch: Any) -> list[Case]:
    def case(rows: int, columns: int, seed: int, epoch: int, index: int) -> Case:
        count = rows * columns
        text = f"moved(torch.arange({count}.0).reshape({rows}, {columns}) + 1, {seed}, {epoch}, {index})"
        return Case(text, torch.arange(count * 1.0).reshape(rows, columns) + 1, (seed, epoch, index))

    return [case(2, 3, 0, 0, 3), case(2, 3, 0, 1, 3), case(2, 3, 5, 1, 3), case(3, 2, 0, 2, 9), case(4, 4, 3, 0, 0)]


def _moved(
    picture: Any, seed: int, epoch: int, index: int, key: Callable[..., Any] = lambda s, e, i: [s, e, i],
    places: int = 3, turned: bool = False, rolled: bool = False, cut: bool = True, each: bool = False,
    same: bool = False, ends: bool = False,
) -> list:  # fmt: skip
    """A window of the framed picture, and the usual wrong ones."""
    rows = np.array(picture.tolist())
    height, width = rows.shape
    chance = np.random.default_rng(key(seed, epoch, index))
    if not places:
        top, left = 1, 1
    elif each:
        top, left = int(chance.integers(0, places)), int(chance.integers(0, places))
    else:
        top, left = chance.integers(0, places, size=2).tolist()
    top, left = (left, top) if turned else (top, left)
    if rolled:
        return list(np.roll(rows, (1 - top, 1 - left), (0, 1)).tolist())
    left = top if same else left
    if ends:
        return list(np.pad(rows, 1)[top:height, left:width].tolist())
    framed = np.pad(rows, 1)[top:, left:]
    return list((framed[:height, :width] if cut else framed).tolist())


def _moved_wrongly(**how: Any) -> Callable[..., Any]:
    def moved(picture: Any, seed: int, epoch: int, index: int) -> Any:
        return library_that_made(picture).tensor(_moved(picture, seed, epoch, index, **how))

    return moved


MOVED = FunctionExercise(
    number="20.8",
    task="move a picture at random, with any number of workers",
    function="moved",
    cases=_corners,
    wanted=_moved,
    hints=(
        "default_rng takes a list of whole numbers as its seed. Which three numbers tell this picture from all others?",
        "integers(0, 3, size=2) draws 0, 1 or 2, twice. The first is for the rows, the second for the columns.",
        "With its frame, the picture has two rows and two columns more. A window can begin at 0, 1 or 2, and is as "
        "high as the picture was.",
    ),
    mistakes=(
        Mistake(
            _moved_wrongly(key=lambda s, e, i: s),
            "Every picture is moved alike: the seed alone does not tell them apart. Use [seed, epoch, index].",
        ),
        Mistake(
            _moved_wrongly(key=lambda s, e, i: s + e + i),
            "The sum is the same for picture 3 in epoch 1 and picture 2 in epoch 2. Give all three: [seed, epoch, "
            "index].",
        ),
        Mistake(
            _moved_wrongly(key=lambda s, e, i: [s, i]),
            "Every epoch moves a picture the same way. The epoch belongs in the list.",
        ),
        Mistake(
            _moved_wrongly(key=lambda s, e, i: [s, e]),
            "All the pictures of an epoch are moved alike. The index belongs in the list.",
        ),
        Mistake(
            _moved_wrongly(key=lambda s, e, i: [e, i]),
            "Another seed changes nothing. It belongs in the list.",
        ),
        Mistake(
            _moved_wrongly(places=2),
            "The third place is never drawn: integers(0, 2) stops before 2.",
        ),
        Mistake(
            _moved_wrongly(turned=True),
            "The first number says how far from the top, the second how far from the left.",
        ),
        Mistake(
            _moved_wrongly(same=True),
            "Both numbers are always equal: two new generators with one seed draw alike. Draw both from one generator.",
        ),
        Mistake(
            _moved_wrongly(places=0),
            "Your window is always in the middle, so nothing moves. It begins at the two numbers that you draw.",
        ),
        Mistake(
            _moved_wrongly(ends=True),
            "A slice says where it ends, not how long it is: framed[top : top + height, left : left + width].",
        ),
        Mistake(
            _moved_wrongly(rolled=True),
            "What leaves the picture on one side comes back on the other. Put a frame of zeros around it instead.",
        ),
        Mistake(
            _moved_wrongly(cut=False),
            "The result is larger than the picture. The window ends too: framed[top : top + height, left : left + "
            "width].",
        ),
    ),
    right=(_moved_wrongly(), _moved_wrongly(each=True)),
)
