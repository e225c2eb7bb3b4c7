"""Lesson 19, one turn of the loop: the right one, and the usual wrong ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

Turn = Callable[[Any, Callable[[], Any]], None]
"""What is done with an optimizer and a loss."""


def right_turn(optimizer: Any, loss: Callable[[], Any]) -> None:
    optimizer.zero_grad()
    loss().backward()
    optimizer.step()


def never_zeroed(optimizer: Any, loss: Callable[[], Any]) -> None:
    loss().backward()
    optimizer.step()


def step_first(optimizer: Any, loss: Callable[[], Any]) -> None:
    optimizer.step()
    optimizer.zero_grad()
    loss().backward()


def never_stepped(optimizer: Any, loss: Callable[[], Any]) -> None:
    optimizer.zero_grad()
    loss().backward()


def zeroed_too_late(optimizer: Any, loss: Callable[[], Any]) -> None:
    loss().backward()
    optimizer.zero_grad()
    optimizer.step()
