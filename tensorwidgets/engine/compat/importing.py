"""How the submodules of the package are imported where Python by itself would go wrong.

`sys.modules["torch"] = tensorwidgets` lets code that is written for PyTorch run here. `import torch.linalg` must then
give the module that is there already, not load the package a second time under another name. And what is not here is
explained where it is imported, as it is where it is looked up: `from torch import nn` says what `torch.nn` says.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from ..errors.missing_names import reason_of_absence

_PACKAGE = __name__.partition(".")[0]


class _Same(Loader):
    """Gives a module that has been loaded under its own name."""

    def __init__(self, module: ModuleType):
        self.module, self.spec = module, module.__spec__

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        module.__spec__ = self.spec


def _name_of(parent: str) -> str:
    """The name of the package's module that is imported by a name; nothing for the modules of others."""
    own = getattr(sys.modules.get(parent), "__name__", "")
    return own if own.partition(".")[0] == _PACKAGE else ""


class Aliases(MetaPathFinder):
    """Asked first: a submodule of the package under another name is the one that it has."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        parent, _, name = fullname.rpartition(".")
        own = _name_of(parent) if path is not None else ""
        if not own or own == parent:
            return None
        return ModuleSpec(fullname, _Same(import_module(f"{own}.{name}")))


class Explanations(MetaPathFinder):
    """Asked last: a submodule that is not here is refused by name."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        parent, _, name = fullname.rpartition(".")
        own = _name_of(parent) if path is not None else ""
        reason = reason_of_absence(own, name, ModuleNotFoundError) if own else None
        if reason is not None:
            reason.refuse()
        return None


def install() -> None:
    """Let both be asked; twice is once."""
    if not any(isinstance(finder, Aliases) for finder in sys.meta_path):
        sys.meta_path.insert(0, Aliases())
        sys.meta_path.append(Explanations())
