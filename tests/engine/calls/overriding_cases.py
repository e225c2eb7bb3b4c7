"""Programs about classes of tensors and modes, whose answers by PyTorch are frozen.

Each is a function of an engine that spells like PyTorch and returns what can be written down.
"""

from __future__ import annotations

import copy
import io
import pickle
import warnings
from collections.abc import Callable
from typing import Any

CASES: dict[str, Callable[[Any], Any]] = {}


def case(program: Callable[[Any], Any]) -> Callable[[Any], Any]:
    CASES[program.__name__] = program
    return program


def told(torch: Any, value: Any) -> Any:
    """A value as text: of a tensor its class, numbers, and how it stands in memory and in the graph."""
    if isinstance(value, torch.Tensor):
        plain = value.detach().as_subclass(torch.Tensor)
        facts = f"{type(value).__name__} {plain.tolist()} {plain.dtype} view={value._is_view()}"
        return f"{facts} leaf={value.is_leaf} {type(value.grad_fn).__name__}"
    if isinstance(value, (tuple, list)):
        return [type(value).__name__, *[told(torch, part) for part in value]]
    return repr(value)


def attempt(torch: Any, program: Callable[[], Any]) -> Any:
    """What a program returns, or its refusal."""
    try:
        return told(torch, program())
    except Exception as error:  # a refusal is an answer, too; without the module that a class is in
        return f"{type(error).__name__}: {error}".replace(f"{__name__}.", "").replace("<locals>.", "")


# -- the default ---------------------------------------------------------------------------------------------------

RESULTS = """
t + 1 | 1 + t | p + t | t - 1 | 1 - t | 2 / t | t ** 2 | 2 ** t | t // 2 | 7 // t | t % 2 | 7 % t | t @ t | p @ t | -t
~i | i & 1 | 1 | i | i ^ 1 | i << 1 | 1 << i | t == 1 | p == t | t != p | t < p | p <= t | abs(t) | +t | t[0] | t[0, 1:]
t[i] | p[i] | t[t > 2] | t.T | t.mT | t.real | t.data | t.detach() | t.clone() | t.view(4) | t.reshape(-1) | t.add_(1)
t.to(torch.float64) | t.to(torch.float32) | t.double() | t.type(torch.int64) | t.cpu() | t.new_zeros(2) | t.new([1.0])
t.sum() | t.sum(0, keepdim=True) | torch.sum(t, axis=0) | t.max(0) | torch.sort(t) | t.split(1) | t.unbind() | list(t)
torch.stack([p, t]) | torch.cat((t, t)) | [type(x).__name__ for x in torch.linalg.qr(t)]
torch.where(t > 1, t, p) | t.nonzero(as_tuple=True)
type(torch.nn.functional.softmax(t, 0)).__name__ | torch.nn.functional.linear(p, t)
torch.zeros_like(t) | torch.as_tensor(t)
torch.broadcast_tensors(t, p) | torch.meshgrid(t[0], t[1], indexing="ij") | torch.add(p, 1, out=t) | p.add_(t)
p.copy_(t) | t.requires_grad_() | torch.equal(t, t) | t.tolist() | t.shape | t[0, 0].item() | t.expand(2, 2, 2)
torch.einsum("ij->i", t) | torch.norm(t) | t.unique() | torch.frexp(t) | t.chunk(2)[0] | t.topk(1) | t.view(torch.int32)
t.as_subclass(Other) | t.as_subclass(torch.Tensor) | t.as_subclass(int) | Mine([1, 2]) | Mine(2, 0) | Mine(p) | Mine()
Mine([[1.0], [2.0]]) | torch.tensor([t.sum(), 1]) | torch.Tensor._make_subclass(Mine, p) | type(copy.copy(t))
pickle.loads(pickle.dumps(t)).as_subclass(torch.Tensor) | type(pickle.loads(pickle.dumps(t))) | f"{t.sum():.1f}"
torch.nn.Parameter(t) | torch.nn.Parameter(t) + 1 | torch.nn.Parameter(t).data | repr(torch.nn.Parameter(t))
isinstance(torch.nn.Parameter(t), torch.nn.Parameter) | isinstance(t, torch.nn.Parameter) | torch.nn.Buffer(t) + 1
torch.nn.Linear(2, 2)(t).shape | t.grad | t + n | n + t | t + o | o.add(t) | o.add_(t) | torch.stack([t, o]) | t == o
g | g + 1 | (g * g).sum() | l | l * 2 | l.detach() | l.data | repr(t) | repr(g + 1) | str(l)
[(l * 2).sum().backward(), l.grad][1] | [(g * 2).sum().backward(), g.grad][1] | torch.autograd.grad((l * 2).sum(), l)
""".replace("\n", " | ")


