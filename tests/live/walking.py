"""Random walks through an explorer, by what a browser can send and by what a program can set."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from tensorwidgets.live.explorer import Explorer

ODD: list[Any] = [
    None, "", "x", -1, 0, 2, 10**30, 1.5, float("nan"), True, [], [1, "a"], (2, 3), ((2, 3), (3,)), {"a": 1}, b"x",
    object(), "ij,jk->ik", "x.t()", "batch", "1, 0", "nan", "\u202e", "<b>", ("a", None), "0" * 32, "import os",
]  # fmt: skip
"""What nobody should set, and anybody could."""


def press(w: Explorer, name: str, value: Any = None) -> None:
    """What the browser does to a control."""
    question = {"page": "test", "n": w.answered.get("test", 0) + 1, "name": name, "value": value}
    w._received(w, {"asked": question}, [])


def control(w: Explorer, name: str) -> dict[str, Any]:
    """One of the controls as the browser gets it."""
    return next(c for c in w.controls if c["name"] == name)


def value_for(w: Explorer, spec: dict[str, Any], chance: random.Random) -> Any:
    """Something that this control could be moved to."""
    if spec["kind"] == "slider":
        low, high = (spec["low"], spec["high"]) if spec["low"] <= spec["high"] else (spec["least"], spec["most"])
        return chance.randint(low, min(high, low + 30))
    if spec["kind"] == "menu":
        return chance.choice(spec["choices"])
    if spec["kind"] == "text":
        return chance.choice([*(str(o) for o in ODD if not isinstance(o, object)), "3", "2, 3", "1.5", spec["value"]])
    return None


def step(w: Explorer, chance: random.Random, odd: float = 0.1) -> None:
    """One thing that is done: mostly a control is moved as a browser moves it, sometimes a trait is set."""
    kind = chance.random()
    if kind < odd:
        trait = chance.choice([*w.STATE, "selected", "answer"])
        setattr(w, trait, chance.choice(ODD))
    elif kind < 1.5 * odd:
        press(
            w, chance.choice([*(c["name"] for c in w.controls), "size 9", "no such thing", "cell"]), chance.choice(ODD)
        )
    else:
        spec = chance.choice(w.controls)
        press(w, spec["name"], value_for(w, spec, chance))


def walk(w: Explorer, seed: int, steps: int, check: Callable[[], None], odd: float = 0.1) -> None:
    """Steps one after the other, with a look after each."""
    chance = random.Random(seed)
    for _ in range(steps):
        step(w, chance, odd)
        explained(w)
        check()


def explained(w: Explorer) -> None:
    """What holds in every state: it is drawn, it is said, and what cannot be has its reason."""
    assert w.html.startswith('<div class="tw"') and w.status
    assert all(c["kind"] in ("slider", "button", "play", "text", "menu") for c in w.controls)
    assert len({c["name"] for c in w.controls}) == len(w.controls)
    if w.reason is not None and not w.predict:
        told = w.reason.because or w.reason.message
        assert told and told in w.status and w.status.startswith("Refused: ")
    for c in w.controls:
        if c["kind"] == "slider":
            assert c["least"] <= c["low"] <= c["high"] <= c["most"] or c["low"] > c["high"], c
