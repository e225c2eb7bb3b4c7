"""How do numbers come in from Python, NumPy and other libraries, and how do they go out?"""
