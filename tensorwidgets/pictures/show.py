"""`show`: one object that is called for storages and views, with a method for every other picture.

Each picture lives in a file of its own, which is loaded when it is first asked for.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Mapping, Sequence
from typing import Any, NoReturn

from .arrays.labels import label_of, labels_of, names_at, source_of_argument
from .drawing.picture import Origin, Picture


class Show:
    """Draws what arrays are in memory: ours, NumPy's, PyTorch's, CuPy's, anything strided.

    Every picture prints as text, shows itself in a notebook, and can be saved: `show(x).save("x.html")`.
    """

    def __call__(self, *arrays: Any, labels: Sequence[str] | None = None, image: bool = True) -> Picture:
        """Storage and views, linked both ways: where each element of each array lives.

        A quantized tensor is drawn on its ladder, with what it was made of if that is given: `show(x, q)`. A meta
        tensor is drawn as the plan that it is. Bytes, or floats from 0 to 1, of height x width x 3 or 4 channels are
        shown as an image, also with the channels first or as a batch; `image=False` leaves that out.

        >>> import numpy as np
        >>> show(np.arange(3.0), labels=["x"])
        One storage, one view (float64, 3 elements, 24 bytes, NumPy)
        element    0  1   2
        storage A  0  1   2
        byte       0  8  16
        x          0  1   2  3 of 3
        <BLANKLINE>
        x: size (3,), stride (1,), offset 0
          0  1  2
          0  1  2
        <BLANKLINE>
        x[2]: offset = 0 + 2*1 = 2 -> bytes 16..23
        Linked: A[2].
        Colour is the place in storage.
        """
        from .kinds import picture_of
        from .memory.views import storage_and_views

        frame = sys._getframe(1)
        special = picture_of(arrays, labels_of(frame, len(arrays), labels, unnamed="tensor"))
        if special is not None:
            return special
        names = labels_of(frame, len(arrays), labels, unnamed="view")
        return moved_by("StorageExplorer", storage_and_views(arrays, names, image), *arrays, labels=names)

    def auto(self, on: bool = True) -> None:
        """Lets arrays and tensors at the end of a notebook's cell draw themselves, small; `show.auto(False)` ends it.

        Ours, NumPy's and PyTorch's. What they print stays as it is.

        >>> show.auto()
        Traceback (most recent call last):
            ...
        RuntimeError: show.auto() is for notebooks and IPython; here, show(x) draws a picture
        """
        from .automatic import switch

        switch(on)

    def steps(self, expression: str, **names: Any) -> Picture:
        """View or copy: each step of an expression, and why the one that copies has to.

        Names that are not given are those of the place where it is called.

        >>> import numpy as np
        >>> print(repr(show.steps("x.T.reshape(-1)", x=np.arange(6.0).reshape(2, 3))).splitlines()[0])
        x.T.reshape(-1): where does it copy? (two views, one copy of 48 bytes)
        """
        from .operations.steps import steps

        frame = sys._getframe(1)
        collected = {**frame.f_globals, **frame.f_locals, **names}
        # What the expression does not name is not kept alive by its picture.
        used = {name: collected[name] for name in re.findall(r"[^\W\d]\w*", str(expression)) if name in collected}
        return moved_by("StepsExplorer", steps(expression, collected), expression, **used)

    def broadcast(self, *operands: Any, labels: Sequence[str] | None = None, op: str = "+") -> Picture:
        """Broadcasting: which dimensions stretch, which elements meet, and the ways out where shapes do not fit.

        Operands are arrays, numbers, or plain shapes; `op` is what is done with them: `+`, `-`, `*` or `/`.

        >>> print(repr(show.broadcast((2, 1), (3,), labels=["a", "b"])).partition("Read")[0])
        a + b, when the shapes stretch ((2, 1) + (3,) gives (2, 3))
                        dim -2  dim -1
        a                    2     (1)
        b                  (1)       3
        result               2       3
        so      missing: 1 → 2   1 → 3
        <BLANKLINE>
        """
        from .operations.broadcast.broadcast import broadcast_picture

        names = labels_of(sys._getframe(1), len(operands), labels)
        return moved_by("BroadcastExplorer", broadcast_picture(operands, names, op), *operands, labels=names, op=op)

    def memory(self, *things: Any, **names: Any) -> Picture:
        """What is alive: every name that leads to an array, what it reads, and who shares memory with whom.

        A name that reads a part of its storage keeps all of it alive; the picture says how much that is.

        Takes arrays, models and whatever else leads to arrays, or a dictionary of names. Without any, it takes the
        names of the place where it is called.

        >>> import numpy as np
        >>> x = np.arange(4.0)
        >>> show.memory(x=x, y=x[::2])
        What is alive, and who shares (2 names, 1 storage, 32 bytes)
        name  view          what it reads                  storage     device
        x     (4,) by (1,)  ####           all 32 bytes    A 32 bytes  cpu
        y     (2,) by (2,)  #.#.           16 of 32 bytes  A 32 bytes  cpu
        <BLANKLINE>
        x: y reads the same storage A
        Writing through one of them changes what the others read there.
        """
        from .memory.memory import memory

        frame = sys._getframe(1)
        if not things and not names:
            names = {**(frame.f_globals if frame.f_locals is frame.f_globals else {}), **frame.f_locals}
        found: dict[str, Any] = {}
        for label, thing in zip(labels_of(frame, len(things), unnamed="thing"), things, strict=True):
            found.update(thing if isinstance(thing, Mapping) and all(map(_is_text, thing)) else {label: thing})
        return memory({**found, **names})

    def einsum(self, equation: str, *operands: Any, labels: Sequence[str] | None = None) -> Picture:
        """Einsum: the letters, their loops, which cells meet, and what it costs.

        Operands are arrays or plain shapes.

        >>> print(repr(show.einsum("ij,jk", (2, 3), (3, 4), labels=["x", "w"])).partition("x i")[0])
        einsum('ij,jk', x, w) (2 · 3 · 4 = 24 products)
        ij, jk -> ik (the output is implied)
        letter  size  x      w      result  then
        i       2     dim 0  ·      dim 0   kept
        j       3     dim 1  dim 0  ·       summed away
        k       4     ·      dim 1  dim 1   kept
            for i in range(2):         # free
                for k in range(4):     # free
                    for j in range(3): # summed
                        result[i, k] += x[i, j] * w[j, k]
        <BLANKLINE>
        """
        from .operations.einsum.einsum import einsum_picture

        names = labels_of(sys._getframe(1), len(operands), labels, first=1)
        return moved_by("EinsumExplorer", einsum_picture(equation, operands, names), equation, *operands, labels=names)

    def names(
        self, *arrays: Any, names: Any = None, align_to: Sequence[str | None] | None = None, op: str | None = None,
        labels: Sequence[str] | None = None,
    ) -> Picture:  # fmt: skip
        """Named dimensions: where each name is, where `align_to` puts it, how names combine in a sum or a product.

        `names` are those of the one array, or a list of names for each of several; None leaves a dimension, or an
        array, without. Where it is not given, a tensor's own `.names` are taken. `op` is "+" or "@".

        >>> show.names((2, 3), names=("batch", "time"), align_to=("time", "batch"), labels=["x"])
        Names travel, bytes stay (align_to moves names, sizes and strides together)
                      position 0               position 1
        x             batch 2, stride 3        time 3, stride 1
        .align_to(…)  time 3, stride 1, was 1  batch 2, stride 3, was 0
        <BLANKLINE>
        x.align_to('time', 'batch'): positions (1, 0)
        Same storage, 6 elements, no copy: stride 1 is still with time. Only the order of the names has
        changed.
        """
        from .operations.names import names_picture

        called = labels_of(sys._getframe(1), len(arrays), labels)
        picture = names_picture(arrays, called, names, align_to, op)
        return moved_by("NamedDimsExplorer", picture, *arrays, names=names, align_to=align_to, op=op, labels=called)

    def bits(self, number: Any, *, dtypes: Sequence[Any] | None = None, labels: Sequence[str] | None = None) -> Picture:
        """The bits of a number: sign, exponent and mantissa, what is stored in each format, and what lies next to it.

        A float is meant as it prints; an array's element is what its bits say. An array of several elements shows the
        bits of each. `dtypes` names the formats.

        >>> print(repr(show.bits(0.1, dtypes=["float16"])).partition("Near")[0])
        0.1 in one format (what is stored is never exactly 0.1)
                 sign  exponent  mantissa
        float16  0     01011     1001 1001 10
                 what is stored, exactly  error     gap to the next  bytes in storage, lowest first
        float16  0.0999755859375          -2.4e-05  2^-14 = 6.1e-05  66 2e
        <BLANKLINE>
        <BLANKLINE>
        """
        from .operations.bits import bits_picture

        picture = bits_picture(number, label_of(sys._getframe(1), labels, "number"), dtypes)
        first = dtypes[0] if isinstance(dtypes, (list, tuple)) else dtypes
        return moved_by("DtypeExplorer", picture, number, dtype=first)

    def promotion(self, *operands: Any, labels: Sequence[str] | None = None) -> Picture:
        """In which dtype numbers meet: the lattice of dtypes, with a pair's ways up to where they meet.

        Operands are dtypes of any library, their names, arrays, or Python numbers.

        >>> print(repr(show.promotion("uint8", "int8")).partition("All pairs")[0].partition("From ")[2])
        uint8: uint8 -> int16
        From int8: int8 -> int16
        <BLANKLINE>
        uint8 + int8 -> int16: neither holds the other: int16 is the first that holds both
        Nothing is lost: it holds every value of both.
        <BLANKLINE>
        <BLANKLINE>
        """
        from .operations.promotion import promotion_picture

        return promotion_picture(operands, labels_of(sys._getframe(1), len(operands), labels))

    def route(self, op: Any, *args: Any, **kwargs: Any) -> Picture:
        """Which path a call takes, without making it: what was called, which key diverts it, what computes.

        `op` is the name of an op, its function, or a route that is there already.

        >>> import tensorwidgets as torch
        >>> show.route("add", torch.ones(3), 1)
        The path of add (3 stations)
        call    add: pointwise
        keys    none: plain strided tensors on the CPU go straight on
        kernel  numpy.add
        <BLANKLINE>
        keys: none: plain strided tensors on the CPU go straight on
        The keys of the arguments choose the path, and nothing else does.
        """
        from .operations.route import called_route, route_picture

        return route_picture(called_route(op, args, kwargs))

    def graph(self, result: Any, *, labels: Sequence[str] | None = None) -> Picture:
        """What autograd recorded: leaves and nodes, newest below, and what each node keeps for the backward pass.

        `result` is a tensor of ours or of PyTorch, or its `grad_fn`. Long graphs are folded.

        >>> import tensorwidgets as torch
        >>> x = torch.ones(2, 3, requires_grad=True)
        >>> print(repr(show.graph((x * x.exp()).sum(), labels=["loss"])).partition("Kept")[0])
        The graph of loss (3 nodes, 1 leaf)
             row  node        from  result          kept for backward
        ○    1    x leaf            (2, 3) float32
        ├─●  2    Exp         1     (2, 3)          result (2, 3) A 24 bytes
        ●─╯  3    Mul         1, 2  (2, 3)          other (2, 3) A again, self (2, 3) B 24 bytes
        ●    4    loss = Sum  3     ()
        <BLANKLINE>
        """
        from .operations.gradients.graph import graph_picture

        frame = sys._getframe(1)
        names = names_at(frame)
        return graph_picture(result, label_of(frame, labels, "output"), names)

    def saved(self, result: Any, *, labels: Sequence[str] | None = None) -> Picture:
        """The memory that a graph keeps alive: each storage once, who keeps it, and what goes with the graph.

        `result` is a tensor of ours or of PyTorch, or its `grad_fn`. PyTorch knows the lines in anomaly mode only.

        >>> import tensorwidgets as torch
        >>> x = torch.ones(2, 3, requires_grad=True)
        >>> print(repr(show.saved((x * x.exp()).sum(), labels=["loss"])).partition("storage  ")[0])
        What the graph of loss keeps alive (2 storages, 48 bytes)
        only the graph 24 bytes (freed with the graph); leaves 24 bytes (alive anyway)
        <BLANKLINE>
        """
        from .memory.saved import saved_picture

        frame = sys._getframe(1)
        return saved_picture(result, label_of(frame, labels, "output"), names_at(frame))

    def versions(self, tensor: Any, *results: Any, labels: Sequence[str] | None = None) -> Picture:
        """Saves and writes of a tensor's memory on one time line, red where a write crosses a save.

        Saves are those of the graphs that `results`, and the names of the place where it is called, lead to.

        >>> import tensorwidgets as torch
        >>> h = torch.ones(3, requires_grad=True) + 1
        >>> y = h * h.exp()
        >>> _ = h.add_(1)
        >>> print(repr(show.versions(h, y, labels=["h"])).partition("line")[0].rstrip())
        Saves and writes of h (version 1, 1 save)
             version  what happened
        ○    0        h (3,) float32
        │ ●  0        Mul saves self
        """
        from .memory.versions import versions_picture

        frame = sys._getframe(1)
        label = label_of(frame, labels, "tensor")
        return versions_picture(tensor, label, names_at(frame), results)

    def backward(self, result: Any, *, gradient: Any = None, labels: Sequence[str] | None = None) -> Picture:
        """A backward pass, step by step: gradients arriving, sums where branches meet, what is freed.

        `result` is a tensor of ours or of PyTorch with one element, or `gradient` says what the pass starts with. The
        graph, `.grad` and hooks are left alone.

        >>> import tensorwidgets as torch
        >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
        >>> print(repr(show.backward((x * x).sum(), labels=["loss"])).partition("Step")[0].rstrip())
        Backward from loss (2 nodes, 1 leaf)
           step  node        gradient that arrives  kept by graph alone
        ●  1     loss = Sum  1                      0 bytes
        ●  2     Mul         [1, 1]                 0 bytes
        ○  3     x leaf      sum of 2 [2, 4]        0 bytes
        """
        from .arrays.graphs.gradients import pass_of
        from .operations.gradients.backward import pass_picture

        frame = sys._getframe(1)
        names = names_at(frame)
        done = pass_of(result, label_of(frame, labels, "output"), names, gradient)
        return moved_by("BackwardExplorer", pass_picture(done), done)

    def module(self, model: Any, *inputs: Any, labels: Sequence[str] | None = None) -> Picture:
        """A model as a tree: its layers, the sizes that go through them, parameters, buffers, tied and frozen weights.

        `model` is a module of ours or of PyTorch. With inputs, or a size such as `(32, 784)`, it is called once to see
        the sizes, and left as it was: weights, buffers, and the stream of random numbers.

        >>> import tensorwidgets as torch
        >>> net = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
        >>> print(repr(show.module(net, (5, 3))).partition("The model")[0].rstrip())
        net is a Sequential (50 parameters, 200 bytes)
        trained 200 bytes (50 in 4 tensors)
             name  layer         size through it  keeps                     parameters
        ○    net   Sequential    (5, 3) → (5, 2)
        ├─●  0     Linear(3, 8)  (5, 3) → (5, 8)  weight (8, 3), bias (8,)  32
        ├─○  1     ReLU          (5, 8)
        ╰─●  2     Linear(8, 2)  (5, 8) → (5, 2)  weight (2, 8), bias (2,)  18
        """
        from .learning.module import module_picture

        frame = sys._getframe(1)
        label = label_of(frame, labels, "")
        # A model that is made in the call has no name.
        unnamed = labels is None and "(" in (source_of_argument(frame, 0) or "(")
        return module_picture(model, "" if unnamed else label, inputs)

    def flow(self, model: Any, *, labels: Sequence[str] | None = None) -> Picture:
        """The size of the gradients and of the weights, layer by layer, after `backward()`.

        One sentence says whether gradients vanish, explode, or are zero. `model` is a module of ours or of PyTorch.

        >>> import tensorwidgets as torch
        >>> net = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
        >>> net(torch.ones(5, 3)).sum().backward()
        >>> print(repr(show.flow(net)).splitlines()[0])
        Gradients of net (4 of 4 parameters have one)
        """
        from .learning.flow import flow_picture

        return flow_picture(model, label_of(sys._getframe(1), labels, "model"))

    def surface(
        self, f: Any, *, x: tuple[float, float] = (-2, 2), y: tuple[float, float] = (-2, 2),
        start: tuple[float, float] | None = None, optimizers: Sequence[str] = ("SGD", "momentum", "Adam"),
        lr: float | Mapping[str, float] = 0.01, steps: int = 60, labels: Sequence[str] | None = None,
    ) -> Picture:  # fmt: skip
        """A loss over two parameters as contours, with the paths of several optimizers from one start.

        `f` takes two numbers, or two tensors of one element, and returns one. `lr` is one learning rate, or a
        dictionary with one for each optimizer: SGD, momentum, Nesterov, RMSprop, Adagrad, Adam.

        >>> picture = show.surface(lambda a, b: a * a + 20 * b * b, start=(-1.5, 1), lr=0.04)
        >>> print(repr(picture).partition("optimizer")[2].partition("The ring")[0].rstrip())
          lr    steps  last loss  lowest             ends at
        SGD        0.04  60     0.0001     0.0001 at step 60  a -0.01, b 0
        momentum   0.04  60     0.042      0.007 at step 54   a 0.008, b -0.05
        Adam       0.04  60     0.019      0.019 at step 60   a 0.03, b -0.03
        """
        from .learning.surface import name_of, setting_of, surface_picture

        label = name_of(f, sys._getframe(1), labels)
        setting = setting_of(f, label, x, y, start, optimizers, lr, steps)
        return moved_by("SurfaceExplorer", surface_picture(setting), setting)

    def training(self, log: Any, *others: Any, labels: Sequence[str] | None = None) -> Picture:
        """A training as curves: losses, rates and whatever else was logged, with other runs beside it.

        `log` is a `TrainingLog`, a list of losses, a dictionary of lists, or a list of dictionaries, one for each step.

        >>> show.training({"loss": [4.0, 2.0, 1.0, 0.5], "lr": [0.1, 0.1, 0.05, 0.05]}, labels=["run"])
        Training run (4 steps)
        loss  4  ████████████▄▄▄▄▄▄▄▄▄▄▄▄▂▂▂▂▂▂▂▂▂▂▂▁  0.5
        lr  0.1  ████████████████████████▁▁▁▁▁▁▁▁▁▁▁▁  0.05
        series  numbers  first  best  at step  last
        loss    4        4      0.5   4        0.5
        lr      4        0.1                   0.05
        <BLANKLINE>
        loss: 4 → 0.5 in 4 steps, lowest 0.5 at step 4
        """
        from .arrays.models.runs import names_of
        from .learning.training import training_picture

        sources = (log, *others)
        names = labels_of(sys._getframe(1), len(sources), labels, unnamed="run")
        names = names if labels is not None else names_of(sources, names)
        return moved_by("TrainingExplorer", training_picture(sources, names), *sources, labels=names)

    def loader(self, source: Any, *, batches: int = 24, labels: Sequence[str] | None = None) -> Picture:
        """Which process loaded which batch when, what waited for what, and the seeds of the workers.

        `source` is a loader of ours or of PyTorch, of which up to `batches` batches are loaded for the picture, with
        the streams of random numbers as before; or a `torch.utils.data.Recorded(loader)` that a loop went through.

        >>> from types import SimpleNamespace
        >>> from tensorwidgets.utils.data.recorded import Load
        >>> loads = [Load(0, 0, 7, 5, [1, 0], 0.0, 0.1, 0.3, 0.0, 0.3), Load(1, 1, 8, 6, [2], 0.0, 0.1, 0.4, 0.5, 0.5)]
        >>> show.loader(SimpleNamespace(loads=loads), labels=["loader"])
        Loading of loader (2 batches, 2 workers, 500 ms)
        loop      ...............................000000000000000000000000000000
        worker 0    00000000000000000000000000000
        worker 1    11111111111111111111111111111111111111111111
        <BLANKLINE>
        batch  loaded by  indices  in      what waited
        0      worker 0   1, 0     200 ms  loop waited 300 ms
        1      worker 1   2        300 ms  batch waited 100 ms
        worker 0: process 7, seed 5
        worker 1: process 8, seed 6
        <BLANKLINE>
        the loop: waits 0% of its time after the first batch
        A batch takes 250 ms to load, and the loop works on one for 200 ms. The first batch came after 300
        ms, 100 ms of them to start the workers.
        """
        from .learning.loader import loader_picture

        return loader_picture(source, label_of(sys._getframe(1), labels, "loader"), batches)

    def ranks(self, log: Any, *, step: int | None = None) -> Picture:
        """Which rank did what when in a step of training: forward, gradients by bucket, sums, and who waited for whom.

        `log` is a `torch.distributed.record()`, the name of the file that it wrote, or a list of the files that
        `torch.profiler` exported, one for each rank of PyTorch's own. The step is the last one, or that with a number.

        >>> def rank(number, late):
        ...     step = {"forward": [0, 0.2], "backward": [0.2, 1], "filled": [[0, 4096, late]], "sent": late}
        ...     call = {"bucket": 0, "came": late, "met": 0.8, "done": 1}
        ...     return {"rank": number, "steps": [step], "calls": [call]}
        >>> show.ranks([rank(0, 0.5), rank(1, 0.8)])
        Step 0 of 2 ranks (1 bucket, 4,096 bytes, 1.0 s)
        rank 0   ffffffffffff000000000000000000...............................
          sends                                ...................000000000000
        rank 1   ffffffffffff0000000000000000000000000000000000000............
          sends                                                   000000000000
        each rank computes forward, then the gradients of bucket 0, 1, …; below it their sums over all ranks
        <BLANKLINE>
        bucket  bytes  full on rank 0  full on rank 1  who waited                 sum in
        0       4,096  500 ms          800 ms          rank 0 for rank 1, 300 ms  200 ms
        <BLANKLINE>
        rank 0: waits 500 ms of 1.0 s, for rank 1
        Rank 1 has its last bucket full 300 ms later: give it less to compute. Sums take 200 ms, none of it
        while backward goes on.
        """
        from .learning.ranks import ranks_picture

        return ranks_picture(log, step)

    def allocator(self, source: Any = None, *, step: int | None = None, device: int | None = None) -> Picture:
        """The caching allocator: segments to scale with their blocks, what rounding costs, and how it came to that.

        `source` is a snapshot: the dictionary of `torch.cuda.memory._snapshot()`, of ours or of PyTorch, or the path of
        a file that `_dump_snapshot` wrote. Without it, the allocator of a GPU that is in use. `step` is the state to
        draw: the last one, if it is not given.

        >>> from tensorwidgets.engine.memory.caching import CachingAllocator, SimulatedDriver
        >>> from tensorwidgets.engine.memory.caching.history import History
        >>> gpu = CachingAllocator(SimulatedDriver(total=44 << 20))
        >>> gpu.record = History()
        >>> block = gpu.allocate(6 << 20)
        >>> print(repr(show.allocator(gpu)).partition("+ a 6 MiB")[0])
        The caching allocator (GPU 0, 44 MiB)
        history   [+ a 6]
        in use          6
        reserved       20
        large   20 MiB  [a 6] ·14·
        driver  24 MiB
        <BLANKLINE>
        <BLANKLINE>
        """
        from .memory.allocator import allocator_picture

        return allocator_picture(source, step, device)

    def move(self, x: Any, device: Any, *, labels: Sequence[str] | None = None) -> Picture:
        """A move to another device: how many bytes, over which path, and how long that takes. Nothing is moved for it.

        Times are modelled, and the picture says so.

        >>> import numpy as np
        >>> print(repr(show.move(np.zeros((1024, 1024)), "cuda", labels=["x"])).partition("How long")[0])
        x is copied from cpu to cuda:0 (8.4 MB)
        cpu                                               cuda:0
        x                     -- 8.4 MB -->               x (new)
        (1024, 1024) float64  pageable, 709 µs, modelled  (1024, 1024) float64
        <BLANKLINE>
        <BLANKLINE>
        """
        from .operations.move import move_picture

        frame = sys._getframe(1)
        label = label_of(frame, labels, "tensor")
        return move_picture(x, label, device)

    def list_or_tensor(self, numbers: Any, *, dtype: Any = None, labels: Sequence[str] | None = None) -> Picture:
        """The same numbers as a list of boxes and as a tensor, to scale: what each takes, and where it lies.

        >>> print(repr(show.list_or_tensor([3.0, 1.0])).partition("A million")[0])
        Two numbers, twice (to scale: 4 px a byte)
        <BLANKLINE>
        [3.0, 1.0]: 56 + 2·8 + 2·24 = 120 bytes in 3 places
          list of 2 (3, 1), 72 bytes
          float 1, 24 bytes; float 3, 24 bytes
        <BLANKLINE>
        tensor([3.0, 1.0]): 2·4 = 8 bytes in one place, and one header whatever the length
          float32: 3 1
        <BLANKLINE>
        <BLANKLINE>
        """
        from .operations.list_or_tensor import list_picture

        return list_picture(numbers, label_of(sys._getframe(1), labels, "numbers"), dtype)

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("_"):
            raise AttributeError(name)
        from difflib import get_close_matches

        known = [method for method in vars(type(self)) if not method.startswith("_")]
        near = "".join(f" Did you mean show.{one}?" for one in get_close_matches(name, known, 1))
        others = ", ".join(known)
        raise AttributeError(
            f"show has no {name!r}: show(x) draws storages, layouts and views. Others are {others}.{near}"
        )

    def __repr__(self) -> str:
        return "show(*arrays, labels=None)"


def _is_text(thing: Any) -> bool:
    return isinstance(thing, str)


def moved_by(explorer: str, picture: Picture, *arguments: Any, **settings: Any) -> Picture:
    """The picture with the way to its live form."""
    return Picture(picture.blocks, Origin(explorer, arguments, settings))


show = Show()
