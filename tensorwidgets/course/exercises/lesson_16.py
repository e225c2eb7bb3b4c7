"""Lesson 16, gradients: what is asked and wanted, and the usual mistakes with the hint for each."""

from __future__ import annotations

from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.prediction import WordPrediction
from tensorwidgets.course.checking.values_asked import Statement, StatementsExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

# -- a knob and a loss ------------------------------------------------------------------------------

BY_HAND = WordPrediction(
    number="16.1",
    question="((w * hours - litres) ** 2).sum() at w = 2: which number does w.grad hold after backward()?",
    subject="w.grad",
    answer=10,
    reason="10: 2 * error * hours of each day, added up: -2 - 4 + 16",
    otherwise={
        0: "that is twice the sum of the errors. Each error also changes with w, at the rate of its hours",
        5: "the square brings a factor of 2",
        6: "that is the loss itself; the gradient says how it changes",
        20: "the factor of 2 is counted twice",
        22: "the errors of the first two days are negative: w * hours is less than litres",
    },
)


def _days(torch: Any) -> list[Case]:
    def case(w: float, x: list[float], t: list[float]) -> Case:
        text = f"slope(torch.tensor({w}), torch.tensor({x}), torch.tensor({t}))"
        return Case(text, torch.tensor(w), (torch.tensor(x), torch.tensor(t)))

    return [
        case(2.0, [1.0, 2.0, 4.0], [3.0, 5.0, 6.0]),
        case(0.0, [3.0], [1.0]),
        case(1.0, [2.0, -1.0], [5.0, 2.0]),
        case(3.0, [1.0, 2.0, 3.0, 4.0], [3.0, 6.0, 9.0, 12.0]),
        case(-1.0, [0.5, 4.0, 2.0], [1.0, 1.0, 0.0]),
    ]


def _day_by_day(w: Any, x: Any, t: Any) -> float:
    return float(sum(2 * (w.item() * a - b) * a for a, b in zip(x.tolist(), t.tolist(), strict=True)))


SLOPE = FunctionExercise(
    number="16.2",
    task="the gradient of the loss, without backward",
    function="slope",
    cases=_days,
    wanted=_day_by_day,
    hints=(
        "Take one day. Its loss is the square of an error e = w*x - t. How fast does e change with w, and e**2 with e?",
        "e**2 changes by 2*e for each unit of e, and e by x for each unit of w. Multiply, then add up the days.",
    ),
    mistakes=(
        Mistake(
            lambda w, x, t: ((w * x - t) * x).sum(),
            "The factor of 2 is missing: the square of e changes by 2*e for each unit of e.",
        ),
        Mistake(
            lambda w, x, t: (2 * (w * x - t)).sum(),
            "The factor x is missing: on a day of 4 hours the error moves 4 times as fast as w.",
        ),
        Mistake(
            lambda w, x, t: 2 * (w * x - t) * x,
            "These are the parts of the days. They all belong to one w, so they are added up.",
        ),
        Mistake(
            lambda w, x, t: (2 * (w * x - t) * x).mean(),
            "The loss is a sum over the days, so its gradient is a sum too, not a mean.",
        ),
        Mistake(lambda w, x, t: ((w * x - t) ** 2).sum(), "That is the loss. How fast does it change with w?"),
        Mistake(
            lambda w, x, t: (2 * (t - w * x) * x).sum(),
            "The sign is the other way round: the error is w*x - t. Uphill is where the loss grows.",
        ),
    ),
    right=(lambda w, x, t: (2 * (w * x - t) * x).sum(), lambda w, x, t: 2 * (w * (x @ x) - x @ t)),
)

# -- once more --------------------------------------------------------------------------------------

