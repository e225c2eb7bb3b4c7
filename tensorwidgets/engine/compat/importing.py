"""Import hooks: submodules under the name `torch`, stand-ins for modules to come, explanations for what is missing.

`sys.modules["torch"] = tensorwidgets` lets code that is written for PyTorch run here. `import torch.linalg` must then
return the module that is already loaded, not load the package a second time under another name. And importing a missing
submodule raises the same explanation as looking it up: `from torch import nn` says what `torch.nn` says.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from types import ModuleType
from typing import Any

from ..errors.missing_names import reason_of_absence
from ..errors.package import PACKAGE_NAME


class _Same(Loader):
    """Returns a module that is already loaded under its own name."""

    def __init__(self, module: ModuleType, fullname: str):
        self.module, self.spec, self.fullname = module, module.__spec__, fullname

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        return self.module

    def exec_module(self, module: ModuleType) -> None:
        """What this module has loaded is loaded under the other name, too.

        Otherwise its import would put the module itself in the place of a function with its name, such as weight_norm.
        """
        module.__spec__ = self.spec
        own = f"{module.__name__}."
        for name, loaded in list(sys.modules.items()):
            if name.startswith(own):
                sys.modules.setdefault(f"{self.fullname}.{name.removeprefix(own)}", loaded)


class _SpecOfSame(ModuleSpec):
    """Names a loaded module as it is asked for. While it stands there, what that module imports is still its own."""

    @property
    def parent(self) -> str | None:
        assert isinstance(self.loader, _Same)
        return self.loader.module.__package__


def _name_of(parent: str) -> str:
    """The real name of a module of this package; an empty string for any other module."""
    own = getattr(sys.modules.get(parent), "__name__", "")
    return own if own.partition(".")[0] == PACKAGE_NAME else ""


def _path_of(module: str) -> list[str]:
    return list(getattr(sys.modules[module], "__path__", ()))


class Aliases(MetaPathFinder):
    """The first finder: resolves a submodule under another package name to the loaded one."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        parent, _, name = fullname.rpartition(".")
        own = _name_of(parent) if path is not None else ""
        if not own or own == parent:
            return None
        try:
            module = import_module(f"{own}.{name}")
        except ModuleNotFoundError as error:
            if error.name != f"{own}.{name}":
                raise
            return None  # Python says that it is not there, by the name that was asked for
        return _SpecOfSame(fullname, _Same(module, fullname))


class _ToCome(Loader):
    """Makes a module whose names are there, and refuse when they are called."""

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        from .to_come import module_to_come

        return module_to_come(spec.name)

    def exec_module(self, module: ModuleType) -> None:
        """Its names are made when they are looked up; the modules that PyTorch loads with it are loaded."""
        from .names_to_come import BROUGHT_ALONG

        own, _, path = module.__name__.partition(".")
        for name in BROUGHT_ALONG.get(path, "").split():
            import_module(f"{own}.{path.rpartition('.')[0]}.{name}")


class Explanations(MetaPathFinder):
    """The last finder: stands in for a module that is to come, and explains why any other one is missing."""

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> ModuleSpec | None:
        parent, _, name = fullname.rpartition(".")
        own = _name_of(parent) if path is not None else ""
        if own and _stands_in(f"{own}.{name}"):
            return ModuleSpec(f"{own}.{name}", _ToCome(), is_package=True)
        reason = reason_of_absence(own, name, ModuleNotFoundError) if own else None
        # Rooms may share a name with a part of PyTorch (`engine.ops`); tools look them up through every finder.
        if reason is not None and PathFinder.find_spec(f"{own}.{name}", _path_of(own)) is None:
            reason.refuse()
        return None


def _stands_in(full_name: str) -> bool:
    from .names_to_come import MODULES

    return full_name.partition(".")[2] in MODULES


def install() -> None:
    """Install both finders, at most once."""
    if not any(isinstance(finder, Aliases) for finder in sys.meta_path):
        sys.meta_path.insert(0, Aliases())
        sys.meta_path.append(Explanations())
