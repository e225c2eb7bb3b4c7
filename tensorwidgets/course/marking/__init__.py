"""A teacher's table: who has done which exercise, found out without trusting what was handed in.

    FOLDER -> submissions (files) -> answers (cells, by grade_id) -> our copy of the lesson
        -> runner (another process, boxed in) -> wire (JSON) -> the exercise's judge -> table

Only a student's answer cells are taken. They run in a process of their own, of which nothing comes back but plain
data; the verdict is made on this side, so nothing that an answer does to `check` changes it. An answer that crashes or
does not end is left out, and the others are judged without it.
"""