THREE_TIMES = WordPrediction(
    number="16.3",
    question="w is 2, and (w * w).backward() runs three times. What does w.grad hold?",
    subject="w.grad after three times",
    answer=12,
    reason="12: each backward() adds its 4 to what is there",
    otherwise={
        4: "that is one of them. backward() does not replace what .grad holds",
        8: "that would be two of them, and it ran three times",
        64: "the gradients are added, not multiplied",
        0: "nothing empties .grad but you",
    },
)


def _weeks(torch: Any) -> list[Case]:
    def case(x: list[float], t: list[float]) -> Case:
        return Case(f"days(torch.tensor({x}), torch.tensor({t}))", torch.tensor(x), (torch.tensor(t),))

    return [
        case([1.0, 2.0, 4.0], [3.0, 5.0, 6.0]),
        case([2.0, 1.0], [1.0, 4.0]),
        case([1.0, 3.0, 0.0, 2.0], [2.0, 5.0, 7.0, 0.0]),
        case([5.0], [9.0]),
    ]


def _each_day(x: Any, t: Any) -> list:
    return [float(2 * (2 * a - b) * a) for a, b in zip(x.tolist(), t.tolist(), strict=True)]


def _collected(x: Any, t: Any, reset: str, copied: bool) -> Any:
    """The function of the lesson, with or without its two repairs."""
    library = library_that_made(x)
    w, found = library.tensor(2.0, requires_grad=True), []
    for a, b in zip(x, t, strict=True):
        if reset == "zero_" and w.grad is not None:
            w.grad.zero_()
        ((w * a - b) ** 2).backward()
        found.append(w.grad.clone() if copied else w.grad)
        if reset == "none":
            w.grad = None
    return library.stack(found)


DAYS = FunctionExercise(
    number="16.4",
    task="the gradient of each day alone",
    function="days",
    cases=_weeks,
    wanted=_each_day,
    hints=(
        "Print found at the end of each turn. Why does an entry from an earlier turn change?",
        "All entries are one tensor, w.grad itself, and backward() adds to it. Give w a new .grad in each turn: "
        "w.grad = None, after you have appended it.",
    ),
    mistakes=(
        Mistake(
            lambda x, t: _collected(x, t, "", False),
            "All entries are the same tensor, and backward() went on adding to it. Let each turn begin with w.grad = "
            "None.",
        ),
        Mistake(
            lambda x, t: _collected(x, t, "", True),
            "Each entry holds its day and all days before it. You copied .grad, but you did not empty it.",
        ),
        Mistake(
            lambda x, t: _collected(x, t, "zero_", False),
            "All entries are one tensor, and zero_() empties it, so all of them show the last day. Use w.grad = None, "
            "or append a clone.",
        ),
        Mistake(
            lambda x, t: _collected(x, t, "none", False).sum(),
            "That is the gradient of all days together. The task asks for one number for each day.",
        ),
        Mistake(lambda x, t: (2 * x - t) ** 2, "Those are the losses of the days. The task asks for their gradients."),
    ),
    right=(
        lambda x, t: _collected(x, t, "none", False),
        lambda x, t: _collected(x, t, "zero_", True),
        lambda x, t: 2 * (2 * x - t) * x,
    ),
)

# -- who gets a gradient ----------------------------------------------------------------------------

HOW_MANY = WordPrediction(
    number="16.5",
    question="After (c * d).sum().backward(): how many of a, b, c and d have a .grad?",
    subject="those with a .grad",
    answer=1,
    reason="only a: b was never asked for, and c and d are results",
    otherwise={
        2: "a and d? d is what double() returned, so it is a result. The leaf behind it got the gradient",
        3: "a, c and d require a gradient, but only leaves keep theirs",
        4: "b does not require a gradient, and results do not keep theirs",
        0: "a is a leaf that requires a gradient, and the loss was made from it",
    },
)

