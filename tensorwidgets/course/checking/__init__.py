"""How an answer is judged, and how the verdict is drawn.

    answer -> plainly, watching -> an Exercise's judge() -> Verdict -> page

`verdict` holds what all exercises have; `numbers_asked`, `tensors_asked` and `functions_asked` are the kinds that
there are, `prediction` the questions that are asked before a cell runs. Nothing here knows a single lesson.
"""
