"""Which function of PyTorch is the user calling? `__torch_function__` receives it, so that users can compare it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any, NamedTuple

from ..calling.notation import IN_PYTHON, torch_signatures
from ..dispatch import other_classes
from ..dispatch.asking import answer, asked_among, parts_of, refuse_all, types_among
from ..dispatch.called_as import operator_called, spelled_by_user
from ..dispatch.other_classes import public_function
from ..dispatch.registry import Op
from ..tensor.tensor import Tensor


class Call(NamedTuple):
    """A call as a class sees it."""

    function: Callable
    key: str
    """Its name in the table of PyTorch's signatures."""
    name: str
    """As PyTorch's refusal names it."""
    in_python: bool
    """Whether PyTorch has written the function in Python, so that classes are asked in a slightly other way."""
    is_operator: bool
    """Whether Python asks the other operand next."""


def called(op: Op) -> Call | None:
    """The user's call of an op that is under way; None for calls that the engine makes itself."""
    operator = operator_called()
    if operator is not None:
        return of_member(operator.method, operator.has_other) if operator.op == op.name else None
    name, method = spelled_by_user(op.name)
    if name is None:
        return None
    return of_member(name) if method else of_function(name) if public_function(name) is not None else None


def of_member(name: str, is_operator: bool = False) -> Call:
    """A method of Tensor."""
    key = f"Tensor.{name}"
    in_python = name in IN_PYTHON_TOO or is_written_in_python(key)
    shown = f"torch._tensor.{name}" if in_python else f"torch.{key}"
    return Call(getattr(Tensor, name), key, shown, in_python, is_operator)


def of_function(name: str) -> Call:
    """A function by its name in the package."""
    in_python = is_written_in_python(name)
    return Call(public_function(name), name, f"torch.{_shown(name, in_python)}", in_python, False)


def _shown(name: str, in_python: bool) -> str:
    """The name of a function in PyTorch's refusals, which depends on where it is written."""
    room, _, short = name.rpartition(".")
    if in_python:
        return name if room else f"functional.{name}"
    if room == "nn.functional":  # of which some are functions of torch, under both names
        return short if public_function(short) is not None else f"nn.{short}"
    return f"{room}.{room}_{short}" if room else name


IN_PYTHON_TOO = frozenset(
    "__len__ __rsub__ __rtruediv__ __floordiv__ __rfloordiv__ __pow__ __rpow__ __ipow__ __rmod__ __rmatmul__ "
    "__rlshift__ __rrshift__ __contains__ __format__ __reversed__ __dir__ __array__ __array_wrap__ __deepcopy__ "
    "__reduce_ex__ __setstate__ __dlpack__ __dlpack_device__ __repr__".split()
)
"""Special methods that PyTorch has written in Python; of other names the table of signatures says so."""


_POOL = "def (input, kernel_size, stride=None, padding=0, dilation=1, ceil_mode=False, return_indices=False)"
_ADAPTIVE = "def (input, output_size, return_indices=False)"
_FRACTIONAL = (
    "def (input, kernel_size, output_size=None, output_ratio=None, return_indices=False, _random_samples=None)"
)
_SIGNATURES = {
    "Tensor.__repr__": "def (self, *, tensor_contents=None)",
    "Tensor.__array__": "def (self, dtype=None)",
    "Tensor.__array_wrap__": "def (self, array, *from_numpy)",
    "Tensor.__contains__": "def (self, element, /)",
    "Tensor.__deepcopy__": "def (self, memo)",
    "Tensor.__dir__": "def (self)",
    "Tensor.__dlpack__": "def (self, *, stream=-1, max_version=None, dl_device=None, copy=None)",
    "Tensor.__dlpack_device__": "def (self)",
    "Tensor.__format__": "def (self, format_spec)",
    "Tensor.__reduce_ex__": "def (self, proto)",
    "Tensor.__reversed__": "def (self)",
    "Tensor.__setstate__": "def (self, state)",
    **{f"nn.functional.max_pool{n}d": _POOL for n in (1, 2, 3)},
    **{f"nn.functional.adaptive_max_pool{n}d": _ADAPTIVE for n in (1, 2, 3)},
    **{f"nn.functional.fractional_max_pool{n}d": _FRACTIONAL for n in (2, 3)},
}
"""Those that PyTorch has not written out in its table, and those of pools, which are two functions under one name."""


def is_written_in_python(name: str) -> bool:
    """Whether PyTorch has written a function in Python.

    >>> is_written_in_python("norm"), is_written_in_python("add")
    (True, False)
    """
    return torch_signatures().get(name, ("",))[0].startswith(IN_PYTHON)