WHICH = StatementsExercise(
    number="16.6",
    task="which of six tensors have a .grad",
    hints=(
        "Two questions for each tensor: was the loss made from it, with nothing detached in between? And is it a leaf?",
        "retain_grad() lets a result keep its gradient. A slice is a result, like any other.",
    ),
    statements=(
        Statement(
            "w has a .grad.", True, "It is a leaf that requires a gradient, and the loss is made from it, in two ways."
        ),
        Statement(
            "shift has a .grad.", False, "It was made without requires_grad=True, so nothing is computed for it."
        ),
        Statement("total has a .grad.", True, "It is a result, but retain_grad() asked it to keep its gradient."),
        Statement(
            "fixed has a .grad.",
            False,
            "It was detached: to the graph it is a number like any other, and requires no gradient.",
        ),
        Statement(
            "unused has a .grad.",
            False,
            "It requires a gradient, but the loss was not made from it, so backward() never reaches it.",
        ),
        Statement(
            "first has a .grad.", False, "A slice is a result. Its gradient travels on to w, the leaf that it reads."
        ),
    ),
)

# -- where branches meet ----------------------------------------------------------------------------

TWO_WAYS = WordPrediction(
    number="16.7",
    question="x is 3, a = x * x, y = a * x + a. Which number does x.grad hold after y.backward()?",
    subject="x.grad",
    answer=33,
    reason="33: 9 directly, and 4 * 6 through a",
    otherwise={
        24: "that is what comes through a. x is also a factor of a * x itself, which brings 9 more",
        27: "that is the gradient of a * x alone. y reads a twice: + a brings 6 more",
        6: "that is the gradient of a. How does y change with a, and where else does y read x?",
        9: "that is what x brings as a factor of a * x. It is in a as well",
        36: "that is y itself",
        21: "a = x * x reads x twice, so it changes by 2 * x",
    },
)


def _changes(torch: Any) -> list[Case]:
    def case(grad: list[float]) -> Case:
        return Case(f"give_back(torch.tensor({grad}))", torch.tensor(grad))

    return [
        case([1.0, 1.0]),
        case([5.0]),
        case([1.0, 10.0, 100.0]),
        case([0.0, 2.0, -3.0, 4.0]),
        case([1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0]),
    ]


def _one_change_at_a_time(grad: Any) -> list:
    found = [0.0] * (len(grad) + 1)
    for k, g in enumerate(grad.tolist()):
        found[k + 1] += g
        found[k] -= g
    return found


def _placed(grad: Any, *how: str) -> Any:
    found = grad.new_zeros(len(grad) + 1)
    for one in how:
        if one == "over":
            found[1:], found[:-1] = grad, -grad
        elif one == "plus":
            found[1:] += grad
        else:
            found[:-1] -= grad
    return found


GIVE_BACK = FunctionExercise(
    number="16.8",
    task="the gradient of x from the gradient of its changes",
    function="give_back",
    cases=_changes,
    wanted=_one_change_at_a_time,
    at_once=True,
    hints=(
        "Take x[1]. Which two of the changes read it, and with which sign?",
        "Begin with grad.new_zeros(len(grad) + 1). x[1:] is read with a plus and x[:-1] with a minus. Add to what is "
        "there already.",
    ),
    mistakes=(
        Mistake(
            lambda grad: _placed(grad, "over"),
            "The second line wrote over what the first had put there. Two branches meet in the middle, so add: += "
            "and -=.",
        ),
        Mistake(
            lambda grad: _placed(grad, "plus"),
            "One branch is missing: x[:-1] is read as well, with a minus.",
        ),
        Mistake(
            lambda grad: _placed(grad, "minus"),
            "One branch is missing: x[1:] is read as well, with a plus.",
        ),
        Mistake(
            lambda grad: -_placed(grad, "plus", "minus"),
            "The signs are the wrong way round: x[1:] is what is counted with a plus.",
        ),
        Mistake(
            lambda grad: grad[1:] - grad[:-1],
            "That is the way forwards: it makes n numbers into n - 1. Backwards, n - 1 become n.",
        ),
        Mistake(
            lambda grad: grad,
            "That is the gradient of the changes. x has one number more, and most of them are read twice.",
        ),
    ),
    right=(lambda grad: _placed(grad, "plus", "minus"), lambda grad: _placed(grad, "minus", "plus")),
)

