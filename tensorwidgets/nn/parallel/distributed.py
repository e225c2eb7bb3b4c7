"""`DistributedDataParallel`: every rank has the model and its own part of the batch, and all get the mean gradient."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NoReturn

from ...distributed import groups
from ...distributed.algorithms.grad_bucket import check_hook
from ...distributed.collectives import broadcast
from ...distributed.groups import ProcessGroup, default_group
from ...distributed.objects import all_gather_object
from ...distributed.stores.arguments import is_flag, refuse_to_make, refuse_type
from ...engine.errors.reasons import refuse
from ...engine.tensor.grad_mode import grad_enabled
from ...engine.tensor.tensor import Tensor
from ..modules.module import Module
from ..uninitialized import UninitializedParameter
from .buckets import FIRST_BYTES, USUAL_BYTES
from .outputs import watched
from .reducer import Reducer


class DistributedDataParallel(Module):
    """A model whose gradients are the mean over all ranks.

    >>> import tensorwidgets as torch
    >>> import tensorwidgets.distributed as dist
    >>> dist.init_process_group("gloo", rank=0, world_size=1)
    >>> model = DistributedDataParallel(torch.nn.Linear(2, 1))
    >>> model(torch.ones(4, 2)).sum().backward()
    >>> model.module.weight.grad
    tensor([[4., 4.]])
    >>> dist.destroy_process_group()
    """

    def __init__(
        self, module: Module, device_ids: Any = None, output_device: Any = None, dim: int = 0,
        broadcast_buffers: bool | None = None, init_sync: bool = True, process_group: Any = None,
        bucket_cap_mb: float | None = None, find_unused_parameters: bool = False, check_reduction: bool = False,
        gradient_as_bucket_view: bool = False, static_graph: bool = False, delay_all_reduce_named_params: Any = None,
        param_to_hook_all_reduce: Any = None, mixed_precision: Any = None, device_mesh: Any = None,
        skip_all_reduce_unused_params: bool = False, bucket_cap_mb_list: Sequence[float] | None = None,
        batched_grad_copy: bool = False, forward_sync_buffers: bool | None = None,
    ):  # fmt: skip
        super().__init__()
        _refuse_for_later(delay_all_reduce_named_params, param_to_hook_all_reduce, mixed_precision, device_mesh)
        for flag in (find_unused_parameters, gradient_as_bucket_view, static_graph, forward_sync_buffers):
            if not is_flag(flag):
                refuse_to_make(f"a flag is a bool, not {type(flag).__name__}")
        if process_group is not None and not isinstance(process_group, ProcessGroup):
            refuse_type("_verify_params_across_processes", f"process_group is no {type(process_group).__name__}")
        self.process_group = default_group() if process_group is None else process_group
        ignored = set(getattr(module, "_ddp_params_and_buffers_to_ignore", ()))
        named = [(name, p) for name, p in module.named_parameters() if name not in ignored]
        _check(named, device_ids, output_device)
        if broadcast_buffers is not None:
            _warn_of_old_name(forward_sync_buffers)
        before = True if broadcast_buffers is None else broadcast_buffers
        self.forward_sync_buffers = before if forward_sync_buffers is None else forward_sync_buffers
        self.parameters_to_ignore = ignored
        self.device_ids, self.output_device, self.dim = None, None, dim
        self.device, self.device_type = named[0][1].device, named[0][1].device.type
        self.module = module
        self.find_unused_parameters, self.static_graph = find_unused_parameters, static_graph
        self.gradient_as_bucket_view, self.skip_all_reduce_unused_params = (
            gradient_as_bucket_view, skip_all_reduce_unused_params
        )  # fmt: skip
        self.require_backward_grad_sync = self.require_forward_param_sync = True
        self.bucket_bytes_cap_list = [int(each * (1 << 20)) for each in bucket_cap_mb_list or ()]
        usual = USUAL_BYTES if bucket_cap_mb is None else int(bucket_cap_mb * (1 << 20))
        self.bucket_bytes_cap = max(self.bucket_bytes_cap_list, default=usual)
        caps = self.bucket_bytes_cap_list or [usual]
        if bucket_cap_mb is None and not self.bucket_bytes_cap_list:
            caps = [FIRST_BYTES, usual]
        self._refuse_other_models(named)
        if init_sync:
            self._send_from_rank_0([p for _, p in module.named_parameters() if _ not in ignored])
            if forward_sync_buffers is not None or before:
                self._send_from_rank_0(self._buffers_to_send())
        trained = [(name, p) for name, p in named if p.requires_grad]
        kinds = _sparse_ones(module)
        self.reducer = Reducer(
            [p for _, p in trained], [name for name, _ in trained], [id(p) in kinds for _, p in trained],
            self.process_group, caps, find_unused_parameters, gradient_as_bucket_view, static_graph,
            caps_at_once=bool(self.bucket_bytes_cap_list),
        )  # fmt: skip
        if static_graph and find_unused_parameters:
            _warn_of_both()

    @property
    def broadcast_buffers(self) -> bool:
        """The old name of `forward_sync_buffers`."""
        return bool(self.forward_sync_buffers)

    # -- starting ----------------------------------------------------------------------------------------------------

    def _refuse_other_models(self, named: Sequence[tuple[str, Tensor]]) -> None:
        """Refuse models of other parameters on other ranks, on every rank."""
        mine = [(name, tuple(p.shape), str(p.dtype), p.requires_grad) for name, p in named]
        models: list[Any] = [None] * self.process_group.size()
        all_gather_object(models, mine, self.process_group)
        first = models[0]
        for rank, other in enumerate(models):
            if other == first:
                continue
            if len(other) != len(first):
                _refuse_model(
                    f"DDP expects same model across all ranks, but Rank 0 has {len(first)} params, while rank {rank} "
                    f"has inconsistent {len(other)} params."
                )
            place = next(i for i, (a, b) in enumerate(zip(first, other, strict=True)) if a != b)
            (name, shape, dtype, grad), (name_0, shape_0, dtype_0, grad_0) = other[place], first[place]
            if shape != shape_0:
                _refuse_model(
                    f"[{rank}]: params[{place}] in this process with sizes {list(shape)} appears not to match sizes of "
                    "the same param in process 0.",
                    f"{name} is {list(shape)} on rank {rank}, and {name_0} is {list(shape_0)} on rank 0",
                )
            differs = "name" if name != name_0 else "dtype" if dtype != dtype_0 else "requires_grad"
            both = {"name": (name, name_0), "dtype": (dtype, dtype_0), "requires_grad": (grad, grad_0)}[differs]
            _refuse_model(
                f"[{rank}]: params[{place}] in this process with {differs} {both[0]} appears not to match {differs} of "
                f"the same param in process 0, which is {both[1]}."
            )

    def _send_from_rank_0(self, tensors: list[Tensor]) -> None:
        works = [broadcast(t, group_src=0, group=self.process_group, async_op=True) for t in tensors]
        for work in works:
            if work is not None:
                work.wait()

    def _buffers_to_send(self) -> list[Tensor]:
        return [b for name, b in self.module.named_buffers() if name not in self.parameters_to_ignore]

    @property
    def modules_buffers(self) -> list[Tensor]:
        """The buffers that rank 0 sends."""
        return self._buffers_to_send()

    def will_sync_module_buffers(self) -> bool:
        """Whether rank 0 sends its buffers before the next forward."""
        return bool(self.require_forward_param_sync and self.forward_sync_buffers and self.modules_buffers)

    # -- calling -----------------------------------------------------------------------------------------------------

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        syncs = grad_enabled() and self.require_backward_grad_sync
        if syncs:
            self.reducer.check_finished()
        if grad_enabled():
            self.reducer.rebuild()
        if self.will_sync_module_buffers():
            self._send_from_rank_0(self._buffers_to_send())
        if groups.noting is not None:
            groups.noting.forward_begins()
        output = self.module(*inputs, **kwargs)
        if groups.noting is not None:
            groups.noting.forward_ends()
        self.require_forward_param_sync = syncs  # after a forward whose gradients stay here, buffers do, too
        if not syncs:
            self.reducer.expecting = False
            return output
        self.reducer.expect()
        return watched(output, self.reducer) if self.reducer.find_unused or self.reducer.learning else output

    @contextmanager
    def no_sync(self) -> Iterator[None]:
        """Gradients of forwards in here stay on their rank, and are sent with those of the next forward outside."""
        before, self.require_backward_grad_sync = self.require_backward_grad_sync, False
        try:
            yield
        finally:
            self.require_backward_grad_sync = before

    def join(self, divide_by_initial_world_size: bool = True, enable: bool = True, **options: Any) -> Any:
        """A block in which ranks may have more steps than others: not here."""
        refuse(
            NotImplementedError,
            "join is for later",
            "each rank makes the same number of steps",
            "DistributedSampler, which gives all ranks equally many examples",
            rule="distributed.join",
        )

    def register_comm_hook(self, state: object, hook: Any) -> None:
        """Send gradients by a hook: `hook(state, bucket)` returns the future of what becomes of a bucket."""
        check_hook(hook)
        if self.reducer.hook is not None:
            raise RuntimeError("register_comm_hook or register_builtin_comm_hook can only be called once.")
        self.reducer.hook = (hook, state)

    def _set_static_graph(self) -> None:
        """The graph is the same in every step, as with `static_graph=True`."""
        if self.static_graph:
            warnings.warn("You've set static_graph to be True, no need to set it again.", stacklevel=2)
            return
        if self.reducer.backwards:
            raise RuntimeError(
                "set_static_graph() should be called before training loop starts and after DistributedDataParallel is "
                "constructed."
            )
        self.static_graph = True
        self.reducer.set_static()
        if self.find_unused_parameters:
            _warn_of_both()

    @staticmethod
    def _set_params_and_buffers_to_ignore_for_model(module: Any, params_and_buffers_to_ignore: Any) -> None:
        module._ddp_params_and_buffers_to_ignore = params_and_buffers_to_ignore

    def _get_ddp_logging_data(self) -> dict[str, Any]:
        sizes = ", ".join(str(bucket.bytes) for bucket in self.reducer.buckets)
        return {
            "world_size": self.process_group.size(), "rank": self.process_group.rank(), "bucket_sizes": sizes,
            "has_rebuilt_buckets": int(self.reducer.rebuilt and not self.reducer.find_unused),
        }  # fmt: skip

    def __getstate__(self) -> dict[str, Any]:
        return {k: v for k, v in self.__dict__.items() if k not in ("process_group", "reducer")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        module = state["_modules"]["module"]
        self.__init__(  # type: ignore[misc]
            module, find_unused_parameters=state["find_unused_parameters"], static_graph=state["static_graph"],
            gradient_as_bucket_view=state["gradient_as_bucket_view"],
            forward_sync_buffers=state["forward_sync_buffers"],
        )  # fmt: skip


def _refuse_for_later(delayed: Any, hooked: Any, precision: Any, mesh: Any) -> None:
    """Refuse settings that are not here."""
    if (delayed is None) != (hooked is None):
        raise ValueError("delay_all_reduce_named_params and param_to_hook_all_reduce need to be set at the same time.")
    given = {"delay_all_reduce_named_params": delayed, "mixed_precision": precision, "device_mesh": mesh}
    for name, value in given.items():
        if value is not None:
            refuse(
                NotImplementedError,
                f"DistributedDataParallel({name}=...) is for later",
                "gradients travel in the dtype of their parameters, in buckets",
                rule="distributed.setting",
            )


def _refuse_model(said: str, because: str = "all ranks train one model") -> NoReturn:
    refuse(RuntimeError, said, because, "the same model on every rank", rule="distributed.model")


def _warn_of_both() -> None:
    warnings.warn(
        "You passed find_unused_parameters=true to DistributedDataParallel, `_set_static_graph` will detect unused "
        "parameters automatically, so you do not need to set find_unused_parameters=true, just be sure these unused "
        "parameters will not change during training loop while calling `_set_static_graph`.",
        stacklevel=3,
    )


def _warn_of_old_name(new: bool | None) -> None:
    if new is not None:
        said = (
            "Both `broadcast_buffers` and `forward_sync_buffers` were specified. `broadcast_buffers` is deprecated and "
            "its value is ignored when `forward_sync_buffers` is provided."
        )
    else:
        said = (
            "`broadcast_buffers` is deprecated. Use `forward_sync_buffers` instead. IMPORTANT: unlike "
            "`broadcast_buffers=False`, `forward_sync_buffers=False` still syncs buffers at init. If you rely on "
            "buffers NOT being synced at init (e.g. rank-local buffers), keep using `broadcast_buffers=False` until "
            "`init_sync_buffers` is available."
        )
    warnings.warn(said, FutureWarning, stacklevel=3)


def _check(named: Sequence[tuple[str, Tensor]], device_ids: Any, output_device: Any) -> None:
    """PyTorch's refusals of modules and devices."""
    parameters = [p for _, p in named]
    if not any(p.requires_grad for p in parameters):
        raise RuntimeError(
            "DistributedDataParallel is not needed when a module doesn't have any parameter that requires a gradient."
        )
    if device_ids is not None and len(device_ids) > 1:
        raise ValueError("device_ids can only be None or contain a single element.")
    kinds = {p.device.type for p in parameters}
    if len(kinds) != 1:
        raise ValueError(
            "DistributedDataParallel's input module must be on the same type of devices, but input module parameters "
            f"locate in {kinds}."
        )
    if (device_ids or output_device) and kinds == {"cpu"}:
        raise ValueError(
            "DistributedDataParallel device_ids and output_device arguments only work with "
            f"single-device/multiple-device GPU modules or CPU modules, but got device_ids {device_ids}, output_device "
            f"{output_device}, and module parameters {set(p.device for p in parameters)}."
        )
    if any(isinstance(p, UninitializedParameter) for p in parameters):
        raise RuntimeError(
            "Modules with uninitialized parameters can't be used with `DistributedDataParallel`. Run a dummy forward "
            "pass to correctly initialize the modules"
        )


def _sparse_ones(module: Module) -> set[int]:
    """The parameters whose gradients are sparse."""
    kinds = (torch_nn().Embedding, torch_nn().EmbeddingBag)
    return {id(m.weight) for m in module.modules() if isinstance(m, kinds) and m.sparse}


def torch_nn() -> Any:
    """The layers."""
    from .. import modules

    return modules
