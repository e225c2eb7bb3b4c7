"""torch.utils.module_tracker: in which modules is a program now?

>>> import tensorwidgets as torch
>>> net = torch.nn.Sequential(torch.nn.Sequential(torch.nn.ReLU()))
>>> with ModuleTracker() as tracker:
...     handle = net[0][0].register_forward_pre_hook(lambda *args: print(sorted(tracker.parents)))
...     y = net(torch.ones(2))
['Global', 'Sequential', 'Sequential.0', 'Sequential.0.0']
"""

from __future__ import annotations

import weakref
from collections.abc import Callable
from importlib import import_module
from typing import Any

from ..engine.autograd.passes.running import Engine, under_way
from ..engine.tensor.tensor import Tensor
from ._pytree import tree_leaves

__all__ = ["ModuleTracker"]


class ModuleTracker:
    """Knows, inside a block, the names of the modules that are being called, or whose gradients are being computed.

    A module that is called from outside of all others is known by its class.
    """

    parents: set[str]
    """The names of the modules that are open now, and `Global`."""

    def __init__(self) -> None:
        self.parents = {"Global"}
        self._names: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()
        self._handles: list[Any] = []

    @property
    def is_bw(self) -> bool:
        """Whether a backward pass is under way."""
        return bool(under_way.passes)

    def __enter__(self) -> ModuleTracker:
        modules = import_module(f"{__name__.partition('.')[0]}.nn.modules.module")  # which imports this room
        self._handles = [
            modules.register_module_forward_pre_hook(self._begins),
            modules.register_module_forward_hook(self._ends),
        ]
        return self

    def __exit__(self, *error: object) -> None:
        for handle in self._handles:
            handle.remove()

    def _name(self, module: Any) -> str:
        if module not in self._names:
            self._name_all(module, type(module).__name__)
        return self._names[module]

    def _name_all(self, module: Any, name: str) -> None:
        self._names[module] = name
        for part, child in module.named_children():
            if child not in self._names:
                self._name_all(child, f"{name}.{part}")

    def _begins(self, module: Any, args: Any) -> None:
        name = self._name(module)
        self.parents.add(name)
        waiting = [t for t in tree_leaves(args) if isinstance(t, Tensor) and t.requires_grad]
        left = [len(waiting)]

        def reached(grad: Any) -> None:
            """Called with the gradient of an argument: those of all arguments are the last of the module."""
            left[0] -= 1
            if left[0] <= 0:
                left[0] = len(waiting)
                self.parents.discard(name)

        _on_gradients(waiting, reached)

    def _ends(self, module: Any, args: Any, output: Any) -> None:
        name = self._name(module)
        self.parents.discard(name)

        def reached(grad: Any) -> None:
            """Called with the gradient of a result. The module is open until those of its arguments are there, or to
            the end of the pass: arguments without a gradient say nothing.
            """
            self.parents.add(name)
            Engine.queue_callback(lambda: self.parents.discard(name))

        _on_gradients([t for t in tree_leaves(output) if isinstance(t, Tensor) and t.requires_grad], reached)


def _on_gradients(tensors: list[Tensor], call: Callable[[Any], None]) -> None:
    for t in tensors:
        t.register_hook(call)