# -- views and stretched rows -----------------------------------------------------------------------

STRETCHED = WordPrediction(
    number="16.9",
    question="(x * row).sum() with x of size (2, 1), and row = [10, 20, 30]. What is x.grad[1, 0]?",
    subject="x.grad[1, 0]",
    answer=60,
    reason="60: x[1, 0] is read three times, and 10 + 20 + 30 come back",
    otherwise={
        300: "that is 5 * 60. The 5 itself does not matter: 5 * 10 grows by 10 for each unit of the 5",
        3: "it is read three times, but each time with a factor from row",
        20: "x[1, 0] does not meet row[1] alone: it is stretched along the whole row",
        10: "it meets the 10, and the 20 and the 30 as well",
        30: "it meets the 30, and the 10 and the 20 as well",
        1: "it is multiplied, and three times",
    },
)


def _stretches(torch: Any) -> list[Case]:
    def case(shape: tuple[int, ...], size: tuple[int, ...]) -> Case:
        count = 1
        for n in shape:
            count *= n
        grad = torch.arange(1.0, count + 1.0).reshape(shape)
        return Case(f"unstretch(torch.arange(1.0, {count + 1.0}).reshape({shape}), {size})", grad, (size,))

    return [
        case((2, 3), (3,)),
        case((2, 3), (2, 1)),
        case((2, 3), (2, 3)),
        case((3, 3), (3,)),
        case((2, 2, 3), (2, 3)),
        case((2, 2, 3), (2, 1, 3)),
        case((2, 2, 3), (2, 1)),
    ]


def _cell_by_cell(grad: Any, size: tuple[int, ...]) -> list:
    """Each cell of the gradient goes to the place that was read for it."""
    from itertools import product

    from tensorwidgets.course.checking.plainly import Table

    table: dict[tuple[int, ...], float] = {index: 0.0 for index in product(*map(range, size))}
    shape = tuple(grad.shape)
    values = grad.reshape(-1).tolist()
    for index, g in zip(product(*map(range, shape)), values, strict=True):
        place = tuple(0 if n == 1 else i for i, n in zip(index[len(shape) - len(size) :], size, strict=True))
        table[place] += g
    whole = Table(size, tuple(table.values()))
    return _nested(list(whole.values), size)


def _nested(values: list, size: tuple[int, ...]) -> list:
    if len(size) == 1:
        return values
    step = len(values) // size[0]
    return [_nested(values[k * step : (k + 1) * step], size[1:]) for k in range(size[0])]


def _lead(grad: Any, size: tuple[int, ...]) -> Any:
    while grad.dim() > len(size):
        grad = grad.sum(0)
    return grad


def _ones(grad: Any, size: tuple[int, ...], keepdim: bool = True) -> Any:
    for d in reversed(range(min(len(size), grad.dim()))):
        if size[d] == 1 and grad.shape[d] != 1:
            grad = grad.sum(d, keepdim=keepdim)
    return grad


def _averaged(grad: Any, size: tuple[int, ...]) -> Any:
    right = _ones(_lead(grad, size), size)
    return right * right.numel() / grad.numel()


def _in_one_go(grad: Any, size: tuple[int, ...]) -> Any:
    lead = grad.dim() - len(size)
    ones = [d + lead for d, n in enumerate(size) if n == 1]
    return grad.sum([*range(lead), *ones], keepdim=True).reshape(size)


def _from_the_end(grad: Any, size: tuple[int, ...]) -> Any:
    while grad.dim() > len(size):
        grad = grad.sum(-1)
    return _ones(grad, size)


