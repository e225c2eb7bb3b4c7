"""How an answer is judged, and how the verdict is drawn.

    answer -> plainly, watching -> an Exercise's judge() -> Verdict -> page

`verdict` holds what all exercises have. The kinds of exercises are `values_asked`, `tensors_asked`, `functions_asked`,
`equations_asked` and `plans_asked`; `prediction` has the questions that are asked before a cell runs. No file here
knows a single lesson.
"""
