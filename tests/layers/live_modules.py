"""The modules of PyTorch's module database, ours beside PyTorch's: text, outputs, gradients, buffers. Needs PyTorch.

python -m tests.layers.live_modules                 every module that both have
python -m tests.layers.live_modules ReLU Conv2d     some of them, with every failure
python -m tests.layers.live_modules --seed 7        inputs and initial weights with other numbers
python -m tests.layers.live_modules --errors        what modules refuse: types and first lines
"""

from __future__ import annotations

import argparse
import gc
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

import tensorwidgets as tw
from tests.operators.database import modules
from tests.operators.seeding import on_the_cpu_alone


class Outcome(NamedTuple):
    """How many inputs of a module agree, and what is wrong with the others."""

    name: str
    inputs: int
    wrong: list[str]


def ours(value: Any, seen: dict[int, Any]) -> Any:
    """The same argument for our engine; a tensor that is given twice stays one tensor."""
    import torch

    if isinstance(value, torch.Tensor):
        if id(value) not in seen:
            made = tw.tensor(value.detach().numpy().copy()).requires_grad_(value.requires_grad)
            seen[id(value)] = tw.nn.Parameter(made.detach()) if isinstance(value, torch.nn.Parameter) else made
        return seen[id(value)]
    if isinstance(value, (list, tuple)):
        return type(value)(ours(each, seen) for each in value)
    if isinstance(value, dict):
        return {key: ours(each, seen) for key, each in value.items()}
    if isinstance(value, torch.nn.Module):
        return own_layer(value)
    if isinstance(value, torch.dtype):
        return getattr(tw, str(value).removeprefix("torch."))
    if callable(value) and hasattr(torch.nn.functional, getattr(value, "__name__", "")):
        return getattr(tw.nn.functional, value.__name__)
    return tw.device(str(value)) if isinstance(value, torch.device) else value


def own_layer(theirs: Any) -> Any:
    """The same layer of a transformer with the same numbers."""
    attention = theirs.self_attn
    own = getattr(tw.nn, type(theirs).__name__)(
        attention.embed_dim, attention.num_heads, theirs.linear1.out_features, theirs.dropout.p,
        theirs.activation.__name__, theirs.norm1.eps, attention.batch_first, theirs.norm_first,
        theirs.linear1.bias is not None,
    )  # fmt: skip
    own = own.to(ours(theirs.linear1.weight.dtype, {}))
    own.load_state_dict({name: tw.tensor(t.numpy()) for name, t in theirs.state_dict().items()})
    return own


def tensors(value: Any, kind: type) -> Iterator[Any]:
    """The tensors in a result or among arguments."""
    if isinstance(value, kind):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value:
            yield from tensors(each, kind)
    elif isinstance(value, dict):
        yield from tensors(list(value.values()), kind)


def numbers(engine: Any, module: Any, args: tuple, kwargs: dict, seed: int) -> list[Any]:
    """What a call of a module computes: outputs, gradients of parameters and inputs, buffers afterwards."""
    engine.manual_seed(seed + 2)
    outputs = [*tensors(module(*args, **kwargs), engine.Tensor)]
    given = {id(t): t for t in tensors([args, kwargs], engine.Tensor) if t.requires_grad}
    sources = [*module.parameters(), *given.values()]
    total = sum([y.sum() for y in outputs if y.requires_grad], engine.zeros(()))
    grads = engine.autograd.grad(total, sources, allow_unused=True) if total.requires_grad and sources else ()
    return [*outputs, *grads, *module.buffers()]


