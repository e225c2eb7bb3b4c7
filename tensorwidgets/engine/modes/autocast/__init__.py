"""In which dtype is a call computed in a block of `autocast`?"""
