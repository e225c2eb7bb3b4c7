"""The node of a call of a Function: what it keeps, and how it asks the user's `backward`."""

from __future__ import annotations

from typing import Any

from ...derivatives.helpers import counted
from ...errors.reasons import refuse
from ...errors.warnings import warn
from ...tensor.tensor import Tensor
from ..nodes import Node, metadata_of, zeros_for
from .contexts import Context, check_flag
from .saved_tensors import SavedTensors


class FunctionNode(Node):
    """The node of a call of a Function. `forward` and `backward` get its `Context`."""

    # Unlike other nodes it has a __dict__: for what the user keeps, and for what only Functions have.
    takes_undefined = True
    casts = False
    function: Any = None
    needs_input_grad: tuple[bool, ...] = ()
    to_save: tuple | None = None
    dirty_tensors: tuple | None = None
    non_differentiable: tuple | None = None
    saved_for_forward: tuple | None = None
    """The tensors of `save_for_forward`, which nobody needs here."""
    materialize_grads = True
    _is_pure_view = False
    """Whether `forward` does nothing but make a view, so that a write through the view need not pass `backward`."""
    _materialize_non_diff_grads = True
    """Whether undefined gradients of results without a gradient reach `backward` as zeros, too."""
    _untracked: frozenset[int] = frozenset()
    """The numbers of the results that have no gradient."""
    shown = Node.shown | frozenset(
        "_is_pure_view _materialize_non_diff_grads _raw_saved_tensors apply dirty_tensors mark_dirty "
        "mark_non_differentiable mark_shared_storage materialize_grads maybe_clear_saved_tensors needs_input_grad "
        "non_differentiable save_for_backward save_for_forward saved_for_forward saved_tensors saved_variables "
        "set_materialize_grads to_save".split()
    )
    own: dict[str, Any]
    """What the user keeps in the context."""
    _kept: SavedTensors | None = None
    _was_read = False
    """Whether `saved_tensors` has been read, of a Function whose tensors are read once."""
    _places: tuple[int, ...] = ()
    _count = 0
    """How many arguments the call has."""

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors for the backward pass, with a check that nobody changes them."""
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors for forward-mode differentiation, which is not available."""
        self.saved_for_forward = tensors

    def mark_dirty(self, *tensors: Any) -> None:
        """Say which inputs `forward` has written to."""
        self.dirty_tensors = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Say which results have no gradient."""
        self.non_differentiable = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Say whether undefined gradients reach `backward` as zeros (the default) or as None."""
        check_flag("set_materialize_grads", value)
        self.materialize_grads = value

    def mark_shared_storage(self, *pairs: Any) -> None:
        """An old method that does nothing."""
        warn(
            "mark_shared_storage is deprecated. Tensors with shared storages are automatically tracked. Note that "
            "calls to `set_()` are not tracked",
            FutureWarning,
        )

    def maybe_clear_saved_tensors(self) -> None:
        """Free the saved tensors before `backward` returns, unless the pass keeps the graph."""
        from ..passes.running import under_way

        if under_way.passes and not under_way.passes[-1].retain:
            self.release()

    @property
    def saved_tensors(self) -> tuple:
        """The tensors of `save_for_backward`."""
        return self.kept_tensors()

    def kept_tensors(self) -> tuple:
        """The same for a context, which asks often."""
        kept, once = self._kept, self.function.clear_saved_tensors_on_access
        if once and self._was_read:
            self._refuse_to_read()
        try:
            result = () if kept is None else kept.unpacked(self)
        except AttributeError as error:  # in the user's unpack_hook: Python forgets it and asks `__getattr__`
            self.__dict__["_lost"] = error
            raise
        if once:
            self._was_read = True
            self._kept = None if kept is None else SavedTensors((), [], self)
        return result

    def _refuse_to_read(self) -> None:
        refuse(
            RuntimeError,
            "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is set on the "
            "autograd.Function. Either access saved_tensors only once, or set clear_saved_tensors_on_access=False.",
            "the node has forgotten them, so that they can be freed before backward ends",
            "a, b = ctx.saved_tensors",
            rule="function.saved",
        )

    @property
    def saved_variables(self) -> tuple:
        """The old name of `saved_tensors`."""
        warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning)
        return self.saved_tensors

    @property
    def _raw_saved_tensors(self) -> tuple:
        return () if self._kept is None else self._kept.raw(self)

    def apply(self, grads: tuple) -> Any:
        given = tuple([self._zeros(n) if g is None and self.materialize_grads else g for n, g in enumerate(grads)])
        backward, boxed = self.function._chosen_backward(), self.function.boxed_grads_call
        results = backward(Context(self), list(given)) if boxed else backward(Context(self), *given)
        return self._fitted(results if isinstance(results, tuple) else (results,))

    def _zeros(self, number: int) -> Tensor | None:
        """The gradient of a result that nothing was computed from; None of one that is not a tensor."""
        if metadata_of(self, number)[1] is None or number in self._untracked and not self._materialize_non_diff_grads:
            return None
        zeros = zeros_for(self, number)
        return zeros if zeros is None else counted(zeros, 1)  # PyTorch counts here that it writes them

    def _fitted(self, results: tuple) -> list[Any]:
        """One gradient for each tensor among the arguments."""
        count = self._count
        if len(results) > count and all(extra is None for extra in results[count:]):
            results = results[:count]
        if len(results) != count:
            refuse(
                RuntimeError,
                f"function {self.name()} returned an incorrect number of gradients (expected {count}, got "
                f"{len(results)})",
                f"backward returns one value for each of the {count} arguments of forward, None for what is no tensor",
                f"return {', '.join(['grad'] + ['None'] * (count - 1))}, if only the first argument gets a gradient",
                rule="function.count",
            )
        gradients = []
        for place, result in enumerate(results):
            if place not in self._places:
                if result is not None:
                    refuse(
                        RuntimeError,
                        f"function {self.name()} returned a gradient different than None at position {place + 1}, but "
                        "the corresponding forward input was not a Variable",
                        "backward returns None for an argument of forward that is not a tensor",
                        rule="function.none",
                    )
                continue
            if result is not None and not isinstance(result, Tensor):
                refuse(
                    RuntimeError,
                    f"expected Variable or None (got {type(result).__name__})",
                    "a gradient is a tensor, or None",
                    rule="function.type",
                )
            if result is not None and result._notes.get("_writes"):
                result._notes["_counted"] = True  # what the user's function wrote counts
            gradients.append(result)
        return gradients

    def release(self) -> None:
        if self._kept is not None:
            self._kept.release()

    def name(self) -> str:
        return type(self).__name__

    def __call__(self, *grads: Any) -> Any:
        raise TypeError(f"'{type(self).__name__}' object is not callable")

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{type(self).__name__} object at {id(self):#x}>"

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.own})

    def __getattr__(self, name: str) -> Any:
        lost = self.__dict__.pop("_lost", None)
        if lost is not None:
            raise lost
        own = self.__dict__.get("own", {})
        if name in own:
            return own[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
