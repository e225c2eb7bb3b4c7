"""What does a module own, and how does an assignment make it so?

An attribute that is a `Parameter` is a parameter, one that is a `Module` is a child, and a tensor is a buffer if it was
registered as one. They are kept in dictionaries, not in `__dict__`, so that they are found, moved and saved.
"""

from __future__ import annotations

import inspect
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from ....engine.autograd.hooks.handles import RemovableHandle
from ....engine.ops.small.questions import typename
from ....engine.tensor.tensor import Tensor
from ...parameter import Buffer, Parameter
from .handles import register

ON_BUFFER: OrderedDict[int, Callable] = OrderedDict()
ON_PARAMETER: OrderedDict[int, Callable] = OrderedDict()
ON_MODULE: OrderedDict[int, Callable] = OrderedDict()
"""Hooks of all modules: called when something is registered, they may replace it."""


def register_module_buffer_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, buffer)` whenever a module registers a buffer."""
    return register(ON_BUFFER, hook)


def register_module_module_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, submodule)` whenever a module registers a child."""
    return register(ON_MODULE, hook)


def register_module_parameter_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, parameter)` whenever a module registers a parameter."""
    return register(ON_PARAMETER, hook)


def _asked(hooks: OrderedDict[int, Callable], owner: Any, name: str, value: Any) -> Any:
    for hook in hooks.values():
        answer = hook(owner, name, value)
        if answer is not None:
            value = answer
    return value


