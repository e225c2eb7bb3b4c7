"""Lesson 17, a meter of what is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tensorwidgets.course.checking.functions_asked import Case, FunctionExercise
from tensorwidgets.course.checking.verdict import Mistake
from tensorwidgets.course.checking.watching import library_that_made

RESULT, NOTHING = ("exp", "sigmoid", "sqrt", "relu"), ("neg",)


def after(t: Any, steps: list[str]) -> Any:
    """What comes of a tensor by these methods, one after the other."""
    for step in steps:
        t = getattr(t, step)()
    return t


def _chains(torch: Any) -> list[Case]:
    def case(text: str, x: Any, *steps: str) -> Case:
        return Case(f"kept({text}, {list(steps)})", x, (list(steps),))

    ones = torch.ones(1000)
    return [
        case("torch.ones(1000)", ones, "exp", "sin"),
        case("torch.ones(1000)", ones, "sin", "sin"),
        case("torch.ones(1000)", ones, "neg", "neg"),
        case("torch.ones(1000)", ones, "sigmoid", "square", "exp"),
        case("torch.ones(10, dtype=torch.float64)", torch.ones(10, dtype=torch.float64), "relu"),
        case("torch.ones(100, 10)[:, 0]", torch.ones(100, 10)[:, 0], "sin", "exp"),
    ]


def _by_table(x: Any, steps: list[str]) -> int:
    """What each operation keeps, from a table; a name for each storage."""
    own = x.numel() * x.element_size()
    sizes = {0: x.untyped_storage().nbytes()}
    held = set()
    for k, name in enumerate(steps, 1):
        sizes[k] = own
        if name not in NOTHING:
            held.add(k if name in RESULT else k - 1)
    return sum(sizes[k] for k in held)


def _metered(count: Callable[[Any, dict[int, int]], None], total: Callable[[dict[int, int]], int]) -> Any:
    """A meter whose hook does `count`, and what it makes of the counts in the end."""

    def kept(x: Any, steps: list[str]) -> int:
        library = library_that_made(x)
        found: dict[int, int] = {}

        def pack(t: Any) -> Any:
            count(t, found)
            return t

        y = x.detach().requires_grad_()
        with library.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
            for name in steps:
                y = getattr(y, name)()
        return total(found)

    return kept


def _turned_on(x: Any, steps: list[str]) -> int:
    """The right number, by way of a tensor that is the caller's own."""
    x.requires_grad_()
    found: dict[int, int] = {}

    def pack(t: Any) -> Any:
        each_storage(t, found)
        return t

    with library_that_made(x).autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        after(x, steps)
    return sum(found.values())


def _from_x_again(x: Any, steps: list[str]) -> int:
    library = library_that_made(x)
    found: dict[int, int] = {}
    alive = []  # what is gone could leave its place to another

    def pack(t: Any) -> Any:
        each_storage(t, found)
        return t

    y = x.detach().requires_grad_()
    with library.autograd.graph.saved_tensors_hooks(pack, lambda t: t):
        for name in steps:
            alive.append(getattr(y, name)())
    return sum(found.values())


def each_storage(t: Any, found: dict[int, int]) -> None:
    """Note the bytes of the storage of a tensor, once for each."""
    found[t.untyped_storage().data_ptr()] = t.untyped_storage().nbytes()


def _each_time(t: Any, found: dict[int, int]) -> None:
    found[len(found)] = t.untyped_storage().nbytes()


def _each_time_as_seen(t: Any, found: dict[int, int]) -> None:
    found[len(found)] = t.nbytes


def _each_view(t: Any, found: dict[int, int]) -> None:
    found[t.data_ptr()] = t.nbytes


def _results(x: Any, steps: list[str]) -> int:
    return len(steps) * x.numel() * x.element_size()


def _with_x(x: Any, steps: list[str]) -> int:
    return _results(x, steps) + int(x.untyped_storage().nbytes())


METER = FunctionExercise(
    number="17.11",
    task="a meter for what a chain keeps",
    function="kept",
    cases=_chains,
    wanted=_by_table,
    hints=(
        "The function that you give to saved_tensors_hooks is called with every tensor that is kept. Let it note the "
        "storage, where it begins and how many bytes it has, and return the tensor.",
        "A dictionary does the rest: sizes[t.untyped_storage().data_ptr()] = t.untyped_storage().nbytes(), and at the "
        "end sum(sizes.values()).",
    ),
    mistakes=(
        Mistake(
            _metered(_each_time, lambda found: sum(found.values())),
            "A tensor that two operations keep is counted twice. Count each storage once, by where it begins.",
        ),
        Mistake(
            _metered(_each_view, lambda found: sum(found.values())),
            "A view keeps its whole storage alive, even what it does not read. Ask t.untyped_storage().nbytes(), and "
            "let the chain begin with x itself: a clone has another storage.",
        ),
        Mistake(
            _metered(_each_time_as_seen, lambda found: sum(found.values())),
            "A tensor that two operations keep is counted twice. Count each storage once, by where it begins, and with "
            "all of its bytes.",
        ),
        Mistake(
            _metered(each_storage, lambda found: sum(set(found.values()))),
            "Two storages of the same size are two. Add up the sizes of all of them.",
        ),
        Mistake(
            _from_x_again,
            "Each step begins with x again. Give the result of one step to the next.",
        ),
        Mistake(_metered(each_storage, len), "That is how many storages are kept. How many bytes do they have?"),
        Mistake(
            _results,
            "That counts every result. Some are not kept, and sometimes the input of the chain is.",
        ),
        Mistake(_with_x, "That counts every tensor of the chain. Only what a derivative reads is kept."),
        Mistake(lambda x, steps: 0, "Nothing was recorded: does your x require a gradient?"),
    ),
    right=(_metered(each_storage, lambda found: sum(found.values())), _turned_on),
    turned="Your function turned requires_grad on for the tensor that it was given, and that is still on. Begin with "
    "x = x.detach().requires_grad_(), and the caller's tensor stays as it was.",
)
