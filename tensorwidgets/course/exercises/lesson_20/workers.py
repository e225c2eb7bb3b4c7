"""Workers that load ahead."""

from __future__ import annotations

from tensorwidgets.course.checking.prediction import WordPrediction

COPIES = WordPrediction(
    number="20.5",
    question="A dataset counts how often it is asked. Two workers load its 8 samples. What is dataset.count then?",
    subject="dataset.count",
    answer=0,
    reason="0: each worker has a dataset of its own, and only the batches come back",
    otherwise={
        8: "the samples were loaded, but by other processes. They counted in their own copies of the dataset",
        4: "each worker's copy says 4. Yours was never asked",
        2: "samples are counted, not workers, and each worker counts in its own copy",
        16: "each sample is loaded once, and not in your process",
        1: "your process asked for batches, and never for a sample",
    },
)

ELEVEN = WordPrediction(
    number="20.6",
    question="Loading a batch takes 3 seconds, the loop works on it for 1. How long do 8 batches take with 4 workers?",
    subject="the seconds",
    answer=11,
    reason="11: three for the first batch to come, and one for the work on each of the eight",
    otherwise={
        8: "that is the loop's own work. But for the first three seconds there is no batch to work on",
        32: "that is without workers. While the loop works, four of them load",
        24: "that would be loading one after the other. Four load at the same time",
        6: "that is how long the workers load. The loop itself works for 8 seconds, and nobody shares that work",
        7: "the loop is one process: its work on eight batches takes 8 seconds",
        14: "that is what two workers would take",
        9: "the first batch takes 3 seconds to come",
        10: "then the loop has its last batch. It still has to work on it",
        12: "after the first batch the loop never waits: the next four are loaded while it works on the first four",
    },
)