@case
def results(torch: Any) -> Any:
    class Mine(torch.Tensor):
        pass

    class Nearer(Mine):
        pass

    class Other(torch.Tensor):
        pass

    Mine.__qualname__, Nearer.__qualname__, Other.__qualname__ = "Mine", "Nearer", "Other"
    Mine.__reduce_ex__ = torch.Tensor.__reduce_ex__
    globals()["Mine"] = Mine
    found = {}
    for text in filter(None, map(str.strip, _parts(RESULTS))):
        names = {
            "torch": torch, "copy": copy, "pickle": pickle, "Mine": Mine, "Nearer": Nearer, "Other": Other,
            "t": torch.tensor([[1.0, 2.0], [3.0, 4.0]]).as_subclass(Mine), "p": torch.ones(2, 2),
            "n": torch.ones(2, 2).as_subclass(Nearer), "o": torch.ones(2, 2).as_subclass(Other),
            "i": torch.tensor([0, 1]).as_subclass(Mine), "g": torch.ones(2, requires_grad=True).as_subclass(Mine),
            "l": torch.Tensor._make_subclass(Mine, torch.ones(2), True),
        }  # fmt: skip
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found[text] = attempt(torch, lambda: eval(text, names))  # noqa: B023 - called at once
    return found


def _parts(text: str) -> list[str]:
    """Between bars that are no operator."""
    return text.replace("1 | i", "1 @@ i").replace(" | ", "\n").replace("@@", "|").splitlines()


# -- classes that are asked ----------------------------------------------------------------------------------------

