"""What the sizes of gradients mean: vanishing, exploding, dead, or fine. One sentence, with the numbers in it."""

from __future__ import annotations

from typing import NamedTuple

from ..arrays.models.flows import Flow, Parameter
from ..arrays.values import count, short

FAR = 1000.0
"""How many times smaller than another the gradients of a weight are when they are said to vanish."""


class Verdict(NamedTuple):
    """What there is to say."""

    subject: str
    reason: str
    after: str = ""
    bad: bool = False


def verdict(flow: Flow) -> Verdict:
    """The one thing that matters most."""
    every = flow.parameters
    trained = [p for p in every if p.trains]
    if not every:
        return Verdict(flow.label, "has no parameters: there is nothing to train")
    if not all(p.value.known for p in every):
        return Verdict(flow.label, "is on meta: a parameter there has a size, and no numbers",
                       "Draw it on a device that has memory, after loss.backward().")  # fmt: skip
    if not any(p.grad for p in every):
        if not trained:
            return Verdict(flow.label, "is frozen: no parameter requires a gradient")
        return Verdict(flow.label, "has no gradients yet", "Call loss.backward() first, and draw before zero_grad().")
    odd = [p for p in every if p.grad and p.grad.odd]
    if odd:
        p, more = odd[-1], len(odd) - 1
        also = f"So are some of {count(more, 'other parameter')}. " if more else ""
        verb = "is" if p.grad.odd == 1 else "are"  # type: ignore[union-attr]
        return Verdict(p.path, f"{p.grad.odd:,} of {count(p.grad.numel, 'gradient')} {verb} nan or inf",  # type: ignore[union-attr]
                       f"{also}One step with them spoils the weights. Look for a division by zero, a log of 0, or a "
                       "learning rate that is too large; clip_grad_norm_ helps before they are inf.", True)  # fmt: skip
    zero = [p for p in every if p.grad and p.grad.numel and not p.grad.rms]
    if zero and len(zero) == sum(p.grad is not None for p in every):
        return Verdict(flow.label, "all of its gradients are zero, so a step changes nothing",
                       "So they are after zero_grad(set_to_none=False). Otherwise every unit is off, as a ReLU is "
                       "below zero, or the loss is as low as it gets.", True)  # fmt: skip
    if zero:
        p, more = zero[0], len(zero) - 1
        also = f" So are those of {count(more, 'other parameter')}." if more else ""
        return Verdict(p.path, "is dead: its gradients are all zero, so a step does not change it",
                       "Either every unit behind it is off, as a ReLU is below zero, or it is multiplied by zero."
                       + also, True)  # fmt: skip
    flowing = flow.flowing
    sizes = {k: every[k].grad.rms for k in flowing}  # type: ignore[union-attr]
    small, large = min(sizes, key=sizes.__getitem__), max(sizes, key=sizes.__getitem__)
    times = sizes[large] / sizes[small]
    if times >= FAR and small < large:
        return Verdict(every[small].path, f"vanishing: its gradients are {_times(times)} smaller than those of "
                       f"{every[large].path}", "On the way back to the first layers gradients shrink, so these "
                       "hardly learn. ReLU or GELU, normalization, residual connections and another "
                       "initialization help.", True)  # fmt: skip
    if times >= FAR:
        return Verdict(every[large].path, f"exploding: its gradients are {_times(times)} larger than those of "
                       f"{every[small].path}", "On the way back to the first layers gradients grow, so one step "
                       "changes these far too much. clip_grad_norm_, normalization and smaller initial weights "
                       "help.", True)  # fmt: skip
    steps = sorted(sizes[k] / every[k].value.rms for k in flowing if every[k].value.rms)
    if steps and steps[len(steps) // 2] >= FAR:
        p = every[large]
        return Verdict(p.path, f"exploding: its gradients are {_times(sizes[large] / p.value.rms)} as large as its "
                       "weights", "One step changes the weights far too much, unless the learning rate is tiny. "
                       "clip_grad_norm_, normalization and smaller initial weights help.", True)  # fmt: skip
    partly = [(p.grad.dead / p.grad.rows, p.path, p.grad) for p in every if p.grad and _dead(p)]
    share, path, grad = max(partly, default=(0.0, "", None))
    if grad is not None and share >= 0.5:
        return Verdict(path, f"{grad.dead} of its {grad.rows} units are dead in this batch: their gradients "
                       "are zero", "A unit that no batch switches on never learns again. A smaller learning rate, or "
                       "LeakyReLU or GELU, help.", True)  # fmt: skip
    lost = [p for p in trained if p.grad is None]
    after = "They flow: no layer learns far faster than another."
    if lost:
        others = f" and {len(lost) - 1} more" if len(lost) > 1 else ""
        after += f" {lost[0].path}{others} took no part in the loss and got no gradient."
    if len(flowing) == 1:
        return Verdict(every[small].path, f"its gradients are about {short(sizes[small])} each", after)
    # Beside weights, biases were not compared: they have a scale of their own.
    aside = ", vectors aside" if any(p.grad and len(p.size) < 2 <= len(every[small].size) for p in every) else ""
    alike = f"are similar in size{aside}: the largest ({every[large].path}) are {_times(times)} the smallest"
    return Verdict("gradients", f"{alike} ({every[small].path})", after)


def _times(n: float) -> str:
    return f"{short(n)} times" if n >= 1e6 else f"{n:,.0f} times" if n >= 10 else f"{n:.1f} times"


def _dead(p: Parameter) -> bool:
    """Whether it has rows without a gradient. In an embedding those are the numbers that the batch does not have."""
    return p.grad is not None and p.grad.dead > 0 and "Embedding" not in p.layer


def marks(p: Parameter) -> tuple[str, bool]:
    """What is to be said of one parameter in a few words, and whether it is bad."""
    if p.grad is None:
        return ("no gradient", False) if p.trains else ("frozen", False)
    if not p.grad.known:
        return "no numbers", False
    if p.grad.odd:
        return f"✗ {p.grad.odd:,} nan or inf", True
    if p.grad.numel and not p.grad.rms:
        return "✗ dead: all zero", True
    if _dead(p):
        return f"{p.grad.dead} of {p.grad.rows} rows zero", False
    if p.grad.dead:
        return f"{p.grad.rows - p.grad.dead} of {p.grad.rows} rows in this batch", False
    return "", False
