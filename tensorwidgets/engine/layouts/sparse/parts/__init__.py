"""What does a sparse tensor consist of, what must hold of its parts, and how are they sorted and merged?"""