CALLS = """
t + 1;1 + t;p + t;p - t;t - 1;1 - t;t * 2;t / 2;1 / t;p / t;t // 2;2 // t;p // t;t ** 2;2 ** t;p ** t;t % 2;2 % t;t @ p
p @ t;t == 1;p == t;t != 1;t < 1;1 < t;p < t;i & 1;1 & i;i | 1;i ^ 1;i << 1;1 << i;~i;-t;+t;abs(t);t[0];t[0, 1:];p[i]
t.__setitem__(0, 1);p.__setitem__(0, t[0]);t.__iadd__(1);t.__itruediv__(2);p.__iadd__(t);len(t);bool(t[0, 0])
float(t[0, 0]);int(t[0, 0]);t.tolist();t[0, 0].item();1.0 in t;t.shape;t.size();t.size(0);t.dim();t.ndim;t.dtype
t.device;t.layout;t.T;t.mT;t.H;t.data;t.grad;t.requires_grad;t.requires_grad_();t.is_leaf;t.grad_fn;t._version
t.stride();t.storage_offset();t.numel();t.nelement();t.element_size();t.nbytes;t.itemsize;t.is_contiguous();t.numpy()
t.cpu();t.float();t.to(torch.float64);t.type(torch.float64);t.detach();t.clone();repr(t);str(t);format(t, "");hash(t)
t.max(0);t.sum(0);torch.sum(t, axis=0);t.split(1);torch.split(t, 1);t.unbind();torch.unbind(t);torch.cat([p, t])
torch.stack((t, p));torch.relu(t);torch.nn.functional.relu(t);torch.nn.functional.linear(t, p)
torch.nn.functional.softmax(t, 0);torch.nn.functional.dropout(t, 0.0);torch.nn.functional.layer_norm(t, [2])
torch.nn.functional.mse_loss(t, p);torch.nn.ReLU()(t);torch.nn.Linear(2, 2)(t);torch.ones_like(t);t.new_zeros(2)
t.new(2);torch.tensor(t);torch.as_tensor(t);torch.linalg.det(t);torch.fft.fft(t);torch.special.erf(t)
torch.einsum("ij,jk->ik", t, p);torch.where(p > 0, t, p);t.where(p > 0, p);torch.add(p, p, out=t)
torch.add(t, 1, alpha=2);t.add(1);t.add_(1);torch.broadcast_tensors(t, p);torch.norm(t);t.norm();torch.unique(t)
torch.meshgrid(t[0], indexing="ij");torch.tensordot(t, t, 1);torch.cdist(t, t);torch.equal(t, t);t.view(4);t.reshape(-1)
t.as_subclass(torch.Tensor);t.is_cuda;t.is_sparse;t.real;t.untyped_storage().nbytes();t.data_ptr() > 0
t.register_hook(print) is None;t.is_shared();t.output_nr;t.name;t.apply_(lambda a: a);t.fill_(2);t.zero_();t.copy_(p)
t.set_(p);t.__dict__;t.is_inference();t.get_device();reversed(t);p.add_(t);t.stft(2, return_complex=True)
t.__contains__(1);t.is_set_to(t);t.is_neg();t.is_conj();torch.Tensor.add(t, 1);torch.Tensor.__getitem__(t, 0)
setattr(t, "grad", p);setattr(t, "data", p);setattr(t, "requires_grad", True);torch.add(t);torch.sum(t, "no")
torch.nn.functional.cross_entropy(t, torch.tensor([0, 1]));t.stft();torch.numel(t);torch.is_complex(t)
torch.is_floating_point(t);torch.is_signed(t);torch.is_inference(t);torch.is_nonzero(t[0, 0]);torch.get_device(t)
torch.is_tensor(t);torch.is_storage(t)
"""


