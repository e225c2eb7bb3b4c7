"""Module: a function with parameters, made of other modules."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from types import FunctionType
from typing import Any

from .base.hooks import (
    Hooked,
    register_module_backward_hook,
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
)
from .base.members import (
    register_module_buffer_registration_hook,
    register_module_module_registration_hook,
    register_module_parameter_registration_hook,
)
from .base.state import _IncompatibleKeys as _IncompatibleKeys  # libraries name it as the answer of `load_state_dict`

__all__ = [
    "Module",
    "register_module_backward_hook",
    "register_module_buffer_registration_hook",
    "register_module_forward_hook",
    "register_module_forward_pre_hook",
    "register_module_full_backward_hook",
    "register_module_full_backward_pre_hook",
    "register_module_module_registration_hook",
    "register_module_parameter_registration_hook",
]


def _addindent(s_: str, numSpaces: int) -> str:
    """A text whose lines after the first begin with spaces, except empty lines. Modules print their parts by it.

    >>> _addindent("Linear(\\n  in_features=1\\n)", 2)
    'Linear(\\n    in_features=1\\n  )'
    """
    first, *rest = s_.split("\n")
    return "\n".join([first, *(" " * numSpaces + line if line.strip() else "" for line in rest)])


_TABLES_OF_FORWARD_HOOKS = (
    "_forward_hooks",
    "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called",
    "_forward_pre_hooks",
    "_forward_pre_hooks_with_kwargs",
    "_state_dict_hooks",
    "_state_dict_pre_hooks",
    "_load_state_dict_pre_hooks",
    "_load_state_dict_post_hooks",
)
_TABLES_OF_HOOKS = ("_backward_pre_hooks", "_backward_hooks", *_TABLES_OF_FORWARD_HOOKS)


def _forward_unimplemented(self: Any, *input: Any) -> None:
    """What the module computes; each module defines it."""
    raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')


class Module(Hooked):
    """The base of all layers and models.

    Assigning parameters and other modules to attributes registers them. Calling the module calls `forward`.

    >>> import tensorwidgets as torch
    >>> class Scale(Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = torch.nn.Parameter(torch.tensor(2.0))
    ...
    ...     def forward(self, x):
    ...         return self.factor * x
    >>> model = Scale()
    >>> model(torch.tensor([1.0, 2.0]))
    tensor([2., 4.], grad_fn=<MulBackward0>)
    >>> list(model.state_dict())
    ['factor']
    """

    dump_patches: bool = False
    call_super_init: bool = False
    """Whether `__init__` calls that of the next class and gives it the arguments, as several bases need it."""

    forward: Callable[..., Any] = _forward_unimplemented

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init:
            if kwargs:
                name = next(iter(kwargs))
                raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{name}'")
            if args:
                raise TypeError(
                    f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were given"
                )
        # The dictionary itself, because assignment to an attribute looks into what is made here.
        self.__dict__.update(
            training=True, _parameters={}, _buffers={}, _non_persistent_buffers_set=set(),
            _backward_pre_hooks=OrderedDict(), _backward_hooks=OrderedDict(), _is_full_backward_hook=None,
            **{name: OrderedDict() for name in _TABLES_OF_FORWARD_HOOKS}, _modules={},
        )  # fmt: skip
        if self.call_super_init:
            super().__init__(*args, **kwargs)  # type: ignore[call-arg]

    def __setstate__(self, state: dict[str, Any]) -> None:
        # A module that was pickled before some table existed gets it empty.
        own: dict[str, Any] = {name: OrderedDict() for name in _TABLES_OF_HOOKS if name not in state}
        self.__dict__.update({"_is_full_backward_hook": None, "_non_persistent_buffers_set": set()} | own | state)

    def _get_name(self) -> str:
        return type(self).__name__

    def extra_repr(self) -> str:
        """What is printed in the parentheses of the module's own line; modules override it."""
        return ""

    def __repr__(self) -> str:
        own = self.extra_repr()
        lines = own.split("\n") if own else []
        children = [f"({name}): " + _addindent(repr(module), 2) for name, module in self._modules.items()]
        if not children and len(lines) < 2:
            return f"{self._get_name()}({''.join(lines)})"
        return f"{self._get_name()}(\n  " + "\n  ".join(lines + children) + "\n)"

    def compile(self, *args: Any, **kwargs: Any) -> None:
        """Accepted and without effect: nothing is compiled here."""


for _part in Module.__mro__[1:-1]:  # messages and generators name the class that programs know
    for _name, _method in vars(_part).items():
        if isinstance(_method, FunctionType):
            _method.__qualname__ = f"Module.{_name}"