def as_handed_on(name: str, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    """The arguments as a function in Python hands them on: those with a default by name, whether given or not.

    >>> as_handed_on("cdist", (1, 2, 3.0), {})
    ((1, 2), {'p': 3.0, 'compute_mode': 'use_mm_for_euclid_dist_if_necessary'})
    """
    bound = _binder(name)(*args, **kwargs)
    if bound is None:
        return args, kwargs
    given, named = bound
    if name in _STAYS_BEHIND:
        named.pop(_STAYS_BEHIND[name])
    elif name in _BY_NAME:  # NumPy also gives __array_wrap__ what PyTorch leaves out
        return given[:1], dict(zip(_BY_NAME[name], given[1:], strict=False)) | named
    return given, named


def relevant(call: Call, args: tuple, kwargs: dict) -> Iterable[Any]:
    """The arguments of a function in Python whose types are passed on: of some only the first."""
    return args[:1] if call.key in _FIRST_ONLY else parts_of(args, kwargs)


def of_two(call: Call, args: tuple, kwargs: dict) -> Call:
    """The function behind a name that stands for two: a pool that also returns where its elements were is another.

    >>> of_two(of_function("nn.functional.max_pool2d"), (1, 2), {"return_indices": True}).key
    'nn.functional.max_pool2d_with_indices'
    """
    if _SIGNATURES.get(call.key) in (_POOL, _ADAPTIVE, _FRACTIONAL):
        if as_handed_on(call.key, args, kwargs)[1]["return_indices"]:
            return of_function(f"{call.key}_with_indices")
    return call


_STAYS_BEHIND = {"chain_matmul": "out", "nn.functional.l1_loss": "weight", "Tensor.dim_order": "ambiguity_check"}
"""Arguments that PyTorch does not hand on."""
_BY_NAME = {"unravel_index": ("shape",), "Tensor.__array_wrap__": ("array",)}
"""Those without a default that it hands on by name nevertheless."""
_FIRST_ONLY = frozenset(
    f"Tensor.{name}"
    for name in (
        "backward register_hook register_post_accumulate_grad_hook split stft istft unflatten __array__ __array_wrap__ "
        "__contains__ __deepcopy__ __format__ __reduce_ex__ __setstate__"
    ).split()
) | frozenset(
    ("split", "stft", *(f"nn.functional.{name}{n}d" for name in ("lp_pool", "max_unpool") for n in (1, 2, 3)))
)
"""Functions in Python that pass on the type of their first argument alone."""


def answered(call: Call, asked: list[Any], args: tuple, kwargs: dict) -> Any:
    """What the classes of some values answer to a call. It is refused if all of them decline."""
    types = tuple(map(type, asked))
    if call.in_python:
        call = of_two(call, args, kwargs)
        args, kwargs = as_handed_on(call.key, args, kwargs)
        if call.key == "einsum" and len(args) == 2 and isinstance(args[1], (list, tuple)):
            args = (args[0], *args[1])  # which PyTorch takes apart before it asks
        types = types_among(relevant(call, args, kwargs))
    result = answer(call.function, asked, types, args, kwargs if kwargs or call.in_python else None, call.in_python)
    if result is NotImplemented and not call.is_operator:
        refuse_all(call.name, types, call.in_python)
    return result


def _tell(name: str, method: bool, args: tuple, kwargs: dict) -> tuple[Any] | None:
    """What the classes of objects that are no tensors answer to a call, in a tuple; None where its form is wrong."""
    call = of_member(name) if method else of_function(name)
    if call.in_python:
        try:
            as_handed_on(call.key, args, kwargs)
        except TypeError:
            return None
    return (answered(call, asked_among(parts_of(args, kwargs)), args, kwargs),)


other_classes.tell = _tell


@cache
def _binder(name: str) -> Callable[..., tuple[tuple, dict] | None]:
    """A function with PyTorch's parameters that returns its arguments, in two groups."""
    text = _SIGNATURES.get(name) or torch_signatures().get(name, ("",))[0]
    if not text.startswith(IN_PYTHON):
        return lambda *args, **kwargs: None
    text = text.removeprefix(IN_PYTHON)
    (written,) = ast.parse(f"def f{text}: pass").body
    assert isinstance(written, ast.FunctionDef)
    given = written.args
    places = [a.arg for a in (*given.posonlyargs, *given.args)]
    first = len(places) - len(given.defaults)
    by_place = [*places[:first], *[f"*{a.arg}" for a in (given.vararg,) if a]]
    by_name = [f"{name!r}: {name}" for name in (*places[first:], *[a.arg for a in given.kwonlyargs])]
    by_name += [f"**{a.arg}" for a in (given.kwarg,) if a]
    source = f"def f{text}: return ({''.join(f'{part}, ' for part in by_place)}), {{{', '.join(by_name)}}}"
    namespace: dict[str, Any] = {}
    exec(source, namespace)  # two lines of our own table
    namespace["f"].__qualname__ = name  # by which Python refuses other arguments
    return namespace["f"]  # type: ignore[no-any-return]
