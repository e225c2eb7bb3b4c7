"""What expressions in the tests may name, and how one is walked: its last step, or the refusal."""

from __future__ import annotations

import numpy as np
import pytest

import tensorwidgets as tw
from tensorwidgets.engine.expressions import Stage, walk


class Secret:
    """Something a caller may hold, and an expression may not reach into."""

    def __init__(self) -> None:
        self.touched = False

    def __getattr__(self, name: str) -> object:
        object.__setattr__(self, "touched", True)
        return self

    def __call__(self, *args: object) -> object:
        self.touched = True
        return self


def names(**more: object) -> dict[str, object]:
    import os

    x = np.arange(12.0).reshape(3, 4)
    t = tw.arange(6.0).reshape(2, 3)
    return {"x": x, "t": t, "np": np, "tw": tw, "os": os, "n": 3, "xs": [t, t], "secret": Secret(), "f": print, **more}


def last(text: str, **more: object) -> Stage:
    stages = walk(text, names(**more))
    assert stages[-1].text == text
    return stages[-1]


def refusal(text: str, **more: object) -> Exception:
    given = names(**more)
    with pytest.raises((ValueError, NameError, TypeError, SyntaxError, AttributeError)) as caught:
        walk(text, given)
    assert not given["secret"].touched  # type: ignore[attr-defined]
    return caught.value
