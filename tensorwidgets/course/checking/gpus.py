"""Where does an exercise on GPUs find one? The lesson's own; where there is none, one is simulated for the check."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from io import StringIO
from typing import Any

from .verdict import Exercise


class NoGpu(RuntimeError):
    """A library that cannot simulate a GPU finds none."""


@contextmanager
def gpu_for(exercise: Exercise, library: Any) -> Iterator[None]:
    """A GPU to judge an answer with, if the exercise needs one.

    >>> import tensorwidgets as torch
    >>> from tensorwidgets.course import exercises
    >>> with gpu_for(exercises.find("12.2"), torch):
    ...     print(torch.ones(2, device="cuda").device)
    cuda:0
    >>> torch.cuda.is_available()
    False
    """
    if not exercise.gpu or library.cuda.is_available():
        yield
        return
    if not hasattr(library.cuda, "simulate"):
        raise NoGpu("this exercise needs a GPU, and PyTorch finds none")
    with redirect_stdout(StringIO()):  # the lesson says that its GPU is simulated
        library.cuda.simulate(memory="64 MiB")
    try:
        yield
    finally:
        from tensorwidgets.engine.devices import gpus

        gpus.stop(quietly=True)
