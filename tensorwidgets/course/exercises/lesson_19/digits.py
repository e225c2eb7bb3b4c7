"""Lesson 19, a reader of digits."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

from .turns import Turn, never_stepped, never_zeroed, right_turn, step_first


def _some_digits(torch: Any) -> list[Case]:
    def case(n: int, steps: int) -> Case:
        count = n * 64
        text = f"learn(torch.arange({count}.0).reshape({n}, 64) ** 2 % 17 / 17, torch.arange({n}) * 3 % 10, {steps})"
        x = torch.arange(count * 1.0).reshape(n, 64) ** 2 % 17 / 17
        return Case(text, x, (torch.arange(n) * 3 % 10, steps))

    return [case(2, 0), case(2, 1), case(5, 3), case(8, 6)]


def _learned(
    images: Any,
    labels: Any,
    steps: int,
    *,
    turn: Turn = right_turn,
    evaluates: bool = True,
    twice: bool = False,
    starts_over: bool = False,
    never_trains: bool = False,
    probabilities: bool = False,
) -> Any:
    """The reader of the lesson, in any of the ways to write it."""
    library = library_that_made(images)
    nn = library.nn
    library.manual_seed(0)
    model = nn.Sequential(nn.Linear(64, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 10))
    optimizer = library.optim.Adam(model.parameters(), lr=0.01)
    if never_trains:
        model.eval()

    def loss() -> Any:
        scores = model(images)
        return nn.functional.cross_entropy(scores.softmax(1) if twice else scores, labels)

    for _ in range(steps):
        if starts_over:
            optimizer = library.optim.Adam(model.parameters(), lr=0.01)
        turn(optimizer, loss)
    if evaluates:
        model.eval()
    scores = model(images).detach()
    return scores.softmax(1) if probabilities else scores


LEARN = FunctionExercise(
    number="19.10",
    task="train a reader of digits",
    function="learn",
    cases=_some_digits,
    wanted=_learned,
    decimals=2,
    hints=(
        "It is the loop of the first section, with nn.functional.cross_entropy(model(images), labels) as the loss.",
        "After the loop, dropout has to stop. Which call of lesson 18 does that, for all parts of a model?",
        "Then ask the model once more. detach() takes the scores off the graph.",
    ),
    mistakes=(
        Mistake(
            lambda *given: _learned(*given, evaluates=False),
            "The numbers are nearly right, and some are missing: dropout is still at work. Call model.eval() before "
            "the last line.",
        ),
        Mistake(
            lambda *given: _learned(*given, never_trains=True),
            "You switched to eval() before training, so dropout never dropped anything.",
        ),
        Mistake(
            lambda *given: _learned(*given, twice=True),
            "Softmax twice: cross_entropy takes the scores as the model gives them.",
        ),
        Mistake(
            lambda *given: _learned(*given, turn=never_zeroed),
            "The gradients pile up. Call optimizer.zero_grad() in each turn.",
        ),
        Mistake(
            lambda *given: _learned(*given, turn=step_first),
            "You step before you go backward, so each step uses the gradient of the turn before.",
        ),
        Mistake(
            lambda *given: _learned(*given, turn=never_stepped),
            "These are the scores of the untrained model. Each turn needs backward() and after it step(), with no "
            "zero_grad() between the two.",
        ),
        Mistake(
            lambda *given: _learned(*given, starts_over=True),
            "You make a new optimizer in each turn. Then Adam's running means begin again at 0.",
        ),
        Mistake(
            lambda *given: _learned(*given, probabilities=True),
            "These are probabilities. Return the scores as the model gives them.",
        ),
    ),
    right=(_learned,),
)

TRUE_OR_FALSE = StatementsExercise(
    number="19.11",
    task="true or false, six times",
    hints=(
        "Each can be tried in a cell of your own, most with one tensor and an optimizer.",
        "For the fourth: which numbers do the two optimizers keep besides the parameters?",
    ),
    statements=(
        Statement(
            "optimizer.step() computes the gradients.",
            False,
            "backward() does. step() reads them from .grad, and moves the parameters.",
        ),
        Statement(
            "Without zero_grad(), a step uses the sum of all gradients so far.",
            True,
            "backward() adds to .grad, and nobody else empties it.",
        ),
        Statement(
            "A smaller learning rate always reaches a small loss in fewer steps.",
            False,
            "It takes smaller steps, so it needs more of them. Too large a rate jumps over the goal.",
        ),
        Statement(
            "Adam needs more memory than SGD without momentum.",
            True,
            "It keeps two numbers for each parameter, and plain SGD keeps none.",
        ),
        Statement(
            "A network that is right on all of its training data is right on new data.",
            False,
            "It may have learned them by heart. That is why some data are set aside.",
        ),
        Statement(
            "A network trained in float64 reads digits much better than one trained in float32.",
            False,
            "Both read the same ones. The rounding of float32 is far below the noise of training.",
        ),
    ),
)
