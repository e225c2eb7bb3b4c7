"""What does the class Tensor answer for a sparse tensor, and how is one printed?"""
