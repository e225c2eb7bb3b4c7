"""PyTorch's samples with every tensor on a simulated GPU."""

from __future__ import annotations

import sys
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import tensorwidgets as tw
from tensorwidgets.engine.devices import counts
from tensorwidgets.engine.devices.members import fetched
from tests.operators.ask import RANDOM, UNTOLD, answer
from tests.operators.compare import differs
from tests.operators.freedom import FREE, freely_differs
from tests.operators.samples import Unpacker, kind, load
from tests.parts import ALL, Part


class OnDevice(Unpacker):
    """Unpacks tensors on the GPU, each with its size, its strides and the bytes that it spans."""

    def unpack(self, value: Any) -> Any:
        return tw.device("cuda:0") if value in ("cpu", {"device": "cpu"}) else super().unpack(value)

    def _tensor(self, dtype: str, size: list, stride: list, at: int, length: int, offset: int, conj: int = 0) -> Any:
        d = getattr(tw, dtype)
        if not length:
            return tw.empty_strided(size, stride, dtype=d, device="cuda")
        raw = tw.frombuffer(bytearray(self.blob[at : at + length]), dtype=d).cuda()
        t = raw.as_strided(size, stride, offset)
        return t.conj() if conj else t


def back(value: Any) -> Any:
    """The same with every tensor in main memory, where strides stay what they are."""
    if isinstance(value, tw.Tensor):
        return fetched(value) if value.is_cuda else value
    if isinstance(value, (tuple, list)):
        return [back(part) for part in value]
    return value


def elsewhere(value: Any) -> bool:
    """Whether a result holds a tensor that is not on the GPU."""
    if isinstance(value, tw.Tensor):
        return not value.is_cuda
    return isinstance(value, (tuple, list)) and any(map(elsewhere, value))


IN_MAIN_MEMORY = frozenset(("cpu", "Tensor.cpu", "bartlett_window"))


def fault(sample: dict[str, Any], unpacker: OnDevice, plain: Unpacker) -> str:
    """What is wrong with the answer to a sample on the device, or nothing."""
    name, given = sample["op"], unpacker.unpack(sample["given"])
    try:
        ours = answer(name, sample["variant"], *given)
    except Exception as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0] if str(error) else ''}"[:200]
    if any(isinstance(x, tw.Tensor) for x in given[1:] + [given[0]]) and elsewhere(ours) and name not in IN_MAIN_MEMORY:
        return "a result is in main memory"
    theirs, ours = plain.unpack(sample["answer"]), back(ours)
    if name in UNTOLD or name in RANDOM:
        return shape_differs(ours, theirs)
    if name in FREE:
        return freely_differs(name, plain.unpack(sample["given"]), ours, theirs, tw)
    if isinstance(theirs, (tuple, list)):
        return differs(name, list(ours) if isinstance(ours, (tuple, list)) else ours, list(theirs), tw)
    return differs(name, ours, theirs, tw)


def shape_differs(ours: Any, theirs: Any) -> str:
    if isinstance(theirs, (tuple, list)):
        return "" if len(ours) == len(theirs) else "another number of results"
    same = (ours.dtype, ours.shape, ours.stride()) == (theirs.dtype, theirs.shape, theirs.stride())
    return "" if same else f"{ours.dtype} {ours.shape} {ours.stride()}"


def asked(wanted: set[str], part: Part = ALL) -> Iterator[tuple[dict[str, Any], str, Counter[str]]]:
    """Each sample with its fault, and the ops that went through the host for it."""
    samples, plain = load(tw)
    unpacker = OnDevice(tw, plain.blob)
    for sample in part.of(samples, kind):
        if wanted and sample["op"] not in wanted:
            continue
        counts.through_host.clear()
        yield sample, fault(sample, unpacker, plain), Counter(counts.through_host)


def main() -> None:
    warnings.simplefilter("ignore")
    names = {a for a in sys.argv[1:] if not a.startswith("--")}
    wrong: dict[str, Counter[str]] = defaultdict(Counter)
    hosted: dict[str, Counter[str]] = defaultdict(Counter)
    ops, asks = set(), 0
    tw.cuda.simulate(memory="256 MiB")
    for sample, what, host in asked(names):
        asks += 1
        ops.add(sample["op"])
        if what:
            wrong[sample["op"]][what] += 1
        for name in host:
            hosted[name][counts.missing.get(name, "listed")] += 1
    for name, faults in sorted(wrong.items()):
        print(name, sum(faults.values()), "|", faults.most_common(1)[0][0])
    print(f"{asks} samples, {len(ops)} ops, {len(wrong)} ops wrong, {len(hosted)} rows through the host")
    reasons: dict[str, list[str]] = defaultdict(list)
    for name, why in hosted.items():
        for reason in why:
            reasons[reason].append(name)
    for reason, those in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"  {reason}: {len(those)}: {' '.join(sorted(those))}")


if __name__ == "__main__":
    main()
