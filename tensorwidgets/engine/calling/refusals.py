"""PyTorch's error messages for a call that fits none of the notations of its function."""

from __future__ import annotations

from typing import Any

from ..tensor.type_names import described, type_name
from .keyword_order import listed
from .notation import Notation, Parameter

# -- one notation ----------------------------------------------------------------------------------------------


def too_many(way: Notation, count: int) -> str:
    if way.least != way.positions:  # PyTorch counts keywords, too, and so may say "from 3 to 2"
        return f"() takes from {way.least} to {way.positions} positional arguments but {count} were given"
    plural = "" if way.positions == 1 else "s"
    were = "was" if count == 1 else "were"
    return f"() takes {way.positions} positional argument{plural} but {count} {were} given"


def too_few(way: Notation, first: int) -> str:
    names = [f'"{p.name}"' for p in way.parameters[first:] if not p.optional]
    # The plural is on the wrong one of the two, there as here.
    plural = "s" if len(names) == 1 else ""
    return f"() missing {len(names)} required positional argument{plural}: {', '.join(names)}"


def wrong_kind(p: Parameter, value: Any, position: int) -> str:
    where = f" (position {position})" if position else ""
    message = f"(): argument '{p.name}'{where} must be {p.shown}"
    if position and p.shown in ("tuple of ints", "tuple of floats") and isinstance(value, (tuple, list)):
        return f"{message}, but found element of type {type_name(value[0])} at pos 0"
    return f"{message}, not {type_name(value)}"


def unexpected(way: Notation, kwargs: dict, count: int) -> str:
    names = [p.name for p in way.parameters]
    for name in kwargs:
        if name not in names:
            return f"() got an unexpected keyword argument '{name}'"
        if names.index(name) < count:
            return f"() got multiple values for argument '{name}'"
    return "() got multiple values for an argument"


# -- several notations ------------------------------------------------------------------------------------------


def refusal_of_all(name: str, ways: list[Notation], args: tuple, kwargs: dict) -> str:
    """What was given, each notation, and below those of the same length what did not match."""
    start = f"{name}() received an invalid combination of arguments - "
    if len(ways) == 1:
        return start + _refusal_of_one(ways[0], args, kwargs)
    lines = [f"{start}got {kinds_of(args, kwargs)}, but expected one of:"]
    for way in ways:
        lines.append(f" * ({way.text})")
        lines += _mismatch(way, args, kwargs)
    return "\n".join(lines) + "\n"


def _refusal_of_one(way: Notation, args: tuple, kwargs: dict) -> str:
    """Where one notation is shown of several."""
    strange = _strange(way, kwargs)
    if strange:
        return f"got unrecognized keyword arguments: {', '.join(strange)}"
    described_ = _described(way, args, kwargs)
    return f"got {described_ or kinds_of(args, kwargs)}, but expected ({way.text})"


def kinds_of(args: tuple, kwargs: dict) -> str:
    """The kinds of what was given, as PyTorch lists them."""
    shown = [type_name(a) for a in args]
    named = [f"{key}={type_name(kwargs[key])}" for key in listed(kwargs)]
    return "(" + ", ".join(shown + named) + (", " if named and not args else "") + ")"


def ways_to_call(name: str, args: tuple) -> tuple[str, ...]:
    """What is mostly meant by a call that no notation fits."""
    if name in ("max", "min") and len(args) == 2 and type(args[1]) in (int, float):
        bound = "min" if name == "max" else "max"
        return (f"x.clamp({bound}={args[1]}), for the {name} with one number", f"x.{name}(dim=0), along a dimension")
    return ()


def _mismatch(way: Notation, args: tuple, kwargs: dict) -> list[str]:
    words = _described(way, args, kwargs)
    if not words:
        return []
    strange = _strange(way, kwargs, len(args))
    if strange:
        return [f"      didn't match because some of the keywords were incorrect: {', '.join(strange)}"]
    return [f"      didn't match because some of the arguments have invalid types: {words}"]


def _strange(way: Notation, kwargs: dict, by_place: int = 0) -> list[str]:
    """The keywords that name no argument, beside those that are given by their places."""
    names = {p.name for p in _places(way)[by_place:] if p is not None}
    return [key for key in listed(kwargs) if key not in names]


def _places(way: Notation) -> list[Parameter | None]:
    """What PyTorch compares with a call: it reads the text, where nothing fits a star or an argument with a default."""
    texts = way.text.split(", ")
    with_default = {text.partition(" = ")[0].rpartition(" ")[2] for text in texts if " = " in text}
    known = [None if p.name in with_default else p for p in way.parameters]
    first = sum(not p.keyword_only for p in way.parameters)
    places = [*known[:first], *([None] * ("*" in texts)), *known[first:]]
    return places or [None]  # the text of a notation without parameters counts as one


def _described(way: Notation, args: tuple, kwargs: dict) -> str:
    """The arguments, those that do not fit marked; empty if their number differs from the notation's."""
    places = _places(way)
    named = {p.name: p for p in places if p is not None}
    if len(args) + len(kwargs) != len(places):
        return ""
    words = []
    for p, value in zip(places, args, strict=False):
        words.append(described(value) if p is not None and has_type_name(p.shown, value) else f"!{described(value)}!")
    for key in listed(kwargs):
        text = f"{key}={described(kwargs[key])}"
        fits = key in named and has_type_name(named[key].shown, kwargs[key])
        words.append(text if fits else f"!{text}!")
    return f"({', '.join(words)})"


def has_type_name(kind: str, value: Any) -> bool:
    """Whether a value fits by the name of its type, which is all that PyTorch compares here."""
    return type_name(value) in ("float", "int") if kind == "float" else type_name(value) == kind
