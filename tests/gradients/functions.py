"""A few `autograd.Function` classes for programs, written once for whichever engine runs them."""

from __future__ import annotations

from typing import Any


def custom_functions(torch: Any) -> dict[str, Any]:
    """The classes by name, made of an engine's own `Function`; nothing where it has none."""
    base = getattr(torch.autograd, "Function", None)
    if base is None:
        return {}

    class Double(base):
        """Twice its input."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 2

    class Product(base):
        """A product that saves both factors."""

        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            x, y = ctx.saved_tensors
            return (grad * y).sum_to_size(x.shape), (grad * x).sum_to_size(y.shape)

    class Both(base):
        """Two results, one of them its result saved."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = x.exp()
            ctx.save_for_backward(y)
            return y, x + 1

        @staticmethod
        def backward(ctx: Any, grad: Any, other: Any) -> Any:
            return grad * ctx.saved_tensors[0] + other

    class Tripled(base):
        """Three times its input, written into it."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_dirty(x)
            return x.mul_(3)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * 3

    class Turned(base):
        """A view of its input."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.view_as(x)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return -grad

    class TooMany(base):
        """Returns a gradient too many."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x + 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad, grad

    classes = (Double, Product, Both, Tripled, Turned, TooMany)
    return {cls.__name__: cls for cls in classes}
