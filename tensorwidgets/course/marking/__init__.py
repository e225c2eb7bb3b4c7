"""The teacher's table: who has done which exercise, computed without trusting the submissions.

    FOLDER -> submissions (files) -> answers (cells, by grade_id) -> our copy of the lesson
        -> runner (another process, in a sandbox) -> wire (JSON) -> the exercise's judge -> table

Only a student's answer cells are used. They run in a separate process, which sends back only plain data. The verdict is
computed on this side, so an answer that changes `check` cannot change it. An answer that crashes or does not end is
left out, and the others are judged without it.
"""
