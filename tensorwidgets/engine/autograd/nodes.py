"""Nodes: one for each recorded call. A node knows where the gradients of its inputs go and how to compute them."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn

from ..dispatch.kinds import KINDS
from ..errors.reasons import refuse
from ..tensor.keys import KEY_META
from ..tensor.tensor import Tensor
from ..types.device import CPU

if TYPE_CHECKING:
    from ..types.device import device
    from ..types.dtypes import dtype

next_number: Callable[[], int] = count().__next__
"""Numbers the nodes of all threads. The inputs of a node are always older than the node itself."""

_NEWEST = 2**64 - 1
"""The number of what stands for a leaf: PyTorch runs it before all other nodes."""

ELSEWHERE = KEY_META | KINDS["device"].key
"""The keys of tensors that are not on the CPU."""

FREED = -1
"""The version of a saved number that PyTorch saves as a tensor, as 2 in ``x * 2``: backward frees it as well."""


class NodeType(type):
    """Prints the class of a node as PyTorch's."""

    def __repr__(cls) -> str:
        if cls.__bases__ == (object,):
            return "<class 'torch.autograd.graph.Node'>"
        module = "torch.autograd.function." if "function" in vars(cls) else ""
        return f"<class '{module}{cls.__name__}'>"


class Node(metaclass=NodeType):
    """One recorded call.

    `edges` has an entry for each input: a leaf, a node, a pair of a node and the number of its result, or None.
    `size` and `dtype` are what a gradient has to be: those of the result, or tuples of them for several results. `code`
    and `at` are the place in the user's code that made the node; see `writes.here`.
    """

    __slots__ = ("number", "edges", "size", "dtype", "code", "at", "extra", "__weakref__")

    casts = True
    """Whether a complex gradient that it computes for a real input becomes real; otherwise it is refused."""
    takes_undefined = False
    """Whether `apply` is called if no result has a gradient."""
    number: int
    edges: tuple
    size: Any
    dtype: Any
    code: Any
    at: int
    extra: Any
    shortcut: Callable[[Any, Any], list | None] | None = None
    """The gradients on arrays, for the most frequent ops: see `shortcuts`."""
    writes = 0
    """How often a gradient that the shortcut makes was written to, as its version counts."""

    def __init__(self, edges: tuple, size: tuple[int, ...], dtype: dtype):
        self.number = next_number()
        self.edges, self.size, self.dtype = edges, size, dtype
        self.code = self.extra = None

    def apply(self, grads: tuple) -> Any:
        """The gradients of the inputs, one for each edge, from those of the results."""
        raise NotImplementedError

    def release(self) -> None:
        """Free what was saved."""

    # -- what PyTorch's nodes answer ----------------------------------------------------------------------------

    def name(self) -> str:
        """The name of the node."""
        own = type(self).__name__
        return own if "Backward" in own and own != "CopyBackwards" else f"torch::autograd::{own}"

    @property
    def next_functions(self) -> tuple:
        """The nodes of the inputs, each with the number of its result."""
        return tuple([_as_pair(edge) for edge in self.edges])

    @property
    def where(self) -> tuple[Any, int] | None:
        """The place in the user's code that made the node, if it was recorded."""
        return None if self.code is None else (self.code, self.at)

    @property
    def metadata(self) -> dict:
        """A dictionary for anything that a user wants to keep with the node."""
        return more(self).metadata

    @property
    def requires_grad(self) -> bool:
        return True

    @property
    def _input_metadata(self) -> tuple:
        """What the gradient of each result has to be."""
        return tuple(
            [Metadata(*metadata_of(self, number), device_of(self, number)) for number in range(count_of(self))]
        )

    def _sequence_nr(self) -> int:
        return self.number

    def register_hook(self, hook: Callable) -> Any:
        """Call ``hook(grad_inputs, grad_outputs)`` each time the node has computed gradients."""
        from .hooks.on_gradients import add

        return add(more(self).after, hook)

    def register_prehook(self, hook: Callable) -> Any:
        """Call ``hook(grad_outputs)`` each time before the node computes gradients."""
        from .hooks.on_gradients import add

        return add(more(self).before, hook)

    def __call__(self, *grads: Any, **named: Any) -> Any:
        from .passes.running import apply_alone

        if named:
            raise TypeError("keyword arguments are not supported")
        return apply_alone(self, grads)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} object at {id(self):#x}>"

    def __reduce_ex__(self, protocol: Any) -> NoReturn:
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")

    shown = frozenset(
        "_input_metadata _sequence_nr metadata name next_functions register_hook register_prehook requires_grad".split()
    )
    """The attributes that `dir` lists: what PyTorch's nodes have, and not how ours work."""

    def __dir__(self) -> list[str]:
        from .saved_names import attributes

        special = (name for name in super().__dir__() if name.startswith("__"))
        return sorted({*special, *self.shown, *attributes(self)})

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_saved_") or name.startswith("_raw_saved_"):
            from .saved_names import attribute

            return attribute(self, name)
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")


class Metadata:
    """The shape and dtype that a gradient has to have, and where it has to be."""

    __slots__ = ("shape", "dtype", "device")
    is_nested_tensor = is_cpp_nested_tensor = False

    def __init__(self, shape: tuple[int, ...], dtype: Any, device: device):
        self.shape, self.dtype, self.device = list(shape), dtype, device


class More:
    """What few nodes have: hooks, metadata, a device other than the CPU."""

    __slots__ = ("before", "after", "on_results", "retained", "metadata", "device")

    def __init__(self) -> None:
        self.before: OrderedDict[int, Callable] = OrderedDict()
        self.after: OrderedDict[int, Callable] = OrderedDict()
        self.on_results: dict[int, OrderedDict[int, Callable]] = {}
        """Hooks of tensors, by the number of the result."""
        self.retained: dict[int, Any] = {}
        """Weak references to tensors that keep their gradient, by the number of the result."""
        self.metadata: dict[Any, Any] = {}
        self.device: device | tuple[device, ...] = CPU
        """Where the results are, and their gradients; a place for each where they are on several devices."""


def more(node: Any) -> More:
    """The rest of a node, made when it is first needed."""
    if node.extra is None:
        node.extra = More()
    return node.extra


def device_of(node: Node, number: int) -> device:
    """Where a result of a node is."""
    place = CPU if node.extra is None else node.extra.device
    return place[number] if type(place) is tuple else place


def note_device(node: Node, result: Tensor) -> None:
    """Note where the results of a node are, unless they are on the CPU."""
    if result._keys & ELSEWHERE:
        more(node).device = result.device


def note_devices(node: Node, results: Sequence[Any]) -> None:
    """The same for results that may be on several devices; what is no tensor is on none."""
    places = [t.device if isinstance(t, Tensor) else CPU for t in results]
    if any(place != CPU for place in places):
        more(node).device = places[0] if len(set(places)) == 1 else tuple(places)


def _as_pair(edge: Tensor) -> tuple:
    if edge is None:
        return (None, 0)
    if isinstance(edge, Tensor):
        return (accumulator_of(edge), 0)
    return edge if type(edge) is tuple else (edge, 0)


def inputs_of(node: Node) -> Iterator[Node]:
    """The nodes that a node sends gradients to, without the leaves."""
    for edge in node.edges:
        if edge is not None and not isinstance(edge, Tensor):
            yield edge[0] if type(edge) is tuple else edge


# -- leaves ------------------------------------------------------------------------------------------------------


class AccumulateGrad(Node):
    """Stands for a leaf where somebody walks through the graph: it adds gradients to the leaf's `.grad`.

    After the leaf was given other numbers, `facts` are the size, dtype and device of before: graphs lead to `stand_in`.
    """

    __slots__ = ("variable", "facts", "stand_in")

    shown = Node.shown | {"variable"}
    next_functions = ()

    def __init__(self, variable: Tensor):
        self.variable = variable
        self.facts: Any = None
        self.stand_in: Any = None
        self.number, self.edges, self.size, self.dtype = _NEWEST, (), (), None
        self.code = self.extra = None

    def name(self) -> str:
        return "torch::autograd::AccumulateGrad"

    def register_hook(self, hook: Callable) -> Any:
        """Call ``hook(grad_inputs, grad_outputs)`` each time a gradient was added."""
        from .hooks.on_gradients import add

        self._stay()
        return add(more(self).after, hook)

    def register_prehook(self, hook: Callable) -> Any:
        """Call ``hook(grad_outputs)`` each time before a gradient is added."""
        from .hooks.on_gradients import add

        self._stay()
        return add(more(self).before, hook)

    def _stay(self) -> None:
        """Stay while the leaf does, which has been given no other dtype since."""
        kept = self.variable._notes.get("_accumulator")
        if kept is not None and kept is not self and kept() is self:
            self.variable._notes["_accumulator"] = self

    def __call__(self, *grads: Any, **named: Any) -> tuple:
        from .accumulate import add_directly

        if named:
            raise TypeError("keyword arguments are not supported")
        if len(grads) != 1:
            raise TypeError(f"expected 1 arguments, got {len(grads)} instead")
        if grads[0] is not None and not isinstance(grads[0], Tensor):
            raise TypeError("argument 0 is not a Variable")
        add_directly(self.variable, grads[0])
        return ()

    @property
    def _input_metadata(self) -> tuple:
        leaf = self.variable
        return (Metadata(*(self.facts or (leaf._array.shape, leaf._dtype, leaf.device))),)

    def __repr__(self) -> str:
        return f"<AccumulateGrad object at {id(self):#x}>"


def accumulator_of(leaf: Tensor) -> AccumulateGrad:
    """The object that stands for a leaf. The leaf refers to it weakly until it has hooks."""
    import weakref

    kept = leaf._notes.get("_accumulator")
    if type(kept) is AccumulateGrad:
        return kept
    made = kept() if kept is not None else None
    if made is None:
        made = AccumulateGrad(leaf)
        leaf._notes["_accumulator"] = weakref.ref(made)
    return made


def edge_to(node: Any) -> Any:
    """The edge to a node: of an accumulator the leaf, or what stands for it."""
    if not isinstance(node, AccumulateGrad):
        return node
    return node.variable if node.facts is None else stand_in_of(node)


def stand_in_of(node: AccumulateGrad) -> Tensor:
    """What graphs lead to in place of a leaf that was given other numbers."""
    stand_in = node.stand_in()
    if stand_in is None:  # no graph leads to it any longer, but somebody has kept the node
        from .leaf_sizes import stand_in_for

        stand_in = stand_in_for(node)
    return stand_in  # type: ignore[no-any-return]


# -- other nodes -------------------------------------------------------------------------------------------------


class NotImplemented_(Node):  # noqa: N801
    """The node of a call that has no derivative: going back through it is refused."""

    __slots__ = ("op",)

    op: str

    def apply(self, grads: tuple) -> Any:
        refuse(
            RuntimeError,
            f"derivative for {self.op} is not implemented",
            "PyTorch has no derivative for this call either",
            "x.detach()",
            rule="autograd.missing",
        )


NotImplemented_.__name__ = NotImplemented_.__qualname__ = "NotImplemented"


def metadata_of(node: Node, number: int) -> tuple[tuple[int, ...], Any]:
    """The size and dtype of a result of a node, which are those of its gradient."""
    if type(node.dtype) is tuple:
        return node.size[number], node.dtype[number]
    return node.size, node.dtype


def count_of(node: Node) -> int:
    """How many results a node has."""
    return len(node.dtype) if type(node.dtype) is tuple else 1


def zeros_for(node: Node, number: int) -> Tensor | None:
    """The gradient of a result that nothing was computed from; None for a result that is not a tensor."""
    from ..derivatives.ops import torch

    size, dtype = metadata_of(node, number)
    return None if dtype is None else torch.zeros(size, dtype=dtype, device=device_of(node, number))