class Members:
    """The part of `Module` that registers parameters, buffers and children, and finds them by name."""

    training: bool
    _parameters: dict[str, Parameter | None]
    _buffers: dict[str, Tensor | None]
    _non_persistent_buffers_set: set[str]
    _modules: dict[str, Any]

    # -- registering ---------------------------------------------------------------------------------------------

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that belongs to the module's state but is not trained, such as a running mean.

        A buffer moves and is saved with the module; one that is not persistent is left out of `state_dict`.
        """
        _check_name(self, "buffer", name, "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{typename(tensor)}' object to buffer '{name}' (torch Tensor or None required)"
            )
        self._buffers[name] = _asked(ON_BUFFER, self, name, tensor)
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter; None keeps the name free for one, as `bias=None` does."""
        _check_name(self, "parameter", name, "_parameters")
        if param is None:
            self._parameters[name] = None
            return
        if not isinstance(param, Parameter):
            raise TypeError(
                f"cannot assign '{typename(param)}' object to parameter '{name}' (torch.nn.Parameter or None required)"
            )
        if param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. "
                f"To express '{name}' as a function of another Tensor, compute the value in the forward() method."
            )
        self._parameters[name] = _asked(ON_PARAMETER, self, name, param)

    def add_module(self, name: str, module: Any) -> None:
        """Add a child under a name; it is then also an attribute of this name."""
        if not isinstance(module, Members) and module is not None:
            raise TypeError(f"{typename(module)} is not a Module subclass")
        if not isinstance(name, str):
            raise TypeError(f"module name should be a string. Got {typename(name)}")
        if hasattr(self, name) and name not in self._modules:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f'module name can\'t contain ".", got: {name}')
        if name == "":
            raise KeyError('module name can\'t be empty string ""')
        self._modules[name] = _asked(ON_MODULE, self, name, module)

    def register_module(self, name: str, module: Any) -> None:
        """The same as `add_module`."""
        self.add_module(name, module)

    # -- attributes ----------------------------------------------------------------------------------------------

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        if name in own.get("_parameters", ()):
            return own["_parameters"][name]
        for table in ("_parameters", "_buffers", "_modules"):
            if table in own and name in own[table]:
                return own[table][name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        parameters, modules, buffers = own.get("_parameters"), own.get("_modules"), own.get("_buffers")
        if isinstance(value, Tensor) and isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            _forget(self, name, "_buffers", "_modules", "_non_persistent_buffers_set")
            self.register_parameter(name, value)
        elif parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as parameter '{name}' (torch.nn.Parameter or None expected)"
                )
            self.register_parameter(name, value)
        elif isinstance(value, Members):
            if modules is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            _forget(self, name, "_parameters", "_buffers", "_non_persistent_buffers_set")
            modules[name] = _asked(ON_MODULE, self, name, value)
        elif modules is not None and name in modules:
            if value is not None:
                raise TypeError(
                    f"cannot assign '{typename(value)}' as child module '{name}' (torch.nn.Module or None expected)"
                )
            modules[name] = _asked(ON_MODULE, self, name, value)
        elif isinstance(value, Buffer) or (buffers is not None and name in buffers):
            _set_buffer(self, name, value)
        else:
            object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if name in self._parameters:
            del self._parameters[name]
        elif name in self._buffers:
            del self._buffers[name]
            self._non_persistent_buffers_set.discard(name)
        elif name in self._modules:
            del self._modules[name]
        else:
            super().__delattr__(name)

    def __dir__(self) -> list[str]:
        names = {*dir(type(self)), *self.__dict__, *self._parameters, *self._modules, *self._buffers}
        return sorted(name for name in names if not name[:1].isdigit())

    # -- found by a path -----------------------------------------------------------------------------------------

    def get_submodule(self, target: str) -> Any:
        """The submodule at a path such as ``"encoder.0"``; the module itself for an empty path."""
        found: Any = self
        for step in target.split(".") if target != "" else ():
            if not hasattr(found, step):
                raise AttributeError(f"{found._get_name()} has no attribute `{step}`")
            found = getattr(found, step)
            if not isinstance(found, Members):
                raise AttributeError(f"`{step}` is not an nn.Module")
        return found

    def set_submodule(self, target: str, module: Any, strict: bool = False) -> None:
        """Replace the submodule at a path; with `strict`, the path must exist."""
        if target == "":
            raise ValueError("Cannot set the submodule without a target name!")
        *path, last = target.split(".")
        if not isinstance(module, Members):
            raise ValueError(f"`module` is not an nn.Module, found {type(module)}")
        parent = self.get_submodule(".".join(path))
        if strict and not hasattr(parent, last):
            raise AttributeError(f"{parent._get_name()} has no attribute `{last}`")
        if hasattr(parent, last) and not isinstance(getattr(parent, last), Members):
            raise AttributeError(f"`{last}` is not an nn.Module")
        setattr(parent, last, module)

    def get_parameter(self, target: str) -> Parameter:
        """The parameter at a path such as ``"encoder.0.weight"``."""
        owner, name, value = _at(self, target)
        if not isinstance(value, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return value

    def get_buffer(self, target: str) -> Tensor:
        """The buffer at a path such as ``"norm.running_mean"``."""
        owner, name, value = _at(self, target)
        if name not in owner._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return value


def _check_name(module: Any, what: str, name: str, table: str) -> None:
    """Refuse a name for a buffer or a parameter that cannot be one."""
    if table not in module.__dict__:
        raise AttributeError(f"cannot assign {what} before Module.__init__() call")
    if not isinstance(name, str):
        raise TypeError(f"{what} name should be a string. Got {typename(name)}")
    if "." in name:
        raise KeyError(f'{what} name can\'t contain "."')
    if name == "":
        raise KeyError(f'{what} name can\'t be empty string ""')
    if hasattr(module, name) and name not in module.__dict__[table]:
        raise KeyError(f"attribute '{name}' already exists")


def _set_buffer(module: Any, name: str, value: Any) -> None:
    if value is not None and not isinstance(value, Tensor):
        raise TypeError(
            f"cannot assign '{typename(value)}' as buffer '{name}' (torch.nn.Buffer, torch.Tensor or None expected)"
        )
    if isinstance(value, Buffer):
        persistent = value.persistent
    else:
        persistent = name not in module._non_persistent_buffers_set
    if "persistent" in _names_of(module.register_buffer):
        module.register_buffer(name, value, persistent)
        return
    if not persistent:
        raise RuntimeError(
            "Registering a non-persistent buffer on a Module subclass that implements register_buffer() without the "
            "persistent argument is not allowed."
        )
    module.register_buffer(name, value)


def _names_of(method: Any) -> Any:
    """The names of a method's arguments: a subclass may define a `register_buffer` that takes fewer."""
    if getattr(method, "__func__", None) is Members.register_buffer:
        return ("persistent",)  # the usual case, without the time to look
    return inspect.signature(method).parameters


def _forget(module: Any, name: str, *tables: str) -> None:
    """Remove an attribute that becomes a member of another kind."""
    module.__dict__.pop(name, None)
    for table in tables:
        names = module.__dict__[table]
        if isinstance(names, set):
            names.discard(name)
        else:
            names.pop(name, None)


def _at(module: Any, target: str) -> tuple[Any, str, Any]:
    path, _, name = target.rpartition(".")
    owner = module.get_submodule(path)
    if not hasattr(owner, name):
        raise AttributeError(f"{owner._get_name()} has no attribute `{name}`")
    return owner, name, getattr(owner, name)
