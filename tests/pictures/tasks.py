"""Twelve tasks for somebody who sees the pictures for the first time: a picture each, one question, one right answer.

python -m tests.pictures.tasks FOLDER      writes 01.png … 12.png and questions.md, without the answers
python -m tests.pictures.tasks --answers   prints what is right, and why

The answers are computed by the engine and not written down, so a task cannot become false. The pictures are good if
somebody who knows Python, and has read no lesson, gets ten of twelve right from the pictures alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import numpy as np

import tensorwidgets as torch
from tensorwidgets import why
from tensorwidgets.pictures import Picture, show
from tensorwidgets.pictures.operations.explained import reason_picture


class Task(NamedTuple):
    """What is asked, what can be chosen, and the number of the right choice, from 1, with what is drawn."""

    asks: str
    choices: tuple[str, ...]
    made: Callable[[], tuple[Picture, int]]


def _flat() -> tuple[Picture, int]:
    a = torch.arange(24).view(4, 6)
    b = a.t()
    shares = [one.reshape(-1).data_ptr() == one.data_ptr() for one in (a, b)]
    return show(a, b), {(True, False): 2, (False, True): 1, (True, True): 3, (False, False): 4}[shares[0], shares[1]]


def _unread() -> tuple[Picture, int]:
    s = torch.arange(80).view(8, 10)[::2, 1:]
    return show(s), (80 - s.numel(), s.numel(), 80, 8).index(44) + 1


def _token() -> tuple[Picture, int]:
    q = torch.arange(4 * 32 * 64).view(4, 32, 8, 8).transpose(1, 2).rename("batch", "head", "token", "feature")
    return show(q), (8, 64, 512, 2048).index(q.stride(2)) + 1


def _expanded() -> tuple[Picture, int]:
    b = torch.arange(48)[:, None].expand(48, 1000)
    return show(b), (48, 384, 48_000, 384_000).index(b.storage().nbytes()) + 1


def _kept() -> tuple[Picture, int]:
    table = torch.zeros(1000, 1000)
    row, copy, other = table[3], table[4].clone(), torch.zeros(10)
    alone = [("row", row), ("copy", copy), ("other", other)]
    kept = [one.storage().nbytes() - one.numel() * one.element_size() for _, one in alone]
    return show.memory(row=row, copy=copy, other=other), kept.index(max(kept)) + 1


def _meeting() -> tuple[Picture, int]:
    a, b = torch.arange(4).view(4, 1), torch.arange(4) * 10
    return show.broadcast(a, b), (0, 4, 16, 8).index((a + b).numel()) + 1


def _clash() -> tuple[Picture, int]:
    a, b = np.zeros((3, 4)), np.zeros((3,))
    assert (a + b[:, None]).shape == (3, 4)
    return show.broadcast(a, b), 2


def _summed() -> tuple[Picture, int]:
    a, b = torch.arange(6).view(2, 3), torch.arange(12).view(3, 4)
    products = b.size(0)
    assert int(torch.einsum("ij,jk->ik", a, b)[1, 2]) == sum(int(a[1, j] * b[j, 2]) for j in range(products))
    return show.einsum("ij,jk->ik", a, b), (2, 3, 4, 12).index(products) + 1


def _channels() -> tuple[Picture, int]:
    x = torch.arange(3 * 8 * 8).view(1, 3, 8, 8).contiguous(memory_format=torch.channels_last)
    x = x.rename("image", "channel", "row", "column")
    nearest = min(range(1, 4), key=lambda dim: x.stride(dim))
    return show(x), {1: 1, 2: 2, 3: 3}[nearest]


def _window() -> tuple[Picture, int]:
    w = torch.arange(64).unfold(0, 12, 4).rename("window", "place")
    shared = len(set(w[0].tolist()) & set(w[1].tolist()))
    return show(w), (0, 4, 8, 12).index(shared) + 1


def _written() -> tuple[Picture, int]:
    x = torch.ones(3, requires_grad=True)
    h = x + 1
    y = h * h.exp()
    h.add_(1)
    z = h.sin()
    picture = show.versions(h)
    fine = []
    for result in (y, z):
        try:
            result.sum().backward(retain_graph=True)
            fine.append(True)
        except RuntimeError:
            fine.append(False)
    return picture, {(False, True): 1, (True, False): 2, (True, True): 3, (False, False): 4}[fine[0], fine[1]]


def _refused() -> tuple[Picture, int]:
    x = torch.arange(12).view(3, 4).t()
    reason = why("x.view(12)", x=x, torch=torch).reason
    assert reason is not None
    picture = reason_picture(reason, [], "x.view(12)")
    assert picture is not None
    assert x.reshape(12).data_ptr() != x.data_ptr()
    return picture, 3


TASKS = (
    Task(
        "Which of the two has to be copied when all its elements are asked for in one row, as by reshape(-1)?",
        ("a", "b", "neither", "both"),
        _flat,
    ),
    Task("How many elements of the storage does s not read?", ("44", "36", "80", "8"), _unread),
    Task(
        "How many places further in memory is the same feature of the same head in the next token?",
        ("8", "64", "512", "2048"),
        _token,
    ),
    Task("How many bytes of memory are behind b?", ("48", "384", "48,000", "384,000"), _expanded),
    Task("Which name should you replace by its clone, to free the most memory?", ("row", "copy", "other"), _kept),
    Task("How many elements does a + b have?", ("none: it is refused", "4", "16", "8"), _meeting),
    Task(
        "What would make a + b work?",
        ("a[:, None] in place of a", "b[:, None] in place of b", "b[None, :] in place of b", "nothing would"),
        _clash,
    ),
    Task("How many products are added up for one element of the result?", ("2", "3", "4", "12"), _summed),
    Task("Which neighbour of an element lies next to it in memory?", ("channel", "row", "column"), _channels),
    Task("How many elements have windows 0 and 1 in common?", ("0", "4", "8", "12"), _window),
    Task(
        "Which of y and z can still be differentiated?",
        ("z", "y", "both", "neither"),
        _written,
    ),
    Task(
        "The call was refused. What gives the twelve elements in one row all the same?",
        ("view(-1), which works out the size", "t(), which turns it back", "reshape(12), which copies", "nothing does"),
        _refused,
    ),
)


def questions() -> str:
    """All questions with their choices, for somebody who has the pictures beside them."""
    lines = ["# Twelve questions, a picture each", ""]
    for k, task in enumerate(TASKS, 1):
        lines += [f"{k:02}. ({k:02}.png) {task.asks}", ""]
        lines += [f"    {'abcd'[n]}) {choice}" for n, choice in enumerate(task.choices)] + [""]
    return "\n".join(lines)


def main(given: list[str]) -> None:
    if given == ["--answers"]:
        for k, task in enumerate(TASKS, 1):
            right = task.made()[1]
            print(f"{k:02} {'abcd'[right - 1]}) {task.choices[right - 1]}")
        return
    folder = Path(given[0])
    folder.mkdir(parents=True, exist_ok=True)
    for k, task in enumerate(TASKS, 1):
        task.made()[0].save(folder / f"{k:02}.png")
    (folder / "questions.md").write_text(questions(), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:] or ["tasks"])
