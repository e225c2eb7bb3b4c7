"""Lesson 19, training: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin, sqrt
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- the loop -------------------------------------------------------------------------------------------

UNTRAINED = WordPrediction(
    number="19.1",
    question="A network that has learned nothing chooses among ten classes. What is its cross entropy, to one decimal?",
    subject="the first loss",
    answer=2.3,
    reason="2.3: each class gets a probability of about 1/10, and minus the logarithm of that is 2.30",
    otherwise={
        0.1: "that is the probability of each class. The loss is minus its logarithm",
        1: "with log10 it would be 1. The natural logarithm is used",
        0: "a loss of 0 means sure and right. This network knows nothing",
        10: "the loss grows with the logarithm of the number of classes",
        0.9: "that is the share of wrong guesses. Cross entropy looks at the probability of the right class",
        -2.3: "the logarithm of 1/10 is negative, and the loss is minus that",
    },
)


def _lines(torch: Any) -> list[Case]:
    def case(x: list[list[float]], y: list[float], steps: int) -> Case:
        return Case(f"fit(torch.tensor({x}), torch.tensor({y}), {steps})", torch.tensor(x), (torch.tensor(y), steps))

    return [
        case([[1.0], [2.0]], [2.0, 4.0], 1),
        case([[1.0], [2.0]], [2.0, 4.0], 3),
        case([[1.0, 0.0], [1.0, 1.0], [1.0, 3.0]], [1.0, 3.0, 2.0], 4),
        case([[2.0], [0.5], [1.0]], [1.0, 1.0, -2.0], 6),
    ]


def _without_a_library(x: Any, y: Any, steps: int) -> list:
    rows, wanted = x.tolist(), y.tolist()
    w = [0.0] * len(rows[0])
    for _ in range(steps):
        errors = [sum(a * b for a, b in zip(row, w, strict=True)) - t for row, t in zip(rows, wanted, strict=True)]
        slope = [2 * sum(e * row[j] for e, row in zip(errors, rows, strict=True)) / len(rows) for j in range(len(w))]
        w = [a - 0.1 * s for a, s in zip(w, slope, strict=True)]
    return w


Turn = Callable[[Any, Callable[[], Any]], None]


def _right_turn(optimizer: Any, loss: Callable[[], Any]) -> None:
    optimizer.zero_grad()
    loss().backward()
    optimizer.step()


def _fitted(turn: Turn, total: bool = False, once: bool = False, lopsided: bool = False) -> Callable[..., Any]:
    """The loop of the lesson, with another order in each turn."""

    def fit(x: Any, y: Any, steps: int) -> Any:
        library = library_that_made(x)
        w = library.zeros(x.shape[1], requires_grad=True)
        optimizer = library.optim.SGD([w], lr=0.1)

        def loss() -> Any:
            errors = ((x @ w)[:, None] - y if lopsided else x @ w - y) ** 2
            return errors.sum() if total else errors.mean()

        for _ in range(1 if once else steps):
            turn(optimizer, loss)
        return w.detach()

    return fit


def _never_zeroed(optimizer: Any, loss: Callable[[], Any]) -> None:
    loss().backward()
    optimizer.step()


def _step_first(optimizer: Any, loss: Callable[[], Any]) -> None:
    optimizer.step()
    optimizer.zero_grad()
    loss().backward()


def _zeroed_too_late(optimizer: Any, loss: Callable[[], Any]) -> None:
    loss().backward()
    optimizer.zero_grad()
    optimizer.step()


FIT = FunctionExercise(
    number="19.2",
    task="the loop",
    function="fit",
    cases=_lines,
    wanted=_without_a_library,
    decimals=4,
    hints=(
        "Four things happen in each turn, and one of them can come first or last: zero_grad, the loss, backward, step.",
        "The loss is the mean of the squares of x @ w - y. It is computed again in each turn, since w has moved.",
        "In the cell above, the same four lines train a network. What is the model here, and what is the loss?",
    ),
    mistakes=(
        Mistake(
            _fitted(_never_zeroed),
            "The first step is right, and the later ones go too far: gradients of earlier turns are still in .grad. "
            "Call optimizer.zero_grad() in each turn.",
        ),
        Mistake(
            _fitted(_step_first),
            "You step before you go backward, so each step uses the gradient of the turn before, and the first one "
            "does nothing.",
        ),
        Mistake(
            _fitted(_zeroed_too_late),
            "w never moved: zero_grad() came between backward() and step(), and threw the gradient away.",
        ),
        Mistake(_fitted(_right_turn, total=True), "The loss is the mean of the squares. A sum makes the steps longer."),
        Mistake(_fitted(_right_turn, once=True), "Only one step was made. All four lines belong in the loop."),
        Mistake(
            _fitted(_right_turn, lopsided=True),
            "The sizes differ, so each guess met every truth: (n, 1) against (n,), as in lesson 18.",
        ),
    ),
    right=(_fitted(_right_turn),),
)

# -- how far to go ----------------------------------------------------------------------------------

BOUNCES = WordPrediction(
    number="19.3",
    question="The loss is w * w, w begins at 1, the learning rate is 1. Where is w after 100 steps?",
    subject="w after 100 steps",
    answer=1,
    reason="1: each step takes away 2 * w, so w jumps from 1 to -1 and back, for ever",
    otherwise={
        0: "that is the lowest point. But each step takes away 1 * 2 * w, which is twice the way there",
        -1: "that is where w is after an odd number of steps",
        -99: "the gradient is 2 * w, so it changes sign with w",
        -199: "the gradient is 2 * w, so it changes with w. Write down the first three steps",
    },
)


def _slopes(torch: Any) -> list[Case]:
    def case(w: float, grads: list[float], rate: float, beta: float) -> Case:
        text = f"momentum(torch.tensor({w}), torch.tensor({grads}), {rate}, {beta})"
        return Case(text, torch.tensor(w), (torch.tensor(grads), rate, beta))

    return [
        case(1.0, [1.0, 1.0, 1.0], 0.5, 0.5),
        case(0.0, [2.0], 0.25, 0.5),
        case(0.0, [1.0, -1.0, 2.0, 0.0], 1.0, 0.5),
        case(3.0, [4.0, 2.0, 1.0], 0.5, 0.0),
        case(-2.0, [1.0, 0.0, 0.0, 0.0], 1.0, 0.25),
    ]


def _rolling(
    w: Any, grads: Any, rate: float, beta: float, share: float | None = None, reset: bool = False, look: bool = False
) -> float:
    """Momentum, and three ways to get it wrong."""
    at, speed = w.item(), 0.0
    for g in grads.tolist():
        speed = (0.0 if reset else beta * speed) + (1 if share is None else 1 - beta) * g
        at -= rate * (g + beta * speed if look else speed)
    return float(at)


def _rated_speed(w: Any, grads: Any, rate: float, beta: float) -> float:
    at, speed = w.item(), 0.0
    for g in grads.tolist():
        speed = beta * speed + rate * g
        at -= rate * speed
    return float(at)


def _moved_too_early(w: Any, grads: Any, rate: float, beta: float) -> float:
    at, speed = w.item(), 0.0
    for g in grads.tolist():
        at -= rate * speed
        speed = beta * speed + g
    return float(at)


MOMENTUM = FunctionExercise(
    number="19.4",
    task="momentum by hand",
    function="momentum",
    cases=_slopes,
    wanted=_rolling,
    decimals=4,
    hints=(
        "Keep a speed, which begins at 0. In each turn, slow it down, add the gradient, and move by rate times the "
        "speed.",
        "Two numbers change in each turn: the speed, by beta and the gradient, then w, by rate and the speed.",
    ),
    mistakes=(
        Mistake(
            lambda w, grads, rate, beta: _rolling(w, grads, rate, beta, reset=True),
            "That is plain gradient descent. The speed of the turn before, times beta, has to be added.",
        ),
        Mistake(
            lambda w, grads, rate, beta: _rolling(w, grads, rate, beta, share=1.0),
            "A factor of 1 - beta makes the speed a mean. Here the gradient is added as it is.",
        ),
        Mistake(
            lambda w, grads, rate, beta: _rolling(w, grads, rate, beta, look=True),
            "That looks one step ahead, which is Nesterov's momentum. Move by the speed itself.",
        ),
        Mistake(
            _rated_speed,
            "The learning rate is used twice: in the speed, and in the move. Use it once, in the move.",
        ),
        Mistake(
            _moved_too_early,
            "You move before the speed is renewed. First the speed, then the move.",
        ),
        Mistake(
            lambda w, grads, rate, beta: _rolling(w, grads, -rate, beta),
            "You go uphill. Take away rate times the speed.",
        ),
        Mistake(
            lambda w, grads, rate, beta: _rolling(w, grads, rate, 1.0),
            "The speed never slows down. Multiply it by beta before you add the gradient.",
        ),
    ),
    right=(
        _rolling,
        lambda w, grads, rate, beta: (
            w - rate * sum(grads[k] * sum(beta**j for j in range(len(grads) - k)) for k in range(len(grads)))
        ),
    ),
)

# -- steps that fit --------------------------------------------------------------------------------------

FIRST_STEP = WordPrediction(
    number="19.5",
    question="Adam with a learning rate of 0.1, and a first gradient of 1000. How far does w move in the first step?",
    subject="the first step",
    answer=0.1,
    reason="0.1: the first step of Adam is the learning rate, however large the gradient",
    otherwise={
        100: "that is what SGD would do. Adam divides the gradient by its own size",
        1000: "the learning rate counts, and the size of the gradient does not",
        10: "Adam divides by how large the gradients have been so far, and so far there was this one",
        -0.1: "right, but the question is how far, without a sign",
        0.01: "the mean of the gradients is a tenth of the first one, but Adam corrects for that at the beginning",
        0: "it moves, by the learning rate",
    },
)


def _series(torch: Any) -> list[Case]:
    def case(w: float, grads: list[float], rate: float) -> Case:
        text = f"adam(torch.tensor({w}), torch.tensor({grads}), {rate})"
        return Case(text, torch.tensor(w), (torch.tensor(grads), rate))

    return [
        case(1.0, [1000.0], 0.1),
        case(0.0, [4.0, 4.0, 4.0], 0.5),
        case(0.0, [1.0, -1.0, 3.0], 0.1),
        case(2.0, [0.01, 5.0, 0.5, 0.0], 1.0),
    ]


def _adam(w: Any, grads: Any, rate: float, corrected: bool = True, root: bool = True, first: bool = True) -> float:
    at, m, v = w.item(), 0.0, 0.0
    for t, g in enumerate(grads.tolist(), 1):
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        a, b = (m / (1 - 0.9**t), v / (1 - 0.999**t)) if corrected else (m, v)
        at -= rate * (a if first else g) / ((sqrt(b) if root else b) + 1e-8)
    return float(at)


ADAM = FunctionExercise(
    number="19.6",
    task="Adam by hand",
    function="adam",
    cases=_series,
    wanted=_adam,
    decimals=3,
    hints=(
        "Keep two running means, which begin at 0: m of the gradients, and v of their squares. Count the steps from 1.",
        "enumerate(grads, 1) counts from 1. Keep m and v as they are for the next step, and correct copies of them.",
        "Take the square root of the corrected v. You divide by that root plus 1e-8.",
    ),
    mistakes=(
        Mistake(
            lambda w, grads, rate: _adam(w, grads, rate, corrected=False),
            "The means begin at 0, and so they are too small at first. Divide m by 1 - 0.9**t and v by 1 - 0.999**t.",
        ),
        Mistake(
            lambda w, grads, rate: _adam(w, grads, rate, root=False),
            "v is a mean of squares. Take its square root before you divide.",
        ),
        Mistake(
            lambda w, grads, rate: _adam(w, grads, rate, first=False),
            "You divide the last gradient alone. Use m, the mean of the gradients.",
        ),
        Mistake(
            lambda w, grads, rate: w - rate * grads.sum(),
            "That is plain gradient descent. Adam divides by the size of the gradients.",
        ),
        Mistake(
            lambda w, grads, rate: w - rate * grads.sign().sum(),
            "That looks only at the signs. It is right for the first step, and then the means count.",
        ),
        Mistake(
            lambda w, grads, rate: _adam(w, grads, -rate),
            "You go uphill. Take the step away from w.",
        ),
    ),
    right=(_adam,),
)

# -- what it costs --------------------------------------------------------------------------------------

FOUR_TIMES = WordPrediction(
    number="19.7",
    question="A model has 4 MB of parameters and learns with Adam. How many MB with gradients and Adam's state?",
    subject="the megabytes",
    answer=16,
    reason="16: the parameters, their gradients, and two running means, 4 MB each",
    otherwise={
        4: "those are the parameters. Each also has a gradient, and Adam keeps numbers of its own",
        8: "those are the parameters and their gradients. Adam keeps two running means as well",
        12: "Adam keeps two running means: of the gradients, and of their squares",
        20: "the parameters, the gradients and two means make four",
    },
)

# -- learned by heart ------------------------------------------------------------------------------------

BY_HEART = WordPrediction(
    number="19.8",
    question="200 digits got random labels. How many per cent of these labels does the network give after training?",
    subject="the labels learned",
    answer=100,
    reason="100: with 4,810 numbers to turn, it can learn 200 random labels by heart",
    otherwise={
        10: "that is what guessing gives. It is what you get for pictures that the network has never seen",
        50: "it goes on until the loss is small, and it has plenty of numbers to turn",
        90: "it goes all the way",
        1: "the question asks for per cent, not for a share",
        95: "it goes all the way",
        99: "it goes all the way",
        0: "it sees these labels hundreds of times",
    },
)


def _guesses(torch: Any) -> list[Case]:
    def case(scores: list[list[float]], labels: list[int]) -> Case:
        text = f"accuracy(torch.tensor({scores}), torch.tensor({labels}))"
        return Case(text, torch.tensor(scores), (torch.tensor(labels),))

    return [
        case([[2.0, 1.0], [0.0, 1.0], [3.0, 4.0]], [0, 1, 0]),
        case([[-1.0, -2.0, -3.0]], [0]),
        case([[0.5, 0.1, 0.2], [0.1, 0.2, 0.9], [0.3, 0.4, 0.1], [0.2, 0.1, 0.7]], [1, 2, 0, 2]),
        case([[float((3 * k + j) % 7) for j in range(6)] for k in range(7)], [6 - k if k else 5 for k in range(7)]),
    ]


def _one_by_one(scores: Any, labels: Any) -> float:
    rows = scores.tolist()
    right = [row.index(max(row)) == label for row, label in zip(rows, labels.tolist(), strict=True)]
    return sum(right) / len(right)


ACCURACY = FunctionExercise(
    number="19.9",
    task="the share of right guesses",
    function="accuracy",
    cases=_guesses,
    wanted=_one_by_one,
    at_once=True,
    decimals=4,
    hints=(
        "The guess of a row is the class with the largest score. Which method gives the place of the largest number?",
        "Compared with labels, the guesses give True and False. What has to happen to them before a mean?",
    ),
    mistakes=(
        Mistake(
            lambda scores, labels: (scores.argmax(1) == labels).sum(),
            "That counts the right ones. Divide by how many there are, or take the mean.",
        ),
        Mistake(
            lambda scores, labels: (scores.argmax(1) != labels).float().mean(),
            "That is the share of wrong guesses.",
        ),
        Mistake(
            lambda scores, labels: 100 * (scores.argmax(1) == labels).float().mean(),
            "That is per cent. Return a share between 0 and 1.",
        ),
        Mistake(
            lambda scores, labels: (scores.argmax(1) == labels).mean(),
            "The mean of True and False is refused. Turn them into floats first: .float().mean().",
        ),
        Mistake(
            lambda scores, labels: (scores.amax(1) == labels).float().mean(),
            "amax gives the largest score. You want its place: argmax.",
        ),
        Mistake(
            lambda scores, labels: (scores.argmax(0)[0] == labels).float().mean(),
            "Each row is one example, so look for the largest number along dimension 1.",
        ),
        Mistake(
            lambda scores, labels: (scores.argmin(1) == labels).float().mean(),
            "That is the class with the smallest score.",
        ),
        Mistake(
            lambda scores, labels: scores.softmax(1)[range(len(labels)), labels].mean(),
            "That is the mean probability of the right class. Count only whether it has the largest one.",
        ),
    ),
    right=(
        lambda scores, labels: (scores.argmax(1) == labels).float().mean(),
        lambda scores, labels: (scores.argmax(1) == labels).sum() / len(labels),
    ),
)

# -- a reader of digits ------------------------------------------------------------------------------------


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
    turn: Turn = _right_turn,
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
            lambda *given: _learned(*given, turn=_never_zeroed),
            "The gradients pile up. Call optimizer.zero_grad() in each turn.",
        ),
        Mistake(
            lambda *given: _learned(*given, turn=_step_first),
            "You step before you go backward, so each step uses the gradient of the turn before.",
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

# -- a picture of yours ----------------------------------------------------------------------------------


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
    sorted_by: bool = False, dim: int = 1,
) -> Any:  # fmt: skip
    angles = [(base**k if base > 1 else k + 1) * turn * x for k in range(first, first + n)]
    pairs = [part for angle in angles for part in ([angle.sin(), angle.cos()] if cosines else [angle.sin()])]
    parts = [a.sin() for a in angles] + [a.cos() for a in angles] if sorted_by else pairs
    return library_that_made(x).cat([x] * own + parts, dim)


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

ALL = (
    UNTRAINED, FIT, BOUNCES, MOMENTUM, FIRST_STEP, ADAM, FOUR_TIMES, BY_HEART, ACCURACY, LEARN, TRUE_OR_FALSE,
    WAVES,
)  # fmt: skip