UNSTRETCH = FunctionExercise(
    number="16.10",
    task="the gradient of what was stretched",
    function="unstretch",
    cases=_stretches,
    wanted=_cell_by_cell,
    hints=(
        "What was read more than once gets a sum. Along which dimensions was it read more than once? There are two "
        "kinds.",
        "Dimensions that size lacks lie at the left: while grad.dim() > len(size), sum over dimension 0. Then sum over "
        "each dimension where size has a 1, with keepdim=True.",
    ),
    mistakes=(
        Mistake(
            _lead,
            "Dimensions that size lacks are summed. But a dimension of size 1 was stretched too: sum over it, with "
            "keepdim=True.",
        ),
        Mistake(
            lambda grad, size: _ones(grad, size) if grad.dim() == len(size) else grad,
            "Dimensions of size 1 are summed. But size may also have fewer dimensions than grad: sum over those at the "
            "left.",
        ),
        Mistake(
            lambda grad, size: _ones(_lead(grad, size), size, keepdim=False),
            "A dimension got lost: the gradient has the size of the tensor itself, ones included. keepdim=True keeps "
            "it.",
        ),
        Mistake(
            _in_one_go,
            "Where nothing was stretched, your list of dimensions is empty, and sum([]) adds up everything. Sum only "
            "if there is a dimension in it.",
        ),
        Mistake(_averaged, "A mean is not enough: what is read three times counts three times. Add up."),
        Mistake(
            _from_the_end,
            "Shapes are lined up at the right, so the dimensions that size lacks are those at the left: sum over "
            "dimension 0.",
        ),
        Mistake(
            lambda grad, size: grad.sum(),
            "That adds up everything. Sum only over the dimensions that were stretched.",
        ),
        Mistake(
            lambda grad, size: grad,
            "That is as large as the result. The gradient of a tensor has the size of that tensor.",
        ),
    ),
    right=(
        lambda grad, size: _ones(_lead(grad, size), size),
        lambda grad, size: grad.sum_to_size(size),
    ),
)

# -- off the record ---------------------------------------------------------------------------------

DETACHED = WordPrediction(
    number="16.11",
    question="x is 3, y = x.detach() * x. Which number does x.grad hold after y.backward()?",
    subject="x.grad",
    answer=3,
    reason="3: the detached factor counts as a fixed number, and 3 * x has the gradient 3",
    otherwise={
        6: "that would be x * x. x.detach() holds the same number, but nothing is recorded through it",
        9: "that is y itself",
        0: "one of the two factors is still on record",
        1: "x is multiplied by the 3 that the detached factor holds",
    },
)

WIDTH = 8


def _shake(picture: Any) -> Any:
    columns = picture.shape[1] - WIDTH + 1
    return sum(picture[:, k : k + columns] for k in range(WIDTH)) / WIDTH


def _pictures(torch: Any) -> list[Case]:
    def case(rows: list[list[float]], steps: int) -> Case:
        return Case(f"sharpen(torch.tensor({rows}), {steps})", torch.tensor(rows), (steps,))

    return [
        case([[64.0]], 1),
        case([[64.0, 128.0]], 1),
        case([[64.0, 128.0]], 2),
        case([[0.0, 64.0, 256.0], [64.0, 0.0, 0.0]], 2),
    ]


def _pixel_by_pixel(seen: Any, steps: int) -> list:
    """Gradient descent without gradients: each error is handed to the eight pixels that it was made from."""
    rows = seen.tolist()
    columns = len(rows[0])
    guess = [[0.0] * (columns + WIDTH - 1) for _ in rows]
    for _ in range(steps):
        for row, wanted in zip(guess, rows, strict=True):
            errors = [sum(row[j : j + WIDTH]) / WIDTH - wanted[j] for j in range(columns)]
            for j, error in enumerate(errors):
                for k in range(WIDTH):
                    row[j + k] -= error / WIDTH
    return guess


