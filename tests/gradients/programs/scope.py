"""What programs of calls can name beside `torch`: a logbook, small modules, and functions that break rules."""

from __future__ import annotations

import copy
import io
import pickle
from typing import Any


def call_scope(torch: Any, log: list[Any]) -> dict[str, Any]:
    """Names for the lines of a program, made of the engine that runs them."""

    def note(*things: Any) -> None:
        """Write down what a hook saw: tensors as they print, which leaves out their last digits."""
        log.append(" ".join(map(text, things)))

    def text(thing: Any) -> str:
        if isinstance(thing, (tuple, list)):
            return f"[{', '.join(map(text, thing))}]"
        return repr(thing) if thing is None or isinstance(thing, torch.Tensor) else str(thing)

    def filled(module: Any) -> Any:
        """A module whose parameters are small numbers that are the same everywhere."""
        with torch.no_grad():
            for at, parameter in enumerate(module.parameters()):
                numbers = torch.arange(parameter.numel(), dtype=parameter.dtype)
                parameter.copy_(((numbers * 0.75 + at) % 2 - 0.625).reshape(parameter.shape))
        return module

    def stored(value: Any) -> Any:
        """A value that was in a file."""
        file = io.BytesIO()
        torch.save(value, file)
        file.seek(0)
        return torch.load(file)

    def pickled(value: Any) -> Any:
        return pickle.loads(pickle.dumps(value))

    def fail(*_: Any, **__: Any) -> Any:
        raise ValueError("a hook that fails")

    names = {
        "note": note, "filled": filled, "stored": stored, "pickled": pickled, "fail": fail, "copy": copy,
    }  # fmt: skip
    if not hasattr(torch, "nn"):
        return names

    nn = torch.nn

    class Net(nn.Module):
        """A layer between two sums, with an argument by position and one by name."""

        def __init__(self, n: int = 2) -> None:
            super().__init__()
            self.layer = nn.Linear(n, n)
            self.register_buffer("seen", torch.zeros(()))

        def forward(self, x: Any, scale: Any = 1, *, shift: Any = 0) -> Any:
            self.seen += 1
            return self.layer(x).tanh() * scale + shift

    class Pair(nn.Module):
        """A module with several inputs and results."""

        def __init__(self) -> None:
            super().__init__()
            self.weight = nn.Parameter(torch.ones(()))

        def forward(self, x: Any, y: Any = None) -> Any:
            return x * self.weight, (x if y is None else y).sum()

    return {**names, "nn": nn, "F": nn.functional, "Net": Net, "Pair": Pair,
            **rule_functions(torch, note)}  # fmt: skip


