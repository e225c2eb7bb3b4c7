"""Anomaly mode: each node remembers where it was made, and NaN in a gradient is refused."""

from __future__ import annotations

import sys
import threading
import traceback
from typing import Any

from ..calling.reading import Notations
from ..dispatch import registry
from ..errors.package import PACKAGE
from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..types.class_paths import ShownByPath
from . import writes
from .nodes import Node, more

_mode = {"on": False, "nan": True}


def is_anomaly_enabled() -> bool:
    """Whether anomaly detection is on."""
    return _mode["on"]


def is_anomaly_check_nan_enabled() -> bool:
    """Whether NaN in a gradient is refused while anomaly detection is on."""
    return _mode["nan"]


def switch(on: bool, nan: bool = True) -> None:
    """Switch anomaly detection on or off, for all threads as in PyTorch."""
    _mode["on"], _mode["nan"] = on, nan
    # Every call takes the long route meanwhile: the shorter ways record nodes without the trace that `note` keeps.
    (registry.watching.add if on else registry.watching.discard)(switch)


class _Switched(ShownByPath):
    """Anomaly detection for a `with` block, or from now on."""

    def __init__(self, on: bool, nan: bool):
        self._before = dict(_mode)
        self._now = (on, nan)

    def __enter__(self) -> None:
        self._before = dict(_mode)
        switch(*self._now)

    def __exit__(self, *exc: object) -> None:
        switch(self._before["on"], self._before["nan"])


class detect_anomaly(_Switched):
    """Inside the `with`, a failing backward pass names the line that made its node, and NaN gradients are refused."""

    def __init__(self, check_nan: bool = True):
        super().__init__(True, check_nan)
        warn("Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
             "debugging.")  # fmt: skip


class set_detect_anomaly(_Switched):
    """Switches anomaly detection on or off, at once or for a `with` block."""

    def __init__(self, mode: bool, check_nan: bool = True):
        super().__init__(mode, check_nan)
        before = dict(_mode)
        set_anomaly_enabled(mode, check_nan)
        self._first = before

    def __enter__(self) -> None:
        pass

    def __exit__(self, *exc: object) -> None:
        switch(self._first["on"], self._first["nan"])


def set_anomaly_enabled(enabled: bool, check_nan: bool = True) -> None:
    """Switches anomaly detection on or off."""
    _CALL.read((enabled, check_nan), {})
    switch(enabled, check_nan)


_CALL = Notations("set_anomaly_enabled", ("bool enabled, bool check_nan=True",))


class _Evaluating(threading.local):
    """The node of this thread that computes gradients at the moment, in anomaly mode."""

    node: Node | None = None


_evaluating = _Evaluating()


def note(node: Node) -> None:
    """Record where a node was made."""
    node.code, node.at = writes.here()
    if _mode["on"]:
        facts = more(node).metadata
        facts["traceback_"] = _stack()
        if _evaluating.node is not None:
            facts["parent_"] = _evaluating.node


def _stack() -> list[str]:
    """The calls that are under way, down to the user's last line."""
    frames = traceback.extract_stack()
    while frames and frames[-1].filename.startswith(PACKAGE):
        frames.pop()
    return traceback.format_list(frames)


def trace_of(node: Node) -> list[str] | None:
    """The calls that led to a node, if anomaly detection was on."""
    return None if node.extra is None else node.extra.metadata.get("traceback_")


class watching:
    """While a node computes: what it records is its child, and an error shows where it was made itself."""

    def __init__(self, node: Node):
        self.node, self.outer = node, _evaluating.node

    def __enter__(self) -> None:
        _evaluating.node = self.node

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        _evaluating.node = self.outer
        if isinstance(error, Exception) and not getattr(error, "_trace_shown", False):
            _show_trace(self.node)
            error._trace_shown = True  # type: ignore[attr-defined]


def _show_trace(node: Node | None) -> None:
    """Show where the node was made whose backward failed, and the nodes whose backward made it."""
    begins, ends = "Error detected in", "that caused the error"
    while node is not None:
        _show(f"{begins} {node.name()}.", trace_of(node), ends)
        node = None if node.extra is None else node.extra.metadata.get("parent_")
        begins, ends = "\n\nPrevious calculation was induced by", "that induced the previous calculation"


def _show(what: str, trace: list[str] | None, ends: str) -> None:
    message = (
        f"{what} No forward pass information available. Enable detect anomaly during forward pass for more information."
        if trace is None
        else f"{what} Traceback of forward call {ends}:\n{''.join(trace)}"
    )
    try:
        warn(message)
    except Warning as refused:  # warnings are errors, but the error that is under way is the one to raise
        print(f"{type(refused).__name__}: {refused}", file=sys.stderr)


def check_nan(node: Node, results: Any) -> None:
    """Refuse NaN among the gradients that a node computed."""
    from ..derivatives.ops import torch
    from ..tensor.tensor import Tensor

    for number, result in enumerate(results):
        if isinstance(result, Tensor) and torch.isnan(result).any():
            refuse(
                RuntimeError,
                f"Function '{node.name()}' returned nan values in its {number}th output.",
                f"the gradient that {node.name()} computed has NaN in it: its derivative does not exist there",
                "x.clamp(min=1e-8) before the operation",
                "torch.where(safe, x, 1) before it, and not only after it",
                rule="autograd.nan",
            )