def _descended(
    seen: Any, steps: int, rate: float = 0.5, reset: bool = True, returned: str = "guess", mean: bool = False
) -> Any:
    library = library_that_made(seen)
    guess = library.zeros(seen.shape[0], seen.shape[1] + WIDTH - 1, *seen.shape[2:], requires_grad=True)
    for _ in range(steps):
        squares = (_shake(guess) - seen) ** 2
        (squares.mean() if mean else squares.sum()).backward()
        last = guess.grad.clone()
        with library.no_grad():
            guess -= rate * guess.grad
        if reset:
            guess.grad = None
    return {"guess": guess.detach(), "gradient": last, "shaken": _shake(guess).detach()}[returned]


def _on_record(seen: Any, steps: int) -> Any:
    guess = library_that_made(seen).zeros(seen.shape[0], seen.shape[1] + WIDTH - 1, requires_grad=True)
    for _ in range(steps):
        ((_shake(guess) - seen) ** 2).sum().backward()
        guess -= 0.5 * guess.grad
    return guess


def _new_tensor(seen: Any, steps: int) -> Any:
    library = library_that_made(seen)
    guess = library.zeros(seen.shape[0], seen.shape[1] + WIDTH - 1, requires_grad=True)
    for _ in range(steps):
        ((_shake(guess) - seen) ** 2).sum().backward()
        with library.no_grad():
            guess = guess - 0.5 * guess.grad
    return guess


SHARPEN = FunctionExercise(
    number="16.12",
    task="bring a shaken photograph back into focus",
    function="sharpen",
    cases=_pictures,
    wanted=_pixel_by_pixel,
    hints=(
        "It is the lemonade loop with another knob: guess in place of w, and shake(guess) in place of w * hours.",
        "In each turn: loss = ((shake(guess) - seen) ** 2).sum(), loss.backward(), the step under torch.no_grad(), and "
        "guess.grad = None. At the end, return guess.detach().",
    ),
    mistakes=(
        Mistake(
            lambda seen, steps: _descended(seen, steps, reset=False),
            "The first step is right, and from then on the old gradients are added in: guess.grad = None is missing.",
        ),
        Mistake(
            lambda seen, steps: _descended(seen, steps, rate=-0.5),
            "You go uphill: the gradient says where the loss grows. Take it away from guess.",
        ),
        Mistake(
            lambda seen, steps: _descended(seen, 1),
            "Only one step was made. Everything from the loss to the step belongs in the loop.",
        ),
        Mistake(
            lambda seen, steps: _descended(seen, steps, rate=1.0),
            "Your steps are twice as long as asked: take away 0.5 * guess.grad.",
        ),
        Mistake(
            lambda seen, steps: _descended(seen, steps, mean=True),
            "Your loss is a mean, so its gradients are smaller than those of a sum. Use .sum().",
        ),
        Mistake(
            lambda seen, steps: _descended(seen, steps, returned="gradient"),
            "That is the last gradient. Return the guess.",
        ),
        Mistake(
            lambda seen, steps: _descended(seen, steps, returned="shaken"),
            "That is the guess, shaken once more. Return the guess itself.",
        ),
        Mistake(
            _on_record,
            "The step writes into a leaf while operations are recorded. Put it under with torch.no_grad():",
        ),
        Mistake(
            _new_tensor,
            "guess = guess - ... makes a new tensor, which requires no gradient, so the second turn has nothing to go "
            "back to. Write in place: guess -= ...",
        ),
    ),
    right=(_descended,),
)

# -- a picture of yours -----------------------------------------------------------------------------


