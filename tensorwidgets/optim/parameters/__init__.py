"""Which parameters does an optimizer change, what does it remember of each, and how does it change many at once?"""