@case
def what_a_class_is_told(torch: Any) -> Any:
    heard: list[Any] = []

    class Told(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            owner = getattr(func, "__self__", None)
            name = torch.overrides.resolve_name(func) if func.__name__ in ("__get__", "__set__") else func.__name__
            method = owner is None and torch.overrides.is_tensor_method_or_property(func)
            kinds = [type(a).__name__ for a in args]
            named = kwargs if kwargs is None else sorted(kwargs)
            heard.append([name, method, [t.__name__ for t in types], kinds, named])
            return super().__torch_function__(func, types, args, kwargs)

    Told.__qualname__ = "Told"
    found = {}
    for text in CALLS.strip().replace("\n", ";").split(";"):
        t = torch.tensor([[1.0, 2.0], [3.0, 4.0]]).as_subclass(Told)
        names = {"torch": torch, "t": t, "p": torch.ones(2, 2), "i": torch.tensor([0, 1]).as_subclass(Told)}
        heard.clear()
        try:
            made = type(eval(text, names)).__name__
        except Exception as error:
            made = f"{type(error).__name__}: {str(error).splitlines()[0]}"
        found[text] = [made.replace("builtin_function_or_method", "method"), *heard]
    return found


@case
def answers_by_a_table(torch: Any) -> Any:
    table: dict[Any, Any] = {torch.mean: lambda x: "mean", torch.Tensor.mul: lambda x, y: "mul"}
    table[torch.Tensor.shape.__get__] = lambda x: "shape"
    table[torch.Tensor.__getitem__] = lambda x, key: f"at {key}"

    class Tabled(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return table[func](*args, **(kwargs or {})) if func in table else NotImplemented

    Tabled.__qualname__ = "Tabled"
    x = torch.ones(2).as_subclass(Tabled)
    asked = [
        lambda: torch.mean(x), lambda: x * 2, lambda: 2 * x, lambda: torch.ones(2) * x, lambda: x.shape, lambda: x[1],
        lambda: x.mean(), lambda: torch.mul(x, 2), lambda: x.size(), lambda: x + 1, lambda: 1 - x,
        lambda: torch.norm(x),
        lambda: x.norm(), lambda: torch.stack([x]), lambda: x.dtype, lambda: len(x), lambda: torch.linalg.norm(x),
        lambda: torch.nn.functional.relu(x), lambda: torch.nn.functional.linear(x, x), lambda: x < 1, lambda: x == 1,
    ]  # fmt: skip
    return [_first(torch, program) for program in asked]


def _first(torch: Any, program: Callable[[], Any]) -> str:
    """An answer as one text."""
    return str(attempt(torch, program))


@case
def order_of_classes(torch: Any) -> Any:
    heard: list[Any] = []

    def make(name: str, base: type, answer: Any) -> Any:
        def asked(cls: Any, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            heard.append([cls.__name__, [t.__name__ for t in types]])
            return answer

        return type(name, (base,), {"__torch_function__": classmethod(asked)})

    a = make("A", torch.Tensor, NotImplemented)
    b = make("B", a, NotImplemented)
    c = make("C", torch.Tensor, NotImplemented)
    d = make("D", object, "D")
    x, y, z, w = (torch.ones(2).as_subclass(a), torch.ones(2).as_subclass(b), torch.ones(2).as_subclass(c), d())
    asked = [
        lambda: torch.add(x, w), lambda: torch.add(w, x), lambda: torch.add(x, y, out=w),
        lambda: torch.stack([x, x, z]),
        lambda: torch.stack([z, y, x]), lambda: x + y, lambda: x + w, lambda: x.add(w), lambda: x * z, lambda: x == z,
        lambda: torch.where(torch.ones(2) > 0, x, z), lambda: torch.norm(x), lambda: torch.ones(2).add_(z),
        lambda: torch.add(torch.nn.Parameter(torch.ones(2)), x),
    ]  # fmt: skip
    found = []
    for program in asked:
        heard.clear()
        found.append([_first(torch, program), *heard])
    return found


@case
def logged_in_depth(torch: Any) -> Any:
    heard: list[str] = []

    class Logged(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            if func is not torch.Tensor.__repr__:
                heard.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs)

    class Deeper(Logged):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            heard.append("deeper")
            return super().__torch_function__(func, types, args, kwargs)

    x = torch.arange(3.0).as_subclass(Logged)
    y = torch.ones(3).as_subclass(Deeper)
    made = [x + y, torch.dot(x, y), y.max(0).values]
    return [type(x).__name__ for x in made], repr(x + 1), list(heard)


@case
def with_a_word(torch: Any) -> Any:
    """A class whose instances carry a word, which results take over."""

    class Worded(torch.Tensor):
        def __new__(cls, data: Any, word: str = "") -> Any:
            made = torch.as_tensor(data).as_subclass(cls)
            made.word = word
            return made

        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            words = [a.word for a in args if isinstance(a, Worded) and hasattr(a, "word")]
            result = super().__torch_function__(func, types, args, kwargs)
            if isinstance(result, Worded):
                result.word = "+".join(words)
            return result

    x, y = Worded([1.0, 2.0], "x"), Worded([3.0, 4.0], "y")
    return (x + y).word, (x * 2).word, torch.sub(x, y).word, x[0].word, told(torch, x + y), x.shape[0]


@case
def properties_of_ones_own(torch: Any) -> Any:
    class Sized(torch.Tensor):
        @property
        def shape(self) -> str:
            return "mine"

        def add(self, other: Any) -> Any:
            return "added", super().add(other)

        def __getitem__(self, key: Any) -> Any:
            return "got", super().__getitem__(key)

    class Told(Sized):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return func.__name__

    s, t = torch.ones(2).as_subclass(Sized), torch.ones(2).as_subclass(Told)
    return [told(torch, v) for v in (s.shape, s.add(1), s[0], s + 1)], [t.shape, t.add(1), t[0], t + 1, t.size()]


@case
def without_classes(torch: Any) -> Any:
    class Mine(torch.Tensor):
        pass

    class Off(torch.Tensor):
        __torch_function__ = torch._C._disabled_torch_function_impl

    class Told(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return func.__name__

    class Alike:
        relu = torch.relu

        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return func.__name__

    x, y, z = (torch.ones(2).as_subclass(cls) for cls in (Mine, Off, Told))
    found = []
    for block in (torch._C.DisableTorchFunctionSubclass, torch._C.DisableTorchFunction):
        with block():
            with block():
                found += [type(x + 1).__name__, type(x[0]).__name__, type(z + 1).__name__, z.shape, x.add_(1) is x]
                found += [attempt(torch, lambda: torch.add(Alike(), 1)), attempt(torch, lambda: x + Alike())]
                found += [attempt(torch, lambda: Alike().relu(torch.ones(1)))]
            found += [torch._C._is_torch_function_enabled(), type(x + 1).__name__]
            found.append(torch.overrides.has_torch_function((x,)))
    found += [type(v).__name__ for v in (x + 1, y + 1, y[0], y.detach())] + [z + 1, z.shape]
    found += [torch.add(Alike(), 1), x + Alike()]
    return [str(v) for v in found]


@case
def questions(torch: Any) -> Any:
    class Mine(torch.Tensor):
        pass

    class Off(torch.Tensor):
        __torch_function__ = torch._C._disabled_torch_function_impl

    class Alike:
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return func.__name__

    o = torch.overrides
    p = torch.ones(2)
    values = (p, torch.nn.Parameter(p), p.as_subclass(Mine), p.as_subclass(Off), Alike(), 3, None, [p])
    names = "add add_ __add__ __getitem__ matmul view item size numel to"
    return (
        [[o.is_tensor_like(v), o.has_torch_function((v, 1)), o.has_torch_function_unary(v)] for v in values],
        o.has_torch_function_variadic(1, p, Alike()),
        [o.resolve_name(getattr(torch.Tensor, name)) for name in names.split()],
        [o.resolve_name(getattr(torch.Tensor, name).__get__) for name in "shape grad T dtype data real".split()],
        [o.resolve_name(f) for f in (torch.add, torch.stack, torch.linalg.det, torch.fft.fft, torch.special.erf)],
        [o.resolve_name(f) for f in (torch.nn.functional.relu, torch.nn.functional.linear, print)],
        [o.is_tensor_method_or_property(f) for f in (torch.Tensor.add, torch.add, torch.Tensor.shape.__get__)],
        [getattr(torch.Tensor, n).__get__ in o.get_default_nowrap_functions() for n in ("grad", "T", "_base")],
        [torch.add in o.get_overridable_functions()[torch], torch.tensor in o.get_ignored_functions()],
        [torch.Tensor.add in o.get_overridable_functions()[torch.Tensor], torch.add in o.get_ignored_functions()],
        repr(torch.nn.Parameter.__torch_function__),
    )  # fmt: skip


@case
def functions_of_ones_own(torch: Any) -> Any:
    from functools import partial

    o = torch.overrides

    def twice(x: Any, *, more: int = 0) -> Any:
        if o.has_torch_function((x,)):
            return o.handle_torch_function(twice, (x,), x, more=more)
        return x * 2

    @o.wrap_torch_function(lambda x: (x,))
    def thrice(x: Any) -> Any:
        return x * 3

    class Told(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return [func.__name__, [t.__name__ for t in types], len(args), kwargs]

    class Declines(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return NotImplemented

    class Mine(torch.Tensor):
        pass

    twice.__module__ = "m"
    t, d, m, p = (*[torch.ones(2).as_subclass(cls) for cls in (Told, Declines, Mine)], torch.ones(2))
    found = [partial(f, x) for f in (twice, thrice) for x in (t, m, p, 3)]
    found += [partial(twice, d), partial(twice, t, more=1)]
    found.append(lambda: o.handle_torch_function(twice, (p, t, d), t))
    return [_first(torch, program) for program in found]


@case
def modes(torch: Any) -> Any:
    heard: list[Any] = []
    o = torch.overrides

    class Told(o.TorchFunctionMode):
        def __init__(self, name: str):
            self.name = name

        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            heard.append([self.name, func.__name__, [t.__name__ for t in types], sorted(kwargs or {})])
            return func(*args, **(kwargs or {}))

    class Swaps(o.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return torch.mul(*args) if func in (torch.add, torch.Tensor.add) else func(*args, **(kwargs or {}))

    class Mine(torch.Tensor):
        pass

    class Declines(o.TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return NotImplemented

        def __repr__(self) -> str:
            return "Declines()"

    found: list[Any] = []
    with Told("outer"):
        with Told("inner") as inner:
            x = torch.ones(2) + 1
            y = x.as_subclass(Mine)
            z = torch.stack([x, y])
            x[0] = torch.zeros((), dtype=torch.float32)
            found.append(o.has_torch_function((1,)))
        x.mul_(2)
        torch.nn.functional.relu(x)
    found += [x, z, inner.name, torch._C._len_torch_function_stack()]
    with Swaps():
        found += [torch.full((2,), 3.0) + 4, torch.add(x, x)]
        with torch._C.DisableTorchFunction():
            found.append(x + x)
        with torch._C.DisableTorchFunctionSubclass():
            found.append(x + x)
    found.append(x + x)
    try:
        with Told("last"):
            raise ValueError
    except ValueError:
        found.append(torch._C._len_torch_function_stack())
    with Declines():
        found += [_first(torch, lambda: torch.add(x, 1)), _first(torch, lambda: torch.norm(x))]
        found += [_first(torch, lambda: torch.add(z, 1))]
    with o.BaseTorchFunctionMode():
        found.append(x + 1)
    return told(torch, found), list(heard)


@case
def handlers_that_are_plain_methods(torch: Any) -> Any:
    class Old(torch.Tensor):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            return func.__name__

    x = torch.ones(2).as_subclass(Old)
    torch.set_warn_always(True)  # else it appears once
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        found = x + 1
    torch.set_warn_always(False)
    return found, [(w.category.__name__, str(w.message).partition(" (Triggered")[0]) for w in seen]


@case
def errors_and_attributes(torch: Any) -> Any:
    class Fails(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            raise KeyError(func.__name__)

    class Mine(torch.Tensor):
        pass

    x, m = torch.ones(2).as_subclass(Fails), torch.ones(2).as_subclass(Mine)
    m.label = "kept"
    asked = (
        lambda: x + 1, lambda: torch.add(x, 1), lambda: x.shape, lambda: torch.stack([x]), lambda: m.view(3),
        lambda: copy.copy(m).label, lambda: (m + 1).label, lambda: m[0].label, lambda: m.add_(1).label,
    )  # fmt: skip
    return [attempt(torch, program) for program in asked]


@case
def in_models(torch: Any) -> Any:
    heard: list[str] = []

    class Told(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            heard.append(func.__name__)
            return super().__torch_function__(func, types, args, kwargs)

    class Mine(torch.Tensor):
        pass

    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.ReLU(), torch.nn.Flatten(), torch.nn.Softmax(1))
    x = torch.ones(1, 2).as_subclass(Told)
    y = model(x)
    layer = torch.nn.Linear(2, 1)
    layer.weight = torch.nn.Parameter(torch.ones(1, 2).as_subclass(Mine))
    calls = list(heard)
    loss = layer(torch.ones(1, 2)).sum()
    loss.backward()
    grad = layer.weight.grad
    torch.optim.SGD(layer.parameters(), lr=0.5).step()
    names = [name for name, _ in layer.named_parameters()]
    return type(y).__name__, calls, type(loss).__name__, told(torch, grad), names, told(torch, layer.weight)


@case
def saved(torch: Any) -> Any:
    file = io.BytesIO()
    torch.save(torch.nn.Parameter(torch.ones(2)), file)
    file.seek(0)
    return type(torch.load(file)).__name__