def _filters(torch: Any) -> list[Case]:
    def case(before: list, after: list, steps: int) -> Case:
        text = f"find_filter(torch.tensor({before}), torch.tensor({after}), {steps})"
        return Case(text, torch.tensor(before), (torch.tensor(after), steps))

    flat = [[[0.5, 1.0, 0.5]]]
    return [
        case(flat, [[[0.25, 1.0, 0.0]]], 1),
        case(flat, [[[0.25, 0.5, 0.0]]], 2),
        case([[[0.5, 1.0, 0.0], [1.0, 0.5, 0.5]]], [[[0.25, 1.0, 0.0], [0.5, 0.5, 1.0]]], 2),
        case([[[0.5, 0.5, 0.0]], [[0.5, 0.0, 1.0]]], [[[0.25, 0.5, 0.0]], [[0.25, 0.0, 0.5]]], 3),
    ]


def _colour_by_colour(before: Any, after: Any, steps: int) -> list:
    """Gradient descent without gradients: each pixel says how far its product is off."""
    pairs = list(zip(before.reshape(-1, 3).tolist(), after.reshape(-1, 3).tolist(), strict=True))
    found = [1.0, 1.0, 1.0]
    for _ in range(steps):
        for c in range(3):
            found[c] -= sum(2 * (x[c] * found[c] - y[c]) * x[c] for x, y in pairs) / len(pairs)
    return found


def _filtered(
    before: Any, after: Any, steps: int, rate: float = 1.0, reset: bool = True, start: float = 1.0, how: str = "means"
) -> Any:
    library = library_that_made(before)
    found = library.full((3,), start, requires_grad=True)
    for _ in range(steps):
        squares = (before * found - after) ** 2
        loss = {"means": squares.mean((0, 1)).sum(), "mean": squares.mean(), "sum": squares.sum()}[how]
        loss.backward()
        with library.no_grad():
            found -= rate * found.grad
        if reset:
            found.grad = None
    return found.detach()


FIND_FILTER = FunctionExercise(
    number="16.13",
    task="the filter that turned one picture into another",
    function="find_filter",
    cases=_filters,
    wanted=_colour_by_colour,
    hints=(
        "It is the loop of sharpen. The knobs are the three numbers of found, and before * found takes the place of "
        "shake(guess).",
        "The two dimensions of the pixels come first, so .mean((0, 1)) leaves one number for each colour. .sum() adds "
        "up the three.",
        "After backward(), write found -= found.grad under torch.no_grad(), and then found.grad = None.",
    ),
    mistakes=(
        Mistake(
            lambda before, after, steps: _filtered(before, after, steps, reset=False),
            "The first step is right, and from then on the old gradients are added in: found.grad = None is missing.",
        ),
        Mistake(
            lambda before, after, steps: _filtered(before, after, steps, rate=-1.0),
            "You go uphill: the gradient says where the loss grows. Take it away from found.",
        ),
        Mistake(
            lambda before, after, steps: _filtered(before, after, 1),
            "Only one step was made. Everything from the loss to the step belongs in the loop.",
        ),
        Mistake(
            lambda before, after, steps: _filtered(before, after, steps, how="mean"),
            "That is one mean over all three colours, so its gradients are a third of those asked for. Take a mean for "
            "each colour, and add them up.",
        ),
        Mistake(
            lambda before, after, steps: _filtered(before, after, steps, how="sum"),
            "You added up all pixels, so a larger picture makes larger steps. Take the mean over the pixels first.",
        ),
        Mistake(
            lambda before, after, steps: _filtered(before, after, steps, start=0.0),
            "You began with zeros. Begin with ones, the filter that changes nothing.",
        ),
        Mistake(
            lambda before, after, steps: _filtered(after, before, steps),
            "Your filter goes the other way, from after to before. Multiply before, and compare with after.",
        ),
        Mistake(
            lambda before, after, steps: before * _filtered(before, after, steps),
            "That is the picture with the filter on it. Return the three numbers of the filter.",
        ),
    ),
    right=(_filtered,),
)

ALL = (
    BY_HAND, SLOPE, THREE_TIMES, DAYS, HOW_MANY, WHICH, TWO_WAYS, GIVE_BACK, STRETCHED, UNSTRETCH, DETACHED, SHARPEN,
    FIND_FILTER,
)  # fmt: skip