def rule_functions(torch: Any, note: Any) -> dict[str, Any]:
    """`autograd.Function` classes that use each of its rules, or break one."""
    function = torch.autograd.Function

    class Mixed(function):
        """Tensors and other values, in and out."""

        @staticmethod
        def forward(ctx: Any, x: Any, k: Any, y: Any, word: Any = "none") -> Any:
            ctx.save_for_backward(x, y)
            ctx.k = k
            return x * k, word, y * x

        @staticmethod
        def backward(ctx: Any, gx: Any, gw: Any, gy: Any) -> Any:
            x, y = ctx.saved_tensors
            note("Mixed", gw, ctx.needs_input_grad)
            return (gx * ctx.k + gy * y).sum_to_size(x.shape), None, (gy * x).sum_to_size(y.shape), None

    class Sorted(function):
        """Values and, without a derivative, where they were."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            values, at = x.sort(-1)
            ctx.mark_non_differentiable(at)
            ctx.save_for_backward(at)
            return values, at

        @staticmethod
        def backward(ctx: Any, grad: Any, other: Any) -> Any:
            note("Sorted", other)
            return torch.zeros_like(grad).scatter(-1, ctx.saved_tensors[0], grad)

    class Lazy(function):
        """Missing gradients stay None."""

        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.set_materialize_grads(False)
            return x * 2, y * 3

        @staticmethod
        def backward(ctx: Any, gx: Any, gy: Any) -> Any:
            note("Lazy", gx, gy)
            return None if gx is None else gx * 2, None if gy is None else gy * 3

    class Eager(function):
        """Missing gradients are zeros."""

        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            return x * 2, y * 3

        @staticmethod
        def backward(ctx: Any, gx: Any, gy: Any) -> Any:
            note("Eager", gx, gy)
            return gx * 2, gy * 3

    class Written(function):
        """Writes into the second input, and gives both."""

        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            ctx.mark_dirty(y)
            y.mul_(2)
            return x * 3, y

        @staticmethod
        def backward(ctx: Any, gx: Any, gy: Any) -> Any:
            return gx * 3, gy * 2

    class NotGiven(function):
        """Marks an input as written to, and does not return it."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.mark_dirty(x)
            x.add_(1)
            return x * 1

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad

    class Unmarked(function):
        """Writes and says nothing."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.add_(1)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad

    class Saves(function):
        """Saves an input, a result, something in between and nothing."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            middle = x * x
            result = middle.sin()
            ctx.save_for_backward(x, None, result, middle)
            return result

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            x, nothing, result, middle = ctx.saved_tensors
            note("Saves", nothing, result.requires_grad, middle.requires_grad, result.grad_fn is None)
            return grad * 2 * x * middle.cos() + 0 * result

    class Middle(function):
        """Gives what is in between as a result, so that it can be differentiated again."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            middle = x.exp()
            ctx.save_for_backward(middle)
            return middle * 2, middle

        @staticmethod
        def backward(ctx: Any, grad: Any, other: Any) -> Any:
            (middle,) = ctx.saved_tensors
            return (grad * 2 + other) * middle

    class SetUp(function):
        """Forward and context apart."""

        @staticmethod
        def forward(x: Any, y: Any, k: Any = 2) -> Any:
            return x * y * k

        @staticmethod
        def setup_context(ctx: Any, inputs: Any, output: Any) -> None:
            x, y, *rest = inputs
            ctx.save_for_backward(x, y)
            ctx.k = rest[0] if rest else 2
            note("SetUp", len(inputs), output)

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            x, y = ctx.saved_tensors
            return (grad * y * ctx.k).sum_to_size(x.shape), (grad * x * ctx.k).sum_to_size(y.shape), None

    class Once(function):
        """Differentiable once."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x**2

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx: Any, grad: Any) -> Any:
            note("Once", grad.requires_grad)
            return grad * 2 * ctx.saved_tensors[0]

    class Needs(function):
        """Only the gradients that are needed."""

        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            note("Needs", ctx.needs_input_grad)
            ctx.save_for_backward(x, y)
            return x * y

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            x, y = ctx.saved_tensors
            note("Needs", ctx.needs_input_grad)
            first = (grad * y).sum_to_size(x.shape) if ctx.needs_input_grad[0] else None
            second = (grad * x).sum_to_size(y.shape) if ctx.needs_input_grad[1] else None
            return first, second

    class Few(function):
        """A gradient too few."""

        @staticmethod
        def forward(ctx: Any, x: Any, y: Any) -> Any:
            return x + y

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad

    class Sized(function):
        """A gradient of a size that may not fit."""

        @staticmethod
        def forward(ctx: Any, x: Any, how: Any) -> Any:
            ctx.how = how
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return {
                "sum": lambda: grad.sum(), "more": lambda: grad.expand(2, *grad.shape), "half": lambda: grad.float(),
                "number": lambda: 3, "none": lambda: None, "int": lambda: grad.long(), "flat": lambda: grad.reshape(-1),
                "same": lambda: grad, "view": lambda: grad.view_as(grad), "complex": lambda: grad + 1j,
                "fail": lambda: [][1], "written": lambda: grad.mul_(2), "list": lambda: [grad],
            }[ctx.how](), None  # fmt: skip

    class Same(function):
        """Its input, as it is."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            note("Same", grad)
            return grad * 5

    class Parts(function):
        """Views of its input, several at once."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            flat = x.view(-1)
            return flat[:1], flat[1:]

        @staticmethod
        def backward(ctx: Any, first: Any, rest: Any) -> Any:
            return torch.cat([first, rest])

    class Inner(function):
        """A graph of its own inside, gone through on the way back."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            with torch.enable_grad():
                ctx.x = x.detach().requires_grad_()
                ctx.y = ctx.x.square().sin()
            return ctx.y.detach()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return torch.autograd.grad(ctx.y, ctx.x, grad)[0]

    class Nothing(function):
        """No result."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return None

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad

    class Rounded(function):
        """A result of integers, and one of numbers without a derivative."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            sign = x.sign()
            ctx.mark_non_differentiable(sign)
            return x.floor().long(), sign, x * 1

        @staticmethod
        def backward(ctx: Any, whole: Any, sign: Any, grad: Any) -> Any:
            note("Rounded", whole, sign)
            return grad

    class Chained(function):
        """Applies another function on the way back."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return x.sin()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return Same.apply(grad) * ctx.saved_tensors[0].cos()

    class NoBackward(function):
        """Forward alone."""

        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x * 2

    class Careless(function):
        """Saves what is no tensor."""

        @staticmethod
        def forward(ctx: Any, x: Any, what: Any) -> Any:
            ctx.save_for_backward(x, what)
            return x * 2

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad * ctx.saved_tensors[0], None

    classes = (Mixed, Sorted, Lazy, Eager, Written, NotGiven, Unmarked, Saves, Middle, SetUp, Once, Needs, Few, Sized,
               Same, Parts, Inner, Nothing, Rounded, Chained, NoBackward, Careless)  # fmt: skip
    return {cls.__name__: cls for cls in classes}
