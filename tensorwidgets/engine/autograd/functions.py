"""`autograd.Function`: an op of the user's own, with a backward of its own."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, NoReturn

from ..derivatives.helpers import counted
from ..errors.reasons import refuse
from ..errors.warnings import warn
from ..tensor.grad_flag import can_require, inference_leaves
from ..tensor.grad_mode import grad_enabled, no_grad
from ..tensor.keys import KEY_AUTOGRAD, KEY_INFERENCE
from ..tensor.passed import hide_again, shown_again
from ..tensor.tensor import Tensor
from ..tensor.thread_state import carried
from ..tensor.versions import bump_version, version_owner
from ..tensor.wrapping import wrap_view
from . import anomaly, rewriting
from .contexts import Context, check_flag
from .nodes import Node, NodeType, metadata_of, note_device, zeros_for
from .origin import Output, edge_of, set_origin, tracked
from .saved import SavedTensors, refuse_inference


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
        from .passes.running import under_way

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
        cls = self.function
        given = tuple([self._zeros(n) if g is None and self.materialize_grads else g for n, g in enumerate(grads)])
        backward: Any = getattr(cls, "backward", None)
        own, other = backward is not Function.backward, cls.vjp is not Function.vjp
        if own and other:
            refuse(
                RuntimeError,
                "Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You should only "
                "implement one of them.",
                "both names mean the same",
                rule="function.backward",
            )
        if not own and not other:
            _refuse_no_backward()
        way: Any = cls.vjp if other else backward
        results = way(Context(self), list(given)) if cls.boxed_grads_call else way(Context(self), *given)
        return self._fitted(results if isinstance(results, tuple) else (results,))

    def _zeros(self, number: int) -> Tensor | None:
        """The gradient of a result that nothing was computed from; None of one that is no tensor."""
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
                "backward returns one value for each argument of forward, None for those that are no tensors",
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
                        "backward returns None for an argument of forward that is no tensor",
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
            if result is not None and result.__dict__.get("_writes"):
                result.__dict__["_counted"] = True  # what the user's function wrote counts
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

    def __getattr__(self, name: str) -> Any:
        lost = self.__dict__.pop("_lost", None)
        if lost is not None:
            raise lost
        own = self.__dict__.get("own", {})
        if name in own:
            return own[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


def _refuse_no_backward() -> NoReturn:
    refuse(
        NotImplementedError,
        "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
        "backward mode AD.",
        "the Function has a forward and no backward",
        "@staticmethod def backward(ctx, grad): ...",
        rule="function.backward",
    )


class FunctionMeta(type):
    """Gives each Function a class of nodes of its own."""

    def __init__(cls, name: str, bases: tuple, members: dict):
        super().__init__(name, bases, members)
        cls._backward_cls = NodeType(
            f"{name}Backward", (FunctionNode,), {"function": cls, "__module__": "tensorwidgets"}
        )


class Function(metaclass=FunctionMeta):
    """An operation with a derivative of your own: `forward` computes, `backward` returns the gradients.

    >>> import tensorwidgets as torch
    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         return grad * 2
    >>> Double.apply(torch.ones(2, requires_grad=True))
    tensor([2., 2.], grad_fn=<DoubleBackward>)
    """

    _backward_cls: type[FunctionNode]
    generate_vmap_rule = False
    clear_saved_tensors_on_access = False
    """Whether a node forgets its saved tensors once `backward` has read them, so that they can be freed in it."""
    boxed_grads_call = False
    """Whether `backward` gets the gradients in one list, from which it may remove them."""

    def __init__(self, *args: Any, **kwargs: Any):
        warn(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you should "
            "invoke them on the class itself. Instantiating an autograd function will raise an error in a future "
            "version of PyTorch.",
            DeprecationWarning,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        refuse(
            RuntimeError,
            "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd "
            "function with static forward method. (Example: "
            "https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)",
            "a Function is not instantiated",
            f"{type(self).__name__}.apply(x)",
            rule="function.legacy",
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Computes the results; overridden by each Function."""
        refuse(
            NotImplementedError,
            "You must implement the forward function for custom autograd.Function.",
            "forward computes the results",
            "@staticmethod def forward(ctx, x): ...",
            rule="function.forward",
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: Any) -> Any:
        """Saves what `backward` needs, for a `forward` without `ctx`."""
        refuse(
            NotImplementedError,
            "setup_context is not implemented.",
            "a forward without ctx saves nothing; setup_context saves what backward needs",
            "@staticmethod def setup_context(ctx, inputs, output): ...",
            rule="function.setup",
        )

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Returns the gradients of the inputs; overridden by each Function."""
        _refuse_no_backward()

    @staticmethod
    def vjp(ctx: Any, *grad_outputs: Any) -> Any:
        """Another name of `backward`."""
        _refuse_no_backward()

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Forward-mode differentiation, which is not available."""
        refuse(
            NotImplementedError,
            "You must implement the jvp function for custom autograd.Function to use it with forward mode AD.",
            "the Function has no derivative for forward mode, and this package has no forward mode",
            "loss.backward()",
            rule="function.forward_mode",
        )

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """Says how the function computes many samples at once; `func.vmap` is not available."""
        refuse(
            NotImplementedError,
            "To use autograd.Function with vmap, you must either override the vmap staticmethod or set "
            "generate_vmap_rule=True.",
            "the Function does not say how it computes many samples at once",
            "@staticmethod def vmap(info, in_dims, *args): ...",
            rule="function.vmap",
        )

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Call the function and record it."""
        return _apply(cls, args, kwargs)


class InplaceFunction(Function):
    """An old base class of functions that write to their inputs. Any Function may, with `ctx.mark_dirty`."""

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace


def _in_places(cls: Any, args: tuple, kwargs: dict, bind: bool) -> tuple:
    """The arguments of a call in the places that `forward` has for them.

    A `forward` without `ctx` gets its defaults too, since `setup_context` and `backward` see all its arguments.
    """
    if bind:
        bound = signature(cls.forward).bind(*args, **kwargs)
        bound.apply_defaults()
        args, kwargs = bound.args, bound.kwargs
    if not kwargs:
        return args
    names = list(signature(cls.forward).parameters.values())[0 if bind else 1 :]
    places = [p.name for p in names if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    for name in kwargs:
        if name not in places:
            _refuse_argument(f"forward() got an unexpected keyword argument '{name}'")
        if places.index(name) < len(args):
            _refuse_argument(f"forward() got multiple values for argument '{name}'")
    last = max(map(places.index, kwargs))
    for place in range(len(args), last):
        if places[place] not in kwargs:
            _refuse_argument(f"forward() missing required argument: '{places[place]}' (position {place})")
    return (*args, *[kwargs[name] for name in places[len(args) : last + 1]])


def _refuse_argument(message: str) -> None:
    refuse(
        TypeError,
        message,
        "backward returns a gradient for each place, so arguments by name are put in their places",
        "F.apply(x, 2)",
        rule="function.arguments",
    )


def _takes_defaults(forward: Any, args: tuple) -> bool:
    """Whether a call without keywords may leave anything out; where it does not, there is nothing to bind."""
    code = getattr(forward, "__code__", None)
    return code is None or code.co_kwonlyargcount or len(args) != code.co_argcount


class _Transforms(threading.local):
    """Whether this thread is inside a function that `torch.func` transforms."""

    under_way = False


transforms = _Transforms()
carried.append(transforms)


def _apply(cls: Any, args: tuple, kwargs: dict) -> Any:
    apart = cls.setup_context is not Function.setup_context
    if transforms.under_way and not apart:
        refuse(
            RuntimeError,
            "In order to use an autograd.Function with functorch transforms (vmap, grad, jvp, jacrev, ...), it must "
            "override the setup_context staticmethod. For more details, please see "
            "https://pytorch.org/docs/main/notes/extending.func.html",
            "a transform calls forward with tensors of its own, so what is saved is said in setup_context",
            "def forward(x) and def setup_context(ctx, inputs, output)",
            rule="function.transforms",
        )
    if kwargs or apart and _takes_defaults(cls.forward, args):
        args = _in_places(cls, args, kwargs, apart)
    ctx: FunctionNode = cls._backward_cls.__new__(cls._backward_cls)
    tensors = [a for a in args if isinstance(a, Tensor)]
    recording = grad_enabled() and any(tracked(t) for t in tensors)
    edges = tuple([edge_of(t) if recording and tracked(t) else None for t in tensors])
    Node.__init__(ctx, edges, (), None)
    ctx.needs_input_grad = tuple([isinstance(a, Tensor) and tracked(a) for a in args])
    ctx._count = len(args)
    ctx._places = tuple([place for place, a in enumerate(args) if isinstance(a, Tensor)])
    if cls.clear_saved_tensors_on_access is not False or cls.boxed_grads_call is not False:
        _check_class_flag(cls, "clear_saved_tensors_on_access")
        _check_class_flag(cls, "boxed_grads_call")
    ctx.own = {}
    before = shown_again(KEY_AUTOGRAD)
    try:
        with no_grad():
            if apart:
                output = cls.forward(*args)
                cls.setup_context(Context(ctx), args, output)
            else:
                output = cls.forward(Context(ctx), *args)
    finally:
        hide_again(before)
    return _Finished(ctx, cls, tensors, recording).results(output)


def _check_class_flag(cls: Any, name: str) -> None:
    value = getattr(cls, name)
    if type(value) is not bool:
        refuse(
            RuntimeError,
            f"{name} must be a bool, got {type(value).__name__}",
            "set it to True or False in the class",
            rule="argument.type",
        )


class _Finished:
    """Gives the results of a Function their origins in the graph."""

    def __init__(self, ctx: FunctionNode, cls: Any, tensors: list[Tensor], recording: bool):
        self.ctx, self.cls, self.tensors, self.recording = ctx, cls, tensors, recording

    def results(self, output: Any) -> Any:
        ctx = self.ctx
        several = isinstance(output, tuple)
        outputs = list(output) if several else [output]
        if ctx._is_pure_view and (len(outputs) > 1 or len(self.tensors) != 1):
            refuse(
                RuntimeError,
                "Pure view custom Function can only have one input Tensor and one output Tensor. Open an issue if you "
                "need to support more.",
                "a write through the view is recorded as if forward were one view of one tensor",
                "ctx._is_pure_view = False",
                rule="function.view",
            )
        if ctx.dirty_tensors or ctx.non_differentiable:
            self._check_marked(outputs)
        untracked = {id(t) for t in ctx.non_differentiable or ()}
        if untracked:
            ctx._untracked = frozenset([number for number, t in enumerate(outputs) if id(t) in untracked])
        if self.recording:
            if several:  # what is no tensor has a place too: backward gets None for it
                ctx.size = tuple([t._array.shape if isinstance(t, Tensor) else () for t in outputs])
                ctx.dtype = tuple([t._dtype if isinstance(t, Tensor) else None for t in outputs])
                for t in [t for t in outputs if isinstance(t, Tensor)][:1]:
                    note_device(ctx, t)
            elif isinstance(output, Tensor):
                ctx.size, ctx.dtype = output._array.shape, output._dtype
                note_device(ctx, output)
            anomaly.note(ctx)
        final = [
            self._result(t, number, id(t) in untracked, len(outputs)) if isinstance(t, Tensor) else t
            for number, t in enumerate(outputs)
        ]
        self._save(outputs, final)
        return tuple(final) if several else final[0]

    def _check_marked(self, outputs: list) -> None:
        dirty, untracked = self.ctx.dirty_tensors or (), self.ctx.non_differentiable or ()
        for marked, message in (
            (dirty, "mark_dirty can only accept variables, but argument "),
            (untracked, "mark_non_differentiable only accepts variable arguments, but got "),
        ):
            if not all(isinstance(t, Tensor) for t in marked):
                refuse(RuntimeError, message, "only tensors can be marked", rule="function.marked")
        for t in dirty:  # counted once more, in case that forward wrote past the counter
            bump_version(t)
        for t in dirty:
            if not any(t is out for out in outputs):
                refuse(
                    RuntimeError,
                    "Some elements marked as dirty during the forward method were not returned as output. The inputs "
                    "that are modified inplace must all be outputs of the Function.",
                    "what forward writes to must be returned, so that it gets its new node",
                    "return x",
                    rule="function.dirty",
                )

    def _result(self, t: Tensor, number: int, untracked: bool, count: int) -> Tensor:
        ctx = self.ctx
        origin: Any = Output(ctx, number) if number else ctx
        dirty = any(t is d for d in ctx.dirty_tensors or ())
        is_input = any(t is given for given in self.tensors)
        if not self.recording or untracked or not can_require(t):
            if is_input and tracked(t):  # written to or not: the input itself stays in its graph
                return t.detach()
            if is_input and not dirty:
                return self._as_view(t)
            if not self.recording and not is_input and t._base is not None:
                if ctx._is_pure_view:
                    t._made = ""
                elif not tracked(t._base):
                    t._made = "function"  # which a graph may have to know later
                elif not tracked(t):
                    set_origin(t, Output(None, 0, version_owner(t)._writes, "function"))
                elif type(t._origin) is Output:
                    t._origin.made = "function"
                return t
            t._keys &= ~KEY_AUTOGRAD
            return t
        if dirty:
            _check_dirty_leaf(t)
            self._check_dirty_input(t, is_input, count)
            if tracked(t) and t._origin is not None:
                t.__dict__.pop("_grad", None)  # that of what it was before
            rewriting.check_write(t, "mark_dirty")
            rewriting.rebase(t, ctx, number)
            return t
        if is_input:
            self._check_saved_apart(t)
            t = wrap_view(t._array, t)
        if t._base is not None:
            several = type(ctx.dtype) is tuple and sum(d is not None for d in ctx.dtype) > 1
            made = "" if ctx._is_pure_view else "multiple" if several else "function"
            set_origin(t, Output(ctx, number, version_owner(t)._writes, made))
        else:
            set_origin(t, origin)
            if t._keys & KEY_INFERENCE:
                inference_leaves.exist = True
        return t

    def _as_view(self, t: Tensor) -> Tensor:
        """An input that is returned as it is, and that no node is made for: another view of it."""
        self._check_saved_apart(t)
        with no_grad():
            view: Tensor = t.view_as(t)
        view._made = "function"
        return view

    def _check_saved_apart(self, t: Tensor) -> None:
        if self.cls.setup_context is not Function.setup_context and any(t is saved for saved in self.ctx.to_save or ()):
            refuse(
                RuntimeError,
                "An input that has been returned as-is as output is being saved for backward. This is not supported if "
                "you override setup_context. You should return and save a view of the input instead, e.g. with "
                "x.view_as(x) or setup ctx inside the forward function itself.",
                "input and output are one tensor, and the node could not tell which of the two it saved",
                "return x.view_as(x)",
                rule="function.save",
            )

    def _check_dirty_input(self, t: Tensor, is_input: bool, count: int) -> None:
        if not is_input:
            message = (
                "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated "
                "should be passed to ctx.mark_dirty()."
            )
            if t._base is not None and not tracked(t):
                refuse(
                    RuntimeError, message, "its base would get a new node", "ctx.mark_dirty(x)", rule="function.dirty"
                )
            warn(message)
        if t._base is not None and count > 1:
            refuse(
                RuntimeError,
                "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot "
                "return more than one Tensor. This is not supported by the current autograd engine. You should either "
                "make sure the input is not a view (using .clone() for example) or make your Function only return one "
                "Tensor (potentially splitting it into two Functions: one doing the inplace that returns a single "
                "Tensor and a second one that does the other operations). You can ask on the forum "
                "https://discuss.pytorch.org/ if you need help to do this change.",
                "the base of the view would get a node of which the view is one of several results",
                "x.clone()",
                rule="function.dirty",
            )

    def _save(self, outputs: list, final: list) -> None:
        ctx = self.ctx
        saved, dirty = ctx.to_save or (), ctx.dirty_tensors or ()
        # First, so that results do not wait for the garbage collector, even if a hook on saved tensors raises an error.
        ctx.to_save = ctx.saved_for_forward = ctx.dirty_tensors = ctx.non_differentiable = None
        if not self.recording:
            return
        _check_saved(saved)
        numbers: dict[int, int] = {}
        for number, (before, after) in enumerate(zip(outputs, final, strict=True)):
            if isinstance(before, Tensor) and tracked(after):
                numbers.setdefault(id(before), number)
                numbers[id(after)] = number
        inputs = {id(t) for t in self.tensors} - {id(t) for t in dirty}
        places = [-1 if id(t) in inputs else numbers.get(id(t), -1) for t in saved]
        ctx._kept = SavedTensors(saved, places, ctx)


def _check_saved(saved: tuple) -> None:
    for number, t in enumerate(saved):
        if t is not None and not isinstance(t, Tensor):
            refuse(
                TypeError,
                f"save_for_backward can only save variables, but argument {number} is of type {type(t).__name__}",
                "anything else can be an attribute",
                "ctx.n = n",
                rule="function.save",
            )
        if t is not None and t.is_inference():
            refuse_inference()


def _check_dirty_leaf(t: Tensor) -> None:
    origin: Any = t._origin if tracked(t) else None
    if tracked(t) and (origin is None or type(origin) is Output and origin.node is None):
        refuse(
            RuntimeError,
            "a leaf Variable that requires grad has been used in an in-place operation.",
            "the value of a leaf is where the gradient is taken, so it must stay",
            "x = x * 2",
            rule="write.leaf",
        )


def once_differentiable(backward: Callable) -> Callable:
    """Marks a `backward` whose own derivative does not exist: a second order is refused."""

    @wraps(backward)
    def call(ctx: Any, *grads: Any) -> Any:
        given_grads = grads[0] if len(grads) == 1 and type(grads[0]) is list else grads
        needed = grad_enabled() and any([isinstance(g, Tensor) and tracked(g) for g in given_grads])
        with no_grad():
            results = backward(ctx, *grads)
        if not needed:
            return results
        given = results if isinstance(results, tuple) else (results,)
        final = _refusing(given)
        return final if isinstance(results, tuple) else final[0]

    return call


class OnceNode(Node):
    """Refuses a second derivative."""

    __slots__ = ()

    def apply(self, grads: tuple) -> Any:
        refuse(
            RuntimeError,
            "trying to differentiate twice a function that was marked with @once_differentiable",
            "this backward was written in operations that are not recorded",
            rule="function.once",
        )


OnceNode.__name__ = OnceNode.__qualname__ = "Error"


def _refusing(gradients: tuple) -> tuple:
    """Gradients as results of one node that goes no further than to leaves of their own."""
    leaves = [g.detach() if isinstance(g, Tensor) else None for g in gradients]
    edges = tuple([None if t is None or not can_require(t) else t.requires_grad_() for t in leaves])
    sizes: Any = tuple([None if t is None else t._array.shape for t in leaves])
    dtypes: Any = tuple([None if t is None else t._dtype for t in leaves])
    node = OnceNode(edges, sizes, dtypes)
    results: list[Any] = list(gradients)
    for number, t in enumerate(edges):
        if t is not None:
            results[number] = t.detach()
            set_origin(results[number], Output(node, number) if number else node)
    return tuple(results)
