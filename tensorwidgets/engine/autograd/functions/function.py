"""`autograd.Function`: an op of the user's own, with a backward of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from ...errors.reasons import refuse
from ...errors.warnings import warn
from ..nodes import NodeType
from .calling import call
from .node import FunctionNode


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
        return call(cls, args, kwargs)

    @classmethod
    def _has_own_context(cls) -> bool:
        """Whether `forward` has no `ctx`, because `setup_context` gets it."""
        return cls.setup_context is not Function.setup_context

    @classmethod
    def _chosen_backward(cls) -> Callable[..., Any]:
        """`backward`, or `vjp` in its place."""
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
        return cls.vjp if other else backward


class InplaceFunction(Function):
    """An old base class of functions that write to their inputs. Any Function may, with `ctx.mark_dirty`."""

    def __init__(self, inplace: bool = False):
        super().__init__()
        self.inplace = inplace


def _refuse_no_backward() -> NoReturn:
    refuse(
        NotImplementedError,
        "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
        "backward mode AD.",
        "the Function has a forward and no backward",
        "@staticmethod def backward(ctx, grad): ...",
        rule="function.backward",
    )
