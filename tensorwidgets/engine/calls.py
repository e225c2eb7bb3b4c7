"""How views and writes are called, in PyTorch's notation, for the refusal of a call that fits none of these ways.

The rules take their arguments as they come and check them one by one. When one of them finds something of the wrong
kind, the whole call is read again by PyTorch's signatures, so that the refusal is the one that PyTorch would give.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from .arguments import Signatures
from .reasons import refuse
from .spelling import spelling

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
    "copy": ("Tensor src, bool non_blocking = False",), "fill": ("Tensor value", "Number value"),
}  # fmt: skip
"""The ways of each call behind the tensor that it is about; an in-place form is called like its op."""


def refuse_call(op_name: str, args: tuple, kwargs: dict) -> None:
    """Refuse a call as PyTorch does, if it fits none of its ways; return if it does."""
    spoken, method = spelling()
    name = spoken or op_name
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
        try:
            Signatures(name, *ways).read(args, kwargs)
        except TypeError as error:
            raise error from None  # what the rule came upon says less


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
        message = f"Tensor.{name}() takes no arguments ({given} given)"
        refuse(TypeError, message, f"{name} is about the tensor alone", rule="argument.many")
