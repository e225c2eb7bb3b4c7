"""A surface as a picture: each path is that of torch.optim, the map is that of the function, and f may be anything."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.pictures import show
from tensorwidgets.pictures.arrays.models.descents import RULES, descend
from tensorwidgets.pictures.arrays.models.landscapes import Landscape
from tensorwidgets.pictures.learning.surface_map import ACROSS, DOWN, Ground, Map
from tests.pictures.parsed import parse


def rosenbrock(a: Any, b: Any) -> Any:
    return (1 - a) ** 2 + 100 * (b - a * a) ** 2


def bowl(a: Any, b: Any) -> Any:
    return a * a + 20 * b * b


def with_math(a: float, b: float) -> float:
    return math.sin(3 * a) + math.exp(b / 2) if a > -1 else 1.0


def with_tensors(a: Any, b: Any) -> Any:
    return tw.sin(3 * a) + tw.exp(b / 2)


def with_data(a: Any, b: Any) -> Any:
    x = tw.tensor([-1.0, 2.0, 0.5], dtype=tw.float64)
    return (tw.sigmoid(a * x + b) - tw.tensor([0.0, 1.0, 1.0], dtype=tw.float64)).pow(2).mean()


def with_hole(a: float, b: float) -> float:
    return math.log(a) + b * b


OPTIM = {
    "SGD": lambda torch, p, lr: torch.optim.SGD(p, lr=lr),
    "momentum": lambda torch, p, lr: torch.optim.SGD(p, lr=lr, momentum=0.9),
    "Nesterov": lambda torch, p, lr: torch.optim.SGD(p, lr=lr, momentum=0.9, nesterov=True),
    "RMSprop": lambda torch, p, lr: torch.optim.RMSprop(p, lr=lr),
    "Adagrad": lambda torch, p, lr: torch.optim.Adagrad(p, lr=lr),
    "Adam": lambda torch, p, lr: torch.optim.Adam(p, lr=lr),
}


def walked(torch: Any, name: str, steps: int) -> list[tuple[float, float]]:
    """The path of a real optimizer."""
    a, b = (torch.tensor(v, dtype=torch.float64, requires_grad=True) for v in (-1.2, 0.8))
    optimizer = OPTIM[name](torch, [a, b], 0.003)
    points = [(a.item(), b.item())]
    for _ in range(steps):
        optimizer.zero_grad()
        rosenbrock(a, b).backward()
        optimizer.step()
        points.append((a.item(), b.item()))
    return points


def check_paths(torch: Any, name: str) -> None:
    land = Landscape(rosenbrock, (0.0, 0.0))

    def slope(at: tuple[float, float]) -> tuple[float, float]:
        (a, b) = at
        return -2 * (1 - a) - 400 * a * (b - a * a), 200 * (b - a * a)

    way = descend(land.loss, slope, name, (-1.2, 0.8), 0.003 if name != "SGD" else 0.003, 40)
    real = walked(torch, name, 40)
    same = len(way.points)
    assert same > 3 and np.allclose(way.points, real[:same], rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", RULES)
def test_a_path_is_that_of_the_optimizer(name: str) -> None:
    check_paths(tw, name)


@pytest.mark.torch
@pytest.mark.parametrize("name", RULES)
def test_a_path_is_that_of_pytorchs_optimizer(name: str) -> None:
    import torch

    check_paths(torch, name)


@pytest.mark.torch
def test_functions_of_pytorchs_tensors() -> None:
    import torch

    land = Landscape(lambda a, b: torch.sin(3 * a) + torch.exp(b / 2), (0.0, 0.0))
    assert np.allclose(land.slope((0.4, 0.6)), Landscape(with_tensors, (0.0, 0.0)).slope((0.4, 0.6)))
    assert land.grid((-1, 1), (-1, 1)).shape == (101, 141)


@pytest.mark.parametrize("f", [rosenbrock, bowl, with_math, with_tensors, with_data])
def test_the_slope_is_that_of_the_function(f: Any) -> None:
    land = Landscape(f, (0.3, 0.2))
    h = 1e-5
    for at in ((0.3, 0.2), (-0.7, 1.1)):
        x = (land.loss((at[0] + h, at[1])) - land.loss((at[0] - h, at[1]))) / (2 * h)
        y = (land.loss((at[0], at[1] + h)) - land.loss((at[0], at[1] - h))) / (2 * h)
        assert np.allclose(land.slope(at), (x, y), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("f", [rosenbrock, with_math, with_tensors, with_hole])
def test_the_grid_is_that_of_the_function(f: Any) -> None:
    values = (land := Landscape(f, (0.5, 0.5))).grid((-2, 2), (-1, 3))
    rows, columns = values.shape
    for k, j in ((0, 0), (rows - 1, columns - 1), (7, 11), (rows // 2, 3)):
        at = (-2 + 4 * j / (columns - 1), 3 - 4 * k / (rows - 1))
        assert math.isclose(values[k, j], land.loss(at), rel_tol=1e-9, abs_tol=1e-12)


def test_places_and_cells() -> None:
    ground = Ground(Landscape(bowl, (0.0, 0.0)).grid((-2, 2), (-1, 3)), (-2.0, 2.0), (-1.0, 3.0), ("a", "b"))
    assert ground.place((-2.0, 3.0)) == (0.0, 0.0) and ground.place((2.0, -1.0)) == (600.0, 400.0)
    page = parse(Map(ground, (), (), (0.0, 0.0)).html())
    cells = [e for e in page.all("td") if e.attributes.get("title")]
    assert len(cells) == ACROSS * DOWN == len({e.attributes["title"] for e in cells})
    at = ground.centre(5, 3)
    assert cells[3 * ACROSS + 5].attributes["title"].startswith(f"{ground.called(at)} | loss ")
    assert abs(ground.value(at) - bowl(*at)) < 0.5
    assert np.all(np.diff(ground.levels) > 0)
    letters = Map(ground, (), (), (0.0, 0.0)).letters()
    assert letters[15][30] == "*" and letters[0][0] == "9"


def test_what_the_sentence_says() -> None:
    text = repr(show.surface(bowl, lr=0.051, start=(-1.5, 1)))
    assert "The loss bowl (lr 0.051, 60 steps)" in text and "✗ diverges at step 31" in text
    assert "Adam: is lowest after 60 steps" in text and "SGD diverges: its loss is" in text
    text = repr(show.surface(bowl, lr=5, start=(-1.5, 1), optimizers=("SGD", "momentum")))
    assert "all: diverge from a -1.5, b 1" in text and "A smaller" in text
    even = repr(show.surface(lambda a, b: a * a + b * b, start=(1, 1), optimizers=("SGD", "Adagrad", "Adam"), steps=0))
    assert "loss: is 2 at the start" in even
    flat = repr(show.surface(lambda a, b: a * 0 + 1, optimizers=("SGD", "momentum", "Adam")))
    assert "SGD, momentum and Adam: are equally low after 60 steps: 1 → 1" in flat
    assert "The loss is 1 everywhere." in flat and "contours" not in flat and "\nloss 1 everywhere\n" in flat
    far = repr(show.surface(bowl, start=(50, 50)))
    assert "The start, a 50, b 50, is not on the map." in far and "ring" not in far
    own = repr(show.surface(bowl, lr={"SGD": 0.04, "Adam": 0.2}, optimizers=("SGD", "Adam")))
    assert "lr 0.04, 0.2" in own


def test_a_function_with_holes_is_drawn() -> None:
    picture = show.surface(with_hole, x=(-1, 2), start=(1.0, 1.0), lr=0.1, optimizers=("SGD",))
    assert "tw-surface" in picture.html() and "loss from" in repr(picture)
    assert "Where it is hatched, the loss is no finite number." in repr(picture)
    rows = [line for line in repr(picture).splitlines() if line[:19] == "/" * 19]
    assert len(rows) == 20, "the log of a third of the map is no number"
    assert "hatched" not in repr(show.surface(bowl))


def test_the_name_of_a_function() -> None:
    makers: list[Any] = [bowl]
    assert repr(show.surface(bowl)).startswith("The loss bowl")
    assert repr(show.surface(*makers)).startswith("The loss bowl"), "that of its definition"
    assert repr(show.surface(lambda a, b: a * a + b * b)).startswith("A loss over two parameters")


@pytest.mark.parametrize("wrong", [{"lr": -1}, {"lr": {"SGD": math.nan}}, {"steps": -1}])
def test_what_no_optimizer_takes(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="lr=|steps="):
        show.surface(bowl, **wrong)


def test_a_flat_one_too() -> None:
    assert "loss 3 everywhere" in repr(show.surface(lambda a, b: 3.0, labels=["flat"]))


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"x": (2, -2)}, ValueError, r"x=\(2, -2\) is not a range"),
        ({"y": (0,)}, ValueError, "is not a range"),
        ({"optimizers": ("Magic",)}, ValueError, "no optimizer is called 'Magic': choose from SGD"),
        ({"start": 3}, TypeError, r"start= is a pair of numbers such as \(-1.5, 1\), not 3"),
        (
            {"lr": "fast"},
            ValueError,
            "lr= is a positive number, or a dictionary .*, not 'fast'",
        ),
    ],
)
def test_what_cannot_be_drawn(settings: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        show.surface(bowl, **settings)
    with pytest.raises(TypeError, match="function of two numbers"):
        show.surface(3)
    with pytest.raises(TypeError, match=r"this <lambda>\(a\) cannot be called with two: give it one parameter"):
        show.surface(lambda a: a)
    with pytest.raises(TypeError, match=r"returns one number, and this one returns list: reduce it, as .sum\(\) does"):
        show.surface(lambda a, b: [a, b])
    with pytest.raises(TypeError, match=r"and this one returns Tensor of size \(2,\)"):
        show.surface(lambda a, b: tw.stack([a, b]))
    with pytest.raises(ValueError, match=r"no finite value for x in \(-2.0, 2.0\)"):
        show.surface(lambda a, b: float("nan"))


def test_a_path_that_flees_in_its_first_step_diverges() -> None:
    text = repr(show.surface(lambda a, b: (a * a + b * b) * 1e300, optimizers="SGD", labels=["f"]))
    assert "diverges at step 1" in text and "not finite" in text


def test_a_start_without_a_number_is_told() -> None:
    text = " ".join(repr(show.surface(lambda a, b: a if a > 0 else float("nan"), labels=["f"])).split())
    assert "f: is no finite number at a -1.4, b 1.2, where the paths start" in text and " inf " not in text
