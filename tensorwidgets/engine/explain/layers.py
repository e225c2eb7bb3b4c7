"""In which layer of a model was an error raised, what did the layer get, and what would fit?

The traceback has a frame for each `forward`, with the module and its input; nothing of the model is run.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterator
from math import prod
from types import FrameType, TracebackType
from typing import Any, NamedTuple

from ..autograd.writes import words_of
from ..errors.reasons import Reason
from ..errors.tracebacks import is_library_file
from ..interop.foreign_arrays import facts_of, is_array
from .frames import user_frame

LARGEST_MODEL = 2_000
"""How many modules are looked through for the path to a layer."""


class Layer(NamedTuple):
    """A layer of a library in whose `forward` an error was raised."""

    module: Any
    text: str
    """How the user's program reaches it: ``model.encoder[3]``; its class where that is not known."""
    root: str
    """How the program reaches the whole model."""
    given: Any
    """The first argument of `forward`."""
    line: str


def layer_of(error: BaseException) -> Layer | None:
    """The innermost layer of a library that an error went through; None if there is none.

    >>> import tensorwidgets as torch
    >>> model = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Linear(3, 2))
    >>> try:
    ...     model(torch.ones(1, 4))
    ... except RuntimeError as error:
    ...     print(layer_of(error).text)
    model[1]
    """
    user = user_frame(error.__traceback__)
    found: FrameType | None = None
    roots: list[Any] = []
    for frame in _frames(error.__traceback__):
        module = _module_in(frame)
        if module is None:
            continue
        roots.append(module)
        if is_library_file(frame.f_code.co_filename) and not _holds_others(module):
            found = frame
    if user is None or found is None:
        return None
    module = _module_in(found)
    names = found.f_code.co_varnames[1 : found.f_code.co_argcount]
    given = found.f_locals.get(names[0]) if names else None
    place = words_of((user.tb_frame.f_code, user.tb_lasti))
    outer = next((root for root in roots if _spelled(root, [root], user.tb_frame) != type(root).__name__), module)
    root = _spelled(outer, [outer], user.tb_frame)
    return Layer(module, _spelled(module, roots, user.tb_frame), root, given, place)


def words_about(layer: Layer) -> str:
    """What a layer is, what it got, and where.

    A container such as a transformer is named by its class alone: its printed form has many lines.
    """
    printed = repr(layer.module)
    shown = printed if "\n" not in printed else type(layer.module).__name__
    what = f"The layer is {shown}" if layer.text == type(layer.module).__name__ else f"{layer.text} is {shown}"
    return f"{what}. Its input is {_kind(layer.given)}; {layer.line}."


def ways_for(layer: Layer, reason: Reason) -> tuple[str, ...]:
    """What would fit a layer that was given a wrong size or dtype; empty where the reason's own ways say it."""
    facts = facts_of(layer.given)
    wanted = vars(layer.module).get("in_features")
    if facts is not None and reason.rule.endswith(".dtype") and (ways := _ways_to_convert(layer, facts.dtype)):
        return ways
    if reason.rule == "device.mixed" and is_array(layer.given):
        return _ways_to_one_device(layer)
    if reason.rule != "matmul.size" or facts is None or not isinstance(wanted, int):
        return ()
    size, out = facts.geometry.size, vars(layer.module).get("out_features")
    fitting = []
    for start in range(1, len(size) - 1):
        if prod(size[start:]) == wanted:
            fitting.append(f"x.flatten({start}) for the input x, which makes it {[*size[:start], wanted]}")
    if len(size) == 2 and size[0] == wanted:
        fitting.append("x.t() for the input x, if it lies on its side")
    if not fitting:
        fitting.append(f"nn.{_library_class(layer.module)}({size[-1]}, {out}) in its place")
        fitting.append(f"an input whose last dimension has size {wanted}")
    return tuple(fitting)


def _ways_to_one_device(layer: Layer) -> tuple[str, ...]:
    """How an input gets to the device of a layer, and the model to that of the input."""
    own = [str(p.device) for p in vars(layer.module)["_parameters"].values() if is_array(p)]
    given = str(layer.given.device)
    if not own or own[0] == given or "meta" in (own[0], given):
        return ()
    ways = [f"x.to({own[0]!r}), for the input x", f"{layer.root}.to({given!r})"]
    return tuple(ways if given == "cpu" else ways[::-1])


def _ways_to_convert(layer: Layer, given: str) -> tuple[str, ...]:
    """How an input gets the dtype of a layer's parameters, and they that of the input."""
    own = [facts.dtype for facts in map(facts_of, vars(layer.module)["_parameters"].values()) if facts is not None]
    if not own or own[0] == given or any(d != own[0] for d in own):
        return ()
    model = f"{layer.root}.to(torch.{given}), which converts its parameters"
    return (f"x.to(torch.{own[0]}), for the input x", *([model] if "float" in given else []))