def compare(info: Any, seed: int) -> Outcome:
    """Every input of one module, in training and in evaluation."""
    import torch

    name, inputs, wrong = info.module_cls.__name__, 0, []
    for training in (True, False):
        torch.manual_seed(seed)
        for case in info.module_inputs_func(
            info, device="cpu", dtype=torch.float64, requires_grad=True, training=training
        ):
            inputs += 1
            made, call, seen = case.constructor_input, case.forward_input, {}
            try:
                torch.manual_seed(seed + 1)
                theirs = info.module_cls(*made.args, **made.kwargs).double().train(training)
                tw.manual_seed(seed + 1)
                own = getattr(tw.nn, name)(*ours(made.args, seen), **ours(made.kwargs, seen)).double().train(training)
                if repr(theirs) != repr(own):
                    wrong.append(f"{case.desc}: {repr(theirs)} and {repr(own)}")
                    continue
                own_call = ours(tuple(call.args), seen), ours(dict(call.kwargs), seen)
                there, here = (
                    numbers(torch, theirs, tuple(call.args), call.kwargs, seed),
                    numbers(tw, own, *own_call, seed),
                )
                assert len(there) == len(here)
                for a, b in zip(there, here, strict=True):
                    assert (a is None) == (b is None), "one has no gradient"
                    if a is not None:
                        dense = a.to_dense() if a.is_sparse else a, b.to_dense() if b.is_sparse else b
                        np.testing.assert_allclose(*[t.detach().numpy() for t in dense], 1e-8, 1e-10)
            except Exception as error:
                wrong.append(f"{case.desc}: {type(error).__name__} {' '.join(str(error).split())[:150]}")
    return Outcome(name, inputs, wrong)


def outcomes(names: set[str], seed: int = 0) -> Iterator[Outcome]:
    """All modules, or some by name, that both libraries have."""
    for info in modules():
        name = info.module_cls.__name__
        if (not names or name in names) and hasattr(tw.nn, name):
            with warnings.catch_warnings(), on_the_cpu_alone():
                warnings.simplefilter("ignore")
                found = compare(info, seed)
            gc.collect()
            gc.freeze()  # PyTorch imports much at the first calls, which our engine need not look at
            yield found


def refusals() -> tuple[int, list[str]]:
    """How many error inputs there are, and those where the error's type or first line differs."""
    import torch

    count, wrong = 0, []
    for info in modules():
        name = info.module_cls.__name__
        if info.module_error_inputs_func is None or not hasattr(tw.nn, name):
            continue
        for case in info.module_error_inputs_func(
            info, device="cpu", dtype=torch.float64, requires_grad=False, training=True
        ):
            made, call = case.module_error_input.constructor_input, case.module_error_input.forward_input
            count += 1
            said = [
                _refusal(engine, name, made, call, as_given)
                for engine, as_given in ((torch, lambda value, seen: value), (tw, ours))
            ]
            if said[0] != said[1]:
                wrong.append(f"{name}: {said[0]} and {said[1]}")
    return count, wrong


def _refusal(engine: Any, name: str, made: Any, call: Any, as_given: Any) -> str:
    seen: dict[int, Any] = {}
    try:
        module = getattr(engine.nn, name)(*as_given(made.args, seen), **as_given(made.kwargs, seen))
        if call is not None:
            module.double()(*as_given(tuple(call.args), seen), **as_given(dict(call.kwargs), seen))
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"
    return "no error"


def main() -> None:
    reader = argparse.ArgumentParser(description="PyTorch's modules, ours beside PyTorch's.")
    reader.add_argument("names", nargs="*")
    reader.add_argument("--errors", action="store_true")
    reader.add_argument("--seed", type=int, default=0)
    chosen = reader.parse_args()
    if chosen.errors:
        count, wrong = refusals()
        return print(f"{count - len(wrong)} of {count} refusals agree", *wrong, sep="\n")
    asked = set(chosen.names)
    found = [*outcomes(asked, chosen.seed)]
    for each in found:
        if each.wrong:
            print(f"{each.name}: {len(each.wrong)} of {each.inputs} differ")
            print("\n".join("    " + line for line in (each.wrong if asked else each.wrong[:2])))
    agree = sum(not each.wrong for each in found)
    print(f"{agree} of {len(found)} modules agree, {sum(each.inputs for each in found)} inputs")


if __name__ == "__main__":
    main()
