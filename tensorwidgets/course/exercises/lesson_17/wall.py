"""Lesson 17, a wall of pictures in little memory."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, exp, sin
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

from .meter import after, each_storage


def _walks(torch: Any) -> list[Case]:
    def case(x: list[float], parts: int, *steps: str) -> Case:
        text = f"there_and_back(torch.tensor({x}), {list(steps)}, {parts})"
        return Case(text, torch.tensor(x), (list(steps), parts))

    return [
        case([0.5, 1.0], 2, "sin", "cos", "square", "exp"),
        case([0.25], 3, "exp", "sin", "cos", "square", "sin", "cos"),
        case([0.5, 0.75, 1.0], 2, "exp", "sin", "square", "cos", "square", "sin"),
        case([1.5, 0.5], 1, "cos", "sin", "exp"),
    ]


DERIVED: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "sin": (sin, cos),
    "cos": (cos, lambda v: -sin(v)),
    "square": (lambda v: v * v, lambda v: 2 * v),
    "exp": (exp, exp),
}


def _by_chain_rule(x: Any, steps: list[str], parts: int) -> tuple[Any, int]:
    values, slopes = x.tolist(), [1.0] * len(x)
    for name in steps:
        function, derivative = DERIVED[name]
        slopes = [slope * derivative(v) for slope, v in zip(slopes, values, strict=True)]
        values = [function(v) for v in values]
    return library_that_made(x).tensor([values, slopes]), parts * 4 * len(x)


def _pieces(steps: list[str], parts: int) -> list[list[str]]:
    length = len(steps) // parts
    return [steps[k : k + length] for k in range(0, len(steps), length)]


def _there_and_back(in_parts: Callable[[Any, list[str], int, Any], Any]) -> Callable[[Any, list[str], int], Any]:
    """What `there_and_back` of the lesson returns; `in_parts` gets the library's `checkpoint` as well."""

    def there_and_back(x: Any, steps: list[str], parts: int) -> tuple[Any, int]:
        library = library_that_made(x)
        held: dict[int, int] = {}

        def pack(t: Any) -> Any:
            each_storage(t, held)
            return t

        def checkpoint(f: Callable[..., Any], *given: Any) -> Any:
            return library.utils.checkpoint.checkpoint(f, *given, use_reentrant=False)

        x = x.detach().requires_grad_()
        with library.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
            y = in_parts(x, steps, parts, checkpoint)
        y.sum().backward()
        return library.stack([y.detach(), x.grad]), sum(held.values())

    return there_and_back


def _one_after_the_other(x: Any, steps: list[str], parts: int, checkpoint: Any) -> Any:
    for part in _pieces(steps, parts):
        x = checkpoint(after, x, part)
    return x


def _looked_up_late(x: Any, steps: list[str], parts: int, checkpoint: Any) -> Any:
    for part in _pieces(steps, parts):
        x = checkpoint(lambda t: after(t, part), x)  # noqa: B023 -- this is the mistake
    return x


def _cut_off(x: Any, steps: list[str], parts: int, checkpoint: Any) -> Any:
    for part in _pieces(steps, parts):
        x = checkpoint(after, x.detach(), part)
    return x


def _from_the_start(x: Any, steps: list[str], parts: int, checkpoint: Any) -> Any:
    for part in _pieces(steps, parts):
        y = checkpoint(after, x, part)
    return y


WALL = FunctionExercise(
    number="17.12",
    task="a chain in parts, which keeps one tensor for each",
    function="there_and_back",
    decimals=4,
    cases=_walks,
    wanted=_by_chain_rule,
    hints=(
        "How long is a part? Begin with its slice of the list. The result of one part is the input of the next.",
        "checkpoint passes on what comes after the function: checkpoint(run, x, part, use_reentrant=False) calls "
        "run(x, part), now and once more in backward().",
    ),
    mistakes=(
        Mistake(
            _there_and_back(_looked_up_late),
            "The gradient is wrong, and nothing complained. Your function looks up a name of the loop, and backward() "
            "runs it again when the loop is over: each part then runs the last steps. Pass the part as an argument.",
        ),
        Mistake(
            _there_and_back(lambda x, steps, parts, checkpoint: after(x, steps)),
            "No checkpoint is in it: the chain keeps all that it kept before.",
        ),
        Mistake(
            _there_and_back(lambda x, steps, parts, checkpoint: _one_after_the_other(x, steps, len(steps), checkpoint)),
            "Each step has a checkpoint of its own, and each keeps its input. Put all steps of a part into one.",
        ),
        Mistake(
            _there_and_back(lambda x, steps, parts, checkpoint: checkpoint(after, x, steps)),
            "One checkpoint is around everything. Cut the list into as many parts as asked for.",
        ),
        Mistake(
            _there_and_back(
                lambda x, steps, parts, checkpoint: _one_after_the_other(x, steps, len(steps) // parts, checkpoint)
            ),
            "You make parts of that length. parts says how many there are: each has len(steps) // parts steps.",
        ),
        Mistake(
            _there_and_back(_cut_off),
            "Nothing leads back to x. Leave out detach() and no_grad(): checkpoint itself decides what is recorded.",
        ),
        Mistake(
            _there_and_back(lambda x, steps, parts, checkpoint: checkpoint(after(x, steps))),
            "checkpoint calls its first argument. Give it the function run, and after it what run is called with.",
        ),
        Mistake(
            _there_and_back(lambda x, steps, parts, checkpoint: x * 1),
            "That is x as it came. checkpoint returns a new tensor: give it a name, and go on with it.",
        ),
        Mistake(
            _there_and_back(_from_the_start),
            "Each part begins at x again. Give the result of one part to the next.",
        ),
        Mistake(
            _there_and_back(lambda x, steps, parts, checkpoint: checkpoint(after, x, _pieces(steps, parts)[0])),
            "Only the first part is run.",
        ),
    ),
    right=(_there_and_back(_one_after_the_other),),
)
