"""Which ops are there, and which way does a call take?"""
