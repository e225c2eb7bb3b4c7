"""How tensors are printed: the five settings, their profiles, and what is said when one makes no sense.

As in PyTorch a setting is taken as it is given and is only read when a tensor is printed; an impossible one
is refused there, with Python's own words. The note on that error says which setting is meant.

>>> with printoptions(precision=2):
...     get_printoptions()["precision"]
2
>>> get_printoptions()["precision"]
4
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from numbers import Integral, Real
from typing import Any

from ..errors.reasons import Reason


@dataclass(slots=True)
class PrintOptions:
    """The settings that printing reads."""

    precision: int = 4
    """Digits after the point of numbers that have a fraction, and of all in scientific notation."""
    threshold: float = 1000
    """A tensor of more elements than this prints its edges alone."""
    edgeitems: int = 3
    """How many elements such a tensor shows at each end of each dimension."""
    linewidth: int = 80
    sci_mode: bool | None = None
    """Scientific notation: always, never, or (None) where the magnitudes ask for it."""


PROFILES: dict[str, dict[str, float]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}

options = PrintOptions()
"""The settings in force. There is one set for the whole process, as in PyTorch."""


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Change how tensors print from now on: first the profile, then each setting that is given.

    PyTorch's two surprises are kept: a profile that it does not know changes nothing, and a call that leaves
    out ``sci_mode`` sets it back to None.

    >>> import tensorwidgets as torch
    >>> torch.set_printoptions(precision=2, sci_mode=True)
    >>> torch.ones(1)
    tensor([1.00e+00])
    >>> torch.set_printoptions(profile="default")
    >>> torch.ones(1)
    tensor([1.])
    """
    chosen: dict[str, Any] = dict(PROFILES.get(profile, {})) if isinstance(profile, str) else {}
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    chosen.update((name, value) for name, value in given.items() if value is not None)
    for name, value in chosen.items():
        setattr(options, name, value)
    options.sci_mode = sci_mode


def get_printoptions() -> dict[str, Any]:
    """The settings in force, as keywords that `set_printoptions` takes back."""
    return asdict(options)


@contextmanager
def printoptions(**changes: Any) -> Iterator[None]:
    """Print differently inside a ``with`` block; the keywords are those of `set_printoptions`."""
    before = get_printoptions()
    set_printoptions(**changes)
    try:
        yield
    finally:
        set_printoptions(**before)


def _counts(value: object) -> bool:
    """Whether this is a whole number from 0 up; True is none, because it is formatted as a word."""
    return isinstance(value, Integral) and not isinstance(value, bool) and int(value) >= 0


def _shown(value: object) -> str:
    """A setting as a sentence names it: of what prints by the settings, such as a tensor, the class is named.

    >>> _shown(2.5), _shown("a"), _shown(PrintOptions())
    ('2.5', "'a'", 'a PrintOptions')
    """
    plain = isinstance(value, (Real, complex, str, bytes, type(None)))
    return repr(value) if plain else f"a {type(value).__name__}"


def odd_settings(settings: PrintOptions) -> list[str]:
    """What is wrong with these settings, a sentence each.

    >>> odd_settings(PrintOptions(precision=-1))
    ['precision is -1; it must be a whole number, 0 or more']
    """
    told = [
        f"{name} is {_shown(value)}; it must be a whole number, 0 or more"
        for name, value in (("precision", settings.precision), ("edgeitems", settings.edgeitems))
        if not _counts(value)
    ]
    if not isinstance(settings.threshold, Real):
        told.append(f"threshold is {_shown(settings.threshold)}; it must be a number")
    if not isinstance(settings.linewidth, Real) or not math.isfinite(settings.linewidth):
        told.append(f"linewidth is {_shown(settings.linewidth)}; it must be a finite number")
    return told


def why_printing_failed(error: Exception) -> Reason | None:
    """The reason behind an error raised while printing, where a setting is to blame."""
    odd = odd_settings(options)
    if not odd:
        return None
    return Reason(
        "print.options",
        type(error),
        str(error),
        because="A print setting cannot be used: " + "; ".join(odd) + ".",
        instead=("set_printoptions(profile='default')",),
        facts=get_printoptions(),
    )
