"""Explain an error of datasets and loaders from its message."""

from __future__ import annotations

import re
from pathlib import Path

from ...errors.tracebacks import is_library_file
from .patterns import Answer, explains


@explains(r"default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found <class '(.*?)'>")
def _collate(kind: str) -> Answer:
    because = f"A batch stacks the samples, and there is no rule for stacking values of {kind}."
    ways = ("a tensor or a number in its place, in the dataset's __getitem__",
            "DataLoader(..., collate_fn=list), which makes a list of the samples")  # fmt: skip
    return "data.collate", because, ways


@explains(r"each element in list of batch should be of equal size")
def _ragged() -> Answer:
    because = "The samples are lists, and their lengths differ: the first elements of all make one tensor, and so on."
    ways = ("DataLoader(..., collate_fn=list), which makes a list of the samples",
            "collate_fn=..., which pads them: pad_sequence([torch.tensor(s) for s in samples], True)")  # fmt: skip
    return "data.collate", because, ways


@explains(r"num_samples should be a positive integer value, but got num_samples=0")
def _no_samples() -> Answer:
    because = "No sample can be drawn: the dataset is empty (its len() is 0), or num_samples was given as 0."
    return "data.empty", because, ("len(dataset), before the loader is made", "the path that the files are read from")


@explains(r"sampler option is mutually exclusive with shuffle")
def _two_orders() -> Answer:
    return "data.settings", "sampler and shuffle both say in which order the samples come.", ("sampler=..., alone",)


@explains(r"Sum of input lengths does not equal the length of the input dataset")
def _parts() -> Answer:
    because = "The lengths of the parts add up to more or fewer samples than the dataset has."
    return "data.sizes", because, ("random_split(data, [0.8, 0.2])", "[n, len(data) - n], for parts of n and the rest")


@explains(r"Size mismatch between tensors")
def _rows() -> Answer:
    because = "A sample takes one row of each tensor, and their first dimensions differ."
    return "data.sizes", because, ("[t.shape for t in tensors], to see which is too long",)


@explains(r"DataLoader worker \(pid\(?s?\)? .*?\) (?:exited unexpectedly|is killed by signal: (.*?)\.)")
def _worker(signal: str | None) -> Answer:
    because = "A worker process ended" + (f" by the signal {signal}" if signal else "") + (
        ": an error in the dataset, or too little memory; its own message is printed above."
    )  # fmt: skip
    ways = ("num_workers=0, which shows the dataset's own error", 'if __name__ == "__main__": around the program')
    return "data.worker", because, ways


@explains(
    r"An attempt has been made to start a new process before the\s+current process has finished its bootstrapping"
)
def _not_guarded() -> Answer:
    because = "Each worker imports the program, and the program starts workers again when it is imported."
    return "data.worker", because, ('if __name__ == "__main__": around what starts the training', "num_workers=0")


@explains(r"batch_size should be a positive integer value, but got batch_size=(\S+)")
def _batch_size(got: str) -> Answer:
    return "data.settings", "A batch has one example or more.", ("batch_size=1", "batch_size=None, for no batches")


@explains(r"DataLoader with IterableDataset: expected unspecified shuffle option")
def _stream() -> Answer:
    because = "An IterableDataset gives its samples in its own order, so there is nothing to shuffle by number."
    return "data.settings", because, ("no shuffle, and an order that __iter__ draws itself",)


@explains(r"Caught (\w+) in DataLoader worker process (\d+)\.(.*)$")
def _in_worker(kind: str, worker: int, trace: str) -> Answer:
    """The last pattern: what an error of a worker says is explained as if it came from here."""
    places = re.findall(r'File "(.*?)", line (\d+), in (\w+)', trace)
    own = [place for place in places if not is_library_file(place[0])] or places
    where = f", in {own[-1][2]}, line {own[-1][1]} of {Path(own[-1][0]).name}" if own else ""
    because = f"Worker {worker} loaded a sample, and the dataset raised this {kind}{where}."
    return "data.worker", because, ("num_workers=0, which raises it here", "dataset[i], for the sample i alone")