def names_missing(error: BaseException) -> tuple[str, tuple[str, ...]]:
    """What a module has, of which a name was asked that it lacks; empty of any other error."""
    frames = list(_frames(error.__traceback__)) if isinstance(error, AttributeError) else []
    asked = frames[-1].f_locals if frames and frames[-1].f_code.co_name == "__getattr__" else {}
    module, name = asked.get("self"), asked.get("name")
    own = getattr(module, "__dict__", {})
    if not isinstance(own.get("_modules"), dict) or not isinstance(name, str):
        return "", ()
    known = [n for part in ("_modules", "_parameters", "_buffers") for n in own[part]]
    near = difflib.get_close_matches(name, known, 1)
    methods = [n for n in dir(type(module)) if not n.startswith("_") and n not in known]
    if not near and (meant := difflib.get_close_matches(name, methods, 1, 0.8)):
        return f"{type(module).__name__} has no {name}, and a method {meant[0]}.", (f"model.{meant[0]}(...)",)
    has = f"has {', '.join(known[:8])}" if known else "has no layers"
    ways = [f"self.{n}" for n in near] + [f"self.{name} = ..., in __init__"]
    return f"{type(module).__name__} {has}, and {name} is not among them.", tuple(ways)


def loss_made(error: BaseException) -> str:
    """The class of the loss that was being made when an error was raised; empty if none was."""
    made = [f.f_locals.get("self") for f in _frames(error.__traceback__) if f.f_code.co_name == "__init__"]
    modules = [module for module in made if isinstance(getattr(module, "__dict__", {}).get("_modules"), dict)]
    return next((type(m).__name__ for m in modules if type(m).__name__.endswith("Loss")), "")


def sample_of(error: BaseException) -> tuple[str, tuple[str, ...]]:
    """Which sample a loader had asked its dataset for; empty of an error that no dataset raised."""
    inside = [f for f in _frames(error.__traceback__) if f.f_code.co_name == "__getitem__" and "self" in f.f_locals]
    loading = [f for f in _frames(error.__traceback__) if f.f_code.co_filename.endswith(("fetch.py", "iterators.py"))]
    users = [f for f in inside if not is_library_file(f.f_code.co_filename)]
    if not loading or not users or len(users[0].f_code.co_varnames) < 2:
        return "", ()
    dataset, index = type(users[0].f_locals["self"]).__name__, users[0].f_locals.get(users[0].f_code.co_varnames[1])
    because = f"A loader counts the samples from 0 on, and asked {dataset} for sample {index!r}: this is its own error."
    return because, (f"dataset[{index!r}], to see it alone", "df.iloc[i], for a row by its place, not by its label")


def _kind(value: Any) -> str:
    facts = facts_of(value)
    if facts is not None:
        return f"{facts.dtype} {list(facts.geometry.size)}"
    name = type(value).__name__
    article = "an" if name[:1] in "aeiou" else "a"
    return f"a tuple of {len(value)}" if isinstance(value, tuple) else f"{article} {name}"


def _library_class(module: Any) -> str:
    """The name of a layer's class in the library, of which the program may have a class of its own."""
    own = [c.__name__ for c in type(module).__mro__ if ".nn.modules." in c.__module__]
    return own[0] if own else type(module).__name__


def _frames(trace: TracebackType | None) -> Iterator[FrameType]:
    while trace is not None:
        yield trace.tb_frame
        trace = trace.tb_next


def _module_in(frame: FrameType) -> Any:
    """The module whose `forward` a frame runs; None of any other frame."""
    if frame.f_code.co_name != "forward" or "self" not in frame.f_locals:
        return None
    module = frame.f_locals["self"]
    own = getattr(module, "__dict__", {})
    return module if isinstance(own.get("_modules"), dict) and isinstance(own.get("_parameters"), dict) else None


def _holds_others(module: Any) -> bool:
    return type(module).__name__ in ("Sequential", "ModuleList", "ModuleDict", "DataParallel")


def _spelled(module: Any, roots: list[Any], frame: FrameType) -> str:
    """How the user's program spells the way to a module: from a name of his frame, or from the outermost model."""
    for names in (frame.f_locals, {} if frame.f_locals is frame.f_globals else frame.f_globals):
        for name, value in list(names.items()):
            if any(value is root for root in roots) and not name.startswith("_"):
                path = _path(value, module)
                if path is not None:
                    return name + path
    return type(module).__name__


def _path(root: Any, module: Any) -> str | None:
    """The way from a module to one within it, as a program writes it: ``.encoder[3]``."""
    queue, seen = [("", root)], 0
    while queue and seen < LARGEST_MODEL:
        path, node = queue.pop(0)
        seen += 1
        if node is module:
            return path
        for name, child in list(vars(node).get("_modules", {}).items()):
            if child is not None:
                queue.append((f"{path}[{name}]" if name.isdigit() else f"{path}.{name}", child))
    return None
