"""`functional_call`: an object with parameters called with other tensors in their place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from ...dispatch.registry import OPS
from ...errors.reasons import refuse
from ...tensor.tensor import Tensor

STORES = ("_parameters", "_buffers", "__dict__")
"""Where an object may keep a tensor, in the order in which they are asked."""


def functional_call(
    module: Any,
    parameter_and_buffer_dicts: Any,
    args: Tensor | tuple[Tensor, ...] | None = None,
    kwargs: dict | None = None,
    *,
    tie_weights: bool = True,
    strict: bool = False,
) -> Any:
    """Calls an object with these tensors in the place of its parameters and buffers, which stay as they are.

    The object is called with `args` and `kwargs`; it has `named_parameters()` and perhaps `named_buffers()`. Names of
    tensors in its parts are written with dots. `strict=True` refuses a dictionary that lacks names.

    >>> import tensorwidgets as torch
    >>> class Scale:
    ...     def __init__(self):
    ...         self.weight = torch.tensor(2.0, requires_grad=True)
    ...     def named_parameters(self):
    ...         return [("weight", self.weight)]
    ...     def __call__(self, x):
    ...         return x * self.weight
    >>> functional_call(Scale(), {"weight": torch.tensor(5.0)}, torch.ones(2))
    tensor([5., 5.])
    """
    chosen = _merged(parameter_and_buffer_dicts)
    named = _every_name(module)
    given = _tied(chosen, named) if tie_weights else chosen
    if strict:
        _check_names(type(module).__name__, given, named)
    positional = () if args is None else args if isinstance(args, tuple) else (args,)
    with _replaced(module, given, chosen):
        return module(*positional, **(kwargs or {}))


def _merged(dictionaries: Any) -> dict:
    if isinstance(dictionaries, dict):
        return dictionaries
    if not isinstance(dictionaries, Sequence):  # a text is one, and its elements are refused below
        refuse(
            ValueError,
            f"Expected parameter_and_buffer_dicts to be a dict, or a list/tuple of dicts, but got {type(dictionaries)}",
            "tensors are found by their names",
            rule="functional_call.type",
        )
    if not all(isinstance(d, dict) for d in dictionaries):
        refuse(
            ValueError,
            "Expected all elements of parameter_and_buffer_dicts to be dictionaries",
            "tensors are found by their names",
            rule="functional_call.type",
        )
    names = [name for d in dictionaries for name in d]
    twice = [name for name in dict.fromkeys(names) if names.count(name) > 1]
    if twice:
        refuse(
            ValueError,
            f"{twice} appeared in multiple dictionaries; behavior of functional call is ambiguous",
            "two tensors have one name",
            rule="functional_call.twice",
        )
    return {name: t for d in dictionaries for name, t in d.items()}


def _check_names(kind: str, given: Mapping, named: Mapping) -> None:
    unexpected = sorted(given.keys() - named.keys())
    missing = sorted(named.keys() - given.keys())
    if unexpected or missing:
        lines = [f"Error(s) in reparametrizing for {kind}:"]
        lines += [f"\tUnexpected key(s): {', '.join(map(repr, unexpected))}."] if unexpected else []
        lines += [f"\tMissing key(s): {', '.join(map(repr, missing))}."] if missing else []
        refuse(
            RuntimeError,
            "\n".join(lines),
            "strict=True asks for all names and no others",
            "strict=False",
            rule="functional_call.strict",
        )


def _every_name(module: Any) -> dict:
    """The parameters and buffers of an object, a tensor that has several names under each."""
    every: dict = {}
    for listing in ("named_parameters", "named_buffers"):
        listed = module.named_parameters if listing == "named_parameters" else getattr(module, listing, None)
        if listed is not None:
            code = getattr(getattr(type(module), listing, None), "__code__", None)
            both = code is not None and "remove_duplicate" in code.co_varnames
            every.update(listed(remove_duplicate=False) if both else listed())
    return every


def _tied(given: dict, every: Mapping) -> dict:
    """With the new tensor under each other name of the tensor that it replaces."""
    names_of: dict[int, list[str]] = {}
    for name, t in every.items():
        names_of.setdefault(id(t), []).append(name)
    result = dict(given)
    for name in given.keys() & every.keys():
        tied = names_of[id(every[name])]
        if len({id(given[other]) for other in tied if other in given}) > 1:
            refuse(
                ValueError,
                f"functional_call got multiple values for keys {sorted(tied)}, which are tied. Consider using "
                "tie_weights=False",
                "the object has one tensor under these names",
                "tie_weights=False",
                rule="functional_call.tied",
            )
        result.update(dict.fromkeys(tied, given[name]))
    return result


@contextmanager
def _replaced(module: Any, given: Mapping, chosen: dict) -> Iterator[None]:
    """Other tensors in the place of an object's own, until the end of the `with`. What the object has put in their
    place then goes to the dictionary that was `chosen`.
    """
    before: list[tuple[Any, str, Any]] = []
    places: dict[str, tuple[Any, str]] = {}
    try:
        for name, t in given.items():
            store, own = _store(module, name, t)
            value = store.get(own, _ABSENT)
            store[own] = t
            before.append((store, own, value))
            places[name] = store, own
        yield
    finally:
        chosen.update({name: store[own] for name, (store, own) in places.items() if name in chosen and own in store})
        for store, own, value in reversed(before):
            if value is _ABSENT:
                store.pop(own, None)
            else:
                store[own] = value


_ABSENT = object()


class _Properties:
    """The properties of an object as a dictionary: a parametrized weight is set as the user would set it."""

    def __init__(self, module: Any):
        self.module = module

    def get(self, own: str, otherwise: Any) -> Any:
        return getattr(self.module, own, otherwise)

    def __contains__(self, own: str) -> bool:
        return hasattr(self.module, own)

    def __getitem__(self, own: str) -> Any:
        return getattr(self.module, own)

    def __setitem__(self, own: str, t: Any) -> None:
        setattr(self.module, own, t)


def _store(module: Any, name: str, t: Any) -> tuple[Any, str]:
    """The dictionary that holds a tensor of an object or of one of its parts, and the tensor's own name there.

    A name that a module does not have becomes an attribute for the call.
    """
    *parts, own = name.split(".")
    for part in parts:
        if not hasattr(module, part):
            raise AttributeError(f"{type(module).__name__} has no attribute `{part}`")
        module = getattr(module, part)
        if isinstance(module, Tensor):
            raise TypeError(f"submodule `{part}`: {module} is not an instance of torch.nn.Module")
    if not isinstance(t, Tensor) and t is not None:
        raise TypeError(f"{t} is not an instance of torch.Tensor")
    if own == "":
        raise KeyError('tensor name can\'t be empty string ""')
    for store in STORES:
        held = vars(module) if store == "__dict__" else vars(module).get(store, {})
        if own in held:
            break
    else:
        held = vars(module)
        if "_parameters" not in held and own not in held:
            raise AttributeError(f"{type(module).__name__} has no attribute `{own}`")
    before = held.get(own, getattr(module, own, None))
    if before is not None and not isinstance(before, Tensor):
        raise TypeError(f"attribute `{own}`: {before} is not an instance of torch.Tensor")
    return _Properties(module) if isinstance(getattr(type(module), own, None), property) else held, own


# -- several modules as one --------------------------------------------------------------------------------------


def stack_module_state(models: Any) -> tuple[dict[str, Tensor], dict[str, Tensor]]:
    """The parameters of several modules of one class, stacked under their names, and the buffers likewise.

    The stacked parameters are new leaves, which an optimizer may take. A slice of them makes one of the modules again:

    >>> import tensorwidgets as torch
    >>> models = [torch.nn.Linear(2, 1) for _ in range(3)]
    >>> parameters, buffers = stack_module_state(models)
    >>> parameters["weight"].shape, buffers
    (torch.Size([3, 1, 2]), {})
    >>> first = {name: stacked[0] for name, stacked in parameters.items()}
    >>> torch.equal(functional_call(models[0], first, torch.ones(2)), models[0](torch.ones(2)))
    True
    """
    _check_alike(models)
    return _stacked(models, "named_parameters"), _stacked(models, "named_buffers")


def _check_alike(models: Any) -> None:
    problem = None
    if len(models) == 0:
        problem = "at least one model, got 0."
    elif len({bool(model.training) for model in models}) > 1:
        problem = "all models to have the same training/eval mode."
    elif len({type(model) for model in models}) > 1:
        problem = "all models to be of the same class."
    if problem is not None:
        message = f"stack_module_state: Expected {problem}"
        refuse(RuntimeError, message, "one call has to do for all of them", rule="stack_module_state.alike")


def _stacked(models: Any, listing: str) -> dict[str, Tensor]:
    each = [dict(getattr(model, listing)()) for model in models]
    return {name: _stacked_leaf([named[name] for named in each], name) for name in each[0]}


def _stacked_leaf(tensors: list[Tensor], name: str) -> Tensor:
    wanting = {t.requires_grad for t in tensors}
    if len(wanting) > 1:
        refuse(
            RuntimeError,
            f"Expected {name} from each model to have the same .requires_grad",
            "the stacked tensor is one leaf",
            "requires_grad_(False) for the others, too",
            rule="stack_module_state.requires_grad",
        )
    stacked: Tensor = OPS["stack"].function(tensors)
    return stacked.detach().requires_grad_() if wanting == {True} else stacked


__all__ = ["functional_call", "stack_module_state"]
