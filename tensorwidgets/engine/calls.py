"""How views and writes are called, in PyTorch's notation, for the refusal of a call that fits none of these ways.

The rules take their arguments as they come and check them one by one. When one of them finds something of the wrong
kind, the whole call is read again by PyTorch's signatures, so that the refusal is the one that PyTorch would give.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from pathlib import Path
from typing import Any

from .arguments import Signature, Signatures, fit, is_int, is_number, refusal_of_all, too_few, too_many
from .reasons import refuse
from .spelling import spelling
from .tensor import Tensor

_DIMS = ("int dim0, int dim1",)
_PLACES = ("int source, int destination", "tuple of ints source, tuple of ints destination")
_PARTS = ("int sections", "tuple of ints indices")
_MAYBE_DIM = ("", "int dim", "tuple of ints dim")
_OTHER = ("Tensor other",)
_STRIDED = ("tuple of ints size, tuple of ints stride, int storage_offset = None",)

CALLS: dict[str, tuple[str, ...]] = {
    "t": ("",), "adjoint": ("",), "ravel": ("",), "detach": ("",), "zero": ("",),
    "transpose": _DIMS, "swapdims": _DIMS, "swapaxes": ("int axis0, int axis1",), "permute": ("tuple of ints dims",),
    "movedim": _PLACES, "moveaxis": _PLACES, "squeeze": _MAYBE_DIM, "unsqueeze": ("int dim",),
    "unflatten": ("int dim, tuple of ints sizes",), "flatten": ("int start_dim = 0, int end_dim = -1",),
    "expand": ("tuple of ints size",), "broadcast_to": ("tuple of ints size",),
    "narrow": ("int dim, Tensor start, int length", "int dim, int start, int length"),
    "select": ("int dim, int index",),
    "diagonal": ("int offset = 0, int dim1 = 0, int dim2 = 1",), "unfold": ("int dimension, int size, int step",),
    "unbind": ("int dim = 0",), "split_with_sizes": ("tuple of ints split_sizes, int dim = 0",),
    "tensor_split": (
        "tuple of ints indices, int dim = 0", "Tensor tensor_indices_or_sections, int dim = 0",
        "int sections, int dim = 0",
    ),
    "chunk": ("int chunks, int dim = 0",), "hsplit": _PARTS, "vsplit": _PARTS, "dsplit": _PARTS,
    "view": ("torch.dtype dtype", "tuple of ints size"), "reshape": ("tuple of ints shape",),
    "view_as": _OTHER, "reshape_as": _OTHER, "expand_as": _OTHER, "type_as": _OTHER,
    "as_strided": _STRIDED, "resize": ("tuple of ints size",), "resize_as": ("Tensor the_template",),
    "set": (
        "", "torch.Storage source",
        "torch.Storage source, int storage_offset, tuple of ints size, tuple of ints stride = None", "Tensor source",
        "Tensor source, int storage_offset, tuple of ints size, tuple of ints stride = None",
    ),
    **dict.fromkeys(
        ("double", "float", "half", "bfloat16", "long", "int", "short", "char", "byte", "bool", "cfloat", "cdouble",
         "chalf", "cpu"), ("*, torch.memory_format memory_format = None",),
    ),
    "copy": ("Tensor src, bool non_blocking = False",), "fill": ("Tensor value", "Number value"),
}  # fmt: skip
"""The ways of each call behind the tensor that it is about; an in-place form is called like its op."""


def refuse_call(op_name: str, args: tuple, kwargs: dict) -> None:
    """Refuse a call as PyTorch does, if it fits none of its ways; return if it does."""
    spoken, method = spelling()
    name = spoken or op_name
    known = _written_down()
    own = known.get(f"Tensor.{name}" if method else name)
    if method and own == ("",):
        _refuse_any(name, args[1:], kwargs)
    elif own is not None:
        _read(name.replace(".", "_"), own, args[method:], kwargs)
    if own is not None:
        return
    ways = CALLS.get(name.rstrip("_")) or CALLS.get(op_name.rstrip("_"))
    if op_name == "split":
        name, ways, args = _split(args, kwargs)
    elif ways is not None and method:
        args = args[1:]
        if ways == ("",):
            _takes_no_arguments(name, len(args))
    elif ways is not None:
        ways = tuple([f"Tensor input, {way}" if way else "Tensor input" for way in ways])
    if ways is not None:
        _read(name, ways, args, kwargs)


def _refuse_any(name: str, args: tuple, kwargs: dict) -> None:
    """PyTorch's refusals where a method takes nothing at all; the words are C's, and name the class below Tensor."""
    if kwargs or args:
        told = "keyword arguments" if kwargs else f"arguments ({len(args)} given)"
        refuse(TypeError, f"TensorBase.{name}() takes no {told}", f"{name} is about the tensor alone", rule="argument")


def _read(name: str, ways: tuple[str, ...], args: tuple, kwargs: dict) -> None:
    shown = Signatures(name, *[way.removeprefix("|") for way in ways])
    if any(type(fit(each, *_kindly(each, args, kwargs))) is dict for each in shown.all):
        return
    try:
        # One number may stand for a list of them, so it is another argument that is at fault.
        shown.read(*_kindly(shown.all[0], args, kwargs, tensors=False) if len(ways) == 1 else (args, kwargs))
    except TypeError as error:
        wrong = fit(shown.all[0], args, kwargs)
        if not ways[0].startswith("|") or getattr(wrong, "func", None) not in (too_many, too_few):
            raise error from None  # what the rule came upon says less
        told = refusal_of_all(name, shown.all, args, kwargs).partition("\n")[0]
        message = told.replace("but expected one of:", f"but expected ({shown.all[0].text})")
        refuse(TypeError, message, f"{name} is called in this one way", rule="argument.combination")


def _kindly(way: Signature, args: tuple, kwargs: dict, tensors: bool = True) -> tuple[tuple, dict]:
    """The arguments as what PyTorch often takes them for as well: one number for a list of them, or for a tensor."""
    named = {p.name: p.kind for p in way.parameters}

    def read(value: Any, kind: str) -> Any:
        if kind == "tuple of ints" and is_int(value):
            return (value,)
        return _A_TENSOR if tensors and kind == "Tensor" and is_number(value) else value

    kinds = [*named.values(), *[""] * len(args)]
    return tuple(map(read, args, kinds)), {name: read(value, named.get(name, "")) for name, value in kwargs.items()}


_A_TENSOR = object.__new__(Tensor)
"""What stands for any tensor where only kinds are compared."""


@cache
def _written_down() -> dict[str, tuple[str, ...]]:
    """The ways of functions and methods whose rows read their arguments as Python does; `ways.txt` has PyTorch's."""
    lines = Path(__file__).with_name("ways.txt").read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines]
    return {name: tuple(ways) for name, *ways in rows}


def checked_call(op_name: str, kernel: Callable) -> Callable:
    """A kernel whose refusals of arguments of the wrong kind are PyTorch's."""

    @wraps(kernel)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            return kernel(*args, **kwargs)
        except TypeError:
            refuse_call(op_name, args, kwargs)
            raise

    return run


def _split(args: tuple, kwargs: dict) -> tuple[str, tuple[str, ...], tuple]:
    """PyTorch splits in Python, and asks one of two others to do it."""
    if len(args) > 1 and type(args[1]) is int:
        sizes = "Tensor input, int split_size, int dim = 0", "Tensor input, tuple of ints split_size, int dim = 0"
        return "split", sizes, args
    return "split_with_sizes", ("Tensor input, tuple of ints split_sizes, int dim = 0",), args


def _takes_no_arguments(name: str, given: int) -> None:
    if given:
        message = f"TensorBase.{name}() takes no arguments ({given} given)"
        refuse(TypeError, message, f"{name} is about the tensor alone", rule="argument.many")
